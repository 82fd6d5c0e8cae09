"""Example calls satisfy the schema that they are made from."""

from __future__ import annotations

import json
import shlex
from collections.abc import Callable, Iterator
from typing import Annotated, Any
from unittest.mock import patch

import jsonschema_rs
import pytest
from django.test import override_settings
from rest_framework import serializers

from mcp_django import Completion, server
from mcp_django.catalog.examples import as_command, as_curl, as_json, as_python, example_of
from mcp_django.catalog.samples import example_arguments
from mcp_django.management.commands.mcp import Command
from tests.catalogued import only_server


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


def book(number: int, lang: str = "en") -> str:
    """One book."""
    return str(number)


@pytest.fixture
def made() -> Iterator[Callable[..., Any]]:
    """The record of a function, alone on the default server."""
    with server.registry.isolated() as registry:

        def make(target: Any, **options: Any) -> Any:
            registry.clear()
            server.compile()
            registry.register(target, **options)
            return registry.features[0]

        yield make


@pytest.fixture
def tool(made: Any) -> Any:
    return made(greet, headers={"region": "Region"})


def test_the_request_has_what_the_newest_revision_wants(tool: Any) -> None:
    assert as_json(example_of(tool)) == {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "tools/call",
        "params": {
            "name": "greet",
            "arguments": {"name": "text", "region": "text"},
            "_meta": {
                "io.modelcontextprotocol/protocolVersion": "2026-07-28",
                "io.modelcontextprotocol/clientCapabilities": {},
            },
        },
    }


@pytest.mark.parametrize(
    ("options", "method", "params"),
    [
        ({"uri": "book://{number}{?lang}"}, "resources/read", {"uri": "book://1?lang=en"}),
        (
            {"kind": "prompt"},
            "prompts/get",
            {"name": "book", "arguments": {"number": "1", "lang": "en"}},
        ),
    ],
)
def test_the_requests_of_other_kinds(made: Any, options: Any, method: str, params: Any) -> None:
    example = example_of(made(book, **options))
    assert (example.method, example.params) == (method, params)


def test_a_template_whose_uris_cannot_be_made_up_is_shown_itself(made: Any) -> None:
    def strange(part: Annotated[str, serializers.RegexField(r"^/.*/$")]) -> str:
        """What no URI of it can carry."""
        return part

    example = example_of(made(strange, uri="book://{part}"))
    assert example.params["uri"] == "book://text"

    def numbered(parts: list[str]) -> str:
        """Segments."""
        return "".join(parts)

    with patch.dict(made(numbered, uri="book://x{/parts*}").arguments.schema, {"properties": {}}):
        assert example_of(server.registry.features[0]).params["uri"] == "book://x{/parts*}"


def read(isbn: str, level: str = "adult") -> str:
    """Read."""
    return isbn


def test_an_example_has_the_first_of_the_choices_that_complete_it(made: Any) -> None:
    isbns = Completion(["978-0-00-000001-2", "978-0-00-000002-9"])
    choices = {"isbn": isbns, "level": ["child", "adult"]}
    prompt = made(read, kind="prompt", completers=choices)
    assert example_of(prompt).params["arguments"] == {
        "isbn": "978-0-00-000001-2",
        "level": "adult",  # a default goes before
    }
    template = made(read, uri="book://{isbn}{?level}", completers=choices)
    assert example_of(template).params["uri"] == "book://978-0-00-000001-2?level=adult"


def test_lists_have_the_first_choice_as_their_only_item(made: Any) -> None:
    def shelf(parts: list[str]) -> str:
        """A shelf."""
        return "".join(parts)

    def sums(numbers: list[int]) -> str:
        """Add."""
        return str(sum(numbers))

    template = made(shelf, uri="book://x{/parts*}", completers={"parts": ["north", "south"]})
    assert example_of(template).params["uri"] == "book://x/north"
    prompt = made(shelf, kind="prompt", completers={"parts": ["north", "south"]})
    assert example_of(prompt).params["arguments"] == {"parts": '["north"]'}
    prompt = made(sums, kind="prompt", completers={"numbers": [10, 20]})
    assert example_of(prompt).params["arguments"] == {"numbers": "[1]"}


def test_a_choice_that_no_uri_can_carry_is_not_shown(made: Any) -> None:
    template = made(read, uri="book://{isbn}{?level}", completers={"isbn": ["a/b"]})
    assert example_of(template).params["uri"] == "book://text?level=adult"


def test_no_row_and_no_function_is_asked_for_an_example(made: Any) -> None:
    def never(value: str) -> list[str]:
        """Must not be asked."""
        raise AssertionError(value)

    template = made(read, uri="book://{isbn}{?level}", completers={"isbn": never})
    assert example_of(template).params["uri"] == "book://text?level=adult"


