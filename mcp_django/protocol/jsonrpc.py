"""JSON-RPC 2.0 as MCP uses it: reading a body, judging its shape, writing answers.

Specification: basic, "Messages". Ids are strings or integers, never null.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

import orjson

from mcp_django.protocol.errors import (
    PARSE_ERROR,
    MCPError,
    invalid_request,
)
from mcp_django.protocol.measuring import measured

RequestId = str | int


@dataclass(slots=True)  # not frozen: one is made for each call, and that would treble its price
class Message:
    """A request, or, without an ``id``, a notification."""

    method: str
    params: dict[str, Any]
    id: RequestId | None = None

    @property
    def is_notification(self) -> bool:
        return self.id is None


# The outline of a body: any digit is 0, any bracket that opens is [. Searching it costs a
# tenth of what looking for patterns in the body itself would.
_OUTLINE = bytes.maketrans(b"123456789{", b"000000000[")
# orjson reads integers beyond 64 bits as floats, and so changes them; they have 19 digits.
_LONG_NUMBER = "0" * 19


def parse(body: bytes, max_depth: int, max_members: int) -> Any:
    """The JSON value in a body, its integers exact; errors are -32700, or -32600 for a limit."""
    try:
        value = orjson.loads(body)
    except orjson.JSONDecodeError as error:
        value = _exact(body, error)
    outline = body.translate(_OUTLINE).decode("latin-1")
    if _LONG_NUMBER in outline:
        value = _exact(body)
    openings = outline.count("[")
    # Bytes can only overstate depth and members, so nearly every body is cleared by counting.
    if openings > max_depth or (
        len(body) > max_members and openings + outline.count(",") > max_members
    ):
        _refuse_large(value, max_depth, max_members)
    return value


def _exact(body: bytes, refused: Exception | None = None) -> Any:
    """The same by Python's reader, which is slower and knows integers of any length.

    It also tells JSON that is ``refused`` for its depth or a number from what is no JSON.
    """
    try:
        value = json.loads(body.decode(), parse_constant=_refuse_constant)
        if refused is not None:  # for half of a surrogate pair, or a number beyond floats?
            json.dumps(value, ensure_ascii=False, allow_nan=False).encode()
    except RecursionError:
        raise invalid_request("The body is nested too deeply.") from None
    except (json.JSONDecodeError, UnicodeError) as error:
        text = f"The body is not JSON: {refused or error}"
        raise MCPError(PARSE_ERROR, text, status=400) from None
    except ValueError:
        raise invalid_request("The body has a number that is too large to be read.") from None
    return value


def _refuse_constant(name: str) -> Any:
    # NaN and Infinity, which Python's reader takes by default.
    raise json.JSONDecodeError("No such value", name, 0)


def _refuse_large(value: Any, max_depth: int, max_members: int) -> None:
    depth, members = measured(value, enough=max_members)
    if members > max_members:
        raise invalid_request(f"The body has more than {max_members} values.")
    if depth > max_depth:
        raise invalid_request(f"The body is nested more than {max_depth} levels deep.")


def readable_id(value: Any) -> RequestId | None:
    """The id to echo with an error, where one could be read."""
    found = value.get("id") if isinstance(value, dict) else None
    return found if _is_id(found) else None


def _is_id(value: Any) -> bool:
    if isinstance(value, str):
        return True
    # It is echoed, and no more than 64 bits can be written. A bool is no integer in JSON.
    return type(value) is int and -(2**63) <= value < 2**64


def message(value: Any) -> Message:
    """One request or notification; anything else is -32600."""
    if not isinstance(value, dict):
        raise invalid_request("A message is a JSON object.")
    if value.get("jsonrpc") != "2.0":
        raise invalid_request('A message has "jsonrpc": "2.0".')
    method = value.get("method")
    if not isinstance(method, str):
        if "method" not in value and ("result" in value or "error" in value):
            raise invalid_request("No question of this server is open, so it takes no response.")
        raise invalid_request("A message has a method, a string.")
    params = value["params"] if "params" in value else {}  # noqa: SIM401 - null is none
    if not isinstance(params, dict):
        raise invalid_request("params is an object where it is present.")
    if "id" not in value:
        return Message(method, params)
    request_id = value["id"]
    if not _is_id(request_id):
        raise invalid_request("id is a string or an integer (of 64 bits) where it is present.")
    return Message(method, params, request_id)


def result_body(request_id: RequestId | None, result: Any) -> bytes:
    """The response that carries a result; ``result`` may hold ``orjson.Fragment``."""
    return orjson.dumps({"jsonrpc": "2.0", "id": request_id, "result": result})


def error_body(request_id: RequestId | None, error: MCPError) -> bytes:
    """The response that carries an error; an id that could not be read is left out."""
    wire: dict[str, Any] = {"jsonrpc": "2.0"}
    if request_id is not None:
        wire["id"] = request_id
    wire["error"] = error.to_wire()
    return orjson.dumps(wire, default=str)
