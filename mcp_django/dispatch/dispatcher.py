"""Which method is answered by what: one table, and the frame around every result."""

from __future__ import annotations

import logging
import secrets
from collections.abc import Callable, Mapping
from typing import Any

from mcp_django.dispatch.methods import completions, lifecycle, lists, prompts, resources, tools
from mcp_django.invocation.context import Context
from mcp_django.invocation.faults import CAUGHT, goes_through
from mcp_django.invocation.flows import Flow
from mcp_django.protocol import types
from mcp_django.protocol.errors import INTERNAL_ERROR, METHOD_NOT_FOUND, MCPError
from mcp_django.protocol.jsonrpc import Message

logger = logging.getLogger("mcp_django")

Method = Callable[[Mapping[str, Any], Context], Flow[dict[str, Any]]]
Judge = Callable[[Mapping[str, Any], Context], Flow[Flow[dict[str, Any]]]]


def _begun(judge: Judge) -> Method:
    """One request: judge it, then run what it gives."""

    def method(params: Mapping[str, Any], context: Context) -> Flow[dict[str, Any]]:
        return (yield from (yield from judge(params, context)))

    return method


# What judges a request to use one feature, and gives what will answer it.
_JUDGES: Mapping[str, Judge] = {
    "tools/call": tools.judged_call,
    "resources/read": resources.judged_read,
    "prompts/get": prompts.judged_get,
    "completion/complete": completions.judged_complete,
}

_SHARED: Mapping[str, Method] = {
    "tools/list": lists.list_tools,
    "resources/list": lists.list_resources,
    "resources/templates/list": lists.list_templates,
    "prompts/list": lists.list_prompts,
    **{name: _begun(judge) for name, judge in _JUDGES.items()},
}

MODERN: Mapping[str, Method] = {"server/discover": lifecycle.discover, **_SHARED}

LEGACY: Mapping[str, Method] = {
    "initialize": lifecycle.initialize,
    "ping": lifecycle.ping,
    **_SHARED,
}

# The capability that each method belongs to; those of the era itself belong to none.
_CAPABILITIES: Mapping[str, str] = {
    name: "completions" if name == "completion/complete" else name.partition("/")[0]
    for name in _SHARED
}


def method_for(message: Message, context: Context) -> Method:
    """The generator function that answers, or -32601 (HTTP 404 in the modern era)."""
    modern = context.revision.modern
    method = (MODERN if modern else LEGACY).get(message.method)
    capability = _CAPABILITIES.get(message.method)
    # A family of methods exists only where the server has such features to advertise.
    if method is None or (capability and capability not in context.server.capabilities):
        raise MCPError(
            METHOD_NOT_FOUND,
            f"Unknown method: {message.method}",
            status=404 if modern else 200,
        )
    return method


def judged(message: Message, context: Context) -> Flow[Flow[dict[str, Any]]]:
    """What will answer a request, and has not begun: a call that is refused is refused here."""
    method = method_for(message, context)
    judge = _JUDGES.get(message.method)
    if judge is not None:
        return (yield from judge(message.params, context))
    return method(message.params, context)


def answer(
    method: Flow[dict[str, Any]], message: Message, context: Context
) -> Flow[dict[str, Any]]:
    """The result of one request; whatever fails is raised as an ``MCPError``."""
    try:
        result = yield from method
    except MCPError:
        raise
    except CAUGHT as error:
        if goes_through(error):
            raise
        raise internal_error(error, f"answering {message.method}") from error
    if context.revision.modern:
        encoded, meta = context.server.result_meta()
        types.complete(result, encoded, meta)
    return result


def internal_error(error: BaseException, doing: str) -> MCPError:
    """A bug of ours: the client gets a reference, the log the traceback under it."""
    reference = secrets.token_hex(6)
    logger.error("Failed while %s (reference %s).", doing, reference, exc_info=error)
    return MCPError(
        INTERNAL_ERROR,
        f"Internal error. The operator finds the reason under reference {reference}.",
    )
