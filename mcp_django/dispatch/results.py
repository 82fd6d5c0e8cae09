"""An outcome written as a ``CallToolResult``: encoded once, and within ``MAX_RESULT_BYTES``."""

from __future__ import annotations

from typing import Any

import orjson

from mcp_django.conf import settings
from mcp_django.dispatch.definitions import encoded_structured
from mcp_django.features.base import ToolFeature
from mcp_django.invocation.calls import Written
from mcp_django.invocation.faults import failed
from mcp_django.protocol import types
from mcp_django.protocol.versions import Revision
from mcp_django.schema.errors import InvalidResult
from mcp_django.schema.results import Outcome


def write(outcome: Outcome, tool: ToolFeature, revision: Revision) -> Written:
    """The result as this revision has it, or, if that is too long, an error that says so."""
    result, size = _encoded(outcome, tool, revision)
    limit = settings.MAX_RESULT_BYTES
    if size <= limit:
        return Written(result, outcome.is_error)
    text = (
        f"The result has {size:,} bytes, more than the {limit:,} that this server sends. "
        "Ask for less: a narrower search, a smaller page, or fewer fields."
    )
    return Written(_encoded(failed(text), tool, revision)[0], is_error=True)


def _encoded(outcome: Outcome, tool: ToolFeature, revision: Revision) -> tuple[dict[str, Any], int]:
    """The result, its large members in JSON already, and how many bytes these have."""
    content = _content(outcome, revision)
    structured = encoded_structured(outcome, tool.result.schema, revision)
    result = types.call_tool_result(
        orjson.Fragment(content),
        structured=None if structured is None else orjson.Fragment(structured),
        is_error=outcome.is_error,
        meta=outcome.meta,
    )
    return result, len(content) + (0 if structured is None else len(structured))


def _content(outcome: Outcome, revision: Revision) -> bytes:
    # Texts may be lazy and raise anything, which is not for callers as it stands.
    wire = [block.to_wire(revision) for block in outcome.content]
    try:
        if outcome.meta:
            orjson.dumps(outcome.meta)  # else found too late to be the tool's own error
        return orjson.dumps(wire)
    except TypeError as error:
        raise InvalidResult(f"a content block or _meta cannot be sent: {error}") from error
