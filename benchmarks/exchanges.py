"""The requests of the bench, and how to tell a right answer from a wrong one."""

from __future__ import annotations

import http.client
import json
from collections.abc import Callable, Mapping
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


@dataclass(frozen=True, slots=True, eq=False)
class Exchange:
    """One request: the same bytes for every contender.

    ``is_right`` judges the result. ``is_constant``: the bare view answers as many bytes as
    ours, and nothing that means the same.
    """

    method: str
    body: str
    headers: Mapping[str, str]
    is_right: Callable[[dict[str, Any]], bool]
    is_constant: bool = False


def _exchange(
    method: str,
    params: dict[str, Any],
    is_right: Callable[[dict[str, Any]], bool],
    *,
    named: str | None = None,
    is_constant: bool = False,
) -> Exchange:
    message = {"jsonrpc": "2.0", "id": 1, "method": method, "params": {**params, "_meta": META}}
    return Exchange(
        method,
        json.dumps(message, separators=(",", ":")),
        {
            "Content-Type": "application/json",
            "Accept": "application/json, text/event-stream",
            "MCP-Protocol-Version": VERSION,
            "Mcp-Method": method,
            **({"Mcp-Name": named} if named else {}),
        },
        is_right,
        is_constant,
    )


URI = "bench://text"
TEXT = ("A kilobyte of text, as a page of a manual has it. " * 21)[:1024]


def _has_all_tools(result: dict[str, Any]) -> bool:
    return len(result.get("tools", ())) == TOOLS


def _has_text(result: dict[str, Any]) -> bool:
    return bool(result["contents"][0]["text"] == TEXT)


def _has_message(result: dict[str, Any]) -> bool:
    return bool(result["messages"][0]["content"]["text"] == "Say hello to Ann.")


CALL = _exchange(
    "tools/call",
    {"name": "add", "arguments": {"a": 2, "b": 3}},
    lambda result: result.get("structuredContent") == {"total": 5},
    named="add",
)
LIST = _exchange("tools/list", {}, _has_all_tools, is_constant=True)
# The same list, of tools that not every caller may use.
OWN_LIST = _exchange("tools/list", {}, _has_all_tools, is_constant=True)
READ = _exchange("resources/read", {"uri": URI}, _has_text, named=URI)
PROMPT = _exchange(
    "prompts/get",
    {"name": "greet", "arguments": {"name": "Ann"}},
    _has_message,
    named="greet",
)


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
    result = json.loads(body).get("result")
    if not isinstance(result, dict) or not exchange.is_right(result):
        raise WrongAnswer(f"{exchange.method}: not the right answer: {body[:500]!r}")


def check_like_ours(exchange: Exchange, body: bytes, ours: bytes) -> None:
    """Refuse an answer of the bare view that is not as long as ours, or says another thing."""
    if len(body) != len(ours):
        raise WrongAnswer(f"{exchange.method}: {len(body)} bytes, ours has {len(ours)}: {body!r}")
    if not exchange.is_constant and json.loads(body) != json.loads(ours):
        raise WrongAnswer(f"{exchange.method}: {body!r} is not what ours answers: {ours!r}")
