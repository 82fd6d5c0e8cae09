"""The messages of a prompt. Specification: server/prompts, "PromptMessage"."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from mcp_django.protocol.annotations import ROLES, Role
from mcp_django.protocol.cleaning import clean
from mcp_django.protocol.content import Block, Text
from mcp_django.protocol.members import is_text
from mcp_django.protocol.versions import Revision


@dataclass(frozen=True, slots=True)
class PromptMessage:
    """One message: a text or one content block, said by the user or the assistant."""

    content: Block | str
    role: Role = "user"

    def __post_init__(self) -> None:
        if self.role not in ROLES:
            raise ValueError(f"role is {self.role!r}. A message is by 'user' or 'assistant'.")
        if isinstance(self.content, list | tuple):
            raise TypeError("PromptMessage takes one text or block: write one message per block.")
        if not isinstance(self.content, Block) and not is_text(self.content):
            kind = type(self.content).__name__
            raise TypeError(f"PromptMessage takes content as a text or a block, not {kind}.")

    def to_wire(self, revision: Revision) -> dict[str, Any]:
        """The message as this revision knows it."""
        content = self.content
        block = content if isinstance(content, Block) else Text(content)
        return {"role": self.role, "content": block.to_wire(revision)}


@dataclass(frozen=True, slots=True)
class PromptResult:
    """All that a prompt gives: messages in order, each as a prompt may return it alone.

    ``description`` is of this result, in place of the prompt's own; ``meta`` is its ``_meta``.
    """

    messages: Sequence[PromptMessage | Block | str] | PromptMessage | Block | str
    description: str | None = None
    meta: Mapping[str, Any] | None = None

    def to_wire(self, revision: Revision) -> dict[str, Any]:
        """The ``GetPromptResult`` as this revision knows it."""
        wire: dict[str, Any] = {}
        if self.description:
            wire["description"] = clean(str(self.description))  # str(): may be lazy
        found = self.messages
        several: Sequence[Any] = found if isinstance(found, list | tuple) else (found,)
        wire["messages"] = [as_message(message).to_wire(revision) for message in several]
        if self.meta:  # every revision has it on results
            wire["_meta"] = dict(self.meta)
        return wire


def as_message(message: Any) -> PromptMessage:
    """A message as it is; a text or block by the user; ``TypeError`` for anything else."""
    return message if isinstance(message, PromptMessage) else PromptMessage(message)
