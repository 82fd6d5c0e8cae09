"""Work that a hostile value could make is bounded before it begins."""

from __future__ import annotations

import sys
import types
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal, TypedDict

import jsonschema_rs
import pytest
from rest_framework import serializers

from mcp_django.schema.effort import Effort, unfolded
from mcp_django.schema.errors import DeclarationError, InvalidArguments, InvalidResult
from mcp_django.schema.results import result_rule
from mcp_django.schema.signatures import Argument, serializer_from_arguments
from mcp_django.schema.trees import holds_itself, walk
from mcp_django.schema.validation import ArgumentsRule, arguments_rule, raw_schema_rule


class And(TypedDict):
    kind: Literal["and"]
    kids: list[And | Or]


class Or(TypedDict):
    kind: Literal["or"]
    kids: list[And | Or]


@dataclass
class Link:
    next: Link | None = None
    n: int = 0


def chain(depth: int, kind: str) -> dict[str, Any]:
    """Correct at every level but the innermost."""
    value: dict[str, Any] = {"kind": kind, "kids": []}
    for level in range(depth):
        value = {"kind": ("or", "and")[level % 2], "kids": [value]}
    return value


def derived(annotation: Any) -> ArgumentsRule:
    serializer = serializer_from_arguments("tool", [Argument("x", annotation)])
    return arguments_rule(serializer, name="tool")


BRACKETS = {
    "type": "object",
    "properties": {"x": {"$ref": "#/$defs/X"}},
    "$defs": {
        "X": {
            "anyOf": [
                {"type": "array", "items": {"$ref": "#/$defs/X"}},
                {"type": "array", "items": {"$ref": "#/$defs/X"}, "maxItems": 9},
                {"type": "string"},
            ]
        }
    },
}


def nested(depth: int) -> Any:
    value: Any = 5
    for _level in range(depth):
        value = [value]
    return value


