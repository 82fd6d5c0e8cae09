"""Streamable HTTP: one request is judged step by step, and answered.

The order of the steps is the contract: each refusal is the first that applies.
Specification: basic/transports/streamable-http of each revision.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from mcp_django.conf import settings
from mcp_django.dispatch.dispatcher import answer, internal_error, method_for
from mcp_django.dispatch.server import MCPServer
from mcp_django.invocation.authentication import enter
from mcp_django.invocation.context import Context
from mcp_django.invocation.faults import CAUGHT, goes_through
from mcp_django.invocation.flows import Flow
from mcp_django.protocol.errors import MCPError, invalid_request
from mcp_django.protocol.headers import EVENT_STREAM, JSON, acceptance, accepts
from mcp_django.protocol.jsonrpc import (
    error_body,
    message,
    parse,
    readable_id,
    result_body,
)
from mcp_django.protocol.versions import V2025_03_26
from mcp_django.transports import batches, subscriptions
from mcp_django.transports.eras import meta_of, revision_of
from mcp_django.transports.exchange import (
    Answer,
    Exchange,
    event_stream_answer,
    json_answer,
)
from mcp_django.transports.origins import METHODS, add_cors, check_origin, preflight


def respond(server: MCPServer, exchange: Exchange) -> Flow[Answer]:
    """The answer to one HTTP request, whatever it was."""
    body: Any = None
    try:
        data = exchange.read()
        check_origin(exchange)
        if exchange.method == "OPTIONS":
            given = preflight(exchange)
        else:
            check_form(exchange)
            body = parse(data, settings.MAX_DEPTH, settings.MAX_MEMBERS)
            given = yield from _answered(server, exchange, body)
    except MCPError as error:
        given = refusal(error, body)
    except CAUGHT as error:  # no request goes unanswered
        if goes_through(error):
            raise
        failure = internal_error(error, "judging a request")
        failure.status = 500  # before any method was asked: the caller may not even be known
        given = refusal(failure, body)
    add_cors(exchange, given)
    return given


def refusal(error: MCPError, body: Any = None) -> Answer:
    """An error as an HTTP answer; the id of the request is echoed where it can be read."""
    return json_answer(error_body(readable_id(body), error), error.status, error.headers)


def check_form(exchange: Exchange) -> None:
    """HTTP method and Content-Type."""
    if exchange.method != "POST":
        raise invalid_request(
            f"{exchange.method} is not answered here: send each message by POST.",
            405,
            Allow=METHODS,
        )
    sent = exchange.header("Content-Type")
    if sent == JSON:  # nearly always: there is nothing to take apart
        return
    content_type = (sent or "").split(";")[0].strip().lower()
    if content_type != JSON:
        raise invalid_request(f"The Content-Type must be {JSON}, not {content_type[:100]!r}.", 415)


def _answered(server: MCPServer, exchange: Exchange, body: Any) -> Flow[Answer]:
    if isinstance(body, list):
        return (yield from _answered_batch(server, exchange, body))
    one = message(body)
    meta = meta_of(one.params)
    revision = revision_of(one, meta, exchange.header)
    context = Context(server, exchange.request, revision, meta, exchange.header)
    yield from enter(context)
    check_session(context, exchange)
    if one.id is None:
        return Answer(202)
    if one.method == subscriptions.LISTEN and context.revision.modern:
        return subscriptions.listen(one, context, exchange)
    method = method_for(one, context)
    media_type = negotiated(exchange)
    try:
        reply = result_body(one.id, (yield from answer(method(one.params, context), one, context)))
    except MCPError as error:
        if error.status != 200:
            raise
        reply = error_body(one.id, error)
    except CAUGHT as error:  # the method has answered, in no JSON
        if goes_through(error):
            raise
        reply = error_body(one.id, internal_error(error, "writing an answer"))
    return _replied(reply, media_type)


def _answered_batch(server: MCPServer, exchange: Exchange, entries: list[Any]) -> Flow[Answer]:
    batches.check_batch(entries, exchange.header)
    context = Context(server, exchange.request, V2025_03_26)
    yield from enter(context)
    check_session(context, exchange)
    media_type = negotiated(exchange)
    replies = yield from batches.answer_batch(entries, context)
    if not replies:
        return Answer(202)
    return _replied(b"[" + b",".join(replies) + b"]", media_type)


def _replied(reply: bytes, media_type: str) -> Answer:
    return json_answer(reply) if media_type == JSON else event_stream_answer(reply)


def check_session(context: Context, exchange: Exchange) -> None:
    """This endpoint issues no session, so any id is that of one that has ended."""
    if not context.revision.modern and exchange.header("Mcp-Session-Id") is not None:
        raise invalid_request("The session is unknown or has ended: initialize anew.", 404)


def negotiated(exchange: Exchange) -> str:
    """JSON, or an event stream for a client that takes nothing else; 406 if neither."""
    media_type = _preferred(exchange.header("Accept"))
    if media_type is None:
        raise invalid_request(f"This endpoint answers in {JSON} or {EVENT_STREAM}.", 406)
    return media_type


@lru_cache(maxsize=64)  # clients say the same again and again
def _preferred(accept: str | None) -> str | None:
    ranges = acceptance(accept)
    if accepts(ranges, JSON):
        return JSON
    return EVENT_STREAM if accepts(ranges, EVENT_STREAM) else None
