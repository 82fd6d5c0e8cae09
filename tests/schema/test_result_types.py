"""Each return type as schema and value: scalars, containers, aliases."""

from __future__ import annotations

import sys
from collections import Counter, OrderedDict, deque
from collections.abc import Generator, Iterator, Mapping
from datetime import date, datetime
from decimal import Decimal
from typing import (
    Annotated,
    Any,
    Literal,
)
from uuid import UUID

import orjson
import pytest
from django.utils.safestring import SafeString, mark_safe
from rest_framework import serializers
from typing_extensions import TypeAliasType

from mcp_django.protocol.content import Image, Text
from mcp_django.schema.errors import InvalidResult
from mcp_django.schema.results import ABSENT, Outcome, result_rule
from tests.schema.returned import (
    IMAGE,
    TZ,
    Mode,
    Plain,
    Shelf,
    Size,
    Status,
    T,
    convert,
    texts,
)


@pytest.mark.parametrize(
    ("annotation", "value", "structured", "schema"),
    [
        (bool, True, True, {"type": "boolean"}),
        (int, 3, 3, {"type": "integer"}),
        (int, 10**30, 10**30, {"type": "integer"}),
        (float, 1.5, 1.5, {"type": "number"}),
        (float, Decimal("1.5"), 1.5, {"type": "number"}),
        (int | float, 2, 2, {"type": "number"}),
        (
            Literal["a", 1, None],
            1,
            1,
            {"type": ["string", "integer", "null"], "enum": ["a", 1, None]},
        ),
        (Literal["a"], "a", "a", {"type": "string", "const": "a"}),
        (Literal["a"] | None, None, None, {"type": ["string", "null"], "enum": ["a", None]}),
        (
            list[SafeString],
            [mark_safe("<i>")],
            ["<i>"],
            {"type": "array", "items": {"type": "string"}},
        ),
        (Plain, Plain.B, "b", {"type": "string", "enum": ["a", "b"]}),
        (Plain | None, None, None, {"type": ["string", "null"], "enum": ["a", "b", None]}),
        (Shelf, Shelf.HIGH, "HIGH", {"type": "string", "enum": ["LOW", "HIGH"]}),
        (Mode, Mode.READ | Mode.WRITE, 3, {"type": "integer"}),
        (
            Status,
            "open",
            "open",
            {
                "type": "string",
                "oneOf": [
                    {"const": "open", "title": "Still out"},
                    {"const": "returned", "title": "Returned"},
                ],
            },
        ),
        (
            Literal["x"] | int,
            5,
            5,
            {"anyOf": [{"type": "string", "const": "x"}, {"type": "integer"}]},
        ),
        (date, date(2026, 1, 2), "2026-01-02", {"type": "string", "format": "date"}),
        (
            datetime,
            datetime(2026, 1, 2, 3, 4, 5, 6, TZ),
            "2026-01-02T03:04:05.000006+05:30",
            {"type": "string", "format": "date-time"},
        ),
        (
            UUID,
            UUID(int=1),
            "00000000-0000-0000-0000-000000000001",
            {"type": "string", "format": "uuid"},
        ),
        (list[int], [1, 2], [1, 2], {"type": "array", "items": {"type": "integer"}}),
        (list, [1, "a"], [1, "a"], {"type": "array"}),
        (list[Any], [1, {"a": date(2026, 1, 2)}], [1, {"a": "2026-01-02"}], {"type": "array"}),
        (tuple[int, ...], (1, 2), [1, 2], {"type": "array", "items": {"type": "integer"}}),
        (tuple, (1, "a"), [1, "a"], {"type": "array"}),
        (
            tuple[int, str],
            (1, "a"),
            [1, "a"],
            {
                "type": "array",
                "prefixItems": [{"type": "integer"}, {"type": "string"}],
                "items": False,
                "minItems": 2,
                "maxItems": 2,
            },
        ),
        (tuple[()], (), [], {"type": "array", "minItems": 0, "maxItems": 0}),
        (
            set[int],
            {10, 9, 2},
            [2, 9, 10],
            {"type": "array", "items": {"type": "integer"}, "uniqueItems": True},
        ),
        (Iterator[int], iter([1, 2]), [1, 2], {"type": "array", "items": {"type": "integer"}}),
        (
            Generator[int, None, None],
            (n for n in (1, 2)),
            [1, 2],
            {"type": "array", "items": {"type": "integer"}},
        ),
        (deque[int], deque([1]), [1], {"type": "array", "items": {"type": "integer"}}),
        (dict, {"a": 1, 2: None}, {"a": 1, "2": None}, {"type": "object"}),
        (dict[str, Any], {"a": 1}, {"a": 1}, {"type": "object"}),
        (
            Mapping[str, int],
            OrderedDict(a=1),
            {"a": 1},
            {"type": "object", "additionalProperties": {"type": "integer"}},
        ),
        (
            Counter[str],
            Counter("aab"),
            {"a": 2, "b": 1},
            {"type": "object", "additionalProperties": {"type": "integer"}},
        ),
        (int | None, None, None, {"type": ["integer", "null"]}),
        (int | str, "a", "a", {"type": ["integer", "string"]}),
        (list[int] | None, None, None, {"type": ["array", "null"], "items": {"type": "integer"}}),
        (Any | None, None, ABSENT, None),
        (list[Any | None], [None], [None], {"type": "array"}),
        (
            list[Size | None],
            [Size.LARGE, None],
            [2, None],
            {
                "type": "array",
                "items": {
                    "type": ["integer", "null"],
                    "oneOf": [
                        {"const": 1, "title": "Small"},
                        {"const": 2, "title": "Large"},
                        {"type": "null"},
                    ],
                },
            },
        ),
        (Annotated[int, object()], 1, 1, {"type": "integer"}),
        (Annotated[int, "How many."], 1, 1, {"description": "How many.", "type": "integer"}),
        (
            Annotated[int, serializers.IntegerField(help_text="How many.")],
            1,
            1,
            {"description": "How many.", "type": "integer"},
        ),
    ],
)
def test_data_is_structured_beside_its_json(
    annotation: Any, value: Any, structured: Any, schema: Any
) -> None:
    rule = result_rule(annotation, name="tool")
    outcome = rule.convert(value)

    assert rule.schema == schema
    assert outcome.structured == structured
    assert type(outcome.structured) is type(structured)
    if structured is not ABSENT:
        assert outcome.encoded is not None
        assert texts(outcome) == [outcome.encoded.decode()]


