"""Batches, which revision 2025-03-26 alone has. Specification (2025-03-26): basic."""

from __future__ import annotations

from typing import Any, NamedTuple

from mcp_django.conf import settings
from mcp_django.dispatch.dispatcher import answer, internal_error, judged
from mcp_django.invocation.context import Context
from mcp_django.invocation.faults import CAUGHT, goes_through
from mcp_django.invocation.flows import Flow
from mcp_django.protocol.errors import MCPError, invalid_request
from mcp_django.protocol.jsonrpc import Message, error_body, message, readable_id, result_body
from mcp_django.protocol.mirroring import Header
from mcp_django.protocol.versions import V2025_03_26
from mcp_django.transports.eras import VERSION_HEADER, is_modern, meta_of

# A batch has one HTTP status: an entry that is refused by sign-in, scope or rate refuses it.
_REFUSES_ALL = (401, 403, 429)


class _Request(NamedTuple):
    """An entry that may be answered, and what will answer it."""

    message: Message
    context: Context
    method: Flow[dict[str, Any]]


def check_batch(entries: list[Any], header: Header) -> None:
    """Refuse a batch as a whole: of another revision, empty, or too long."""
    told = header(VERSION_HEADER)
    if told is not None and told.strip(" \t") != V2025_03_26.version:
        raise invalid_request("Batches exist in revision 2025-03-26 only: send one message.")
    if not entries:
        raise invalid_request("The batch is empty.")
    if len(entries) > settings.MAX_BATCH:
        raise invalid_request(f"The batch has more than {settings.MAX_BATCH} messages.")


def answer_batch(entries: list[Any], context: Context) -> Flow[list[bytes]]:
    """The responses, one for each request and each bad entry, in order.

    All are judged before the first one runs, so that a batch which is refused has done nothing.
    """
    judgements: list[_Request | bytes] = []
    for entry in entries:
        if not _is_response(entry):  # of nobody's question: there is nothing to say to it
            judgements.extend((yield from _judge(entry, context)))
    replies: list[bytes] = []
    for one in judgements:
        if isinstance(one, bytes):
            replies.append(one)
        else:
            replies.append((yield from _reply(one)))
    return replies


def _judge(entry: Any, context: Context) -> Flow[list[_Request | bytes]]:
    """The request, or the refusal of this entry alone; nothing of a notification."""
    try:
        one = message(entry)
        if one.is_notification:
            return []
        _check_entry(one)
        own = _own_context(one, context)
        return [_Request(one, own, (yield from judged(one, own)))]
    except MCPError as error:
        if error.status in _REFUSES_ALL:
            raise
        return [error_body(readable_id(entry), error)]
    except CAUGHT as error:  # of this entry; the others have answers
        if goes_through(error):
            raise
        failure = internal_error(error, "judging a message of a batch")
        return [error_body(readable_id(entry), failure)]


def _reply(one: _Request) -> Flow[bytes]:
    try:
        result = yield from answer(one.method, one.message, one.context)
        return result_body(one.message.id, result)
    except MCPError as error:
        return error_body(one.message.id, error)
    except CAUGHT as error:  # the method has answered, in no JSON
        if goes_through(error):
            raise
        failure = internal_error(error, "writing an answer of a batch")
        return error_body(one.message.id, failure)


def _own_context(one: Message, context: Context) -> Context:
    """Of one entry: its own ``_meta`` and nothing of its neighbours', the same caller."""
    own = Context(context.server, context.request, context.revision, meta_of(one.params))
    own.user, own.auth = context.user, context.auth
    return own


def _check_entry(one: Message) -> None:
    if is_modern(one):
        raise invalid_request("A message of revision 2026-07-28 is sent alone.")
    if one.method == "initialize":
        raise invalid_request("initialize is sent alone.")


def _is_response(entry: Any) -> bool:
    return (
        isinstance(entry, dict)
        and "method" not in entry
        and ("result" in entry or "error" in entry)
    )
