"""JSON Schemas as tables."""

from __future__ import annotations

from typing import Any

import pytest

from mcp_django.catalog.limits import limits
from mcp_django.catalog.schemas import schema_rows
from mcp_django.catalog.types import type_of
from mcp_django.schema.rendering.strings import NOT_BLANK, TRIMMED
from mcp_django.schema.rendering.times import DURATION, TIME

NODE = {
    "type": "object",
    "properties": {
        "label": {"type": "string"},
        "children": {"type": "array", "items": {"$ref": "#/$defs/Node"}},
    },
    "required": ["label"],
}


@pytest.mark.parametrize(
    ("schema", "words"),
    [
        ({"type": "string"}, "string"),
        ({"type": ["integer", "null"]}, "integer or null"),
        ({"type": "array", "items": {"type": "integer"}}, "list of integer"),
        ({"type": "array"}, "list"),
        ({"type": "array", "items": {}}, "list"),
        (
            {"type": "array", "prefixItems": [{"type": "string"}, {"type": "number"}]},
            "list of (string, number)",
        ),
        (
            {"anyOf": [{"type": "number"}, {"type": "string"}, {"type": "number"}]},
            "number or string",
        ),
        ({"oneOf": [{"const": "a"}, {"const": 1}, {"const": None}]}, "string or integer or null"),
        ({"enum": [True, 2.5, [], {}]}, "boolean or number or list or object"),
        ({"const": "a"}, "string"),
        ({"type": "string", "anyOf": [{"const": ""}, {"format": "uri"}]}, "string"),
        ({}, "any"),
        (True, "any"),
        (False, "nothing"),
        ({"$ref": "#/$defs/Node", "$defs": {"Node": NODE}}, "object"),
        ({"$ref": "#/$defs/a~1b", "$defs": {"a/b": {"type": "boolean"}}}, "boolean"),
        ({"$ref": "#/$defs/Missing"}, "Missing"),
        ({"$ref": "https://example.com/Elsewhere"}, "Elsewhere"),
        ({"$ref": "#/$defs/Self", "$defs": {"Self": {"$ref": "#/$defs/Self"}}}, "Self"),
    ],
)
def test_types_in_words(schema: Any, words: str) -> None:
    assert type_of(schema) == words


@pytest.mark.parametrize(
    ("schema", "words"),
    [
        ({"minimum": 1, "maximum": 100}, ["1 to 100"]),
        ({"minimum": 0}, ["at least 0"]),
        ({"maximum": 2.5}, ["at most 2.5"]),
        ({"minimum": -1.79e308, "maximum": 1.79e308}, []),
        ({"exclusiveMinimum": 0, "exclusiveMaximum": 1}, ["more than 0", "less than 1"]),
        ({"multipleOf": 5}, ["a multiple of 5"]),
        ({"minLength": 1, "maxLength": 20}, ["1 to 20 characters"]),
        ({"minLength": 13, "maxLength": 13}, ["exactly 13 characters"]),
        ({"minItems": 1}, ["at least 1 item"]),
        ({"minItems": 2, "uniqueItems": True}, ["at least 2 items", "no item twice"]),
        ({"maxProperties": 3}, ["at most 3 members"]),
        ({"format": "date", "pattern": "^2"}, ["format date", "pattern ^2"]),
        ({"enum": ["open", None, 1]}, ['one of "open", null, 1']),
        ({"const": "é"}, ['exactly "é"']),
        ({"pattern": NOT_BLANK}, ["not blank"]),
        ({"pattern": TRIMMED}, ["no white space at its ends"]),
        ({"pattern": TIME}, ["a time such as 12:00"]),
        ({"pattern": DURATION}, ["a duration such as P1DT2H"]),
        ({"pattern": "^" + 30 * "[0-9]"}, ["a pattern, see the JSON Schema"]),
        ({"allOf": [{"pattern": "^a"}, {"pattern": "b$"}]}, ["pattern ^a", "pattern b$"]),
        (
            {"type": "string", "anyOf": [{"const": ""}, {"format": "uri", "pattern": "^x"}]},
            ['exactly "" or format uri, pattern ^x'],
        ),
        ({"type": "string", "anyOf": [{}]}, []),
        ({"anyOf": [{"type": "string"}, {"type": "number", "minimum": 0}]}, ["number: at least 0"]),
        (
            {"oneOf": [{"const": "a", "title": "First"}, {"const": "b"}, {"type": "null"}]},
            ['one of "a" (First), "b"'],
        ),
        (
            {"items": {"maxLength": 8}, "maxItems": 5},
            ["at most 5 items", "each: at most 8 characters"],
        ),
        (
            {"anyOf": [{"type": "number", "minimum": 0}, {"type": "string", "pattern": "^1"}]},
            ["number: at least 0", "string: pattern ^1"],
        ),
        (True, []),
    ],
)
def test_limits_in_words(schema: Any, words: list[str]) -> None:
    assert list(limits(schema, {})) == words


def test_members_become_rows_with_nested_ones_below_their_parents() -> None:
    schema = {
        "type": "object",
        "properties": {
            "lines": {
                "type": "array",
                "items": {
                    "type": "object",
                    "properties": {"quantity": {"type": "integer", "default": 1}},
                },
            },
            "note": {"type": "string", "description": "For the\nreader."},
            "scores": {"type": "object", "additionalProperties": {"type": "integer"}},
            "anything": True,
        },
        "required": ["lines"],
    }
    rows = schema_rows(schema)
    assert [(row.path, row.depth, row.type, row.required, row.default) for row in rows] == [
        ("lines", 0, "list of object", True, ""),
        ("lines[].quantity", 1, "integer", False, "1"),
        ("note", 0, "string", False, ""),
        ("scores", 0, "object", False, ""),
        ("scores.*", 1, "integer", False, ""),
        ("anything", 0, "any", False, ""),
    ]
    assert rows[2].description == "For the\nreader."


def test_a_default_of_null_is_a_default() -> None:
    rows = schema_rows({"properties": {"a": {"default": None}, "b": {}}})
    assert [row.default for row in rows] == ["null", ""]


def test_recursion_is_told_once() -> None:
    schema = {"properties": {"tree": {"$ref": "#/$defs/Node"}}, "$defs": {"Node": NODE}}
    rows = schema_rows(schema)
    assert [row.path for row in rows] == [
        "tree",
        "tree.label",
        "tree.children",
        "tree.children[]…",
    ]
    assert rows[-1].limits == ("nested like the rows above",)


def test_the_members_of_every_branch_are_told() -> None:
    schema = {
        "anyOf": [{"properties": {"a": {"type": "string"}}}, {"type": "null"}],
        "allOf": [{"properties": {"b": {"type": "integer"}}}],
    }
    assert [row.path for row in schema_rows(schema)] == ["a", "b"]


def test_a_list_tells_the_members_of_its_items_and_a_scalar_none() -> None:
    listed = {"type": "array", "items": {"properties": {"id": {"type": "integer"}}}}
    assert [row.path for row in schema_rows(listed)] == ["[].id"]
    assert schema_rows({"type": "integer"}) == []


def test_a_schema_of_great_depth_is_cut() -> None:
    schema: dict[str, Any] = {"type": "string"}
    for _ in range(30):
        schema = {"type": "object", "properties": {"a": schema}}
    assert len(schema_rows(schema)) == 9
