"""What is wrong with a whole answer, in words of its own."""

from __future__ import annotations

from mcp_django.schema.errors import InvalidResult


class Unsendable(InvalidResult):
    """The problem of an answer as a whole: ``str()`` is the sentence, without a place."""

    def __str__(self) -> str:
        return self.problem


class TooLong(Unsendable):
    """An answer beyond ``MAX_RESULT_BYTES``, which a caller is always told."""


def too_long(what: str, size: int, limit: int, advice: str = "") -> TooLong:
    """``what`` begins the sentence, with its verb; both numbers are bytes."""
    return TooLong(
        f"{what} {size:,} bytes, more than the {limit:,} that this server sends.{advice}"
    )
