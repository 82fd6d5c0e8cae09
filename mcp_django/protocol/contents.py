"""The contents of a resource. Specification: server/resources, "Resource Contents"."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from mcp_django.protocol.files import BinaryFile
from mcp_django.protocol.members import (
    is_text,
    require,
    require_text_or_data,
    require_uri,
    resource_contents,
)
from mcp_django.protocol.mime_types import BINARY, guessed_of_uri
from mcp_django.protocol.versions import Revision


@dataclass(frozen=True, slots=True)
class ResourceContents:
    """What reading a resource gives: exactly one of ``text`` and ``data``.

    ``data`` is bytes (not yet base64), which stay bytes whatever their type, or a file, which
    is text where its type is and its bytes are. ``uri`` and ``mime_type`` are given where
    they differ from those of the resource itself. Raises ``TypeError`` and ``ValueError``.
    """

    text: str | None = None
    data: bytes | BinaryFile | None = None
    uri: str | None = None
    mime_type: str | None = None
    meta: Mapping[str, Any] | None = None

    def __post_init__(self) -> None:
        require_text_or_data(self, self.text, self.data)
        if self.text is not None and not is_text(self.text):
            raise TypeError(
                f"ResourceContents takes text as a string, not {type(self.text).__name__}; "
                "bytes and files are data=."
            )
        if self.uri is not None:
            require_uri(self, self.uri)
        if self.mime_type is not None:
            require(self, str, "a string", mime_type=self.mime_type)

    def to_wire(self, uri: str, mime_type: str | None, revision: Revision) -> dict[str, Any]:
        """The contents as this revision has them.

        ``uri`` and ``mime_type`` stand where these have none of their own. The type of bytes
        that nothing says is what the URI tells, else ``application/octet-stream``.
        """
        uri = self.uri or uri
        mime_type = self.mime_type or mime_type
        if mime_type is None and self.data is not None:
            mime_type = guessed_of_uri(uri) or BINARY
        meta = self.meta if revision.meta else None
        return resource_contents(uri, mime_type, self.text, self.data, meta)
