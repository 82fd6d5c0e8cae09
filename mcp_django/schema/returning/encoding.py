"""JSON-native values as the bytes that go over the wire."""

from __future__ import annotations

import json
from typing import Any

import orjson

from mcp_django.protocol.content import clean, is_unsafe
from mcp_django.schema.errors import InvalidResult


def encode(native: Any) -> tuple[Any, bytes]:
    """The value with its strings cleaned, and its compact JSON."""
    try:
        encoded = orjson.dumps(native)
    except TypeError:  # a lone surrogate, an integer beyond 64 bits, too deep
        native = _cleaned(native)
        return native, _encoded_slowly(native)
    if _is_unsafe(encoded.decode()):
        native = _cleaned(native)
        encoded = orjson.dumps(native)
    return native, encoded


def _is_unsafe(text: str) -> bool:
    # orjson escapes most control characters, but a reader of the value meets them again.
    if "\\u00" in text or "\x7f" in text:
        return True
    return not text.isascii() and not text.isprintable() and is_unsafe(text)


def _encoded_slowly(native: Any) -> bytes:
    try:
        return json.dumps(native, ensure_ascii=False, separators=(",", ":")).encode()
    except (RecursionError, ValueError) as error:
        raise InvalidResult(f"it cannot be written as JSON ({error})") from error


def _cleaned(native: Any) -> Any:
    if isinstance(native, str):
        return clean(native)
    if isinstance(native, list):
        return [_cleaned(item) for item in native]
    if isinstance(native, dict):
        return {clean(key): _cleaned(item) for key, item in native.items()}
    return native
