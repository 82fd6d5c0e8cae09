"""Prompts: what a person chooses from a menu, with the words in ``project/texts.toml``."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from django.db.models import QuerySet
from rest_framework import serializers
from rest_framework.permissions import IsAuthenticated
from rest_framework.renderers import JSONRenderer

from mcp_django import (
    Completion,
    CurrentTenant,
    EmbeddedResource,
    Prompt,
    PromptMessage,
    ToolError,
    prompt,
)
from project.library.mcp_tools.visiting import Day
from project.library.models import Book, Branch, OpeningHours, Subject
from project.library.serializers import BookSerializer
from project.library.tenancy import CurrentBranch

READERS = {"child": "a child of ten", "teenager": "a teenager", "adult": "an adult"}


# A function that returns a text: one message. Subjects are completed from their table.
@prompt(
    title="${reading_list.title}",
    tags=["catalogue"],
    permission_classes=[IsAuthenticated],
)
def reading_list(
    subject: Annotated[str, Completion(Subject.objects.all(), "name"), "${reading_list.subject}"],
    level: Literal["child", "teenager", "adult"] = "adult",
    count: Annotated[int, serializers.IntegerField(min_value=1, max_value=20)] = 5,
) -> str:
    """${reading_list.description}

    Args:
        level: Who is to read the books.
        count: How many books to choose, from 1 to 20.
    """
    return (
        f"Put together a reading list on {subject} for {READERS[level]}: {count} books that my "
        "branch has. Look for them with find_books, say why you chose each one, and which of "
        "them is on the shelf now."
    )


def titles_here(*, branch: CurrentBranch) -> QuerySet[Any, str]:
    """The titles of the caller's branch: those that fit what was typed are looked for in them."""
    return Book.objects.held_by(branch).values_list("title", flat=True)


# A class that returns several messages, one of them with a book in it. Its name is discuss-book:
# docs/reference/tools.md, "Names", says why those of functions, classes and methods look different.
class DiscussBook(Prompt):
    title = "${discuss_book.title}"
    description = "${discuss_book.description}"
    tags = ("catalogue",)
    permission_classes = (IsAuthenticated,)

    def render(
        self,
        title: Annotated[str, Completion(titles_here), "${discuss_book.book}"],
        *,
        branch: CurrentBranch,
    ) -> list[PromptMessage]:
        books = Book.objects.held_by(branch).with_names()
        book = books.filter(title__iexact=title).first()
        if book is None:
            raise ToolError(f"Your branch has no book called {title!r}.")
        shown = EmbeddedResource(
            f"library://books/{book.isbn}",
            text=JSONRenderer().render(BookSerializer(book).data).decode(),
            mime_type="application/json",
        )
        return [
            PromptMessage(shown),
            PromptMessage(f"I have just read {book.title}, and would like to talk about it."),
            PromptMessage("Gladly. What stayed with you when you closed it?", role="assistant"),
        ]


# A Django template: the arguments, and what the function adds, are its context.
@prompt(
    title="${plan_visit.title}",
    description="${plan_visit.description}",
    template="prompts/plan_visit.md",
    tags=["visit"],
)
def plan_visit(
    day: Annotated[Day, "${plan_visit.day}"],
    *,
    own_branch: Annotated[Branch, CurrentTenant] | None,
) -> dict[str, Any]:
    hours = OpeningHours.objects.filter(day=OpeningHours.Day[day.upper()])
    if own_branch is not None:
        hours = hours.filter(branch=own_branch)
    return {"openings": hours.select_related("branch"), "own_branch": own_branch}
