"""MIME types: guessed from names, and which of them are text."""

from __future__ import annotations

import mimetypes
import re
from email.message import Message
from urllib.parse import quote

BINARY = "application/octet-stream"
JSON = "application/json"
PLAIN = "text/plain"

_FORM = re.compile(r"[\w!#$&^.+-]+/[\w!#$&^.+-]+\s*(;.*)?", re.ASCII)
_QUERY = re.compile(r"\{?[?#]|\{&")  # where one begins, also in a template
_TEXTUAL = frozenset(
    {
        JSON,
        "application/xml",
        "application/javascript",
        "application/yaml",
        "application/toml",
    }
)
# What Python's own table lacks, or calls by a name that clients know less.
_FURTHER = {
    ".yaml": "application/yaml",
    ".yml": "application/yaml",
    ".toml": "application/toml",
    ".webp": "image/webp",
    ".avif": "image/avif",
    ".flac": "audio/flac",
    ".ogg": "audio/ogg",
}
_KNOWN_AS = {"audio/x-wav": "audio/wav", "audio/vnd.wave": "audio/wav"}
_COMPRESSED = {
    "gzip": "application/gzip",
    "bzip2": "application/x-bzip2",
    "xz": "application/x-xz",
}


def is_mime_type(text: str) -> bool:
    """Whether it has the form ``type/subtype``, parameters after it or none."""
    return _FORM.fullmatch(text) is not None


def guessed(name: str | None) -> str | None:
    """The type that the ending of a file's name says, None where it says none."""
    if not name:
        return None
    # Quoted, or a colon in it would make it a URL.
    found, encoding = mimetypes.guess_type(quote(name, errors="replace"), strict=False)
    if encoding is not None:
        return _COMPRESSED.get(encoding, BINARY)
    if found is None:
        return _FURTHER.get(name[name.rfind(".") :].lower())
    return _KNOWN_AS.get(found, found)


def guessed_of_uri(uri: str) -> str | None:
    """The type that the last segment of a URI's path says, None where it says none."""
    scheme, _, rest = _QUERY.split(uri, maxsplit=1)[0].partition(":")
    authority, _, path = rest[2:].partition("/") if rest.startswith("//") else ("", "", rest)
    # In library://cover.png what looks like a host is the name; in https it is a host.
    if not path and scheme not in ("http", "https"):
        path = authority
    return guessed(path.rpartition("/")[2])


def is_textual(mime_type: str) -> bool:
    """Whether content of this type is text: ``text/*``, and what is known to be."""
    essence = mime_type.partition(";")[0].strip().lower()
    return essence.startswith("text/") or essence in _TEXTUAL or essence.endswith(("+json", "+xml"))


def charset_of(mime_type: str) -> str:
    """What its ``charset`` parameter says, else UTF-8."""
    message = Message()
    message["Content-Type"] = mime_type
    charset = message.get_content_charset("utf-8")
    # A byte order mark is no part of the text, and readers of JSON choke on it.
    return "utf-8-sig" if charset.replace("_", "-") in ("utf-8", "utf8") else charset


def has_known_charset(mime_type: str) -> bool:
    """Whether Python can decode what this type says of its text."""
    try:
        "a".encode(charset_of(mime_type))  # without any text nothing is looked up
    except LookupError:
        return False
    return True


def decoded(data: bytes, mime_type: str | None) -> str | None:
    """The text that these bytes are, None where their type or they themselves say none.

    Bytes with a NUL are no text, whatever their type says.
    """
    if mime_type is None or not is_textual(mime_type):
        return None
    try:
        text = data.decode(charset_of(mime_type))
    except (UnicodeDecodeError, LookupError):
        return None
    return None if "\x00" in text else text
