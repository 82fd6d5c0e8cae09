"""What features give, written as JSON once and within ``MAX_RESULT_BYTES``."""

from __future__ import annotations

from typing import Any

import orjson

from mcp_django.conf import settings
from mcp_django.schema.errors import InvalidResult
from mcp_django.schema.returning.unsendable import too_long

RESULT_HAS = "The result has"


def encoded(wire: Any, what: str) -> bytes:
    """The JSON of a value; ``InvalidResult`` where it has none, for it has no other words."""
    try:
        return orjson.dumps(wire)
    except TypeError as error:
        raise InvalidResult(f"{what} cannot be sent: {error}") from error


def encoded_within_limit(wire: Any, beside: Any = None) -> orjson.Fragment:
    """The JSON of a value; ``TooLong`` if it is too long, ``InvalidResult`` if it has none.

    ``beside`` is what is sent with it: counted, and found out here as well.
    """
    found = encoded(wire, "a content block or _meta")
    size = len(found) + (len(encoded(beside, "its description or _meta")) if beside else 0)
    limit = settings.MAX_RESULT_BYTES
    if size > limit:
        raise too_long(RESULT_HAS, size, limit)
    return orjson.Fragment(found)
