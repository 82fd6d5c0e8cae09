"""The two requests of the bench, and how to tell a right answer from a wrong one."""

from __future__ import annotations

import http.client
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

VERSION = "2026-07-28"
TOOLS = 51
META = {
    "io.modelcontextprotocol/protocolVersion": VERSION,
    "io.modelcontextprotocol/clientInfo": {"name": "bench", "version": "1"},
    "io.modelcontextprotocol/clientCapabilities": {},
}


class WrongAnswer(Exception):
    """A server answered something else than what is measured."""


@dataclass(frozen=True, slots=True)
class Exchange:
    """One request: the same bytes for every contender."""

    method: str
    body: str
    headers: Mapping[str, str]


def _exchange(method: str, params: dict[str, Any], **headers: str) -> Exchange:
    message = {"jsonrpc": "2.0", "id": 1, "method": method, "params": {**params, "_meta": META}}
    return Exchange(
        method,
        json.dumps(message, separators=(",", ":")),
        {
            "Content-Type": "application/json",
            "Accept": "application/json, text/event-stream",
            "MCP-Protocol-Version": VERSION,
            "Mcp-Method": method,
            **headers,
        },
    )


CALL = _exchange(
    "tools/call", {"name": "add", "arguments": {"a": 2, "b": 3}}, **{"Mcp-Name": "add"}
)
LIST = _exchange("tools/list", {})


def ask(port: int, exchange: Exchange, extra: Mapping[str, str]) -> bytes:
    """Send one request and return the body of the answer, which must be a 200."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
    try:
        headers = {**exchange.headers, **extra}
        connection.request("POST", "/mcp", exchange.body, headers)
        response = connection.getresponse()
        body = response.read()
    finally:
        connection.close()
    if response.status != 200:
        raise WrongAnswer(f"{exchange.method}: HTTP {response.status}: {body[:500]!r}")
    return body


def check(exchange: Exchange, body: bytes) -> None:
    """Refuse an answer to the exchange that is not the right one."""
    result = json.loads(body).get("result", {})
    if exchange is CALL and result.get("structuredContent") != {"total": 5}:
        raise WrongAnswer(f"tools/call: 2 + 3 should be 5: {body[:500]!r}")
    if exchange is LIST and len(result.get("tools", ())) != TOOLS:
        raise WrongAnswer(f"tools/list: expected {TOOLS} tools: {body[:500]!r}")


def check_like_ours(exchange: Exchange, body: bytes, ours: bytes) -> None:
    """Refuse an answer of the bare view that is not as long as ours, or says another thing."""
    if len(body) != len(ours):
        raise WrongAnswer(f"{exchange.method}: {len(body)} bytes, ours has {len(ours)}: {body!r}")
    if exchange is CALL and json.loads(body) != json.loads(ours):
        raise WrongAnswer(f"tools/call: {body!r} is not what ours answers: {ours!r}")
