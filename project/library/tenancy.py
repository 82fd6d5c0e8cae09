"""Who calls, for which branch, and which books a caller can name.

``MCP_DJANGO["TENANT"]`` names the first function. The aliases at the end are what tools
write in their signatures.
"""

from __future__ import annotations

from typing import Annotated

from django.contrib.auth.models import User
from django.db.models import Prefetch
from django.http import HttpRequest

from mcp_django import Context, CurrentTenant, CurrentUser, Inject, Lookup, ToolError
from project.library.models import Book, BookQuerySet, Branch, Copy, Member


def branch_of_request(request: HttpRequest) -> Branch | None:
    """The branch of the member who is signed in; None for everyone else."""
    if not request.user.is_authenticated:
        return None
    return Branch.objects.filter(members__user=request.user).first()


def member_of_caller(user: Annotated[User, CurrentUser]) -> Member:
    """The caller's card. The superuser, for one, has none."""
    member = Member.objects.select_related("branch").filter(user=user).first()
    if member is None:
        raise ToolError("Only members of a branch can do this, and you have no member's card.")
    return member


def books_of_caller(context: Context) -> BookQuerySet:
    """The books of the caller's branch, each with the branch's copies of it."""
    copies = Copy.objects.filter(branch=context.tenant)
    branch_copies = Prefetch("copies", queryset=copies, to_attr="branch_copies")
    return Book.objects.held_by(context.tenant).with_names().prefetch_related(branch_copies)


# Injected: neither shows in a schema, and no caller can send one.
CurrentBranch = Annotated[Branch, CurrentTenant]
CurrentMember = Annotated[Member, Inject(member_of_caller)]

# An argument: a caller sends the id. The book of another branch is one that doesn't exist.
BookOfBranch = Annotated[Book, Lookup(books_of_caller), "The book's id, as find_books gives it."]
