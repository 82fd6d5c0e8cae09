"""What the admin's page of one feature shows below its fields: tables, schemas, an example."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from django.http import HttpRequest

from mcp_django.catalog import examples, particulars, words
from mcp_django.catalog.completions import completions
from mcp_django.catalog.endpoints import authorization, endpoint_url
from mcp_django.catalog.limits import limits
from mcp_django.catalog.schemas import schema_rows
from mcp_django.catalog.types import json_text, type_of
from mcp_django.dispatch.definitions import definition
from mcp_django.dispatch.server import MCPServer
from mcp_django.features.base import Feature
from mcp_django.features.records import ResourceFeature, ToolFeature
from mcp_django.protocol.versions import LATEST


def page_of(server: MCPServer, feature: Feature, request: HttpRequest) -> dict[str, Any]:
    """What the template is given, beside what the admin gives it."""
    page = {
        "kind": feature.kind,
        "definition_json": json_text(definition(feature, LATEST), indent=2),
        **_example(server, feature, request),
    }
    if not isinstance(feature, ResourceFeature):
        page |= _arguments(server, feature)
    if isinstance(feature, ToolFeature):
        page |= _result(feature)
    return page


def _arguments(server: MCPServer, feature: Feature) -> dict[str, Any]:
    """The arguments, which are the variables of a template, with how they are completed."""
    schema, completed = particulars.arguments_schema(feature), completions(server, feature)
    return {
        "arguments_rows": [
            replace(row, completion=completed.get(row.path, "")) for row in schema_rows(schema)
        ],
        "arguments_json": json_text(schema, indent=2),
        "has_completions": bool(completed),
    }


def _result(tool: ToolFeature) -> dict[str, Any]:
    schema = particulars.result_schema(tool)
    if schema is None:
        return {}
    return {
        "result_rows": schema_rows(schema),
        "result_type": type_of(schema),
        "result_limits": [*limits(schema, schema)],
        "result_json": json_text(schema, indent=2),
    }


def _example(server: MCPServer, feature: Feature, request: HttpRequest) -> dict[str, Any]:
    example = examples.example_of(feature)
    needed = words.needs_sign_in(feature, server)
    credentials = authorization(server, request) if needed else None
    url = endpoint_url(server, request)
    return {
        "example_json": json_text(examples.as_json(example), indent=2),
        "example_curl": examples.as_curl(example, url, credentials),
        "example_command": examples.as_command(example, server, as_user=needed),
        "example_python": examples.as_python(example, server, as_user=needed),
    }