def test_the_text_is_compact_unescaped_json_of_the_structured_value() -> None:
    outcome = convert(dict[str, str], {"título": "<b> 漢 \u2028"})

    assert texts(outcome) == ['{"título":"<b> 漢 \u2028"}']
    assert outcome.encoded == orjson.dumps(outcome.structured)


def test_type_aliases_are_what_they_stand_for() -> None:
    Ids = TypeAliasType("Ids", list[int])
    Either = TypeAliasType("Either", int | list[int])
    Perhaps = TypeAliasType("Perhaps", int | None)
    Neither = TypeAliasType("Neither", int | list[int] | None)
    Pair = TypeAliasType("Pair", tuple[T, T], type_params=(T,))
    Blocks = TypeAliasType("Blocks", list[Text | Image])

    assert result_rule(Ids, name="tool").schema == {"type": "array", "items": {"type": "integer"}}
    assert (result_rule(Pair[int], name="tool").schema or {})["prefixItems"] == [
        {"type": "integer"},
        {"type": "integer"},
    ]
    either = [{"type": "integer"}, {"type": "array", "items": {"type": "integer"}}]
    assert result_rule(Either | None, name="tool").schema == {"anyOf": [*either, {"type": "null"}]}
    assert result_rule(list[Either | str | None], name="tool").schema == {
        "type": "array",
        "items": {"anyOf": [{"anyOf": either}, {"type": "string"}, {"type": "null"}]},
    }
    for alias in (Either, Neither):
        assert (result_rule(list[alias | None], name="tool").schema or {})["items"] == {  # type: ignore[valid-type]
            "anyOf": [*either, {"type": "null"}]
        }
    assert result_rule(list[Perhaps | None], name="tool").schema == {
        "type": "array",
        "items": {"type": ["integer", "null"]},
    }
    assert convert(Blocks, [IMAGE]) == Outcome((IMAGE,))


@pytest.mark.skipif(sys.version_info < (3, 12), reason="has no type statement")
def test_an_alias_may_hold_itself() -> None:
    namespace: dict[str, Any] = {}
    exec("type Tree = int | list[Tree]", namespace)
    rule = result_rule(namespace["Tree"], name="tool")

    assert rule.schema is not None
    assert rule.schema["$defs"]["Tree"]["anyOf"][1] == {
        "type": "array",
        "items": {"$ref": "#/$defs/Tree"},
    }
    assert rule.convert([[1, [2]], 3]).structured == [[1, [2]], 3]
    with pytest.raises(InvalidResult, match=r"fits no alternative"):
        rule.convert([["x"]])
