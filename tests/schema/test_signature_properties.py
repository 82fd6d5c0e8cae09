"""What the schema of a signature accepts, validation accepts; and values survive the way."""

from __future__ import annotations

import enum
import json
from collections.abc import Callable
from dataclasses import make_dataclass
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from typing import Annotated, Any, Literal, TypedDict, Union
from uuid import UUID

import jsonschema
import jsonschema_rs
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rest_framework import serializers

from mcp_django.schema.errors import DeclarationError, InvalidArguments
from mcp_django.schema.signatures import (
    Argument,
    field_from_annotation,
    serializer_from_arguments,
)
from mcp_django.schema.trees import kinds_of
from mcp_django.schema.validation import ArgumentsRule, arguments_rule


class Color(enum.Enum):
    RED = "r"
    BLUE = 2
    BOTH = True


class Size(enum.Enum):
    SMALL = (1, 2)
    LARGE = (3, 4)


SCALARS: list[Any] = [
    int,
    float,
    str,
    bool,
    Decimal,
    date,
    datetime,
    time,
    timedelta,
    UUID,
    Color,
    Size,
    Literal["a", "b", 1],
    Annotated[int, serializers.IntegerField(min_value=-3, max_value=30)],
    Annotated[str, serializers.CharField(max_length=5, allow_blank=True)],
    # Without a limit on places: a schema can't tell those of a number that is no text.
    Annotated[Decimal, serializers.DecimalField(None, None, min_value=0)],
    Annotated[Any, serializers.JSONField()],
]
HASHABLE = [int, str, bool, Decimal, date, time, timedelta, UUID, Color, tuple[int, str]]
ANY = ["object", "array", "string", "number", "boolean"]
NAMES = ("alpha", "beta", "gamma")


def optional(annotation: Any) -> Any:
    return Union[annotation, None]  # noqa: UP007


@st.composite
def classes(draw: Any, inner: st.SearchStrategy[Any]) -> Any:
    members = draw(st.lists(inner, min_size=1, max_size=3))
    names = NAMES[: len(members)]
    if draw(st.booleans()):
        total = draw(st.booleans())
        return TypedDict("Typed", dict(zip(names, members, strict=True)), total=total)  # type: ignore[operator, misc]
    optionals = draw(st.integers(0, len(members)))
    fields = [
        (name, optional(member), None) if index >= optionals else (name, member)
        for index, (name, member) in enumerate(zip(names, members, strict=True))
    ]
    return make_dataclass("Made", fields)


@st.composite
def unions(draw: Any, inner: st.SearchStrategy[Any]) -> Any:
    """Unions of what JSON tells apart."""
    members: list[Any] = []
    kinds: set[str] = set()
    # In one order: to typing, A | B and B | A are the same, and the first made is kept.
    for member in sorted(draw(st.lists(inner, min_size=2, max_size=4)), key=str):
        found = kinds_of(field_from_annotation(member))
        if not found & kinds:
            members.append(member)
            kinds |= found
    return Union[tuple(members)]  # noqa: UP007 - known at run time only


def nested(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.one_of(
        inner.map(optional),
        inner.map(lambda item: list[item]),  # type: ignore[valid-type]
        inner.map(lambda item: tuple[item, ...]),  # type: ignore[valid-type]
        st.tuples(inner, inner).map(lambda items: tuple[items]),  # type: ignore[valid-type]
        inner.map(lambda item: dict[str, item]),  # type: ignore[valid-type]
        st.sampled_from(HASHABLE).map(lambda item: set[item]),  # type: ignore[valid-type]
        classes(inner),
        unions(inner),
    )


annotations = st.recursive(st.sampled_from(SCALARS), nested, max_leaves=5)

json_values = st.recursive(
    st.one_of(
        st.none(),
        st.booleans(),
        st.integers(-(2**70), 2**70),
        st.floats(allow_nan=False, allow_infinity=False),
        st.text(max_size=6),
        st.sampled_from(["a", "r", "1", "true", "2026-07-28", "14:30", "P1D", "1.50", "[1]", "{}"]),
    ),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.dictionaries(st.sampled_from((*NAMES, "other")), inner, max_size=3),
    ),
    max_leaves=6,
)

moments = st.datetimes(datetime(2, 1, 1), datetime(9998, 1, 1)).map(lambda m: f"{m.isoformat()}Z")
FORMATS: dict[str, st.SearchStrategy[Any]] = {
    "date": st.dates().map(str),
    "date-time": moments,
    "uuid": st.uuids().map(str),
}


def satisfying(schema: Any) -> st.SearchStrategy[Any]:
    """Values for the keywords that derived schemas use; what they say beside is filtered."""
    if not schema or schema is True:
        return json_values
    if "enum" in schema:
        return st.sampled_from(schema["enum"])
    if "anyOf" in schema:
        outer = {key: value for key, value in schema.items() if key != "anyOf"}
        return st.one_of([satisfying({**outer, **branch}) for branch in schema["anyOf"]])
    kinds = schema["type"]
    return st.one_of(
        [_OF_TYPE[kind](schema) for kind in ([kinds] if isinstance(kinds, str) else kinds)]
    )


