"""From a declaration to the frozen record of a tool."""

from __future__ import annotations

from dataclasses import replace

from mcp_django.features.arguments import accepted
from mcp_django.features.base import Binder
from mcp_django.features.compiling import finished, started
from mcp_django.features.declarations import Declaration
from mcp_django.features.naming import checked_name
from mcp_django.features.options import checked_flag, checked_mapping
from mcp_django.features.param_headers import with_headers
from mcp_django.features.records import ToolFeature
from mcp_django.features.texts import with_filled_texts
from mcp_django.protocol.definitions import ToolAnnotations
from mcp_django.schema.results import result_rule

_HINTS = ("read_only", "destructive", "idempotent", "open_world")


def compile_tool(declaration: Declaration, binder: Binder) -> ToolFeature:
    """Check a declaration and fix all that can be known of the tool at start-up.

    Raises ``DeclarationError``.
    """
    parts = started(declaration, binder, checked_name)
    options = parts.options
    takes = accepted(parts.wanted, options)
    rule, headers = with_headers(takes, parts.left, checked_mapping("headers", options))
    result = result_rule(parts.handler.returns, options.get("returns"), name=parts.name)
    return finished(
        ToolFeature,
        parts,
        replace(takes, rule=rule),
        blocks=result.blocks,
        result=with_filled_texts(result),
        annotations=ToolAnnotations(**{hint: checked_flag(hint, options) for hint in _HINTS}),
        headers=headers,
    )