@pytest.fixture
def listings(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """The values whose errors were listed one by one, which is what may take for ever."""
    values: list[Any] = []
    real = jsonschema_rs.Draft202012Validator

    class Counting:
        def __init__(self, *args: Any, **options: Any) -> None:
            self._validator = real(*args, **options)
            self.is_valid = self._validator.is_valid

        def iter_errors(self, value: Any) -> Iterator[Any]:
            values.append(value)
            return self._validator.iter_errors(value)

    monkeypatch.setattr(jsonschema_rs, "Draft202012Validator", Counting)
    monkeypatch.setattr(
        jsonschema_rs, "validator_for", lambda schema, **options: Counting(schema, **options)
    )
    return values


class TestHostileValues:
    def test_derived_arguments(self, listings: list[Any]) -> None:
        with pytest.raises(InvalidArguments) as caught:
            derived(And).validate({"x": chain(60, "xor")}, {})
        assert listings == []
        assert caught.value.text.startswith("x.kids.0.kids.0.kids.0.kids.0.")
        assert '"xor" is not a valid choice.' in caught.value.text

    def test_raw_arguments(self, listings: list[Any]) -> None:
        with pytest.raises(InvalidArguments) as caught:
            raw_schema_rule(BRACKETS).validate({"x": nested(60)}, {})
        assert listings == []
        assert caught.value.text == (
            "The arguments do not satisfy the schema, and it would take too long to tell where. "
            "Send less at once, or compare them with the schema level by level."
        )

    def test_results(self, listings: list[Any]) -> None:
        with pytest.raises(InvalidResult) as caught:
            result_rule(And, name="tool").convert(chain(60, "xor"))
        assert listings == []
        assert (
            caught.value.problem == "it does not satisfy its schema, and is too deep to tell where"
        )

    def test_what_is_right_is_taken_at_any_depth(self) -> None:
        right = chain(30, "and")
        assert derived(And).validate({"x": right}, {}) == {"x": right}
        assert result_rule(And, name="tool").convert(right).structured == right

    def test_a_small_value_is_explained(self, listings: list[Any]) -> None:
        with pytest.raises(InvalidArguments) as caught:
            raw_schema_rule(BRACKETS).validate({"x": [5]}, {})
        assert len(listings) == 1
        assert caught.value.text.startswith("x.0: 5 is not ")

    def test_alternatives_are_told_apart_by_all_of_their_constants(self) -> None:
        with pytest.raises(InvalidArguments) as caught:
            derived(And).validate({"x": chain(2, "xor")}, {})
        assert caught.value.text == (
            'x.kids.0.kids.0.kind: "xor" is not one of the choices. Expected one of "and", "or".'
        )
        given = {"type": "object", "required": ["a"], "properties": {"a": {"const": 1}}}
        other = {"type": "object", "required": ["a"], "properties": {"a": {"const": 2}}}
        made = raw_schema_rule({"type": "object", "properties": {"x": {"anyOf": [given, other]}}})
        with pytest.raises(
            InvalidArguments, match=r"^x\.a: 3 is not accepted\. Expected one of 1, 2"
        ):
            made.validate({"x": {"a": 3}}, {})

    def test_depth_without_alternatives_is_explained(self, listings: list[Any]) -> None:
        value: Any = {"n": "?"}
        for _level in range(40):
            value = {"next": value}
        with pytest.raises(InvalidArguments, match='"\\?" is not an integer'):
            derived(Link).validate({"x": value}, {})
        assert len(listings) == 1


class TestEffort:
    @pytest.mark.parametrize(
        ("schema", "depth", "ways"),
        [
            ({}, 5, 1),
            ({"properties": {"a": {"items": {"type": "string"}}}}, 5, 1),
            ({"anyOf": [{"items": {}}, {"properties": {"a": {}}}]}, 1, 2),
            ({"allOf": [True, {"items": {}}], "not": {"contains": {}}}, 1, 2),
            ({"properties": {"a": {}}, "patternProperties": {"a": {}, "b": {}}}, 1, 3),
            ({"prefixItems": [{}, {}], "items": False, "unevaluatedItems": {}}, 1, 2),
            ({"items": [{}, {}], "additionalItems": {}}, 1, 1),
            (
                {"dependentSchemas": {"a": {"additionalProperties": {}}}, "properties": {"a": {}}},
                1,
                2,
            ),
            ({"$ref": "#/$defs/a", "$defs": {"a": {"items": {"$ref": "#/$defs/a"}}}}, 60, 1),
            ({"anyOf": [{"items": {"$ref": "#"}}, {"items": {"$ref": "#"}}]}, 3, 8),
            ({"anyOf": [{"items": {"$ref": "#"}}, {"items": {"$ref": "#"}}]}, 60, 1_000_000),
            ({"anyOf": [{"items": {"$ref": "#"}}, {"items": {"$ref": "#"}}]}, 5_000, 1_000_000),
        ],
    )
    def test_ways(self, schema: Any, depth: int, ways: int) -> None:
        assert Effort(schema).ways(depth) == ways

    def test_a_reference_to_itself_has_an_end(self) -> None:
        assert Effort({"anyOf": [{"$ref": "#"}, {"items": {}}]}).ways(1) > 10
        assert Effort({"$ref": "#"}).ways(1) == 1

    @pytest.mark.parametrize(
        "schema",
        [{"$ref": "#name"}, {"$ref": "x.json"}, {"$dynamicRef": "#"}, {"$recursiveRef": "#"}],
    )
    def test_other_references_may_lead_to_anything(self, schema: Any) -> None:
        assert Effort({"items": schema}).ways(1) == 1_000_000

    def test_many_values_are_much_work(self) -> None:
        effort = Effort({"items": {"anyOf": [{"items": {}}, {"properties": {"a": {}}}]}})
        assert effort.is_small([[1]] * 1_000)
        assert not effort.is_small([[1]] * 5_000)

    def test_unfolded(self) -> None:
        assert unfolded({"a": {"b": 1}, "c": [2]}, 100) == 5
        assert unfolded({"items": {"$ref": "#"}}, 100) == 1
        two = {"x": {"$ref": "#/y"}, "y": {"z": 1}, "x2": {"$ref": "#/y"}}
        assert unfolded(two, 100) == 7
        assert unfolded(two, 6) == 6
        long = {str(place): {"items": {"$ref": f"#/{place + 1}"}} for place in range(9_000)}
        assert unfolded({**long, "9000": 1}, 10**6) == 10**6

    def test_a_tower_of_references_is_refused_at_start_up(self) -> None:
        floors = {
            str(place): {"anyOf": [{"items": {"$ref": f"#/$defs/{place + 1}"}}] * 2}
            for place in range(40)
        }
        schema = {"type": "object", "$defs": {**floors, "40": {"type": "string"}}}
        with pytest.raises(DeclarationError, match="written out, make at least 100000 values"):
            raw_schema_rule({**schema, "properties": {"x": {"$ref": "#/$defs/0"}}})

    def test_alternatives_that_are_nothing_but_themselves(self) -> None:
        schema = {
            "type": "object",
            "properties": {"x": {"$ref": "#/$defs/X"}},
            "$defs": {
                "X": {
                    "anyOf": [{"$ref": "#/$defs/X"}],
                    "patternProperties": {"^y": {"type": "string"}},
                }
            },
        }
        with pytest.raises(InvalidArguments, match=r"^x\.y: 5 is not a string\.$"):
            raw_schema_rule(schema).validate({"x": {"y": 5}}, {})


def test_classes_that_hold_each_other_are_walked_once() -> None:
    count = 12
    module = types.ModuleType("tests.schema.circle")
    sys.modules[module.__name__] = module
    lines = ["from __future__ import annotations", "from dataclasses import dataclass"]
    for place in range(count):
        lines += ["@dataclass", f"class C{place}:", f"  k{place}: int"]
        lines += [f"  m{other}: C{other} | None = None" for other in range(count)]
    exec("\n".join(lines), module.__dict__)
    try:
        serializer = serializer_from_arguments("tool", [Argument("x", module.__dict__["C0"])])
    finally:
        del sys.modules[module.__name__]
    made = serializer()
    assert holds_itself(made)
    # Each class once, and once more where it is met inside of itself.
    assert sum(1 for _field in walk(made)) < 3 * count * count


class Plain(serializers.Serializer):
    a = serializers.IntegerField()


class TestMemory:
    def test_what_holds_itself_is_not_kept_for_all_calls(self) -> None:
        assert type(derived(Link).run).__name__ == "FreshValidator"
        assert type(derived(list[Plain]).run).__name__ == "SharedValidator"

    def test_its_decoders_are_not_kept_either(self) -> None:
        made = derived(Link)
        assert made.validate({"x": {"next": {"next": '{"n": "3"}'}}}, {}) == {
            "x": Link(Link(Link(None, 3)))
        }
        assert vars(made.run)["_decoder"] is None

    def test_a_class_used_twice_does_not_hold_itself(self) -> None:
        assert not holds_itself(type("Two", (Plain,), {"x": Plain(), "y": Plain()})())
