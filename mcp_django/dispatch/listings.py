"""What a server lists, encoded once for each kind and revision, and language if it matters."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

import orjson
from django.utils.translation import get_language

from mcp_django.dispatch.definitions import definition, is_translated
from mcp_django.dispatch.languages import ByLanguage
from mcp_django.dispatch.paging import Item
from mcp_django.features.base import Feature
from mcp_django.features.errors import located
from mcp_django.features.records import KINDS, RecordKind
from mcp_django.features.registry import Registry
from mcp_django.invocation.context import Context
from mcp_django.invocation.permissions import is_visible
from mcp_django.protocol.versions import Revision
from mcp_django.schema.errors import DeclarationError


@dataclass(frozen=True, slots=True)
class Row:
    """One feature: how lists show it, and whether it is hidden from some."""

    feature: Feature
    item: Item
    depends_on_caller: bool


@dataclass(frozen=True, slots=True)
class Listing:
    """What is listed, in order and in one language.

    ``constant`` is the whole array where every caller gets it; ``is_private`` says that
    another caller may get another answer, for who it is or what language it has.
    """

    rows: tuple[Row, ...]
    constant: orjson.Fragment | None
    is_private: bool

    def visible(self, context: Context) -> list[Item]:
        """What this caller may see."""
        return [
            row.item
            for row in self.rows
            if not row.depends_on_caller or is_visible(row.feature, context)
        ]


class Listings:
    """The listings of one state of a registry, each made when it is first asked for.

    ``depends_on_caller`` says of a feature whether it is hidden from some.
    """

    def __init__(self, registry: Registry, depends_on_caller: Callable[[Feature], bool]) -> None:
        self.version = registry.version  # read first: what is newer than it says is made anew
        self._features: Mapping[RecordKind, tuple[Feature, ...]] = {
            kind: tuple(registry.of_kind(kind).values()) for kind in KINDS
        }
        self._translated = {
            kind for kind, found in self._features.items() if any(map(is_translated, found))
        }
        self._depends_on_caller = depends_on_caller
        self._kept: ByLanguage[dict[tuple[RecordKind, Revision], Listing]] = ByLanguage()

    def of(self, kind: RecordKind, revision: Revision) -> Listing:
        """That of a kind of record, in the language that is active."""
        language = get_language() if kind in self._translated else None
        kept = self._kept.of(language, dict)
        found = kept.get((kind, revision))
        if found is None:
            found = kept[kind, revision] = self._made(kind, revision)
        return found

    def _made(self, kind: RecordKind, revision: Revision) -> Listing:
        rows = tuple(
            Row(one, Item(one.key, encoded(one, revision)), self._depends_on_caller(one))
            for one in self._features[kind]
        )
        is_constant = not any(row.depends_on_caller for row in rows)
        constant = array(row.item for row in rows) if is_constant else None
        return Listing(rows, constant, not is_constant or kind in self._translated)


def array(items: Iterable[Item]) -> orjson.Fragment:
    """A JSON array of definitions."""
    return orjson.Fragment(b"[" + b",".join([item.definition for item in items]) + b"]")


def encoded(feature: Feature, revision: Revision) -> bytes:
    """Its definition; ``ImproperlyConfigured``, with its place, where it has no JSON form."""
    with located(feature.source):
        try:
            return orjson.dumps(definition(feature, revision))
        except TypeError as error:
            raise DeclarationError(
                f"Its definition cannot be written as JSON: {error}.",
                "Correct its title, description, meta or schema.",
            ) from error
