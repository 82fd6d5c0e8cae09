"""``subscriptions/listen`` where nothing can be streamed: acknowledged, empty, complete.

Specification (2026-07-28): basic/patterns/subscriptions.
"""

from __future__ import annotations

import orjson

from mcp_django.invocation.context import Context
from mcp_django.protocol.errors import invalid_params, invalid_request
from mcp_django.protocol.headers import EVENT_STREAM, acceptance, accepts
from mcp_django.protocol.jsonrpc import Message, result_body
from mcp_django.protocol.types import complete
from mcp_django.protocol.versions import SUBSCRIPTION_ID
from mcp_django.transports.exchange import Answer, Exchange, event_stream_answer

LISTEN = "subscriptions/listen"


def listen(message: Message, context: Context, exchange: Exchange) -> Answer:
    """Grant nothing, and end: this endpoint's answers are finished when they are sent."""
    if not accepts(acceptance(exchange.header("Accept")), EVENT_STREAM):
        raise invalid_request(f"subscriptions/listen answers in {EVENT_STREAM}.", 406)
    if not isinstance(message.params.get("notifications"), dict):
        raise invalid_params("subscriptions/listen needs notifications, an object.")
    meta = {SUBSCRIPTION_ID: message.id}
    acknowledged = {
        "jsonrpc": "2.0",
        "method": "notifications/subscriptions/acknowledged",
        "params": {"_meta": meta, "notifications": {}},
    }
    result = complete({"_meta": meta}, *context.server.result_meta())
    return event_stream_answer(orjson.dumps(acknowledged), result_body(message.id, result))
