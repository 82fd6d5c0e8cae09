"""What a tool may return to say all of it, and what every result becomes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from mcp_django.protocol.content import Block


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


@dataclass(slots=True)  # not frozen: one is made for each call, and that would treble its price
class Outcome:
    """A result, ready for the wire.

    ``structured`` is JSON-native, or ``ABSENT``. ``encoded`` is its JSON where that is
    known already; integers beyond 64 bits have no other way to the wire, so it is to be
    preferred to encoding ``structured`` once more.
    """

    content: tuple[Block, ...]
    structured: Any = ABSENT
    is_error: bool = False
    meta: Mapping[str, Any] | None = None
    encoded: bytes | None = field(default=None, compare=False, repr=False)
