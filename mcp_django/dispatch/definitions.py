"""Records as a revision shows them.

Legacy revisions know objects only as structured results, so other results are wrapped as
``{"result": …}`` for them, schema and value alike. Specification: server/tools.
"""

from __future__ import annotations

from typing import Any

import orjson

from mcp_django.features.base import ToolFeature
from mcp_django.protocol import types
from mcp_django.protocol.versions import Revision
from mcp_django.schema.results import ABSENT, Outcome


def tool_definition(tool: ToolFeature, revision: Revision) -> dict[str, Any]:
    """The tool as this revision defines it, in the language that is active."""
    schema = tool.result.schema
    return types.tool(
        tool.name,
        tool.arguments.schema,
        revision,
        title=str(tool.title or ""),
        description=str(tool.description),
        output_schema=None if schema is None else output_schema(schema, revision),
        annotations=tool.annotations,
        icons=tool.icons,
        meta=tool.meta,
    )


def output_schema(schema: dict[str, Any], revision: Revision) -> dict[str, Any]:
    """The schema of a structured result as this revision can hold it."""
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
    """The structured result in JSON as this revision can hold it, if there is any."""
    if outcome.structured is ABSENT or not revision.structured_content:
        return None
    encoded = outcome.encoded or orjson.dumps(outcome.structured)
    if revision.any_structured:
        return encoded
    # An error need not satisfy the tool's schema, so its own shape decides.
    by_schema = schema is not None and not outcome.is_error
    wrap = is_wrapped(schema) if by_schema else not isinstance(outcome.structured, dict)
    return b'{"result":' + encoded + b"}" if wrap else encoded
