"""How what a resource returns becomes its contents: fixed once, when it is declared.

Specification: server/resources, "Resource Contents".
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, is_dataclass, replace
from typing import Any

from django.utils.functional import Promise

from mcp_django.protocol.contents import ResourceContents
from mcp_django.protocol.files import Bytes, is_file
from mcp_django.protocol.mime_types import JSON, PLAIN, decoded, guessed_of_uri
from mcp_django.schema.annotations import awaited
from mcp_django.schema.conversion import to_json
from mcp_django.schema.returning.content_kinds import Kinds, kinds_of, kinds_of_returns
from mcp_django.schema.returning.content_refusals import check_mime_type, is_row, problem_with
from mcp_django.schema.returning.files import Reading
from mcp_django.schema.returning.unsendable import Unsendable

Contents = tuple[ResourceContents, ...]


@dataclass(frozen=True, slots=True)
class ContentsRule:
    """The MIME type of a resource, as far as it is known, and the conversion of its values.

    ``mime_type`` is the one to advertise: declared, or known from the return type; None where
    only the value tells. ``blocks``: converting may block the thread, by a query, by reading
    a file, or by code of the author's.
    """

    mime_type: str | None
    blocks: bool
    _convert: Callable[[Any, Mapping[str, Any] | None], Contents] = field(repr=False, compare=False)

    def convert(self, value: Any, context: Mapping[str, Any] | None = None) -> Contents:
        """What to send for a returned value, already awaited: one or several, never none.

        ``context`` is what serializers find in ``self.context``. Raises ``InvalidResult``.
        """
        return self._convert(value, context)


def contents_rule(
    annotation: Any, returns: Any = None, *, mime_type: str | None, uri: str, name: str
) -> ContentsRule:
    """The rule for a return annotation and ``returns=``, which goes before it.

    ``annotation`` is resolved, or ``inspect.Signature.empty``; ``returns`` a serializer or its
    class, or a type. ``mime_type`` is what the author declares, ``uri`` the resource's URI or
    template, whose ending may tell the type of bytes. Raises ``DeclarationError``.
    """
    if mime_type is not None:
        check_mime_type(mime_type)
    annotation = Any if annotation is inspect.Signature.empty else awaited(annotation)
    kinds = (
        kinds_of(annotation, name)
        if returns is None
        else (kinds_of_returns(annotation, returns, name))
    )
    known = mime_type or _known_type(kinds, uri)
    return ContentsRule(known, kinds.blocks, _Conversion(kinds, mime_type, uri, name))


def _known_type(kinds: Kinds, uri: str) -> str | None:
    if kinds.only("text"):
        return PLAIN
    if kinds.only("json"):
        return JSON
    return guessed_of_uri(uri) if kinds.only("data") else None


@dataclass(frozen=True, slots=True)
class _Conversion:
    """The conversion of what one resource returns."""

    kinds: Kinds
    mime_type: str | None  # declared
    uri: str
    name: str

    def __call__(self, value: Any, context: Mapping[str, Any] | None) -> Contents:
        if value is None:
            raise self._nothing()
        several = self._by_hand(value)
        if several is not None:
            return several
        kinds = self.kinds
        if kinds.text and isinstance(value, str | Promise):
            return (ResourceContents(text=str(value), mime_type=self.mime_type or PLAIN),)
        if kinds.data and isinstance(value, Bytes):
            return (self._of_bytes(bytes(value)),)
        # Data may have a read() too, in another sense.
        if kinds.files and not (is_dataclass(value) or is_row(value)) and is_file(value):
            return self._read([ResourceContents(data=value)])
        if (problem := problem_with(value, judged=kinds.judged)) is not None:
            raise Unsendable(f"{self.name} returned {problem}")
        if kinds.json is not None:
            encoded = kinds.json.convert(value, context).encoded or b""
            return (ResourceContents(text=encoded.decode(), mime_type=self.mime_type or JSON),)
        raise Unsendable(
            f"{self.name} returned {type(value).__name__}, where {kinds.promised} was promised."
        )

    def _by_hand(self, value: Any) -> Contents | None:
        """``ResourceContents`` as their author made them; None where there are none."""
        if not self.kinds.contents:
            return None
        if isinstance(value, ResourceContents):
            return self._read([value])
        if not isinstance(value, list | tuple):
            return None
        made = [isinstance(item, ResourceContents) for item in value]
        if not made and self.kinds.json is None:
            raise self._nothing()
        if not any(made):
            return None
        if not all(made):
            other = type(value[made.index(False)]).__name__
            with Reading(item for item in value if isinstance(item, ResourceContents)):
                raise Unsendable(  # and no file stays open
                    f"{self.name} returned a list of ResourceContents with {other} among them: "
                    "make each of them ResourceContents."
                )
        return self._read(value)

    def _read(self, several: list[ResourceContents] | tuple[ResourceContents, ...]) -> Contents:
        with Reading(several) as reading:
            found = tuple(reading.contents(one, self.mime_type) for one in several)
        return tuple(self._settled(one) for one in found)

    def _settled(self, contents: ResourceContents) -> ResourceContents:
        """With ``meta`` as JSON and the type that the resource's own URI tells, if it does."""
        if contents.meta is not None:
            contents = replace(contents, meta=to_json(contents.meta))
        if contents.mime_type or contents.uri or contents.data is None:
            return contents
        return replace(contents, mime_type=self.mime_type or guessed_of_uri(self.uri))

    def _of_bytes(self, data: bytes) -> ResourceContents:
        """Bytes are text only where the author declares a type of text, and they are."""
        text = decoded(data, self.mime_type)
        if text is not None:
            return ResourceContents(text=text, mime_type=self.mime_type)
        return self._settled(ResourceContents(data=data))

    def _nothing(self) -> Unsendable:
        """Of a template's URIs some may not exist; a fixed one does, whatever is behind it."""
        fix = 'Return "" where it is empty, or raise ToolError with the reason.'
        if "{" in self.uri:
            fix = "Raise Http404 where there is nothing to read."
        return Unsendable(f"{self.name} returned nothing. {fix}")
