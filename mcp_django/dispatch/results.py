"""An outcome written as a ``CallToolResult``: encoded once, and within ``MAX_RESULT_BYTES``."""

from __future__ import annotations

from typing import Any

import orjson

from mcp_django.conf import settings
from mcp_django.dispatch.definitions import encoded_structured
from mcp_django.dispatch.encoding import RESULT_HAS, encoded
from mcp_django.features.records import ToolFeature
from mcp_django.invocation.calls import Written
from mcp_django.invocation.faults import failed
from mcp_django.protocol import types
from mcp_django.protocol.versions import Revision
from mcp_django.schema.results import Outcome
from mcp_django.schema.returning.unsendable import too_long

_ADVICE = " Ask for less: a narrower search, a smaller page, or fewer fields."
_FRAME = 100  # bytes, and more than what stands around the text of a content block


def write(outcome: Outcome, tool: ToolFeature, revision: Revision) -> Written:
    """The result as this revision has it, or, if that is too long, an error that says so."""
    limit = settings.MAX_RESULT_BYTES
    result, size = _encoded(outcome, tool, revision, limit)
    if size <= limit:
        return Written(result, outcome.is_error)
    text = too_long(RESULT_HAS, size, limit, _ADVICE).problem
    return Written(_encoded(failed(text), tool, revision, limit)[0], is_error=True)


def _encoded(
    outcome: Outcome, tool: ToolFeature, revision: Revision, limit: int
) -> tuple[dict[str, Any], int]:
    """The result, and how many bytes its large members have, where that is near the limit."""
    structured = encoded_structured(outcome, tool.result.schema, revision)
    size = 0 if structured is None else len(structured)
    if outcome.meta:
        size += len(encoded(outcome.meta, "_meta"))  # found out here, it is the tool's own error
    said = outcome.encoded if outcome.blocks is None else None
    content: Any
    if said is not None and size + 2 * len(said) + _FRAME <= limit:
        # Escaped inside of a text, JSON is at most twice as long: it need not be counted.
        content = types.text_content(said.decode())
    else:
        # Texts may be lazy and raise anything, which is not for callers as it stands.
        wire = [block.to_wire(revision) for block in outcome.content]
        blocks = encoded(wire, "a content block")
        content = orjson.Fragment(blocks)
        size += len(blocks)
    fragment = None if structured is None else orjson.Fragment(structured)
    return types.call_tool_result(content, fragment, outcome.is_error, outcome.meta), size
