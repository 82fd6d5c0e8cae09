"""Hypothesis strategies: JSON that aims at a schema, nasty values among it."""

from __future__ import annotations

import datetime
from collections.abc import Callable
from typing import Any

from hypothesis import strategies as st

Schema = dict[str, Any]

NASTY_TEXTS = ["", " ", "\t\n", "\x1c", "\x85", "\0", "a\0", " a", "a ", "a\n", "-", ".", "+1"]
NASTY_TEXTS += ["0", "00", "-0", "5.", ".5", "1.5", "None", "null", "true", "é", "\ufeff", "٣", "Ⅷ"]
NASTY_TEXTS += ["a@b.example", "http://b.example", "2024-02-29", "10:00", "10:00:00+02:00", "PT1H"]
NASTY_NUMBERS = [0, -0.0, 1, 1.0, 5.0, -1, 0.1, 0.07, 19.99, 1e-7, 1e16, 1e22, 1e308, 2**63, 10**22]
NASTY = st.sampled_from([*NASTY_TEXTS, *NASTY_NUMBERS, None, True, False, [], {}, [None]])

texts = st.text(max_size=12) | st.sampled_from(NASTY_TEXTS)
numbers = (
    st.integers(-200, 200)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.decimals(-200, 200, places=2).map(float)
    | st.sampled_from(NASTY_NUMBERS)
)
anything = st.recursive(
    st.none() | st.booleans() | numbers | texts,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=6,
)


def json_for(schema: Any) -> st.SearchStrategy[Any]:
    """JSON that aims at a schema and often misses: whoever draws it filters."""
    if not isinstance(schema, dict) or not schema:
        return anything
    aimed = [draw(schema) for keyword, draw in _AIMS.items() if keyword in schema]
    kinds = schema.get("type", [])
    aimed += [_KINDS[kind](schema) for kind in ([kinds] if isinstance(kinds, str) else kinds)]
    # One in four or so is no aim at all.
    return st.one_of(*aimed, *aimed, *aimed, NASTY) if aimed else anything


def _branches(keyword: str) -> Callable[[Schema], st.SearchStrategy[Any]]:
    def draw(schema: Schema) -> st.SearchStrategy[Any]:
        rest = {key: value for key, value in schema.items() if key != keyword}
        return st.one_of([json_for({**rest, **branch}) for branch in schema[keyword]])

    return draw


def _strings(schema: Schema) -> st.SearchStrategy[Any]:
    aimed: list[st.SearchStrategy[Any]] = [texts]
    if "pattern" in schema:
        aimed += [st.from_regex(schema["pattern"])] * 2
    if "format" in schema:
        aimed += [_FORMATS[schema["format"]]] * 2
    edges = [schema[key] for key in ("minLength", "maxLength") if key in schema]
    aimed += [st.text("ab \x1c", min_size=size, max_size=size) for size in edges]
    return st.one_of(aimed)


def _numbers(schema: Schema) -> st.SearchStrategy[Any]:
    edges = [value for key, value in schema.items() if "imum" in key]
    near = [edge + step for edge in edges for step in (-1, -0.01, 0, 0.01, 1)]
    return st.one_of([numbers, *([st.sampled_from(near)] if near else [])])


def _arrays(schema: Schema) -> st.SearchStrategy[Any]:
    return st.lists(json_for(schema.get("items", {})), max_size=4)


def _objects(schema: Schema) -> st.SearchStrategy[Any]:
    members = {name: json_for(member) for name, member in schema.get("properties", {}).items()}
    required = set(schema.get("required", ()))
    fixed = st.fixed_dictionaries(
        {name: member for name, member in members.items() if name in required},
        optional={name: member for name, member in members.items() if name not in required},
    )
    extra = schema.get("additionalProperties", True)
    if extra is False:
        return fixed
    further = st.dictionaries(texts, json_for(extra), max_size=3)
    return st.tuples(further, fixed).map(lambda both: {**both[0], **both[1]})


_AIMS: dict[str, Callable[[Schema], st.SearchStrategy[Any]]] = {
    "const": lambda schema: st.just(schema["const"]),
    "enum": lambda schema: st.sampled_from(schema["enum"]),
    "oneOf": _branches("oneOf"),
    "anyOf": _branches("anyOf"),
    "allOf": _branches("allOf"),
}
_KINDS: dict[str, Callable[[Schema], st.SearchStrategy[Any]]] = {
    "string": _strings,
    "integer": _numbers,
    "number": _numbers,
    "boolean": lambda schema: st.booleans(),
    "null": lambda schema: st.none(),
    "array": _arrays,
    "object": _objects,
}
MOMENTS = st.datetimes(
    datetime.datetime(1972, 1, 1), datetime.datetime(2200, 1, 1), timezones=st.just(datetime.UTC)
)
_FORMATS: dict[str, st.SearchStrategy[str]] = {
    "date": st.dates(datetime.date(1000, 1, 1)).map(str),
    "date-time": MOMENTS.map(lambda moment: moment.isoformat()),
    "duration": st.from_regex(r"P([0-9]{1,3}D)?(T([0-9]{1,3}H)?([0-9]M)?([0-9]{1,9}S)?)?"),
    "email": st.emails(),
    "uri": st.sampled_from(["https://a.example/b?c=d#e", "urn:isbn:1", "HTTP://a.example", "a:b"]),
    "uuid": st.uuids().map(str),
    "ipv4": st.ip_addresses(v=4).map(str),
    "ipv6": st.ip_addresses(v=6).map(str) | st.sampled_from(["::ffff:1.2.3.4", "::1%eth0"]),
}