def test_curl_carries_the_headers_and_survives_the_shell(tool: Any) -> None:
    arguments = {"name": "O'Neill & söner", "region": "æ"}
    changed = {"default": "O'Neill & söner"}, {"default": "æ"}
    schema = {**tool.arguments.schema, "properties": dict(zip(arguments, changed, strict=True))}
    with patch.dict(tool.arguments.schema, schema):
        example = example_of(tool)
    command = as_curl(example, "https://a.example/mcp?x=1&y=2", "Bearer YOUR_TOKEN")
    words = shlex.split(command.replace("\\\n", ""))
    assert words[:2] == ["curl", "https://a.example/mcp?x=1&y=2"]
    options = list(zip(words[2::2], words[3::2], strict=True))
    assert ("-H", "Mcp-Method: tools/call") in options
    assert ("-H", "Mcp-Name: greet") in options
    assert ("-H", "Mcp-Param-Region: =?base64?w6Y=?=") in options
    assert ("-H", "Authorization: Bearer YOUR_TOKEN") in options
    data = next(value for option, value in options if option == "-d")
    assert json.loads(data)["params"]["arguments"] == arguments


def test_a_uri_beyond_ascii_is_encoded_in_the_header(made: Any) -> None:
    command = as_curl(example_of(made(greet_all, uri="book://ä")), "https://a.example/mcp")
    assert "-H 'Mcp-Name: =?base64?" in command
    assert '"uri": "book://ä"' in command


def greet_all() -> str:
    """Greet all."""
    return "all"


def test_arguments_that_are_no_texts_are_mirrored_as_json(made: Any) -> None:
    def page(number: int, size: int | None = None) -> str:
        """One page."""
        return str(number)

    example = example_of(made(page, headers={"number": "Number", "size": "Size"}))
    assert example.headers == {"Mcp-Param-Number": "1"}


def test_curl_without_credentials_has_no_authorization_header(tool: Any) -> None:
    assert "Authorization" not in as_curl(example_of(tool), "https://a.example/mcp")


def test_the_command_names_a_server_that_is_not_the_default_one(tool: Any) -> None:
    example = example_of(tool)
    assert shlex.split(as_command(example, server)) == [
        *("python", "manage.py", "mcp", "call", "greet"),
        '{"name": "text", "region": "text"}',
    ]
    with only_server("staff") as staff:
        assert as_command(example, staff).endswith(" --server staff")


def test_curl_sends_a_header_without_a_value_for_an_empty_argument(made: Any) -> None:
    def find(edition: str = "") -> str:
        """Find."""
        return edition

    example = example_of(made(find, headers={"edition": "E"}))
    assert example.headers == {"Mcp-Param-E": ""}
    command = as_curl(example, "https://a.example/mcp")
    assert "-H 'Mcp-Param-E;'" in command
    assert "Mcp-Param-E:" not in command


@pytest.mark.parametrize("name", ["-x", "--user", "--", "-1"])
def test_the_command_of_a_name_that_looks_like_an_option_is_understood(
    made: Any, name: str
) -> None:
    example = example_of(made(greet, name=name))
    words = shlex.split(as_command(example, server, as_user=True))
    parsed = Command().create_parser(*words[1:3]).parse_args(words[3:])
    assert (parsed.action, parsed.name, parsed.user) == ("call", name, "NAME")
    assert json.loads(parsed.arguments) == {"name": "text", "region": "text"}


def run(snippet: str, **known: Any) -> Any:
    """What a snippet of Python leaves as ``result``."""
    exec(snippet, known)
    return known["result"]


@pytest.mark.parametrize(
    ("options", "text"),
    [
        ({}, "greet text"),
        ({"kind": "prompt"}, "greet text"),
        ({"uri": "book://{name}"}, "greet text"),
    ],
)
@override_settings(MCP_DJANGO={"AUTHENTICATION_CLASSES": []})
def test_the_python_snippet_runs(made: Any, options: Any, text: str) -> None:
    def greeting(name: str) -> str:
        """Greet."""
        return f"greet {name}"

    feature = made(greeting, **options)
    assert run(as_python(example_of(feature), server)).text == text


def test_the_python_snippet_without_arguments_and_with_a_user(made: Any) -> None:
    assert as_python(example_of(made(greet_all)), server, as_user=True) == (
        "from mcp_django.test import MCPClient\n\n"
        "client = MCPClient()\n"
        "client.login(user)\n"
        "result = client.call_tool('greet_all')"
    )


def test_the_python_snippet_imports_its_server(made: Any, monkeypatch: Any) -> None:
    example = example_of(made(greet_all))
    with only_server("staff") as staff:
        assert "MCPClient(server)" in as_python(example, staff)
        monkeypatch.setattr("tests.catalogued.staff", staff, raising=False)
        assert as_python(example, staff).splitlines()[1:4] == [
            "from tests.catalogued import staff",
            "",
            "client = MCPClient(staff)",
        ]
