"""Results by ``returns=``: a serializer, or a type in place of the annotation."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Any

import pytest
from django.db.models import QuerySet
from rest_framework import serializers

from mcp_django.protocol.content import Text
from mcp_django.schema.errors import DeclarationError, InvalidResult
from mcp_django.schema.results import ABSENT, Outcome, ResultRule, ToolResult, result_rule
from tests.app.models import Book, Branch

EMPTY = inspect.Signature.empty


class Sum(serializers.Serializer[Any]):
    sum = serializers.IntegerField()


class Loan(serializers.Serializer[Any]):
    due = serializers.DateField()
    fine = serializers.DecimalField(max_digits=6, decimal_places=2)
    note = serializers.CharField(allow_null=True, source="remark")


class BookSerializer(serializers.ModelSerializer[Book]):
    class Meta:
        model = Book
        fields = ["id", "title", "branch"]


class Needy(serializers.Serializer[Any]):
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        self.user = kwargs["context"]["request"].user
        super().__init__(*args, **kwargs)


class Branches(serializers.ListSerializer[Any]):
    def to_representation(self, data: Any) -> Any:
        return [{"sum": len(list(data))}]


class Counted(Sum):
    class Meta:
        list_serializer_class = Branches


@dataclass
class Failure:
    code: str


class Row:
    due = date(2026, 1, 2)
    fine = Decimal("1.5")
    remark = None
    pk = 7
    none = None


def rule(returns: Any, annotation: Any = EMPTY) -> ResultRule:
    return result_rule(annotation, returns, name="tool")


@pytest.mark.parametrize("returns", [Sum, Sum()])
def test_a_serializer_gives_schema_and_data(returns: Any) -> None:
    made = rule(returns)

    assert made.schema is not None
    assert made.schema["properties"]["sum"]["type"] == "integer"
    assert made.schema["required"] == ["sum"]
    assert made.convert({"sum": "3"}) == Outcome((Text('{"sum":3}'),), {"sum": 3})
    assert made.convert({"sum": 3}).encoded == b'{"sum":3}'


def test_data_is_written_as_drf_writes_it() -> None:
    assert rule(Loan).convert(Row()).structured == {
        "due": "2026-01-02",
        "fine": "1.50",
        "note": None,
    }


@pytest.mark.parametrize("returns", [Sum(many=True), serializers.ListSerializer(child=Sum())])
def test_many(returns: Any) -> None:
    made = rule(returns, Iterator[Any])

    assert made.schema is not None
    assert made.schema["type"] == "array"
    assert made.convert({"sum": n} for n in (1, 2)).structured == [{"sum": 1}, {"sum": 2}]
    assert made.convert([]).content == (Text("[]"),)


def test_a_list_serializer_of_the_author_is_kept() -> None:
    assert rule(Counted(many=True)).convert([1, 2, 3]).structured == [{"sum": 3}]


@pytest.mark.django_db
def test_querysets_and_models() -> None:
    north = Branch.objects.create(name="North")
    book = Book.objects.create(title="Emma <1>", branch=north)
    shown = {"id": book.pk, "title": "Emma <1>", "branch": north.pk}
    many = rule(BookSerializer(many=True), QuerySet[Book])

    assert rule(BookSerializer).convert(book).structured == shown
    assert many.convert(Book.objects.all()).structured == [shown]
    assert many.convert(north.books).structured == [shown]
    assert rule(list[int]).convert(Book.objects.values_list("pk", flat=True)).structured == [
        book.pk
    ]
    rows = rule(list[dict[str, Any]]).convert(Book.objects.values("title")).structured
    assert rows == [{"title": "Emma <1>"}]
    with pytest.raises(InvalidResult, match=r"^result\[0\]: Book has no JSON form: give it"):
        rule(None).convert(Book.objects.all())


def test_what_is_serialized_already_stays() -> None:
    book = Book(pk=5, title="Emma", branch_id=1)
    made = rule(BookSerializer)

    assert made.convert(BookSerializer(book)).structured["title"] == "Emma"
    assert made.convert(BookSerializer(book).data).structured["title"] == "Emma"
    assert rule(BookSerializer(many=True)).convert(
        BookSerializer([book], many=True).data
    ).structured == [{"id": 5, "title": "Emma", "branch": 1}]


def test_a_serializer_may_be_the_annotation() -> None:
    made = rule(None, Sum)

    assert made.convert(Sum({"sum": 1})).structured == {"sum": 1}
    assert made.convert({"sum": 1}).structured == {"sum": 1}
    assert rule(None).convert({"inner": Sum({"sum": 1})}).structured == {"inner": {"sum": 1}}


# None.


@pytest.mark.parametrize(
    "made",
    [rule(Sum, Row | None), rule(Sum(allow_null=True)), rule(list[int], list[Any] | None)],
)
def test_none_is_null_where_it_is_declared(made: ResultRule) -> None:
    assert made.convert(None) == Outcome((Text("null"),), None)


@pytest.mark.parametrize(
    ("returns", "value", "message"),
    [
        (
            Sum,
            None,
            "result: expected an object for Sum, got None; raise ToolError or Http404 where there "
            "is none",
        ),
        (Sum(many=True), None, "result: expected a list for Sum, got None; return []"),
        (
            Sum,
            [{"sum": 1}],
            "result: expected one object for Sum, got several; returns=Sum(many=True) takes them",
        ),
        (
            Sum(many=True),
            {"sum": 1},
            "result: expected a list for Sum, got dict; returns=Sum() takes one object",
        ),
        (
            Sum(many=True),
            5,
            "result: expected a list for Sum, got int; returns=Sum() takes one object",
        ),
    ],
)
def test_one_and_many_are_told_apart(returns: Any, value: Any, message: str) -> None:
    with pytest.raises(InvalidResult) as caught:
        rule(returns).convert(value)

    assert str(caught.value) == message


def test_an_error_of_the_serializer_is_the_authors() -> None:
    with pytest.raises(KeyError, match="sum"):
        rule(Sum).convert({"total": 1})


def test_a_list_for_one_object_stops_start_up() -> None:
    with pytest.raises(DeclarationError, match=r"Write returns=Sum\(many=True\)"):
        rule(Sum, list[Row])


def test_a_serializer_that_cannot_be_made_stops_start_up() -> None:
    with pytest.raises(DeclarationError, match=r"Needy\(\) cannot be made \(KeyError"):
        rule(Needy)


# Held to the schema.


def test_a_serialized_value_is_held_to_the_schema() -> None:
    class Loose(Sum):
        def to_representation(self, instance: Any) -> Any:
            return {"sum": "three"}

    with pytest.raises(InvalidResult, match=r'^result\.sum: expected integer, got "three"$'):
        rule(Loose).convert({"sum": 3})


def test_a_tool_result_is_held_to_returns() -> None:
    made = rule(Loan, ToolResult)
    built = {"due": "2026-01-02", "fine": "1.50", "note": None}

    assert made.convert(ToolResult("One loan.", Row())) == Outcome((Text("One loan."),), built)
    assert made.convert(ToolResult("One loan.", built)).structured == built
    assert rule(Loan(many=True), ToolResult).convert(ToolResult(structured=[built])).structured == [
        built
    ]
    with pytest.raises(InvalidResult, match=r"^result\.fine: expected string, got 1\.5$"):
        made.convert(ToolResult("One loan.", {**built, "fine": 1.5}))
    with pytest.raises(InvalidResult, match="no structured content"):
        made.convert(ToolResult("One loan."))
    error = ToolResult.error("None.", structured=Failure("gone"))
    assert made.convert(error).structured == {"code": "gone"}
    assert made.convert(ToolResult.error("None.")) == Outcome((Text("None."),), ABSENT, True)


def test_returns_may_be_a_type() -> None:
    made = rule(dict[str, int], ToolResult)

    assert made.schema == {"type": "object", "additionalProperties": {"type": "integer"}}
    assert made.convert(ToolResult("x", {"a": 1})).structured == {"a": 1}
    assert rule(str).convert("x") == Outcome((Text("x"),))