def _strings(schema: Any) -> st.SearchStrategy[Any]:
    if "format" in schema:
        return FORMATS[schema["format"]]
    if "pattern" in schema:
        return st.from_regex(schema["pattern"].replace("$", r"\Z"))
    return st.text(max_size=5)


def _numbers(schema: Any) -> st.SearchStrategy[Any]:
    low, high = schema.get("minimum", -1e300), schema.get("maximum", 1e300)
    return st.one_of(
        st.floats(low, high, allow_nan=False), st.integers(int(max(low, -99)), int(min(high, 99)))
    )


def _arrays(schema: Any) -> st.SearchStrategy[Any]:
    if "prefixItems" in schema:
        return st.tuples(*map(satisfying, schema["prefixItems"])).map(list)
    return st.lists(satisfying(schema.get("items")), max_size=3)


def _objects(schema: Any) -> st.SearchStrategy[Any]:
    if "properties" not in schema:
        further = schema.get("additionalProperties")
        return st.dictionaries(st.text(max_size=3), satisfying(further), max_size=3)
    members = {name: satisfying(member) for name, member in schema["properties"].items()}
    required = set(schema.get("required", ()))
    return st.fixed_dictionaries(
        {name: member for name, member in members.items() if name in required},
        optional={name: member for name, member in members.items() if name not in required},
    )


_OF_TYPE: dict[str, Callable[[Any], st.SearchStrategy[Any]]] = {
    "null": lambda schema: st.none(),
    "boolean": lambda schema: st.booleans(),
    "integer": lambda schema: st.integers(
        schema.get("minimum", -(2**70)), schema.get("maximum", 2**70)
    ),
    "number": _numbers,
    "string": _strings,
    "array": _arrays,
    "object": _objects,
}


def rule_of(annotation: Any) -> ArgumentsRule:
    serializer = serializer_from_arguments("tool", [Argument("x", annotation)])
    return arguments_rule(serializer, name="tool")


def refusal_of(rule: ArgumentsRule, sent: Any) -> InvalidArguments | None:
    try:
        rule.validate(sent, {})
    except InvalidArguments as error:
        return error
    return None


@settings(max_examples=150)
@given(annotations, st.data())
def test_what_the_schema_accepts_is_accepted(annotation: Any, data: Any) -> None:
    rule = rule_of(annotation)
    schema = rule.schema
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema_rs.Draft202012Validator(schema, validate_formats=True, offline=True)
    either = st.one_of(satisfying(schema["properties"]["x"]), json_values)
    for _ in range(5):
        sent = {"x": data.draw(either)}
        if validator.is_valid(sent):
            rule.validate(sent, {})


@settings(max_examples=100)
@given(annotations, st.data())
def test_what_is_refused_is_refused_in_words(annotation: Any, data: Any) -> None:
    rule = rule_of(annotation)
    sent = {"x": data.draw(json_values)}
    refusal = refusal_of(rule, sent)
    if refusal is not None:
        assert all(path.split(".")[0] == "x" for path in refusal.errors)
        assert refusal.text.startswith("x")


@settings(max_examples=100)
@given(annotations, st.data())
def test_a_value_is_read_as_it_was_written(annotation: Any, data: Any) -> None:
    rule = rule_of(annotation)
    field = field_from_annotation(annotation)
    schema = rule.schema["properties"]["x"]
    sent = data.draw(satisfying(schema))
    try:
        value = rule.validate({"x": sent}, {})["x"]
    except InvalidArguments:  # not what the schema accepts, after all: too long, say
        return
    if value is None:
        return
    written = field.to_representation(value)
    assert rule.validate({"x": written}, {}) == {"x": value}


@settings(max_examples=100)
@given(annotations, st.data())
def test_text_that_is_no_string_is_read(annotation: Any, data: Any) -> None:
    rule = rule_of(annotation)
    kinds = kinds_of(field_from_annotation(annotation))
    sent = data.draw(satisfying(rule.schema["properties"]["x"]))
    if "string" in kinds or sent is None:
        return
    try:
        value = rule.validate({"x": sent}, {})["x"]
    except InvalidArguments:
        return
    assert rule.validate({"x": json.dumps(sent)}, {}) == {"x": value}


@settings(max_examples=50)
@given(annotations)
def test_a_default_of_none_changes_no_schema(annotation: Any) -> None:
    plain = rule_of(annotation).schema
    made = serializer_from_arguments("tool", [Argument("x", optional(annotation), None)])
    rule = arguments_rule(made, name="tool")
    assert "required" not in rule.schema
    assert rule.validate({}, {}) == {"x": None}
    assert rule.validate({"x": None}, {}) == {"x": None}
    # Any JSON value is told without a type where null is one of them.
    if optional(annotation) != annotation and plain["properties"]["x"].get("type") != ANY:
        assert rule.schema["properties"] == plain["properties"]


def test_the_strategies_make_no_ambiguous_unions() -> None:
    with pytest.raises(DeclarationError):
        field_from_annotation(Union[int, timedelta])  # noqa: UP007
