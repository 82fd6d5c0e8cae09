"""Records as a revision shows them: the ``Tool`` of ``tools/list``.

Specification: server/tools, "Tool". Legacy revisions know objects only as structured
results, so other results are wrapped as ``{"result": …}`` for them, schema and value alike.
"""

from __future__ import annotations

from typing import Any

import orjson

from mcp_django.features.base import ToolFeature
from mcp_django.protocol.versions import Revision
from mcp_django.schema.results import ABSENT, Outcome


def tool_definition(tool: ToolFeature, revision: Revision) -> dict[str, Any]:
    """The tool as this revision defines it; keys that it lacks are left out."""
    wire: dict[str, Any] = {"name": tool.name}
    hints: dict[str, Any] = dict(tool.annotations.to_wire())
    title, description = str(tool.title or ""), str(tool.description)  # may be lazy translations
    if title and revision.title:
        wire["title"] = title
    elif title:
        hints = {"title": title, **hints}
    if description:
        wire["description"] = description
    wire["inputSchema"] = tool.arguments.schema
    if tool.result.schema is not None and revision.structured_content:
        wire["outputSchema"] = output_schema(tool.result.schema, revision)
    if hints:
        wire["annotations"] = hints
    if tool.icons and revision.icons:
        wire["icons"] = [icon.to_wire() for icon in tool.icons]
    if tool.meta and revision.meta:
        wire["_meta"] = dict(tool.meta)
    return wire


def output_schema(schema: dict[str, Any], revision: Revision) -> dict[str, Any]:
    """The schema of ``structuredContent`` as this revision can hold it."""
    if revision.any_structured or not is_wrapped(schema):
        return schema
    inner = dict(schema)
    definitions = inner.pop("$defs", None)
    wrapped: dict[str, Any] = {
        "type": "object",
        "properties": {"result": inner},
        "required": ["result"],
    }
    if definitions:
        wrapped["$defs"] = definitions  # "#/$defs/…" points at the root, so they move there
    return wrapped


def is_wrapped(schema: dict[str, Any] | None) -> bool:
    """Whether legacy clients get this tool's values as ``{"result": value}``."""
    return schema is not None and schema.get("type") != "object"


def encoded_structured(
    outcome: Outcome, schema: dict[str, Any] | None, revision: Revision
) -> bytes | None:
    """``structuredContent`` in JSON as this revision can hold it, if there is any."""
    if outcome.structured is ABSENT or not revision.structured_content:
        return None
    encoded = outcome.encoded or orjson.dumps(outcome.structured)
    if revision.any_structured:
        return encoded
    # An error need not satisfy the tool's schema, so its own shape decides.
    by_schema = schema is not None and not outcome.is_error
    wrap = is_wrapped(schema) if by_schema else not isinstance(outcome.structured, dict)
    return b'{"result":' + encoded + b"}" if wrap else encoded
