"""Compiled features as they are looked up: by kind and key, all fixed until the next change."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any

from mcp_django.features import places
from mcp_django.features.base import Feature
from mcp_django.features.declarations import Declaration
from mcp_django.features.errors import Misuse, NotRegistered
from mcp_django.features.records import (
    KINDS,
    ReadableFeature,
    RecordKind,
    ResourceFeature,
    TemplateFeature,
)
from mcp_django.protocol.urifixed import FixedUris
from mcp_django.protocol.uriindex import TemplateIndex
from mcp_django.protocol.uripatterns import Values
from mcp_django.protocol.uris import Address, address

Entry = tuple[Declaration, Feature]
Entries = dict[tuple[str, str], Entry]  # by kind of record and key


def found_at(key: str, kind: str | None, entries: Entries, server: str) -> tuple[str, str]:
    """The place of the one feature that is called so; ``kind`` may be that of a declaration."""
    if kind not in (None, *KINDS):
        raise Misuse(f"There is no kind {kind!r} of features. Say one of {', '.join(KINDS)}.")
    wanted = {"resource": ("resource", "resource_template"), None: KINDS}.get(kind, (kind,))
    found = [at for at in entries if at[1] == key and at[0] in wanted]
    if not found:
        what = "feature" if kind is None else kind.replace("_", " ")
        raise NotRegistered(f"The server {server!r} has no {what} {key!r}.")
    if len(found) > 1:
        kinds = ", ".join(repr(at[0]) for at in found)
        raise Misuse(f"Several features are called {key!r}: say kind=, one of {kinds}.")
    return found[0]


class Tables:
    """One state of a registry, in the order of lists. Never changed, so read without a lock."""

    def __init__(self, entries: Entries) -> None:
        at = {id(declaration): key for key, (declaration, _) in entries.items()}
        ordered = places.in_order(declaration for declaration, _ in entries.values())
        self.entries: Entries = {at[id(d)]: entries[at[id(d)]] for d in ordered}
        self.by_kind: Mapping[RecordKind, Mapping[str, Any]] = {
            kind: self._of(kind) for kind in KINDS
        }
        self.tools, self.resources, self.templates, self.prompts = self.by_kind.values()
        self._fixed = FixedUris((at, one) for one in self.resources.values() if (at := one.address))
        self._index = TemplateIndex((one.template, one) for one in self.templates.values())

    def resource_at(self, uri: str) -> ResourceFeature | None:
        """The fixed resource of a URI, however a client escapes it."""
        found: ResourceFeature | None = self.resources.get(uri)
        at = address(uri) if found is None else None
        return found if at is None else self._fixed.at(at)

    def matching(self, uri: str) -> Iterator[tuple[TemplateFeature, Values]]:
        """The templates that have a URI, first registered first, with its variables."""
        at = address(uri)
        return iter(()) if at is None else self._reading(at)

    def readable_at(self, uri: str) -> tuple[ReadableFeature, Values] | None:
        """What a URI means, for every caller: a resource, else the first template that has it."""
        found: ReadableFeature | None = self.resources.get(uri)
        at = address(uri) if found is None else None
        if at is not None:
            found = self._fixed.at(at)
        if found is not None:
            return found, {}
        return None if at is None else next(self._reading(at), None)

    def _reading(self, at: Address) -> Iterator[tuple[TemplateFeature, Values]]:
        for template, values in self._index.matching(at):
            if not self._fixed.keep(at, template.template):
                yield template, values

    def _of(self, kind: RecordKind) -> Mapping[str, Any]:
        return MappingProxyType(
            {key: feature for (found, key), (_, feature) in self.entries.items() if found == kind}
        )

    @property
    def counted(self) -> str:
        """``12 tools, 1 prompt``."""
        told = [
            f"{len(found)} {kind.replace('_', ' ')}{'s' * (len(found) != 1)}"
            for kind, found in self.by_kind.items()
            if found
        ]
        return ", ".join(told) or "no features"

    def kinds_that_differ(self, other: Tables) -> frozenset[str]:
        """The kinds of record of which this state has others than that one."""
        mine, theirs = set(self._marked()), set(other._marked())
        return frozenset(kind for kind, _, _ in mine ^ theirs)

    def _marked(self) -> list[tuple[str, str, int]]:
        return [(*at, id(feature)) for at, (_, feature) in self.entries.items()]
