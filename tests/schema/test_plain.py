"""Plain schemas are judged by Python alone, and never otherwise than the library judges."""

from __future__ import annotations

from typing import Any

import jsonschema_rs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcp_django.schema.plain import is_plain, sure_of

ODD = st.sampled_from([None, -1, 0, 1, 1.5, "", "x", [], ["a"], ["a", "a"], {}, True, {"a": 1}])
TYPES = st.sampled_from(["string", "integer", "boolean", "number", "null", "array", 5])
BOUNDS = ["minLength", "maxLength", "minimum", "maximum"]
TEXTS = ["title", "description", "pattern", "format"]
KEYWORDS = st.sampled_from([*BOUNDS, *TEXTS, "default", "enum", "nullable", "x-y"])
VALUES = st.one_of(
    st.fixed_dictionaries({"type": TYPES}),
    st.builds(lambda kind, more: {"type": kind, **more}, TYPES, st.dictionaries(KEYWORDS, ODD)),
    ODD,
)
SCHEMAS = st.builds(
    lambda root, more: {**root, **more},
    st.fixed_dictionaries(
        {"type": st.sampled_from(["object", "object", "array", 1])},
        optional={
            "properties": st.dictionaries(st.sampled_from("abc"), VALUES, max_size=3),
            "required": st.lists(st.sampled_from("abc"), max_size=3),
            "additionalProperties": st.booleans(),
        },
    ),
    st.dictionaries(
        st.sampled_from(["title", "properties", "required", "additionalProperties", "$ref"]),
        ODD,
        max_size=1,
    ),
)
JSON = st.dictionaries(
    st.sampled_from("abcd"),
    st.sampled_from([None, True, 0, 1, -5, 2**70, 1.0, 1.5, "", "x", [], {}]),
    max_size=4,
)


@given(SCHEMAS)
def test_what_is_plain_is_valid(schema: dict[str, Any]) -> None:
    if is_plain(schema):
        jsonschema_rs.meta.validate(schema)


@given(SCHEMAS, st.one_of(JSON, ODD))
def test_what_surely_satisfies_a_schema_does(schema: dict[str, Any], value: Any) -> None:
    surely = sure_of(schema)
    if surely is not None and surely(value):
        assert jsonschema_rs.Draft202012Validator(schema).is_valid(value)


PLAIN = {"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"]}


@pytest.mark.parametrize(
    ("value", "is_sure"),
    [({"a": 1}, True), ({"a": True}, False), ({"a": None}, False), ({}, False), ([], False)],
)
def test_nearly_all_results_are_told_at_once(value: Any, is_sure: bool) -> None:
    surely = sure_of(PLAIN)
    assert surely is not None
    assert surely(value) is is_sure


@pytest.mark.parametrize(
    "schema",
    [
        {**PLAIN, "properties": {"a": {"type": "integer", "minimum": 1}}},
        {**PLAIN, "properties": {"a": {"type": "number"}}},
        {**PLAIN, "required": []},
        {**PLAIN, "$defs": {}},
    ],
)
def test_of_others_the_library_is_asked(schema: dict[str, Any]) -> None:
    assert sure_of(schema) is None
