"""Example calls satisfy the schema that they are made from."""

from __future__ import annotations

import json
import shlex
from typing import Any

import jsonschema_rs
import pytest

from mcp_django import server
from mcp_django.catalog.examples import (
    example_arguments,
    example_command,
    example_curl,
    example_request,
)


def closed(**properties: Any) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


@pytest.mark.parametrize(
    ("schema", "value"),
    [
        ({"type": "string"}, "text"),
        ({"type": "string", "maxLength": 2}, "a"),
        ({"type": "string", "minLength": 30}, "text" + 26 * "x"),
        ({"type": "string", "format": "date"}, "2026-07-28"),
        ({"type": "string", "format": "uuid"}, "3f2b8c1e-5d4a-4e8b-9c7d-1a2b3c4d5e6f"),
        ({"type": "string", "pattern": r"^\d{13}$"}, "1111111111111"),
        ({"type": "string", "pattern": r"^[A-Z]{3}$"}, "AAA"),
        ({"type": "string", "pattern": r"^([01]\d|2[0-3]):[0-5]\d$"}, "12:00"),
        ({"type": "string", "pattern": "^(https?|ftps?)://"}, "https://example.com/"),
        ({"type": "integer"}, 1),
        ({"type": "integer", "minimum": 5}, 5),
        ({"type": "integer", "maximum": -3}, -3),
        ({"type": "integer", "exclusiveMinimum": 7}, 8),
        ({"type": "number", "exclusiveMaximum": 0}, -0.5),
        ({"type": "integer", "minimum": 7, "multipleOf": 5}, 10),
        ({"type": "boolean"}, True),
        ({"type": "null"}, None),
        ({"type": ["null", "integer"]}, 1),
        ({"enum": ["open", "returned"]}, "open"),
        ({"const": 4}, 4),
        ({"oneOf": [{"const": "asc", "title": "Oldest first"}, {"const": "desc"}]}, "asc"),
        ({"anyOf": [{"type": "null"}, {"type": "string", "format": "email"}]}, "ann@example.com"),
        ({"type": "string", "examples": ["Iceland", "Peru"]}, "Iceland"),
        ({"type": "array", "items": {"type": "integer"}}, [1]),
        ({"type": "array", "items": {"type": "integer"}, "maxItems": 0}, []),
        ({"type": "array", "items": {"type": "boolean"}, "minItems": 2}, [True, True]),
        (
            {"type": "array", "items": {"type": "integer"}, "minItems": 2, "uniqueItems": True},
            [1, 2],
        ),
        (
            {"type": "array", "items": {"enum": ["a", "b"]}, "minItems": 2, "uniqueItems": True},
            ["a", "b"],
        ),
        (
            {"type": "array", "items": {"type": "string"}, "minItems": 2, "uniqueItems": True},
            ["text", "text1"],
        ),
        (
            {"type": "array", "items": {"type": "boolean"}, "minItems": 2, "uniqueItems": True},
            [True, False],
        ),
        ({"type": "array", "prefixItems": [{"type": "string"}, {"type": "number"}]}, ["text", 1]),
        ({"type": "object"}, {}),
        (closed(inner={"type": "boolean"}), {"inner": True}),
        (
            {"allOf": [closed(a={"type": "integer"}), {"required": ["a"]}]},
            {"a": 1},
        ),
        ({"type": "string", "allOf": [{"pattern": "^a"}, {"pattern": "b$"}]}, "a-b"),
        (
            {"type": "string", "anyOf": [{"const": ""}, {"format": "uri"}]},
            "https://example.com/",
        ),
        ({"anyOf": [True, {"type": "null"}]}, "text"),
        ({"oneOf": [{"const": None}, {"const": 2}]}, 2),
        (
            {"type": "object", "properties": {"a": {"type": "integer"}}, "minProperties": 1},
            {"a": 1},
        ),
        ({}, "text"),
        (True, "text"),
        ({"$ref": "#/$defs/City"}, "Oslo"),
    ],
)
def test_values_fit_their_schema(schema: Any, value: Any) -> None:
    whole = {**closed(it=schema), "$defs": {"City": {"type": "string", "examples": ["Oslo"]}}}
    arguments = example_arguments(whole)
    assert arguments == {"it": value}
    jsonschema_rs.validate(whole, arguments, validate_formats=True)


def test_optional_arguments_stand_there_with_their_default_only() -> None:
    schema = closed(must={"type": "integer"})
    schema["properties"] |= {
        "status": {"type": "string", "default": "open"},
        "left_out": {"type": "string"},
        "null": {"type": ["string", "null"], "default": None},
    }
    assert example_arguments(schema) == {"must": 1, "status": "open"}


def test_recursion_ends() -> None:
    node = {**closed(next={"$ref": "#/$defs/Node"})}
    assert example_arguments({**closed(tree={"$ref": "#/$defs/Node"}), "$defs": {"Node": node}})


@pytest.mark.parametrize("pattern", ["^[A-Z]{2}-[0-9]+-x$", "(?P<year>", "(?i)"])
def test_what_cannot_be_guessed_is_left_to_the_reader(pattern: str) -> None:
    assert example_arguments(closed(it={"type": "string", "pattern": pattern})) == {"it": "text"}


def test_different_objects_are_left_to_the_reader_too() -> None:
    pairs = {"type": "array", "items": {"type": "object"}, "minItems": 2, "uniqueItems": True}
    assert example_arguments(closed(it=pairs)) == {"it": [{}]}


def greet(name: str, region: str) -> str:
    """Greet."""
    return name


@pytest.fixture
def tool() -> Any:
    with server.registry.isolated() as registry:
        registry.register(greet, headers={"region": "Region"})
        yield registry.tools["greet"]


def test_the_request_has_what_the_newest_revision_wants(tool: Any) -> None:
    request = example_request(tool, {"name": "Ann", "region": "eu"})
    assert request == {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "tools/call",
        "params": {
            "name": "greet",
            "arguments": {"name": "Ann", "region": "eu"},
            "_meta": {
                "io.modelcontextprotocol/protocolVersion": "2026-07-28",
                "io.modelcontextprotocol/clientCapabilities": {},
            },
        },
    }


def test_curl_carries_the_headers_and_survives_the_shell(tool: Any) -> None:
    arguments = {"name": "O'Neill & söner", "region": "æ"}
    command = example_curl(tool, arguments, "https://a.example/mcp?x=1&y=2", "Bearer YOUR_TOKEN")
    words = shlex.split(command.replace("\\\n", ""))
    assert words[:2] == ["curl", "https://a.example/mcp?x=1&y=2"]
    options = list(zip(words[2::2], words[3::2], strict=True))
    assert ("-H", "Mcp-Name: greet") in options
    assert ("-H", "Mcp-Param-Region: =?base64?w6Y=?=") in options
    assert ("-H", "Authorization: Bearer YOUR_TOKEN") in options
    data = next(value for option, value in options if option == "-d")
    assert json.loads(data)["params"]["arguments"] == arguments


def test_curl_without_credentials_has_no_authorization_header(tool: Any) -> None:
    assert "Authorization" not in example_curl(tool, {}, "https://a.example/mcp")


def test_the_command_names_a_server_that_is_not_the_default_one(tool: Any) -> None:
    assert shlex.split(example_command(tool, {"name": "a b"}, "default")) == [
        *("python", "manage.py", "mcp", "call", "greet"),
        '{"name": "a b"}',
    ]
    assert example_command(tool, {}, "staff").endswith("--server staff")
