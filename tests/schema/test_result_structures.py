"""Objects as results: dataclasses, TypedDicts, NamedTuples, and unions of them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from enum import Enum
from typing import Literal, TypedDict

from django.utils.translation import gettext_lazy
from typing_extensions import TypeAliasType

from mcp_django.schema.results import result_rule
from tests.schema.returned import (
    UNTYPED,
    Book,
    Counted,
    Film,
    Fixed,
    Node,
    Other,
    Page,
    Partial,
    Receipt,
    Row,
    RowPage,
    Whole,
    convert,
)


def test_a_dataclass_is_an_object_of_its_fields() -> None:
    rule = result_rule(Receipt, name="tool")

    assert rule.schema == {
        "description": "What renewing gives.",
        "type": "object",
        "properties": {
            "number": {"type": "integer"},
            "due": {"description": "The new day.", "type": "string", "format": "date"},
            "fine": {"type": "string", "pattern": r"^-?[0-9]+(\.[0-9]+)?$"},
            "note": {"type": ["string", "null"]},
            "secret": {"type": "string"},
        },
        "required": ["number", "due", "fine", "note", "secret"],
    }
    receipt = Receipt(1, date(2026, 1, 2), Decimal("1E+2"), gettext_lazy("Yes"))  # type: ignore[arg-type]
    receipt.extra = "not a field"  # type: ignore[attr-defined]
    assert rule.convert(receipt).structured == {
        "number": 1,
        "due": "2026-01-02",
        "fine": "100",
        "note": "Yes",
        "secret": "",
    }


def test_only_the_fields_of_the_declared_class_are_shown() -> None:
    @dataclass
    class Internal(Receipt):
        password: str = "x"

    assert "password" not in convert(Receipt, Internal(1, date(2026, 1, 2))).structured


def test_typed_dicts_know_what_is_required_also_under_string_annotations() -> None:
    partial = result_rule(Partial, name="tool").schema or {}
    whole = result_rule(Whole, name="tool").schema or {}

    assert partial["required"] == ["id", "title"]
    assert list(partial["properties"]) == ["id", "title", "pages"]
    assert whole == {
        "type": "object",
        "properties": {
            "title": {"description": "The title.", "type": "string"},
            "pages": {"description": "How long it is.", "type": "integer"},
        },
    }
    assert convert(Partial, {"id": 1, "title": "x", "more": {2}}).structured == {
        "id": 1,
        "title": "x",
        "more": [2],
    }


def test_named_tuples_are_objects_also_when_a_row_is_a_plain_tuple() -> None:
    rows = convert(list[Row], [Row("a", Decimal("1.50")), ("b", 0)]).structured

    assert rows == [{"title": "a", "price": "1.50"}, {"title": "b", "price": "0"}]
    assert convert(UNTYPED, UNTYPED(1, "x")).structured == {"a": 1, "b": "x"}


def test_a_type_that_holds_itself_is_defined_once() -> None:
    rule = result_rule(Node, name="tool")
    node = {
        "type": "object",
        "properties": {
            "name": {"type": "string"},
            "children": {"type": "array", "items": {"$ref": "#/$defs/Node"}},
            "parent": {"anyOf": [{"$ref": "#/$defs/Node"}, {"type": "null"}]},
        },
        "required": ["name", "children", "parent"],
    }

    assert rule.schema == {**node, "$defs": {"Node": node}}
    tree = Node("a", [Node("b", [])])
    assert rule.convert(tree).structured["children"] == [
        {"name": "b", "children": [], "parent": None}
    ]


def test_generic_classes_are_filled_in() -> None:
    schema = result_rule(Page[Row], name="tool").schema or {}
    inherited = result_rule(RowPage, name="tool").schema or {}

    assert schema["properties"]["items"]["items"]["required"] == ["title", "price"]
    assert inherited["properties"]["items"] == schema["properties"]["items"]
    assert convert(Page[Row], Page([("a", 1)], 1)).structured == {
        "items": [{"title": "a", "price": "1"}],
        "total": 1,
    }


def test_two_types_of_one_name_are_told_apart() -> None:
    one = result_rule(tuple[Node, Other.Node], name="tool").schema or {}

    assert list(one["$defs"]) == ["Node", "Node2"]
    assert one["prefixItems"] == [{"$ref": "#/$defs/Node"}, {"$ref": "#/$defs/Node2"}]


def test_a_recursive_type_may_be_none_or_told_apart_from_others() -> None:
    rule = result_rule(Node | int | None, name="tool")

    assert rule.convert(None).structured is None
    assert rule.convert(Node("a", [])).structured["name"] == "a"
    assert (result_rule(Node | None, name="tool").schema or {})["anyOf"] == [
        {"$ref": "#/$defs/Node"},
        {"type": "null"},
    ]


def test_values_of_a_union_are_converted_by_their_class() -> None:
    rule = result_rule(list[Row | list[float] | int], name="tool")
    either = result_rule(dict[str, Decimal] | list[int], name="tool")

    assert rule.convert([Row("a", 1), (Decimal("1.5"),), 2]).structured == [  # type: ignore[arg-type]
        {"title": "a", "price": "1"},
        [1.5],
        2,
    ]
    assert either.convert({"x": 0}).structured == {"x": "0"}


def test_dicts_of_a_union_of_typed_dicts_are_converted_by_their_values() -> None:
    rule = result_rule(Fixed | Counted, name="tool")

    assert rule.convert({"kind": "counted", "value": 2}).structured == {
        "kind": "counted",
        "value": 2,
    }


def test_a_literal_member_tells_objects_apart() -> None:
    rule = result_rule(list[Book | Film], name="tool")

    assert rule.schema is not None
    assert len(rule.schema["items"]["anyOf"]) == 2
    found = rule.convert([Film("film", "x"), Book("book", "y")]).structured
    assert [item["kind"] for item in found] == ["film", "book"]


class Both(TypedDict):
    kind: Literal["and"]
    kids: list[Both | Either | Level]


class Either(TypedDict):
    kind: Word
    kids: list[Both | Either]


class Level(Enum):
    LOW = 1


Word = TypeAliasType("Word", Literal["or"])


def test_members_are_told_apart_while_they_are_being_made() -> None:
    rule = result_rule(Both, name="tool")
    value: Both = {"kind": "and", "kids": [{"kind": "or", "kids": []}, Level.LOW]}
    assert rule.convert(value).structured == {
        "kind": "and",
        "kids": [{"kind": "or", "kids": []}, 1],
    }


class ByLevel(TypedDict):
    kind: Level
    kids: list[ByLevel | Both]


def test_an_enum_tells_them_apart_too() -> None:
    outcome = result_rule(ByLevel, name="tool").convert({"kind": Level.LOW, "kids": []})
    assert outcome.structured == {"kind": 1, "kids": []}
