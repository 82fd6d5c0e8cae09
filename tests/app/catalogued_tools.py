"""Tools of every look, for the tests of the catalog.

They belong to two servers of their own and are not discovered: a test that wants them asks
for the fixture ``catalogued``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from django.utils.translation import gettext_lazy as _
from rest_framework import serializers
from rest_framework.permissions import IsAdminUser

from mcp_django import Context, CurrentUser, ParamHeader
from mcp_django.features.registry import Registry
from tests.declaring import tool_in

registry = Registry("catalogued")
staff_registry = Registry("catalogued staff")


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
