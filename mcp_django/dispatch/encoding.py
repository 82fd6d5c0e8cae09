"""What resources and prompts give, written once and within ``MAX_RESULT_BYTES``."""

from __future__ import annotations

from typing import Any

import orjson

from mcp_django.conf import settings
from mcp_django.schema.errors import InvalidResult
from mcp_django.schema.returning.unsendable import TooLong


def encoded_within_limit(wire: Any, meta: Any = None) -> orjson.Fragment:
    """The JSON of a value; ``TooLong`` if it is too long, ``InvalidResult`` if it has none.

    ``meta`` stands beside it, and is found out here as well.
    """
    try:
        encoded = orjson.dumps(wire)
        length = len(encoded) + (len(orjson.dumps(meta)) if meta else 0)
    except TypeError as error:
        raise InvalidResult(f"a content block or _meta cannot be sent: {error}") from error
    limit = settings.MAX_RESULT_BYTES
    if length > limit:
        raise TooLong(
            f"The result has {length:,} bytes, more than the {limit:,} that this server sends."
        )
    return orjson.Fragment(encoded)
