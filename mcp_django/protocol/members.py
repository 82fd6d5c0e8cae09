"""The members of content, judged where it is made and written where it is sent.

Judged early: later nothing could tell which tool a block came from.
"""

from __future__ import annotations

import base64
from collections.abc import Mapping
from typing import Any

from mcp_django.protocol.cleaning import clean, is_unsafe
from mcp_django.protocol.files import Bytes, Data, is_file


def require(owner: object, kind: type[Any], wanted: str, **members: object) -> None:
    """``TypeError`` for a member that is of another type."""
    for name, value in members.items():
        if not isinstance(value, kind) or isinstance(value, bool):
            raise TypeError(
                f"{type(owner).__name__} takes {name} as {wanted}, not {type(value).__name__}."
            )


def require_uri(owner: object, uri: str) -> None:
    """``TypeError`` or ``ValueError`` for what no client could read as a URI."""
    require(owner, str, "a string", uri=uri)
    if is_unsafe(uri):
        raise ValueError(f"{type(owner).__name__}: no URI has the characters of {uri!r}.")


def require_data(owner: object, data: object) -> None:
    """``TypeError`` for what is neither bytes nor a file."""
    if isinstance(data, Bytes) or is_file(data):
        return
    kind = type(owner).__name__
    wanted = f"{kind} takes data as bytes (base64 is added later) or as a file"
    if hasattr(data, "read_bytes"):
        raise TypeError(f"{wanted}, not as a path: give path.read_bytes(), or path.open('rb').")
    raise TypeError(f"{wanted}, not {type(data).__name__}.")


def require_text_or_data(owner: object, text: object, data: object) -> None:
    """Exactly one of the two, of the right type."""
    if (text is None) == (data is None):
        raise ValueError(f"{type(owner).__name__} takes exactly one of text= and data=.")
    if data is not None:
        require_data(owner, data)


def is_text(value: object) -> bool:
    """A string, or what behaves like one: a lazy translation."""
    return isinstance(value, str) or hasattr(type(value), "casefold")


def encoded(data: Data) -> str:
    """Bytes in base64; a file must have been read before."""
    if not isinstance(data, Bytes):
        raise TypeError("It holds a file that has not been read.")
    return base64.b64encode(data).decode("ascii")


def resource_contents(
    uri: str, mime_type: str | None, text: Any, data: Data | None, meta: Mapping[str, Any] | None
) -> dict[str, Any]:
    """``TextResourceContents`` or ``BlobResourceContents``, by which of the two is there."""
    wire: dict[str, Any] = {"uri": uri}
    if mime_type:
        wire["mimeType"] = mime_type
    if data is not None:
        wire["blob"] = encoded(data)
    else:
        wire["text"] = clean(str(text))  # str(): may be a lazy translation
    if meta:
        wire["_meta"] = dict(meta)
    return wire
