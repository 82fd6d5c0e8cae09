"""``tools/call``. Specification: server/tools."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from mcp_django.dispatch.asking import name_and_arguments
from mcp_django.dispatch.results import write
from mcp_django.features.records import ToolFeature
from mcp_django.invocation.admission import admit
from mcp_django.invocation.calls import Ending, Written, call
from mcp_django.invocation.context import Context
from mcp_django.invocation.faults import outcome_of
from mcp_django.invocation.flows import Flow
from mcp_django.protocol.errors import MCPError, invalid_params
from mcp_django.protocol.mirroring import check_parameter_headers


def judged_call(params: Mapping[str, Any], context: Context) -> Flow[Flow[dict[str, Any]]]:
    """Find the tool as this caller and judge its headers: the call, which has not begun."""
    name, arguments = name_and_arguments(params, "tools/call")
    tool: ToolFeature | None = context.server.registry.tools.get(name)
    if tool is None:
        raise _unknown(name)
    if context.server.depends_on_caller(tool):  # else there is nothing to ask, at a price
        yield from admit(tool, context, lambda: _unknown(name))
    if tool.headers and context.header is not None and context.revision.modern:
        check_parameter_headers(tool.headers, arguments, context.header)
    return call(tool, arguments, context, _ENDING)


def _unknown(name: str) -> MCPError:
    return invalid_params(f"Unknown tool: {name[:200]}")


def _written(tool: ToolFeature, returned: Any, context: Context) -> Written:
    outcome = tool.result.convert(returned, context.serializer_context)
    return write(outcome, tool, context.revision)


def _failed(error: BaseException, tool: ToolFeature, context: Context) -> dict[str, Any]:
    return write(outcome_of(error, tool), tool, context.revision).result


_ENDING = Ending(_written, _failed)
