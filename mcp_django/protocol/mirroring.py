"""Headers that mirror the body: a request is refused where the two differ (-32020).

Specification (2026-07-28): basic/transports/streamable-http, "Server Validation".
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from mcp_django.protocol.errors import HEADER_MISMATCH, MCPError
from mcp_django.protocol.headers import decode

Header = Callable[[str], str | None]

# The member of params that Mcp-Name repeats, for the methods that have one.
NAMED_BY = {"tools/call": "name", "prompts/get": "name", "resources/read": "uri"}


def mismatch(problem: str) -> MCPError:
    return MCPError(HEADER_MISMATCH, f"Header mismatch: {problem}", status=400)


def check_standard_headers(method: str, params: Mapping[str, Any], header: Header) -> None:
    """``Mcp-Method`` on every request, ``Mcp-Name`` on those that name a feature."""
    sent = header("Mcp-Method")
    if sent is None or sent.strip(" \t") != method:
        raise _differs("Mcp-Method", sent, method)
    member = NAMED_BY.get(method)
    if member is None:
        return
    sent, named = header("Mcp-Name"), params.get(member)
    if not isinstance(named, str):
        return  # the method itself says what is missing
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
        try:
            return (
                float(text) == value if "." in text or "e" in text.lower() else int(text) == value
            )
        except ValueError:
            return False
    return isinstance(value, str) and text == value


def _differs(name: str, sent: str | None, wanted: str) -> MCPError:
    if sent is None:
        return mismatch(f"{name} is missing; it repeats {wanted[:200]!r} of the body.")
    return mismatch(f"{name} is {sent[:200]!r}, the body says {wanted[:200]!r}.")
