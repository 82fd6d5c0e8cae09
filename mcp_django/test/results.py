"""What the test client gives back: what is wanted most often, and the whole answer as ``raw``."""

from __future__ import annotations

import base64
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Result:
    """What ``tools/call`` gave: content blocks as on the wire, and the structured value."""

    content: list[dict[str, Any]]
    structured: Any
    is_error: bool
    raw: dict[str, Any] = field(repr=False)

    @property
    def text(self) -> str:
        """The text blocks, one after the other."""
        return _texts(self.content)


@dataclass(frozen=True, slots=True)
class ReadResult:
    """What ``resources/read`` gave: the contents as on the wire, one or several."""

    contents: list[dict[str, Any]]
    raw: dict[str, Any] = field(repr=False)

    @property
    def text(self) -> str:
        """The contents that are text, one after the other."""
        return "\n".join(one["text"] for one in self.contents if "text" in one)

    @property
    def data(self) -> bytes:
        """The bytes of the only contents that are no text; ``ValueError`` for none or several."""
        blobs = [one["blob"] for one in self.contents if "blob" in one]
        if len(blobs) != 1:
            raise ValueError(f"{len(blobs)} of the contents are bytes: see .contents.")
        return base64.b64decode(blobs[0])


@dataclass(frozen=True, slots=True)
class RenderedPrompt:
    """What ``prompts/get`` gave: the messages as on the wire, each with role and content."""

    messages: list[dict[str, Any]]
    description: str
    raw: dict[str, Any] = field(repr=False)

    @property
    def text(self) -> str:
        """The text of the messages, one after the other."""
        return _texts(message["content"] for message in self.messages)


class Values(list[str]):
    """What ``completion/complete`` gave: a list of values.

    ``total`` is how many there are in all, None where the server does not say; ``has_more``
    whether some were left out.
    """

    def __init__(self, values: Iterable[str], total: int | None, has_more: bool) -> None:
        super().__init__(values)
        self.total = total
        self.has_more = has_more


def _texts(blocks: Iterable[dict[str, Any]]) -> str:
    return "\n".join(block["text"] for block in blocks if block["type"] == "text")
