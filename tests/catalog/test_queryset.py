"""Rows in memory behind the face of a queryset."""

from __future__ import annotations

from typing import Any

import pytest
from django.core.exceptions import FieldError
from django.db.models import Exists, Q

from mcp_django.models import Feature


def row(key: str, **fields: Any) -> Feature:
    return Feature(key=key, **{"name": key, "kind": "tool", "server": "default", **fields})


ROWS = [
    row("b", title="Straße", app="library"),
    row("a", title="", app="lending"),
    row("C", title="Strasse", app="library"),
]


def held() -> Any:
    return Feature.objects.holding(ROWS)


def keys(rows: Any) -> list[str]:
    return [row.key for row in rows]


def test_the_manager_itself_is_empty_so_that_dumpdata_finds_nothing() -> None:
    assert Feature.objects.count() == 0
    assert list(Feature.objects.all().iterator()) == []


def test_rows_keep_their_order_and_answer_as_a_queryset_does() -> None:
    rows = held()
    assert keys(rows) == ["b", "a", "C"]
    assert (len(rows), rows.count(), rows.exists(), bool(rows)) == (3, 3, True, True)
    assert rows[1].key == "a"
    assert keys(rows[1:]) == ["a", "C"]
    assert rows.first().key == "b"
    assert rows.last().key == "C"
    assert keys(rows.all().distinct().reverse()) == ["C", "a", "b"]
    assert not rows.none().exists()


@pytest.mark.parametrize(
    ("condition", "found"),
    [
        (Q(app="library"), ["b", "C"]),
        (Q(app__exact="lending"), ["a"]),
        (Q(key__iexact="c"), ["C"]),
        (Q(title__contains="ass"), ["C"]),
        (Q(title__icontains="STRASSE"), ["b", "C"]),
        (Q(title__startswith="Stra"), ["b", "C"]),
        (Q(title__istartswith="stra"), ["b", "C"]),
        (Q(pk__in=["a", "b", "z"]), ["b", "a"]),
        (Q(title__isnull=True), []),
        (Q(app="lending") | Q(key="b"), ["b", "a"]),
        (Q(app="library") & ~Q(key="b"), ["C"]),
        (Q(), ["b", "a", "C"]),
        (Q(Q(), Q(key="a"), _connector=Q.OR), ["b", "a", "C"]),
    ],
)
def test_conditions_hold_as_in_sql(condition: Q, found: list[str]) -> None:
    assert keys(held().filter(condition)) == found


def test_exclude_leaves_out_what_filter_finds() -> None:
    assert keys(held().exclude(app="library")) == ["a"]


def test_get_finds_the_one_row() -> None:
    assert held().get(pk="a").app == "lending"
    with pytest.raises(Feature.DoesNotExist):
        held().get(pk="z")
    with pytest.raises(Feature.MultipleObjectsReturned):
        held().get(app="library")


def test_sorting_is_stable_and_without_regard_to_case() -> None:
    assert keys(held().order_by("key")) == ["a", "b", "C"]
    assert keys(held().order_by("-key")) == ["C", "b", "a"]
    assert keys(held().order_by("app", "-key")) == ["a", "C", "b"]
    assert keys(held().order_by("pk")) == ["a", "b", "C"]


def test_none_sorts_first_and_compares_with_nothing() -> None:
    rows = Feature.objects.holding([row("x", title="t"), row("y", title=None)])
    assert keys(rows.order_by("title")) == ["y", "x"]
    assert keys(rows.filter(title__icontains="t")) == ["x"]
    assert keys(rows.filter(title__isnull=True)) == ["y"]


def test_a_filtered_queryset_leaves_the_first_one_alone() -> None:
    rows = held()
    rows.filter(app="library").order_by("key")
    assert keys(rows) == ["b", "a", "C"]


@pytest.mark.parametrize(
    "condition", [Q(key__regex="a"), Q(no_such_field="a"), Q(Exists(Feature.objects.all()))]
)
def test_what_cannot_be_compared_in_memory_is_refused(condition: Q) -> None:
    with pytest.raises(FieldError):
        held().filter(condition)


@pytest.mark.parametrize("method", ["aggregate", "values", "values_list", "update", "delete"])
def test_what_needs_a_table_says_that_there_is_none(method: str) -> None:
    with pytest.raises(NotImplementedError, match="Feature has no table"):
        getattr(held(), method)()
