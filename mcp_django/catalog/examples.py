"""An example request of each kind of feature: as JSON-RPC, for curl, for Python, for a shell."""

from __future__ import annotations

import pprint
import shlex
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from mcp_django.catalog.endpoints import (
    DEFAULT,
    captured_in,
    endpoint_path,
    example_path,
    import_of,
    placeholder,
)
from mcp_django.catalog.samples import example_arguments
from mcp_django.catalog.types import Schema, argument_texts, json_text
from mcp_django.dispatch.server import MCPServer
from mcp_django.features.base import Feature
from mcp_django.features.records import (
    PromptFeature,
    ResourceFeature,
    TemplateFeature,
    ToolFeature,
)
from mcp_django.protocol import versions
from mcp_django.protocol.headers import encode

USER = "NAME"  # what a reader replaces


@dataclass(frozen=True, slots=True)
class Example:
    """One request: its method and params, and how it is asked for elsewhere.

    ``named`` is what the header ``Mcp-Name`` repeats, ``headers`` are further ones.
    ``command`` are the words after ``manage.py mcp``; ``python`` is the method of the test
    client and what it is given.
    """

    method: str
    params: Mapping[str, Any]
    named: str
    command: tuple[str, ...]
    python: tuple[str, tuple[Any, ...]]
    headers: Mapping[str, str] = field(default_factory=dict)


def example_of(feature: Feature) -> Example:
    """A request for this feature, its arguments made up from its schema."""
    return _EXAMPLES[type(feature)](feature)


def _of_tool(tool: ToolFeature) -> Example:
    arguments = example_arguments(tool.arguments.schema)
    return Example(
        "tools/call",
        {"name": tool.name, "arguments": arguments},
        tool.name,
        ("call", tool.name, json_text(arguments)),
        ("call_tool", (tool.name, *([arguments] if arguments else []))),
        _mirrored(tool, arguments),
    )


def _mirrored(tool: ToolFeature, arguments: Mapping[str, Any]) -> dict[str, str]:
    """The headers that repeat some of its arguments."""
    return {
        f"Mcp-Param-{name}": encode(value if isinstance(value, str) else json_text(value))
        for argument, name in tool.headers.items()
        if (value := arguments.get(argument)) is not None
    }


def _of_prompt(prompt: PromptFeature) -> Example:
    made_up = example_arguments(prompt.arguments.schema)
    arguments = argument_texts(_with_choices(made_up, prompt, prompt.arguments.schema))
    return Example(
        "prompts/get",
        {"name": prompt.name, "arguments": arguments},
        prompt.name,
        ("prompt", prompt.name, json_text(arguments)),
        ("get_prompt", (prompt.name, *([arguments] if arguments else []))),
    )


def _of_resource(resource: ResourceFeature) -> Example:
    return _of_uri(resource.uri)


def _of_template(template: TemplateFeature) -> Example:
    return _of_uri(example_uri(template))


def _of_uri(uri: str) -> Example:
    return Example("resources/read", {"uri": uri}, uri, ("read", uri), ("read_resource", (uri,)))


_EXAMPLES: Mapping[type[Feature], Callable[[Any], Example]] = {
    ToolFeature: _of_tool,
    PromptFeature: _of_prompt,
    ResourceFeature: _of_resource,
    TemplateFeature: _of_template,
}


def example_uri(template: TemplateFeature) -> str:
    """A URI that the template matches; the template itself where none can be made up."""
    parts = template.template
    needed = [name for name in parts.names if name not in parts.optional]
    schema = {**template.arguments.schema, "required": needed}
    made_up = example_arguments(schema)
    for values in (_with_choices(made_up, template, schema), made_up):
        with suppress(ValueError):
            return parts.expand(values)
    return parts.text


def _with_choices(
    made_up: Mapping[str, Any], feature: PromptFeature | TemplateFeature, schema: Schema
) -> dict[str, Any]:
    """Values of which those without a default are the first that completion would offer.

    Only those that are known without asking: no table is read for an example.
    """
    values = dict(made_up)
    for name, completer in feature.completers.items():
        source, has_default = completer.source, "default" in schema["properties"][name]
        if name in values and isinstance(source, tuple) and not has_default:
            values[name] = _as_made_up(values[name], source[0])
    return values


def _as_made_up(value: Any, choice: str) -> Any:
    """A choice in the place of a value: in a list as its only item, if that is a text too."""
    if not isinstance(value, list):
        return choice
    return [choice] if all(isinstance(item, str) for item in value) else value


def as_json(example: Example) -> dict[str, Any]:
    """The request as the newest revision writes it."""
    meta = {
        versions.PROTOCOL_VERSION: versions.LATEST.version,
        versions.CLIENT_CAPABILITIES: {},
    }
    params = {**example.params, "_meta": meta}
    return {"jsonrpc": "2.0", "id": 1, "method": example.method, "params": params}


def as_curl(example: Example, url: str, credentials: str | None = None) -> str:
    """The same request for a shell, with the headers that it needs."""
    headers = {
        "Content-Type": "application/json",
        "Accept": "application/json, text/event-stream",
        "MCP-Protocol-Version": versions.LATEST.version,
        "Mcp-Method": example.method,
        "Mcp-Name": encode(example.named),
        **example.headers,
    }
    if credentials:
        headers["Authorization"] = credentials
    lines = [f"curl {shlex.quote(url)}"]
    lines += [f"-H {shlex.quote(_header(name, value))}" for name, value in headers.items()]
    lines.append(f"-d {shlex.quote(json_text(as_json(example)))}")
    return " \\\n  ".join(lines)


def _header(name: str, value: str) -> str:
    """A header as curl takes it, which sends one without a value for a semicolon alone."""
    return f"{name}: {value}" if value else f"{name};"


def as_command(example: Example, server: MCPServer, *, as_user: bool = False) -> str:
    """The same request by ``manage.py``; ``as_user`` where nobody else is let in."""
    options = ["--user", USER] if as_user else []
    if server.name != DEFAULT:
        options += ["--server", server.name]
    if captured_in(endpoint_path(server)):
        options += ["--url", example_path(server)]
    return shlex.join(["python", "manage.py", "mcp", *words_of(example.command, options)])


def words_of(command: Sequence[str], options: Sequence[str]) -> list[str]:
    """A command and its options: a name that looks like one of them stands behind ``--``."""
    action, *words = command
    if any(word.startswith("-") for word in words):
        return [action, *options, "--", *words]
    return [action, *words, *options]


def as_python(example: Example, server: MCPServer, *, as_user: bool = False) -> str:
    """The same request in a test of the project; ``as_user`` where nobody else is let in."""
    lines, given = ["from mcp_django.test import MCPClient"], []
    if server.name != DEFAULT:
        module, name = import_of(server)
        lines += [f"from {module} import {name}"] if name else []
        given.append(name or "server")
    captured = {name: placeholder(name) for name in captured_in(endpoint_path(server))}
    if captured:
        given.append(f"url_kwargs={captured}")
    lines += ["", f"client = MCPClient({', '.join(given)})"]
    lines += ["client.login(user)"] if as_user else []
    method, values = example.python
    arguments = ", ".join(pprint.pformat(one, width=80, sort_dicts=False) for one in values)
    return "\n".join([*lines, f"result = client.{method}({arguments})"])
