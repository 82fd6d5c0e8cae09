"""Arguments by a raw JSON Schema: shown to the letter, enforced, and nothing fetched."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from mcp_django.schema.errors import DeclarationError, InvalidArguments
from mcp_django.schema.validation import ArgumentsRule, raw_schema_rule

SCHEMA: dict[str, Any] = {
    "type": "object",
    "title": "Search",
    "properties": {
        "city": {"type": "string", "minLength": 2},
        "days": {"type": "integer", "minimum": 1, "maximum": 7},
        "near": {"$ref": "#/$defs/place"},
        "stops": {"type": "array", "items": {"$ref": "#/$defs/place"}},
        "pin": {"type": "string", "writeOnly": True, "maxLength": 4},
    },
    "required": ["city"],
    "additionalProperties": False,
    "$defs": {
        "place": {
            "type": "object",
            "properties": {"lat": {"type": "number"}, "lon": {"type": ["number", "null"]}},
            "required": ["lat"],
        }
    },
}


def rule(**properties: Any) -> ArgumentsRule:
    return raw_schema_rule({"type": "object", "properties": properties})


def refusal(made: ArgumentsRule, sent: dict[str, Any]) -> str:
    with pytest.raises(InvalidArguments) as caught:
        made.validate(sent, {})
    return caught.value.text


def test_it_is_shown_to_the_letter() -> None:
    given = copy.deepcopy(SCHEMA)
    made = raw_schema_rule(given)
    given["properties"].clear()
    assert made.schema == SCHEMA
    assert list(made.schema) == list(SCHEMA)
    assert made.names == ("city", "days", "near", "stops", "pin")
    assert not made.blocks
    assert made.serializer is None
    assert made.build is None


@pytest.mark.parametrize(
    ("sent", "got"),
    [
        ({"city": "Ulm"}, {"city": "Ulm"}),
        ({"city": "12"}, {"city": "12"}),
        ({"city": "Ulm", "days": "3"}, {"city": "Ulm", "days": 3}),
        ({"city": "Ulm", "days": 3.0}, {"city": "Ulm", "days": 3}),
        (
            {"city": "Ulm", "near": '{"lat": "1.5", "lon": null, "alt": "9"}'},
            {"city": "Ulm", "near": {"lat": 1.5, "lon": None, "alt": "9"}},
        ),
        (
            {"city": "Ulm", "stops": ['{"lat": 1}', {"lat": 2}]},
            {"city": "Ulm", "stops": [{"lat": 1}, {"lat": 2}]},
        ),
    ],
)
def test_text_is_read_where_no_text_is_wanted(sent: Any, got: Any) -> None:
    assert raw_schema_rule(SCHEMA).validate(sent, {}) == got


@pytest.mark.parametrize(
    ("schema", "sent", "got"),
    [
        ({"anyOf": [{"type": "integer"}, {"type": "boolean"}]}, "true", True),
        ({"oneOf": [{"type": "integer"}, {"type": "string"}]}, "5", "5"),
        ({"anyOf": [{"type": "integer"}, True]}, "5", "5"),
        ({"type": ["integer", "string"]}, "5", "5"),
        ({}, "5", "5"),
        (True, "5", "5"),
        ({"$ref": "#/properties/x/$defs/n", "$defs": {"n": {"type": "integer"}}}, "5", 5),
        ({"type": "array", "items": {"type": "string"}}, '["5"]', ["5"]),
        ({"type": "array", "items": {"type": "integer"}}, "[5.0]", [5]),
        ({"type": "array", "items": True}, "[5]", [5]),
    ],
)
def test_the_type_says_whether_text_is_read(schema: Any, sent: Any, got: Any) -> None:
    read = rule(x=schema).validate({"x": sent}, {})["x"]
    assert read == got
    assert type(read) is type(got)


@pytest.mark.parametrize(
    ("sent", "text"),
    [
        ({}, "city: This is missing. Expected a string of at least 2 characters."),
        (
            {"city": "U"},
            'city: "U" is shorter than 2 characters. Expected a string of at least 2 characters.',
        ),
        (
            {"city": "Ulm", "days": 9},
            "days: 9 is more than 7. Expected an integer from 1 to 7.",
        ),
        (
            {"city": "Ulm", "days": "soon"},
            'days: "soon" is not an integer. Expected an integer from 1 to 7.',
        ),
        (
            {"city": "Ulm", "near": {}},
            "near.lat: This is missing. Expected a number.",
        ),
        (
            {"city": "Ulm", "stops": [{"lat": 1}, {"lat": 1, "lon": "west"}]},
            'stops.1.lon: "west" is not a number or null. Expected a number or null.',
        ),
        (
            {"city": "Ulm", "street": 1},
            "street: There is no such argument. The arguments are: city, days, near, stops, pin.",
        ),
        (
            {"city": "Ulm", "pin": "hunter2"},
            "pin: This value is longer than 4 characters. "
            "Expected a string of at most 4 characters.",
        ),
    ],
)
def test_what_is_wrong_and_what_would_be_right(sent: Any, text: str) -> None:
    assert refusal(raw_schema_rule(SCHEMA), sent) == text


@pytest.mark.parametrize(
    ("schema", "sent", "text"),
    [
        ({"const": 1}, 2, "2 is not accepted. Expected 1."),
        ({"enum": ["a"]}, "b", '"b" is not one of the choices. Expected "a".'),
        (
            {"enum": list(range(30))},
            99,
            "99 is not one of the choices. Expected one of "
            + ", ".join(map(str, range(20)))
            + " and 10 more.",
        ),
        (
            {"exclusiveMinimum": 0, "type": "number"},
            0,
            "0 is not above 0. Expected a number above 0.",
        ),
        (
            {"minimum": 0, "exclusiveMaximum": 1, "type": "number"},
            1,
            "1 is not below 1. Expected a number of at least 0 and below 1.",
        ),
        (
            {"type": "integer", "multipleOf": 5},
            3,
            "3 is no multiple of 5. Expected an integer, a multiple of 5.",
        ),
        (
            {"type": "string", "pattern": "^[a-z]+$"},
            "A",
            '"A" does not have the right form. Expected a string that matches ^[a-z]+$.',
        ),
        (
            {"type": "string", "format": "date"},
            "x",
            '"x" is not a valid date. Expected a date such as 2026-07-28.',
        ),
        (
            {"type": "string", "format": "email", "maxLength": 3},
            "a@example.org",
            '"a@example.org" is longer than 3 characters. '
            "Expected an email address of at most 3 characters.",
        ),
        (
            {"type": "array", "minItems": 1, "maxItems": 2, "uniqueItems": True},
            [],
            "a list of 0 is shorter than 1. Expected a list of 1 to 2 items.",
        ),
        (
            {"type": "array", "items": {"type": "boolean"}, "uniqueItems": True},
            [True, True],
            "a list of 2 has the same item twice. Expected a list, each true or false.",
        ),
        (
            {"type": "array", "maxItems": 1},
            [1, 2],
            "a list of 2 is longer than 1. Expected a list of at most 1 item.",
        ),
        (
            {"type": "array", "minItems": 2, "maxItems": 2},
            [1],
            "a list of 1 is shorter than 2. Expected a list of 2 items.",
        ),
        (
            {"type": "object", "minProperties": 1},
            {},
            "an object has fewer than 1 members. Expected an object.",
        ),
        (
            {"type": "object", "maxProperties": 0},
            {"a": 1},
            "an object has more than 0 members. Expected an object.",
        ),
        ({"type": "null"}, 1, "1 is not null. Expected null."),
        ({"not": {}}, 1, "1 does not satisfy not."),
        (False, 1, "1 does not satisfy falseSchema."),
        (
            {"anyOf": [{"type": "integer"}, {"type": "null"}]},
            "a",
            '"a" is not accepted. Expected an integer or null.',
        ),
        (
            {"oneOf": [{"const": "a", "title": "A"}, {"const": "b"}]},
            "c",
            '"c" is not one of the choices. Expected one of "a", "b".',
        ),
        (
            {"oneOf": [{"type": "integer"}, {"type": "number"}]},
            1,
            "1 is not accepted. Expected an integer or a number.",
        ),
        ({"oneOf": [True, {"type": "integer"}]}, 1, "1 is not accepted. Expected an integer."),
        (
            {"anyOf": [{"type": "string", "examples": ["1/2"]}, {"type": "number"}]},
            None,
            'null is not accepted. Expected a string such as "1/2" or a number.',
        ),
    ],
)
def test_words_for_each_keyword(schema: Any, sent: Any, text: str) -> None:
    assert refusal(rule(x=schema), {"x": sent}) == f"x: {text}"


@pytest.mark.parametrize(
    ("schema", "sent", "text"),
    [
        (
            {"anyOf": [{"type": "object", "required": ["a"]}, {"type": "null"}]},
            {},
            "x.a: This is missing.",
        ),
        (
            {
                "anyOf": [
                    {"type": "object", "properties": {"a": {"type": "integer"}}},
                    {"type": "null"},
                ]
            },
            {"a": "b"},
            'x.a: "b" is not an integer. Expected an integer.',
        ),
        (
            {"oneOf": [{"type": "object", "required": ["a"]}, {"type": "null"}]},
            {},
            "x.a: This is missing.",
        ),
        (
            {"type": "array", "prefixItems": [{"type": "integer"}], "items": {"type": "boolean"}},
            [1, 2],
            "x.1: 2 is not true or false. Expected true or false.",
        ),
        (
            {"type": "array", "prefixItems": [{"type": "integer"}]},
            ["a"],
            'x.0: "a" is not an integer. Expected an integer.',
        ),
        (
            {"type": "object", "additionalProperties": {"type": "integer"}},
            {"a": "b"},
            'x.a: "b" is not an integer. Expected an integer.',
        ),
        (
            {"type": "object", "patternProperties": {"^a": {"type": "integer"}}},
            {"a": "b"},
            'x.a: "b" is not an integer.',
        ),
        (
            {"type": "object", "patternProperties": {"^a": {"items": {"type": "integer"}}}},
            {"a": ["b"]},
            'x.a.0: "b" is not an integer.',
        ),
        (
            {"type": "object", "additionalProperties": False},
            {"a": 1},
            "x.a: There is no such member: there are none.",
        ),
    ],
)
def test_the_path_leads_into_it(schema: Any, sent: Any, text: str) -> None:
    assert refusal(rule(x=schema), {"x": sent}) == text


@pytest.mark.parametrize(
    "dialect",
    [
        "https://json-schema.org/draft/2020-12/schema",
        "https://json-schema.org/draft/2019-09/schema",
        "http://json-schema.org/draft-07/schema#",
        "http://json-schema.org/draft-04/schema#",
    ],
)
def test_other_dialects_are_enforced_as_such(dialect: str) -> None:
    made = raw_schema_rule(
        {"$schema": dialect, "type": "object", "properties": {"x": {"type": "integer"}}}
    )
    assert made.schema["$schema"] == dialect
    assert made.validate({"x": 1}, {}) == {"x": 1}
    assert refusal(made, {"x": "a"})


def test_a_keyword_of_one_dialect_alone() -> None:
    schema: dict[str, Any] = {
        "type": "object",
        "properties": {"x": {"type": "array", "items": [{"type": "integer"}]}},
    }
    with pytest.raises(DeclarationError):
        raw_schema_rule(schema)
    old = raw_schema_rule({"$schema": "http://json-schema.org/draft-07/schema#", **schema})
    assert old.validate({"x": [1, "any"]}, {}) == {"x": [1, "any"]}
    assert refusal(old, {"x": ["a"]}).startswith('x.0: "a" is not an integer')


@pytest.mark.parametrize(
    ("schema", "message"),
    [
        (None, "not of type object"),
        ([], "not of type object"),
        ({}, "not of type object"),
        ({"type": ["object"]}, "not of type object"),
        ({"type": "string"}, "not of type object"),
        ({"type": "object", "default": {1, 2}}, "not JSON"),
        ({"type": "object", "default": float("nan")}, "not JSON"),
        ({"type": "object", "properties": {"x": {"type": "integr"}}}, r"\.properties\.x\.type"),
        ({"type": "object", "properties": {"x": {"pattern": "("}}}, "no JSON Schema"),
        ({"type": "object", "properties": {"x": {"$ref": "#/$defs/gone"}}}, "does not exist"),
        ({"type": "object", "properties": {"x": {"$ref": "http://127.0.0.1:9/x"}}}, "127.0.0.1"),
        ({"type": "object", "properties": {"x": {"$ref": "other.json"}}}, "other.json"),
        ({"type": "object", "$schema": "https://example.com/mine"}, "example.com/mine"),
        ({"type": "object", "$schema": "http://json-schema.org/draft-03/schema#"}, "draft-03"),
    ],
)
def test_what_can_not_be_enforced(schema: Any, message: str) -> None:
    with pytest.raises(DeclarationError, match=message):
        raw_schema_rule(schema)


def test_depth_and_size_are_bounded() -> None:
    deep: dict[str, Any] = {}
    for _ in range(50):
        deep = {"not": deep}
    with pytest.raises(DeclarationError, match="53 levels deep"):
        rule(x=deep)
    with pytest.raises(DeclarationError, match="values"):
        rule(x={"enum": list(range(6_000))})
    endless: dict[str, Any] = {"type": "object"}
    endless["properties"] = {"x": endless}
    with pytest.raises(DeclarationError, match="not JSON"):
        raw_schema_rule(endless)


def test_a_schema_may_refer_to_itself() -> None:
    made = raw_schema_rule(
        {"type": "object", "properties": {"x": {"type": "integer"}, "inner": {"$ref": "#"}}}
    )
    sent = {"inner": {"inner": {"x": "1"}}}
    assert made.validate(sent, {}) == {"inner": {"inner": {"x": 1}}}
    assert refusal(made, {"inner": {"x": "a"}}).startswith('inner.x: "a" is not an integer')


def test_a_reference_that_only_leads_to_itself() -> None:
    made = rule(x={"$ref": "#/properties/x"})
    assert made.validate({"x": "5"}, {}) == {"x": "5"}


def test_a_pattern_that_takes_for_ever_does_not_match() -> None:
    made = rule(x={"type": "string", "pattern": r"^(?=(a+)+$)(a|a)+b$"})
    assert refusal(made, {"x": "a" * 40})


def test_references_inside_of_values_are_none() -> None:
    made = rule(x={"const": {"$ref": "http://127.0.0.1:9/x"}})
    assert made.validate({"x": {"$ref": "http://127.0.0.1:9/x"}}, {})


def test_further_arguments_are_the_schemas_to_refuse() -> None:
    assert rule(x={"type": "integer"}).validate({"y": "5"}, {}) == {"y": "5"}


def test_nul_is_replaced_as_in_derived_arguments() -> None:
    made = rule(a={"type": "string"}, b={"type": "array"}, c={})
    sent = {"a": "x\0", "b": ["\0", {"d": "\0y"}], "c": 5}
    assert made.validate(sent, {}) == {"a": "x\ufffd", "b": ["\ufffd", {"d": "\ufffdy"}], "c": 5}
    assert sent["a"] == "x\0"


def test_what_json_cannot_hold_is_refused() -> None:
    with pytest.raises(DeclarationError, match=r"^input_schema\.properties\.a\.maximum is an int"):
        rule(a={"type": "integer", "maximum": 2**64})
