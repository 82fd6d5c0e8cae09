"""Headers that mirror the body: a request is refused where the two differ (-32020).

Specification (2026-07-28): basic/transports/streamable-http, "Server Validation".
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from decimal import Decimal, InvalidOperation
from typing import Any

from mcp_django.protocol.errors import HEADER_MISMATCH, MCPError
from mcp_django.protocol.headers import decode

Header = Callable[[str], str | None]

METHOD_HEADER = "Mcp-Method"

# The member of params that Mcp-Name repeats, for the methods that have one.
NAMED_BY = {"tools/call": "name", "prompts/get": "name", "resources/read": "uri"}


def mismatch(problem: str) -> MCPError:
    return MCPError(HEADER_MISMATCH, f"Header mismatch: {problem}", status=400)


def check_standard_headers(method: str, params: Mapping[str, Any], header: Header) -> None:
    """``Mcp-Method`` on every request, ``Mcp-Name`` on those that name a feature."""
    sent = header(METHOD_HEADER)
    if sent != method and (sent is None or sent.strip(" \t") != method):
        raise _differs(METHOD_HEADER, sent, method)
    member = NAMED_BY.get(method)
    if member is None:
        return
    sent, named = header("Mcp-Name"), params.get(member)
    if not isinstance(named, str):
        return  # the method itself says what is missing
    if sent == named and not named.startswith("=?") and named.isascii():
        return  # nearly always: there is nothing to decode
    if sent is None or decode(sent) != named:
        raise _differs("Mcp-Name", sent, named)


def check_parameter_headers(
    mirrored: Mapping[str, str], arguments: Mapping[str, Any], header: Header
) -> None:
    """``Mcp-Param-*`` of the arguments that a tool mirrors, compared with the body as sent."""
    for argument, name in mirrored.items():
        value, full = arguments.get(argument), f"Mcp-Param-{name}"
        sent = header(full)
        if value is None:
            if sent is not None:
                raise mismatch(f"{full} is sent, but the argument {argument!r} has no value.")
            continue
        if sent is None:
            raise mismatch(f"{full} is missing; it repeats the argument {argument!r}.")
        text = decode(sent)
        if text is None or not _same(text, value):
            raise mismatch(f"{full} does not match the argument {argument!r}.")


def _same(text: str, value: Any) -> bool:
    if isinstance(value, bool):
        return text == ("true" if value else "false")
    if isinstance(value, int | float):
        return _NUMBER.fullmatch(text) is not None and _is_number(text, value)
    return isinstance(value, str) and text == value


# As JSON writes them: without the signs, zeros and underscores that Python takes beside.
_NUMBER = re.compile(r"-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?")


def _is_number(text: str, value: int | float) -> bool:
    if isinstance(value, float):  # 42.0, which the body's reader has rounded in the same way
        return float(text) == value
    try:
        return Decimal(text) == value  # a float would not tell large integers apart
    except InvalidOperation:  # an exponent beyond all reason
        return False


def _differs(name: str, sent: str | None, wanted: str) -> MCPError:
    if sent is None:
        return mismatch(f"{name} is missing; it repeats {wanted[:200]!r} of the body.")
    return mismatch(f"{name} is {sent[:200]!r}, the body says {wanted[:200]!r}.")
