"""Resources: what a client may read by its URI, and attach to a conversation."""

from __future__ import annotations

from typing import TypedDict

from django.db.models import Count
from rest_framework import serializers
from rest_framework.permissions import IsAuthenticated

from mcp_django import Annotations, Context, resource
from project.library.covers import cover_png
from project.library.models import Author, Book, BookQuerySet, Branch, Subject, check_isbn
from project.library.serializers import BookDetailsSerializer
from project.library.servers import EVERYWHERE
from project.library.tenancy import CurrentBranch, books_of_caller


class CatalogueStatistics(TypedDict):
    books: int
    authors: int
    copies: dict[str, int]
    subjects: dict[str, int]


# One URI, and a TypedDict as JSON.
@resource(
    "library://catalogue/statistics",
    title="The catalogue in numbers",
    tags=["catalogue"],
    ttl_ms=5 * 60 * 1000,
)
def catalogue_statistics() -> CatalogueStatistics:
    """Count books and authors, copies by branch, and the ten largest subjects."""
    branches = Branch.objects.annotate(number=Count("copies"))
    subjects = Subject.objects.annotate(number=Count("books")).order_by("-number", "name")
    return CatalogueStatistics(
        books=Book.objects.count(),
        authors=Author.objects.count(),
        copies={branch.code: branch.number for branch in branches},
        subjects={subject.name: subject.number for subject in subjects[:10]},
    )


def books_here(*, branch: CurrentBranch) -> BookQuerySet:
    """What lists show of the template below: all books of the caller's branch."""
    return Book.objects.held_by(branch)


def isbns_here(value: str, *, branch: CurrentBranch) -> list[str]:
    """The numbers that begin with what was typed so far, of books of the caller's branch."""
    books = Book.objects.held_by(branch).filter(isbn__startswith=value)
    return list(books.order_by("isbn").values_list("isbn", flat=True)[:100])


ISBN = serializers.CharField(
    max_length=13, validators=[check_isbn], help_text="13 digits, without hyphens."
)


# A template: many URIs, of which the braces are an argument. A serializer shows what is read.
@resource(
    "library://books/{isbn}",
    title="A book",
    arguments={"isbn": ISBN},
    returns=BookDetailsSerializer(),
    instances=books_here,
    completers={"isbn": isbns_here},
    tags=["catalogue"],
    permission_classes=[IsAuthenticated],
    server=EVERYWHERE,
)
def book_by_isbn(isbn: str, *, context: Context) -> Book:
    """A book of the caller's branch, with every copy and where it stands."""
    return books_of_caller(context).get(isbn=isbn)


# Bytes; their type is told by how the URI ends.
@resource(
    "library://books/{isbn}/cover.png",
    title="The cover of a book",
    arguments={"isbn": ISBN},
    completers={"isbn": isbns_here},
    annotations=Annotations(audience="user", priority=0.3),
    tags=["catalogue"],
    permission_classes=[IsAuthenticated],
)
def cover_by_isbn(isbn: str, *, branch: CurrentBranch) -> bytes:
    """The cover of a book of the caller's branch, as a PNG."""
    return cover_png(Book.objects.held_by(branch).get(isbn=isbn).isbn)
