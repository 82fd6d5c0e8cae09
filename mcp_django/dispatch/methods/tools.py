"""``tools/list`` and ``tools/call``. Specification: server/tools."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from mcp_django.conf import settings
from mcp_django.dispatch.results import write
from mcp_django.features.base import ToolFeature
from mcp_django.invocation.authentication import unauthenticated
from mcp_django.invocation.calls import call_tool
from mcp_django.invocation.context import Context
from mcp_django.invocation.flows import BLOCKING, Flow
from mcp_django.invocation.permissions import Decision, decide
from mcp_django.protocol import types
from mcp_django.protocol.errors import invalid_params
from mcp_django.protocol.mirroring import check_parameter_headers


def list_tools(params: Mapping[str, Any], context: Context) -> Flow[dict[str, Any]]:
    """The tools that this caller may call, in the order of their registration."""
    if params.get("cursor") is not None:
        raise invalid_params("The cursor is not one of this server's.")
    listing = context.server.listing(context.revision)
    if listing.constant is None:
        yield BLOCKING
    result = types.list_tools_result(
        listing.array(lambda tool: decide(tool, context) is Decision.ALLOWED)
    )
    if context.revision.modern:
        private = listing.is_private or context.server.is_private
        types.cacheable(result, settings.TTL_MS["lists"], private=private)
    return result


def call(params: Mapping[str, Any], context: Context) -> Flow[dict[str, Any]]:
    """One call: judge it, then run it."""
    return (yield from (yield from judged_call(params, context)))


def judged_call(params: Mapping[str, Any], context: Context) -> Flow[Flow[dict[str, Any]]]:
    """Find the tool as this caller and judge its headers: the call, which has not begun."""
    name = params.get("name")
    if not isinstance(name, str):
        raise invalid_params("tools/call needs name, a string.")
    arguments = params.get("arguments")
    if arguments is None:
        arguments = {}
    elif not isinstance(arguments, dict):
        raise invalid_params("tools/call takes arguments, an object.")
    tool: ToolFeature | None = context.server.registry.tools.get(name)
    if tool is None:
        raise _unknown(name)
    if context.server.depends_on_caller(tool):
        yield BLOCKING
        _check(tool, context)
    if tool.headers and context.header is not None and context.revision.modern:
        check_parameter_headers(tool.headers, arguments, context.header)
    return call_tool(tool, arguments, context, write)


def _unknown(name: str) -> Exception:
    return invalid_params(f"Unknown tool: {name[:200]}")


def _check(tool: ToolFeature, context: Context) -> None:
    """Refuse who may not call it: a hidden tool is unknown, in the same words."""
    decision = decide(tool, context)
    if decision is Decision.SIGN_IN and context.server.authentication_classes:
        raise unauthenticated(context)
    if decision is not Decision.ALLOWED:
        raise _unknown(tool.name)
