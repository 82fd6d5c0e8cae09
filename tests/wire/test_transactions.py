"""All of a call is in its transaction: what is looked up and injected, too."""

from __future__ import annotations

import asyncio
from typing import Annotated, Any

import pytest
from django.db import connection

from mcp_django import Context, Inject, Lookup, ToolError
from tests.app.models import Branch
from tests.wire.conftest import Wire

pytestmark = [pytest.mark.usefixtures("open_endpoint"), pytest.mark.django_db(transaction=True)]


def founded(context: Context) -> Branch:
    assert connection.in_atomic_block
    return Branch.objects.create(name="north")


async def founded_too(context: Context) -> Branch:
    await asyncio.sleep(0)
    return await Branch.objects.acreate(name="south")


@pytest.mark.parametrize(
    ("function", "name"), [(founded, "north"), (founded_too, "south")], ids=["sync", "async"]
)
def test_what_is_injected_is_undone_and_kept_with_the_call(
    wire: Wire, register: Any, function: Any, name: str
) -> None:
    def found(fails: bool, branch: Annotated[Branch, Inject(function)]) -> str:
        """Found a branch."""
        assert connection.in_atomic_block
        if fails:
            raise ToolError("No.")
        return branch.name

    register(found, atomic=True)
    assert wire.call("found", {"fails": True})["content"][0]["text"] == "No."
    assert not Branch.objects.exists()
    assert wire.call("found", {"fails": False})["content"][0]["text"] == name
    assert Branch.objects.get().name == name


def test_what_an_injected_function_raises_undoes_what_another_wrote(
    wire: Wire, register: Any
) -> None:
    async def refused() -> int:
        raise ToolError("Not now.")

    def found(
        branch: Annotated[Branch, Inject(founded)], number: Annotated[int, Inject(refused)]
    ) -> str:
        """Found a branch."""
        return branch.name

    register(found, atomic=True)
    assert wire.call("found")["content"][0]["text"] == "Not now."
    assert not Branch.objects.exists()


def test_a_row_is_looked_up_inside(wire: Wire, register: Any) -> None:
    seen = []

    def locked(context: Context) -> Any:
        seen.append(connection.in_atomic_block)
        return Branch.objects.select_for_update()

    def rename(branch: Annotated[Branch, Lookup(locked)]) -> str:
        """Rename."""
        return branch.name

    register(rename, atomic=True)
    branch = Branch.objects.create(name="north")
    assert wire.call("rename", {"branch": branch.pk})["content"][0]["text"] == "north"
    assert wire.call("rename", {"branch": branch.pk + 1})["isError"] is True
    assert seen == [True, True]


def test_arguments_that_do_not_validate(wire: Wire, register: Any) -> None:
    def lend(days: int) -> int:
        """Lend."""
        return days

    register(lend, atomic=True)
    assert wire.call("lend", {"days": "many"})["isError"] is True
    assert wire.call("lend", {"days": 3})["structuredContent"] == 3


class Later:
    def __await__(self) -> Any:
        raise AssertionError("awaited")


def test_an_awaitable_that_cannot_be_closed(wire: Wire, register: Any) -> None:
    def late() -> Any:
        """Late."""
        return Later()

    register(late, atomic=True)
    assert "say atomic=False" in wire.call("late")["content"][0]["text"]
