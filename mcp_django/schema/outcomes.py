"""What a tool may return to say all of it, and what every result becomes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from mcp_django.protocol.content import Block, Text


class _Absent:
    """The type of ``ABSENT``."""

    __slots__ = ()

    def __bool__(self) -> bool:
        return False

    def __repr__(self) -> str:
        return "ABSENT"


# No structured content, which None cannot say: null is a JSON value like any other.
ABSENT: Final = _Absent()


@dataclass(frozen=True, slots=True)
class ToolResult:
    """A whole result: content blocks, structured content, or both.

    ``content`` is one text or block or a sequence of them; left empty beside structured
    content, it is that content as JSON text. ``structured`` is whatever becomes JSON;
    None means that there is none. ``meta`` is the result's ``_meta``.
    """

    content: Sequence[Block | str] | Block | str = ()
    structured: Any = None
    is_error: bool = False
    meta: Mapping[str, Any] | None = None

    @classmethod
    def error(
        cls,
        content: Sequence[Block | str] | Block | str,
        *,
        structured: Any = None,
        meta: Mapping[str, Any] | None = None,
    ) -> ToolResult:
        """An error that is an ordinary answer: no exception, and nothing in the log."""
        return cls(content, structured, is_error=True, meta=meta)


class Outcome:
    """A result, ready for the wire.

    ``content`` are its blocks; None stands for the structured content as one text, which
    ``encoded`` then is. ``structured`` is JSON-native, or ``ABSENT``. ``encoded`` is its JSON
    where that is known already; integers beyond 64 bits have no other way to the wire, so it
    is to be preferred to encoding ``structured`` once more.
    """

    # No frozen dataclass: each call makes one, and that would treble its price.
    __slots__ = ("blocks", "encoded", "is_error", "meta", "structured")

    def __init__(
        self,
        content: tuple[Block, ...] | None,
        structured: Any = ABSENT,
        is_error: bool = False,
        meta: Mapping[str, Any] | None = None,
        encoded: bytes | None = None,
    ) -> None:
        self.blocks = content
        self.structured = structured
        self.is_error = is_error
        self.meta = meta
        self.encoded = encoded

    @property
    def content(self) -> tuple[Block, ...]:
        """The blocks. Nearly all calls return data, and nobody asks for the block of these."""
        return (Text((self.encoded or b"").decode()),) if self.blocks is None else self.blocks

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Outcome) and self._told() == other._told()

    def _told(self) -> tuple[Any, ...]:
        return self.content, self.structured, self.is_error, self.meta
