"""Every successful result satisfies its schema, and its text is its structured content."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import make_dataclass
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from enum import Enum
from keyword import iskeyword
from typing import Any, Literal, NamedTuple, Optional, TypedDict
from uuid import UUID

import jsonschema
import jsonschema_rs
import orjson
import pytest
from django.utils.safestring import SafeString
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from rest_framework import serializers

from mcp_django.protocol.content import Text, clean
from mcp_django.schema.errors import DeclarationError, InvalidResult
from mcp_django.schema.results import ABSENT, Outcome, result_rule, to_json

Pair = tuple[Any, st.SearchStrategy[Any]]  # an annotation, and its values

anything_textual = st.text(st.characters(codec=None))
names = st.from_regex(r"[a-z]{1,3}", fullmatch=True).filter(lambda name: not iskeyword(name))
small = st.integers(-(2**63), 2**64 - 1)
enums = st.lists(st.one_of(names, small, st.tuples(names)), min_size=1, unique=True)
zones = st.one_of(st.none(), st.timezones())


def _enum(values: list[Any]) -> Pair:
    made = Enum("Made", [(f"M{index}", value) for index, value in enumerate(values)])  # type: ignore[misc]
    return made, st.sampled_from(list(made))


def _literal(values: list[Any]) -> Pair:
    return Literal[tuple(values)], st.sampled_from(values)


scalars: st.SearchStrategy[Pair] = st.one_of(
    st.sampled_from(
        [
            (bool, st.booleans()),
            (int, st.integers()),
            (float, st.floats(allow_nan=False, allow_infinity=False)),
            (float, st.decimals(-1000, 1000, places=3)),
            (str, anything_textual),
            (SafeString, names.map(SafeString)),
            (Decimal, st.decimals(-(10**20), 10**20)),
            (date, st.dates()),
            (datetime, st.datetimes(timezones=zones, min_value=datetime(1, 1, 3))),
            (time, st.times()),
            (timedelta, st.timedeltas()),
            (UUID, st.uuids()),
            (Any, anything_textual),
        ]
    ),
    enums.map(_enum),
    st.lists(st.one_of(names, small, st.booleans()), min_size=1).map(_literal),
)


def _dataclass(members: dict[str, Pair]) -> Pair:
    cls: Any = make_dataclass("Made", [(name, pair[0]) for name, pair in members.items()])
    return cls, st.builds(cls, **{name: pair[1] for name, pair in members.items()})


def _typed_dict(members: dict[str, Pair]) -> Pair:
    cls = TypedDict("Made", {name: pair[0] for name, pair in members.items()})  # type: ignore[misc]
    return cls, st.fixed_dictionaries({name: pair[1] for name, pair in members.items()})


def _named_tuple(members: dict[str, Pair]) -> Pair:
    cls = NamedTuple("Made", [(name, pair[0]) for name, pair in members.items()])  # type: ignore[misc]
    return cls, st.tuples(*(pair[1] for pair in members.values())).map(cls._make)


def _tuple(pairs: list[Pair]) -> Pair:
    return tuple[tuple(pair[0] for pair in pairs)], st.tuples(*(pair[1] for pair in pairs))  # type: ignore[misc]


def _containers(inner: st.SearchStrategy[Pair]) -> st.SearchStrategy[Pair]:
    members = st.dictionaries(names, inner, max_size=3)
    return st.one_of(
        inner.map(lambda pair: (list[pair[0]], st.lists(pair[1], max_size=3))),  # type: ignore[name-defined]
        inner.map(lambda pair: (tuple[pair[0], ...], st.lists(pair[1], max_size=3).map(tuple))),  # type: ignore[name-defined]
        inner.map(lambda pair: (Iterator[pair[0]], st.lists(pair[1], max_size=3).map(iter))),  # type: ignore[name-defined]
        inner.map(lambda p: (dict[str, p[0]], st.dictionaries(names, p[1], max_size=3))),  # type: ignore[name-defined]
        inner.map(lambda pair: (Optional[pair[0]], st.none() | pair[1])),  # type: ignore[name-defined]  # noqa: UP045
        st.lists(inner, min_size=1, max_size=3).map(_tuple),
        members.map(_dataclass),
        members.map(_typed_dict),
        members.map(_named_tuple),
    )


pairs = st.recursive(scalars, _containers, max_leaves=6)
lenient = st.recursive(st.just((Decimal, st.integers())) | scalars, _containers, max_leaves=6)
# Of texts only plain ones: cleaned, two members might be the same.
sets = (scalars.filter(lambda pair: pair[1] is not anything_textual) | st.just((str, names))).map(
    lambda pair: (set[pair[0]], st.sets(pair[1], max_size=4))
)  # type: ignore[name-defined]


def holds(outcome: Outcome, schema: dict[str, Any]) -> None:
    """The result satisfies its schema, for two validators, and its text is its JSON."""
    jsonschema.Draft202012Validator.check_schema(schema)
    jsonschema_rs.meta.validate(schema)
    assert jsonschema_rs.Draft202012Validator(schema, validate_formats=True).is_valid(
        outcome.structured
    )
    jsonschema.validate(
        outcome.structured,
        schema,
        jsonschema.Draft202012Validator,
        format_checker=jsonschema.Draft202012Validator.FORMAT_CHECKER,
    )
    (block,) = outcome.content
    assert isinstance(block, Text)
    assert json.loads(block.text) == outcome.structured
    assert outcome.encoded == block.text.encode()
    assert clean(block.text) == block.text


@settings(suppress_health_check=[HealthCheck.too_slow])
@given(st.data(), st.one_of(lenient, sets))
def test_results_of_annotations_satisfy_their_schema(data: st.DataObject, pair: Pair) -> None:
    annotation, values = pair
    try:
        rule = result_rule(annotation, name="tool")
    except DeclarationError as error:
        pytest.fail(f"{annotation} is refused: {error}")
    outcome = rule.convert(data.draw(values))

    if rule.schema is None:
        assert outcome.structured is ABSENT
    else:
        holds(outcome, rule.schema)


@given(st.data(), pairs, pairs)
def test_results_of_unions_satisfy_their_schema(
    data: st.DataObject, one: Pair, other: Pair
) -> None:
    annotation = one[0] | other[0] if Any not in (one[0], other[0]) else Any
    try:
        rule = result_rule(annotation, name="tool")
    except DeclarationError as error:
        assume("nothing tells" not in error.problem)
        raise
    outcome = rule.convert(data.draw(st.one_of(one[1], other[1])))

    if rule.schema is not None:
        holds(outcome, rule.schema)


# Serializers.

F = serializers
FIELDS: list[tuple[Any, st.SearchStrategy[Any]]] = [
    (F.BooleanField, st.booleans()),
    (F.IntegerField, st.integers()),
    (F.FloatField, st.floats(allow_nan=False, allow_infinity=False)),
    (F.CharField, anything_textual),
    (lambda: F.CharField(allow_null=True), st.none() | anything_textual),
    (F.DateField, st.dates()),
    # Of the local mean times before them DRF writes offsets with seconds.
    (F.DateTimeField, st.datetimes(min_value=datetime(1920, 1, 1))),
    (F.TimeField, st.times()),
    (F.DurationField, st.timedeltas()),
    (F.UUIDField, st.uuids()),
    (lambda: F.DecimalField(max_digits=9, decimal_places=2), st.decimals(-999, 999, places=2)),
    (lambda: F.ChoiceField(["a", "b"]), st.sampled_from(["a", "b"])),
    (lambda: F.ListField(child=F.IntegerField()), st.lists(st.integers())),
    (lambda: F.DictField(child=F.FloatField()), st.dictionaries(names, st.integers())),
    (F.JSONField, st.dictionaries(names, st.lists(st.booleans()))),
]


@given(st.data(), st.dictionaries(names, st.sampled_from(FIELDS), max_size=4), st.booleans())
def test_results_of_serializers_satisfy_their_schema(
    data: st.DataObject, members: dict[str, tuple[Any, st.SearchStrategy[Any]]], many: bool
) -> None:
    fields = {name: make() for name, (make, _values) in members.items()}
    cls = type("Made", (serializers.Serializer,), fields)
    rule = result_rule(Any, cls(many=many), name="tool")
    values = st.fixed_dictionaries({name: values for name, (_make, values) in members.items()})
    outcome = rule.convert(data.draw(st.lists(values, max_size=2) if many else values))

    assert rule.schema is not None
    holds(outcome, rule.schema)


# Any value at all.

keys = st.one_of(anything_textual, st.integers(), st.booleans(), st.none(), st.dates())
leaves = st.one_of(
    keys,
    st.floats(),
    st.decimals(),
    st.datetimes(timezones=zones),
    st.timedeltas(),
    st.uuids(),
    st.binary(),
    st.complex_numbers(),
)
values = st.recursive(
    leaves,
    lambda inner: st.one_of(
        st.lists(inner), st.dictionaries(keys, inner), st.frozensets(keys), st.tuples(inner)
    ),
    max_leaves=8,
)


@given(values)
def test_any_value_becomes_json_or_a_message(value: Any) -> None:
    try:
        native = to_json(value)
    except InvalidResult:
        return

    assert json.loads(json.dumps(native, allow_nan=False)) == native
    assert clean(json.dumps(native, ensure_ascii=False)) == json.dumps(native, ensure_ascii=False)


@given(st.sets(st.one_of(st.integers(), anything_textual, st.dates(), st.booleans())))
def test_a_set_always_has_the_same_order(members: set[Any]) -> None:
    shuffled = sorted(members, key=repr, reverse=True)

    assert to_json(members) == to_json(set(shuffled))


@given(st.lists(small | anything_textual))
def test_the_text_is_what_orjson_writes(value: list[Any]) -> None:
    outcome = result_rule(list, name="tool").convert(value)

    assert outcome.encoded == orjson.dumps(outcome.structured)
