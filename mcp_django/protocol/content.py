"""Content blocks: what a model is shown. Specification: server/tools, "Tool Result"."""

from __future__ import annotations

import base64
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, ClassVar, Literal

from mcp_django.protocol.versions import Revision

# Control characters but tab, line feed and carriage return; surrogates have no UTF-8.
_UNSAFE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff]")


def clean(text: str) -> str:
    """Text that any reader of JSON takes: without control characters and lone surrogates.

    Tabs and line ends stay, surrogates that are a pair become their character, a lone
    one becomes U+FFFD. Nothing is escaped for HTML.
    """
    if text.isprintable():  # ten times faster than the search, and true nearly always
        return text
    if not is_unsafe(text):
        return text
    whole = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return _UNSAFE.sub("", whole)


def is_unsafe(text: str) -> bool:
    """Whether ``clean`` would change this text."""
    return _UNSAFE.search(text) is not None


@dataclass(frozen=True, slots=True)
class Annotations:
    """Whom a block is for, how much it matters (0 to 1), and when it last changed."""

    audience: Sequence[Literal["user", "assistant"]] = ()
    priority: float | None = None
    last_modified: datetime | str | None = None

    def __post_init__(self) -> None:
        if self.priority is not None and not 0 <= self.priority <= 1:
            raise ValueError(f"priority is {self.priority!r}. It goes from 0 to 1.")
        if unknown := set(self.audience) - {"user", "assistant"}:
            raise ValueError(f"audience names {unknown}. It takes 'user' and 'assistant'.")

    def to_wire(self, revision: Revision) -> dict[str, Any]:
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
        wire: dict[str, Any] = {"src": self.src}
        if self.mime_type:
            wire["mimeType"] = self.mime_type
        if self.sizes:
            wire["sizes"] = list(self.sizes)
        if self.theme:
            wire["theme"] = self.theme
        return wire


def _encoded(data: bytes) -> str:
    return base64.b64encode(data).decode("ascii")


def _require_bytes(block: object, data: object) -> None:
    # Said where the block is made: later nothing could tell which tool it came from.
    if not isinstance(data, bytes | bytearray | memoryview):
        kind = type(block).__name__
        raise TypeError(
            f"{kind} takes data as bytes (base64 is added later), not {type(data).__name__}."
        )


def _require(block: object, kind: type[Any], wanted: str, **fields: object) -> None:
    for name, value in fields.items():
        if not isinstance(value, kind) or isinstance(value, bool):
            raise TypeError(
                f"{type(block).__name__} takes {name} as {wanted}, not {type(value).__name__}."
            )


def _require_uri(block: object, uri: str) -> None:
    _require(block, str, "a string", uri=uri)
    if is_unsafe(uri):
        raise ValueError(f"{type(block).__name__}: no URI has the characters of {uri!r}.")


@dataclass(frozen=True, slots=True)
class Block:
    """What every content block has; not a block by itself."""

    def body(self, revision: Revision) -> dict[str, Any]:
        """The members of this kind of block, without annotations and ``_meta``."""
        raise NotImplementedError

    def to_wire(self, revision: Revision) -> dict[str, Any]:
        """The block as this revision knows it."""
        wire = self.body(revision)
        annotations: Annotations | None = getattr(self, "annotations", None)
        if annotations is not None and (told := annotations.to_wire(revision)):
            wire["annotations"] = told
        meta: Mapping[str, Any] | None = getattr(self, "meta", None)
        if meta and revision.meta:
            wire["_meta"] = dict(meta)
        return wire


@dataclass(frozen=True, slots=True)
class Text(Block):
    """Text, as it is."""

    text: str
    annotations: Annotations | None = None
    meta: Mapping[str, Any] | None = None

    def body(self, revision: Revision) -> dict[str, Any]:
        return {"type": "text", "text": clean(str(self.text))}  # str(): may be a lazy translation

    def to_wire(self, revision: Revision) -> dict[str, Any]:
        """The block as this revision knows it."""
        if self.annotations is None and self.meta is None:  # nearly always
            return self.body(revision)
        return Block.to_wire(self, revision)


@dataclass(frozen=True, slots=True)
class _Media(Block):
    """Bytes of a MIME type: what pictures and sounds have in common."""

    data: bytes
    mime_type: str
    annotations: Annotations | None = None
    meta: Mapping[str, Any] | None = None

    type: ClassVar[str]

    def __post_init__(self) -> None:
        _require_bytes(self, self.data)
        _require(self, str, "a string", mime_type=self.mime_type)

    def body(self, revision: Revision) -> dict[str, Any]:
        return {"type": self.type, "data": _encoded(self.data), "mimeType": self.mime_type}


@dataclass(frozen=True, slots=True)
class Image(_Media):
    """A picture: its bytes (not yet base64) and its type, such as ``image/png``."""

    type: ClassVar[str] = "image"


@dataclass(frozen=True, slots=True)
class Audio(_Media):
    """Sound: its bytes (not yet base64) and its type, such as ``audio/wav``."""

    type: ClassVar[str] = "audio"


@dataclass(frozen=True, slots=True)
class ResourceLink(Block):
    """A pointer to a resource that the client may read. ``size`` is in bytes."""

    uri: str
    name: str
    title: str | None = None
    description: str | None = None
    mime_type: str | None = None
    size: int | None = None
    icons: Sequence[Icon] = ()
    annotations: Annotations | None = None
    meta: Mapping[str, Any] | None = None

    def __post_init__(self) -> None:
        _require_uri(self, self.uri)
        _require(self, str, "a string", name=self.name)
        if self.mime_type is not None:
            _require(self, str, "a string", mime_type=self.mime_type)
        if self.size is not None:
            _require(self, int, "a number of bytes", size=self.size)

    def body(self, revision: Revision) -> dict[str, Any]:
        if not revision.resource_links:  # the client would not know the type: say it in words
            return {"type": "text", "text": clean(f"{self.title or self.name}: {self.uri}")}
        wire: dict[str, Any] = {"type": "resource_link", "uri": self.uri}
        wire["name"] = clean(self.name)
        optional = {"title": self.title, "description": self.description}
        wire.update((key, clean(str(value))) for key, value in optional.items() if value)
        if self.mime_type:
            wire["mimeType"] = self.mime_type
        if self.size is not None:
            wire["size"] = self.size
        if self.icons and revision.icons:
            wire["icons"] = [icon.to_wire() for icon in self.icons]
        return wire


@dataclass(frozen=True, slots=True)
class EmbeddedResource(Block):
    """A resource carried along: exactly one of ``text`` and ``data`` (its bytes)."""

    uri: str
    text: str | None = None
    data: bytes | None = None
    mime_type: str | None = None
    annotations: Annotations | None = None
    meta: Mapping[str, Any] | None = None

    def __post_init__(self) -> None:
        if (self.text is None) == (self.data is None):
            raise ValueError("EmbeddedResource takes exactly one of text= and data=.")
        _require_uri(self, self.uri)
        if self.mime_type is not None:
            _require(self, str, "a string", mime_type=self.mime_type)
        if self.data is not None:
            _require_bytes(self, self.data)

    def body(self, revision: Revision) -> dict[str, Any]:
        resource: dict[str, Any] = {"uri": self.uri}
        if self.mime_type:
            resource["mimeType"] = self.mime_type
        if self.data is not None:
            resource["blob"] = _encoded(self.data)
        else:
            resource["text"] = clean(str(self.text))
        return {"type": "resource", "resource": resource}
