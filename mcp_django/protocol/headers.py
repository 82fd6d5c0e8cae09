"""Values of HTTP headers: what a client accepts, and how MCP writes text in them.

Specification (2026-07-28): basic/transports/streamable-http, "Request Metadata".
"""

from __future__ import annotations

import base64
import binascii
import re

JSON = "application/json"
EVENT_STREAM = "text/event-stream"

_SENTINEL = re.compile(r"^=\?base64\?(.*)\?=$", re.DOTALL)
_HEADER_NAME = re.compile(r"[A-Za-z0-9-]+")
_WEIGHT = re.compile(r"[0-9]+(\.[0-9]*)?|\.[0-9]+")


def is_header_name(text: str) -> bool:
    """Letters, digits and hyphens: an underscore would be lost under WSGI."""
    return _HEADER_NAME.fullmatch(text) is not None


def decode(value: str) -> str | None:
    """The text that a header value stands for; None if it is malformed.

    A value is itself, in visible ASCII, or ``=?base64?…?=`` around the base64 of its UTF-8.
    """
    value = value.strip(" \t")
    found = _SENTINEL.match(value)
    if found is None:
        return value if value.isascii() and value.replace("\t", " ").isprintable() else None
    try:
        return base64.b64decode(found.group(1), validate=True).decode("utf-8")
    except (binascii.Error, UnicodeDecodeError, ValueError):
        return None


def encode(text: str) -> str:
    """The header value for a text: as it is where ASCII can say it."""
    plain = text.isascii() and text.isprintable() and text == text.strip()
    if plain and not _SENTINEL.match(text):
        return text
    return f"=?base64?{base64.b64encode(text.encode()).decode('ascii')}?="


def acceptance(accept: str | None) -> dict[str, float]:
    """Media ranges of an ``Accept`` header with their weights; absent is ``*/*``."""
    ranges: dict[str, float] = {}
    for part in (accept or "*/*").split(","):
        name, *parameters = (piece.strip() for piece in part.split(";"))
        weight = 1.0
        for parameter in parameters:
            key, _, number = parameter.partition("=")
            if key.strip().lower() == "q":
                weight = _weight(number)
        if name:
            ranges[name.lower()] = weight
    return ranges or {"*/*": 1.0}


def _weight(number: str) -> float:
    return min(float(number), 1.0) if _WEIGHT.fullmatch(number.strip()) else 0.0


def accepts(ranges: dict[str, float], media_type: str) -> float:
    """The weight of a media type, by its most specific range; 0 is a refusal."""
    major = media_type.split("/")[0]
    for name in (media_type, f"{major}/*", "*/*"):
        if name in ranges:
            return ranges[name]
    return 0.0
