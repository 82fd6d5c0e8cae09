"""URIs as clients send them: one normal form, its three parts, and the values written in it.

RFC 3986 has the grammar, RFC 3987 the step from international characters to escapes.
Specification (2026-07-28): server/resources, "Resource URIs".
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from urllib.parse import quote, unquote_to_bytes

MAX_URI_LENGTH = 8_192
"""Characters, as sent. A longer URI names nothing here, whatever it holds."""

_INTERNATIONAL = "\xa0-\ud7ff\ue000-\ufdcf\ufdf0-\uffef\U00010000-\U0010ffff"
_URI = re.compile(
    rf"(?:[A-Za-z0-9\-._~:/?#\[\]@!$&'()*+,;={_INTERNATIONAL}]++|%[0-9A-Fa-f]{{2}})*+"
)
_BEYOND_ASCII = re.compile(r"[^\x00-\x7f]+")
_ESCAPE = re.compile(r"%..")
_UNRESERVED = re.compile(r"[A-Za-z0-9\-._~]")
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.\-]*:")
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f]")
_SLASHES = re.compile(r"[/\\]")
_DOTS = frozenset({".", ".."})


def escaped(text: str) -> str | None:
    """In ASCII and normal (RFC 3986, 6.2.2): every URI of one name has one text.

    Characters beyond ASCII become escapes of their UTF-8. Escapes are in upper case, and those
    of letters, digits and ``-._~`` are decoded: ``%61`` is ``a``. None where a character
    stands that no URI has, or a ``%`` that begins no escape.
    """
    if _URI.fullmatch(text) is None:
        return None
    if not text.isascii():
        text = _BEYOND_ASCII.sub(lambda found: quote(found[0]), text)
    return _ESCAPE.sub(_normal, text) if "%" in text else text


def _normal(escape: re.Match[str]) -> str:
    character = chr(int(escape[0][1:], 16))
    return character if _UNRESERVED.match(character) else escape[0].upper()


def with_plain_scheme(text: str) -> str | None:
    """The same with its scheme in lower case; None without a scheme."""
    found = _SCHEME.match(text)
    return None if found is None else found[0].lower() + text[found.end() :]


@dataclass(frozen=True, slots=True)
class Address:
    """A URI in its normal form, cut at the first ``#`` and before that at the first ``?``.

    None is a part that is not there; an empty one is there and empty.
    """

    path: str
    query: str | None
    fragment: str | None


def address(uri: str) -> Address | None:
    """What a client sent, cut into its parts; None if it is no absolute URI or too long."""
    is_absolute = len(uri) <= MAX_URI_LENGTH and _SCHEME.match(uri)
    normal = escaped(uri) if is_absolute else None
    absolute = None if normal is None else with_plain_scheme(normal)
    if absolute is None:
        return None
    rest, hash_mark, fragment = absolute.partition("#")
    path, question_mark, query = rest.partition("?")
    if "#" in fragment:
        return None
    return Address(path, query if question_mark else None, fragment if hash_mark else None)


def text_value(raw: str) -> str | None:
    """Percent-decoded once: the value of a parameter or a fragment. It may be empty.

    None if it is no UTF-8, holds a control character, or has a ``.`` or ``..`` between its
    slashes of either kind.
    """
    value = raw
    if "%" in raw:
        try:
            value = unquote_to_bytes(raw).decode("utf-8")
        except UnicodeDecodeError:
            return None
        if _CONTROL.search(value):
            return None
    if "." in value and not _DOTS.isdisjoint(_SLASHES.split(value)):
        return None
    return value


def segment_value(raw: str) -> str | None:
    """As ``text_value``; neither empty nor with a slash of either kind in it."""
    value = text_value(raw)
    return value if value and _SLASHES.search(value) is None else None


def path_value(raw: str) -> str | None:
    """As ``text_value``; one segment or several with none empty, so no slash at an end."""
    value = text_value(raw)
    return value if value is not None and all(_SLASHES.split(value)) else None


def segment_values(raw: str) -> list[str] | None:
    """As ``segment_value``, for each of the segments between slashes."""
    values = [segment_value(segment) for segment in raw.split("/")]
    found = [value for value in values if value is not None]
    return found if len(found) == len(values) else None
