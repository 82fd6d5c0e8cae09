"""Content blocks: what a model is shown. Specification: server/tools, "Tool Result"."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from mcp_django.protocol.annotations import Annotations, Icon
from mcp_django.protocol.cleaning import clean, is_unsafe
from mcp_django.protocol.files import BinaryFile, is_file, name_of
from mcp_django.protocol.members import (
    encoded,
    require,
    require_data,
    require_text_or_data,
    require_uri,
    resource_contents,
)
from mcp_django.protocol.mime_types import guessed
from mcp_django.protocol.versions import Revision

__all__ = [
    "Annotations",
    "Audio",
    "Block",
    "EmbeddedResource",
    "Icon",
    "Image",
    "ResourceLink",
    "Text",
    "clean",
    "is_unsafe",
]


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
    """Bytes of a MIME type, or a file of them: what pictures and sounds have in common."""

    data: bytes | BinaryFile
    mime_type: str | None = None
    annotations: Annotations | None = None
    meta: Mapping[str, Any] | None = None

    type: ClassVar[str]

    def __post_init__(self) -> None:
        require_data(self, self.data)
        if self.mime_type is None and is_file(self.data):
            object.__setattr__(self, "mime_type", self._guessed(name_of(self.data)))
        require(self, str, "a string", mime_type=self.mime_type)

    def _guessed(self, name: str | None) -> str:
        found = guessed(name)
        if found is not None and found.startswith(f"{self.type}/"):
            return found
        kind = type(self).__name__
        what = f"a file called {name!r}" if name else "a file without a name"
        raise ValueError(f"{kind}: {what} tells no type of {self.type}. Give mime_type= too.")

    def body(self, revision: Revision) -> dict[str, Any]:
        return {"type": self.type, "data": encoded(self.data), "mimeType": self.mime_type}


@dataclass(frozen=True, slots=True)
class Image(_Media):
    """A picture: its bytes (not yet base64) and its type, such as ``image/png``.

    A file in place of the bytes is read when the result is sent, from its beginning, and
    then closed. Its name may tell the type.
    """

    type: ClassVar[str] = "image"


@dataclass(frozen=True, slots=True)
class Audio(_Media):
    """Sound: its bytes (not yet base64) or a file, as in ``Image``, and its type."""

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
        require_uri(self, self.uri)
        require(self, str, "a string", name=self.name)
        if self.mime_type is not None:
            require(self, str, "a string", mime_type=self.mime_type)
        if self.size is not None:
            require(self, int, "a number of bytes", size=self.size)

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
    """A resource carried along: exactly one of ``text`` and ``data``, its bytes or a file.

    A file is text where its type is and its bytes are; bytes never are.
    """

    uri: str
    text: str | None = None
    data: bytes | BinaryFile | None = None
    mime_type: str | None = None
    annotations: Annotations | None = None
    meta: Mapping[str, Any] | None = None

    def __post_init__(self) -> None:
        require_text_or_data(self, self.text, self.data)
        require_uri(self, self.uri)
        if self.mime_type is not None:
            require(self, str, "a string", mime_type=self.mime_type)

    def body(self, revision: Revision) -> dict[str, Any]:
        resource = resource_contents(self.uri, self.mime_type, self.text, self.data, None)
        return {"type": "resource", "resource": resource}
