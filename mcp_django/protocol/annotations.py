"""What is said beside content: whom it is for, and the images that stand for it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

from mcp_django.protocol.versions import Revision

Role = Literal["user", "assistant"]
ROLES = ("user", "assistant")


@dataclass(frozen=True, slots=True)
class Annotations:
    """Whom a block is for, how much it matters (0 to 1), and when it last changed.

    ``audience`` is "user", "assistant" or a sequence of them. ``last_modified`` is ISO 8601
    text as it stands, or an aware datetime: ``ValueError`` for a naive one, because the
    protocol asks for an offset and nothing here knows the project's time zone.
    """

    audience: Sequence[Role] | Role = ()
    priority: float | None = None
    last_modified: datetime | str | None = None

    def __post_init__(self) -> None:
        if isinstance(self.audience, str):
            object.__setattr__(self, "audience", (self.audience,))
        if self.priority is not None and not 0 <= self.priority <= 1:
            raise ValueError(f"priority is {self.priority!r}. It goes from 0 to 1.")
        if unknown := set(self.audience) - {*ROLES}:
            raise ValueError(f"audience names {unknown}. It takes 'user' and 'assistant'.")
        moment = self.last_modified
        if isinstance(moment, datetime) and moment.utcoffset() is None:
            raise ValueError(
                "last_modified is a naive datetime. Make it aware, as "
                "django.utils.timezone.make_aware() does."
            )

    def to_wire(self, revision: Revision) -> dict[str, Any]:
        """The members that are given and that this revision has."""
        wire: dict[str, Any] = {}
        if self.audience:
            wire["audience"] = list(self.audience)
        if self.priority is not None:
            wire["priority"] = self.priority
        if self.last_modified is not None and revision.last_modified:
            moment = self.last_modified
            wire["lastModified"] = moment if isinstance(moment, str) else moment.isoformat()
        return wire


@dataclass(frozen=True, slots=True)
class Icon:
    """An image for a person's eyes: ``src`` is an absolute https or a data URI."""

    src: str
    mime_type: str | None = None
    sizes: Sequence[str] = ()
    theme: Literal["light", "dark"] | None = None

    def to_wire(self) -> dict[str, Any]:
        """The members that are given."""
        wire: dict[str, Any] = {"src": self.src}
        if self.mime_type:
            wire["mimeType"] = self.mime_type
        if self.sizes:
            wire["sizes"] = list(self.sizes)
        if self.theme:
            wire["theme"] = self.theme
        return wire
