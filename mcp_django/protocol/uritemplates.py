"""URI templates: made into URIs, and URIs read back into values. RFC 6570.

The library ``uritemplate`` expands; the way back is not in the RFC and is this project's.
Specification (2026-07-28): server/resources, "Resource Templates".
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote

import uritemplate

from mcp_django.protocol.uriexpressions import OPTIONAL, Expression, tokens
from mcp_django.protocol.urilayouts import Layout, layout
from mcp_django.protocol.uripatterns import MANY, ONE, Values
from mcp_django.protocol.uris import address

_SAMPLE = "x"
# RFC 6570 leaves ? and # too; here they would begin a query or a fragment.
_UNESCAPED = {"+": ":/[]@!$&'()*+,;=", "#": ":/?[]@!$&'()*+,;="}
_COMPOUND = (bytes, bytearray, list, tuple, set, frozenset, Mapping)


@dataclass(frozen=True, slots=True)
class UriTemplate:
    """A template of levels 1 to 3 of RFC 6570, or with a list of path segments, ``{/name*}``.

    ``names`` are its variables in order of appearance, ``optional`` those that a URI may leave
    out (of ``{?…}``, ``{&…}``, ``{;…}``, ``{#…}``), ``multiple`` those whose value is a list
    of strings. Two templates are equal if their texts are.

    How a URI is read:

    - The scheme compares without case, all else with it. Escapes may be in either case, and
      letters, digits, ``-._~`` and characters beyond ASCII may be sent escaped or not. Over
      ``MAX_URI_LENGTH``: no match.
    - A value is percent-decoded exactly once and is UTF-8 without control characters. None is
      or holds a path segment ``.`` or ``..``, split at ``/`` and ``\\``. A ``+`` is a plus.
    - ``{x}``, ``{.x}``, ``{/x}`` and each segment of ``{/x*}`` are not empty and hold neither
      ``/`` nor ``\\``, escaped or not. ``{+x}`` may, between segments that are not empty: so no
      slash begins or ends it. Query values, path parameters and fragments may be empty and may
      hold slashes: who opens files by them checks them.
    - Of variables beside each other, as in ``{a}-{b}``, the last takes the rest, or the wide
      one (``{+x}``, ``{/x*}``) if there is one; each other takes as little as it can:
      ``1-2-3`` has ``a`` 1 and ``b`` 2-3, and in ``{+path}.{ext}`` the last dot parts them.
    - Parameters come in any order, each known and at most once; ``?q`` is ``?q=``. A ``?`` with
      nothing after it is a parameter without a name, which is no match. What is written after
      a literal ``?`` comes first, as written. A ``#`` with nothing after it is an empty value.
    - A query or a fragment that the template does not have is no match.
    """

    text: str
    names: tuple[str, ...] = field(compare=False, repr=False)
    optional: frozenset[str] = field(compare=False, repr=False)
    multiple: frozenset[str] = field(compare=False, repr=False)
    layout: Layout = field(compare=False, repr=False)
    _unescaped: Mapping[str, str] = field(compare=False, repr=False)
    _library: uritemplate.URITemplate = field(compare=False, repr=False)

    @classmethod
    def parse(cls, text: str) -> UriTemplate:
        """``ValueError``, in words, for what is no such template or can't be read back."""
        found = tokens(text)
        expressions = [token for token in found if isinstance(token, Expression)]
        return cls(
            text=text,
            names=tuple(name for one in expressions for name in one.names),
            optional=frozenset(
                name for one in expressions if one.operator in OPTIONAL for name in one.names
            ),
            multiple=frozenset(name for one in expressions for name in one.exploded),
            layout=layout(found),
            _unescaped={
                name: _UNESCAPED[one.operator]
                for one in expressions
                if one.operator in _UNESCAPED
                for name in one.names
            },
            _library=uritemplate.URITemplate("".join(map(str, found))),
        )

    def __str__(self) -> str:
        return self.text

    def expand(self, values: Mapping[str, Any]) -> str:
        """The URI for these values: text, or what ``str`` makes text of; None is absent.

        A value is text, not a piece of a URI: its ``%`` is escaped in ``{+x}`` too. Names that
        the template does not have are ignored. ``ValueError`` if one that is needed is missing,
        or if the URI would not read back as these values.
        """
        given = {
            name: self._written(name, values[name])
            for name in self.names
            if values.get(name) is not None
        }
        missing = [name for name in self.names if name not in given and name not in self.optional]
        if missing:
            raise ValueError(f"{self.text} lacks a value for {', '.join(missing)}")
        uri = self._uri(given)
        if self.match(uri) != given:
            raise ValueError(f"{self.text} has no URI that reads back as the values given")
        return uri

    def _written(self, name: str, value: Any) -> str | list[str]:
        if name not in self.multiple:
            return _text(name, value)
        if not isinstance(value, (list, tuple)):
            raise ValueError(f"{name} of {self.text} takes a list of segments")
        return [_text(name, segment) for segment in value]

    def _uri(self, values: Mapping[str, str | list[str]]) -> str:
        """What the library makes of them; what is escaped already it leaves as it is."""
        ready: dict[str, Any] = {
            name: quote(value, safe=self._unescaped[name])
            if isinstance(value, str) and name in self._unescaped
            else value
            for name, value in values.items()
        }
        return self._library.expand(ready)

    def match(self, uri: str) -> Values | None:
        """The values that a URI carries, by name, without those that it leaves out; or None."""
        found = address(uri)
        return None if found is None else self.layout.read(found)

    def overlaps(self, other: UriTemplate) -> bool:
        """Whether some URI is known to match both; False where it can't be told."""
        if _apart(self.layout, other.layout):
            return False  # nearly always, and a start-up compares each with each
        paths = (self.layout.path.skeleton, other.layout.path.skeleton)
        return any(
            self.match(uri) is not None and other.match(uri) is not None
            for path in (*paths, *_merged(*paths), *_merged(*reversed(paths)))
            for one in (self, other)
            for uri in [_filled(path + one.layout.written_end)]
        )


def _text(name: str, value: Any) -> str:
    if isinstance(value, _COMPOUND):
        raise ValueError(f"{name} takes a text, not {type(value).__name__}")
    return str(value)


def _apart(first: Layout, second: Layout) -> bool:
    """Whether what is fixed in their paths lets no URI match both: told by looking alone."""
    start, other_start = first.path.literals[0], second.path.literals[0]
    if not start.startswith(other_start) and not other_start.startswith(start):
        return True
    segments, others = first.path.segments, second.path.segments
    if not segments or not others:
        return False
    if len(segments) != len(others):
        return True
    pairs = list(zip(segments, others, strict=True))
    if first.path_parameters or second.path_parameters:
        pairs.pop()  # the last segment may be followed by parameters, which it does not show
    return any(one != two and one is not None and two is not None for one, two in pairs)


def _filled(skeleton: str) -> str:
    return skeleton.replace(ONE, _SAMPLE).replace(MANY, _SAMPLE)


def _merged(first: str, second: str) -> list[str]:
    """The literal segments of both, if they go together: none or one skeleton."""
    missing = second.count("/") - first.count("/")
    first, second = _widened(first, missing), _widened(second, -missing)
    pairs = list(zip(first.split("/"), second.split("/"), strict=False))
    merged = "/".join(right if ONE in left or MANY in left else left for left, right in pairs)
    return [merged] if first.count("/") == second.count("/") else []


def _widened(skeleton: str, segments: int) -> str:
    return skeleton.replace(MANY, MANY + f"/{ONE}" * segments) if segments > 0 else skeleton
