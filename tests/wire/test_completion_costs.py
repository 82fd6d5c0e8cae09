"""What completing costs at each key that is typed: queries, rows that are read and kept."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tests.app.models import Branch
from tests.wire.conftest import Wire

pytestmark = pytest.mark.usefixtures("open_endpoint")


@pytest.fixture
def complete(wire: Wire, register: Any) -> Any:
    def complete(source: Any, typed: str = "", *, ask: str = "result") -> Any:
        def wish(topic: str) -> str:
            """Wish for something."""
            return topic

        register(wish, kind="prompt", name=f"wish{next(numbers)}", completers={"topic": source})
        params = {
            "ref": {"type": "ref/prompt", "name": f"wish{next(numbers) - 1}"},
            "argument": {"name": "topic", "value": typed},
        }
        return getattr(wire, ask)("completion/complete", params)

    numbers = itertools.count()
    return complete


def values(answer: dict[str, Any]) -> list[str]:
    found: list[str] = answer["completion"]["values"]
    return found


@pytest.fixture
def _branches(db: None) -> None:
    Branch.objects.bulk_create(Branch(name=f"Branch {number:03}") for number in range(150))


@pytest.mark.usefixtures("_branches")
def test_only_what_is_found_is_counted_and_only_where_it_is_more_than_is_sent(
    complete: Any,
) -> None:
    with CaptureQueriesContext(connection) as queries:
        answer = complete((Branch.objects.all(), "name"), "Branch 1")
    assert answer["completion"]["total"] == 50
    assert len(queries) == 1
    with CaptureQueriesContext(connection) as queries:
        answer = complete((Branch.objects.all(), "name"), "Branch")
    assert answer["completion"]["total"] == 150
    assert [("COUNT(" in query["sql"]) for query in queries] == [False, True]
    assert "LIKE" in queries[1]["sql"]


@pytest.mark.usefixtures("_branches")
def test_a_queryset_of_the_authors_keeps_no_rows(complete: Any) -> None:
    # Sliced, so that the database cannot narrow it.
    names = Branch.objects.order_by("name").values_list("name", flat=True)[:120]

    def found() -> Any:
        return names

    assert values(complete(found, "branch 11"))[-1] == "Branch 119"
    Branch.objects.filter(name="Branch 119").update(name="Branch 119 a")
    assert values(complete(found, "branch 11"))[-1] == "Branch 119 a"


@pytest.mark.usefixtures("_branches")
def test_nor_are_rows_believed_that_its_author_has_read(complete: Any) -> None:
    names = Branch.objects.order_by("name").values_list("name", flat=True)
    assert len(names) == 150

    def found(value: str) -> Any:
        return names

    Branch.objects.filter(name="Branch 000").update(name="Branch 000 a")
    assert values(complete(found))[0] == "Branch 000 a"


def endless() -> Iterator[int]:
    return itertools.count()


def endless_too(value: str) -> Iterator[int]:
    return itertools.count()


@pytest.mark.parametrize("source", [endless, endless_too])
def test_what_has_no_end_is_refused(complete: Any, source: Any) -> None:
    assert complete(source, ask="error") == {
        "code": -32603,
        "message": "The completer gave more than 10,000 values: let it take what was typed, as "
        "value, and return fewer.",
    }


def test_as_many_as_are_read(complete: Any) -> None:
    assert complete(lambda: iter(range(10_000)))["completion"]["total"] == 10_000


@pytest.mark.django_db
def test_no_more_rows_are_asked_for_than_are_read(complete: Any) -> None:
    def sliced() -> Any:
        return Branch.objects.values_list("name", flat=True)[:50_000]

    with CaptureQueriesContext(connection) as queries:
        complete(sliced, "x")
    assert "LIMIT 10001" in queries[0]["sql"]
