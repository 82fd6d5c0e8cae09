"""Tools, resources, templates and prompts of every look, for the tests of the catalog.

They belong to servers of their own and are not discovered: a test that wants them asks for
the fixture ``catalogued``, or for ``only_catalogued()``.
"""

from __future__ import annotations

from dataclasses import dataclass
from types import SimpleNamespace
from typing import Annotated, Any, Literal

from django.utils.translation import gettext_lazy as _
from rest_framework import serializers
from rest_framework.permissions import IsAdminUser

from mcp_django import Completion, Context, CurrentUser, ParamHeader, prompt, resource
from mcp_django.features.registry import Registry
from tests.app.models import Book, Branch
from tests.declaring import tool_in

registry = Registry("catalogued")
staff_registry = Registry("catalogued staff")
branch_registry = Registry("catalogued branches")
here: Any = SimpleNamespace(registry=registry)


class LoanSearch(serializers.Serializer):
    """Arguments of ``find_loans``."""

    status = serializers.ChoiceField(["open", "returned"], default="open")
    limit = serializers.IntegerField(
        min_value=1, max_value=100, default=20, help_text="At most this many loans."
    )
    since = serializers.DateField(help_text="Only loans that began on this day or later.")


class LoanRow(serializers.Serializer):
    """One loan in the result of ``find_loans``."""

    id = serializers.IntegerField()
    title = serializers.CharField(max_length=200)


@dataclass
class Copy:
    """A copy of a book, on its shelf."""

    shelf: str


@dataclass
class Record:
    """A book to import."""

    isbn: str
    copies: list[Copy]


@tool_in(
    registry,
    title="Find loans",
    arguments=LoanSearch,
    returns=LoanRow(many=True),
    read_only=True,
    idempotent=True,
    open_world=False,
    tags=["loans", "members"],
)
def find_loans(*, user: CurrentUser, status: str, limit: int, since: str) -> list[object]:
    """Find the caller's loans, newest first.

    Only loans of the signed-in member are searched, and only at the branch
    whose token was sent.
    """
    return []


@tool_in(registry, permission="app.add_book", destructive=True)
def import_books(records: list[Record], region: Annotated[str, ParamHeader("Region")]) -> int:
    """Import books into the catalogue."""
    return len(records)


@tool_in(registry, permission_classes=[IsAdminUser], title=_("Home"))
async def report(context: Context) -> None:
    """Write the report."""


@tool_in(staff_registry)
def hello() -> str:
    """Say <b>hello</b> & wave."""
    return "hello"


@resource(
    "library://hours",
    server=here,
    title="Opening hours",
    mime_type="text/plain",
    size=1234,
    annotations={"audience": ["user", "assistant"], "priority": 0.5},
    ttl_ms=90_000,
    cache_scope="public",
    tags=["visits"],
)
def hours() -> str:
    """When the library is open."""
    return "Monday to Friday"


@resource("library://covers/all", server=here)
def covers() -> Any:
    """Every cover."""
    return b"covers"


def is_open() -> bool:
    """Asked for each request."""
    return True


def known_books() -> list[dict[str, Any]]:
    """What lists of resources show."""
    return [{"branch": "north", "number": 1}]


@resource(
    "library://{branch}/books/{number}{?lang}",
    server=here,
    name="book",
    mime_type="application/json",
    permission_classes=[IsAdminUser],
    enabled=is_open,
    instances=known_books,
    completers={"branch": Completion(Branch.objects.all(), "name")},
)
def book(branch: str, number: int, lang: str = "en") -> dict[str, Any]:
    """One book.

    Args:
        number: As the catalogue counts.
    """
    return {"branch": branch, "number": number}


def topics(value: str) -> list[str]:
    """The topics that begin with what was typed."""
    return [one for one in ("science", "scuba", "travel") if one.startswith(value)]


@prompt(server=here, title="Reading list", completers={"topic": Completion(topics)})
def reading_list(topic: str, level: Literal["child", "adult"] = "adult", most: int = 5) -> str:
    """Make a reading list.

    Args:
        topic: What to read about.
    """
    return f"List {most} books about {topic} for an {level}."


@prompt(server=here, permission="app.view_book")
def take_stock() -> str:
    """Take stock."""
    return f"Count {Book._meta.verbose_name_plural}."


@tool_in(branch_registry)
def branch_name(context: Context) -> str:
    """Name the branch of the URL."""
    return str(context.request.resolver_match.kwargs["branch"])
