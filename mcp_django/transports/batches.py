"""Batches, which revision 2025-03-26 alone has. Specification (2025-03-26): basic."""

from __future__ import annotations

from typing import Any

from mcp_django.conf import settings
from mcp_django.dispatch.dispatcher import answer, internal_error, method_for
from mcp_django.invocation.context import Context
from mcp_django.invocation.flows import Flow
from mcp_django.protocol.errors import MCPError, invalid_request
from mcp_django.protocol.jsonrpc import Message, error_body, message, readable_id, result_body
from mcp_django.protocol.mirroring import Header
from mcp_django.protocol.versions import V2025_03_26
from mcp_django.transports.eras import VERSION_HEADER, is_modern, meta_of

# A batch has one HTTP status: an entry that is refused by sign-in, scope or rate refuses it.
_REFUSES_ALL = (401, 403, 429)


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
    """The responses, one for each request and each bad entry, in order."""
    replies: list[bytes] = []
    for entry in entries:
        if _is_response(entry):
            continue  # of nobody's question: there is nothing to say to it
        try:
            one = message(entry)
            if one.is_notification:
                continue
            _check_entry(one)
            own = _own_context(one, context)
            result = yield from answer(method_for(one, own), one, own)
            replies.append(result_body(one.id, result))
        except MCPError as error:
            if error.status in _REFUSES_ALL:
                raise
            replies.append(error_body(readable_id(entry), error))
        except Exception as error:  # noqa: BLE001 - of this entry; the others have answers
            failure = internal_error(error, "answering a message of a batch")
            replies.append(error_body(readable_id(entry), failure))
    return replies


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
