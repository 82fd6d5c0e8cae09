"""Compiled features as they are looked up: by kind and key, all fixed until the next change."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from mcp_django.features import places
from mcp_django.features.base import Binder, Feature
from mcp_django.features.declarations import Declaration
from mcp_django.features.errors import (
    Misuse,
    NotRegistered,
    already_registered,
    located,
    overlapping,
)
from mcp_django.features.kinds import Kind
from mcp_django.features.prompts import compile_prompt
from mcp_django.features.records import (
    PromptFeature,
    ResourceFeature,
    TemplateFeature,
    ToolFeature,
)
from mcp_django.features.resources import compile_resource
from mcp_django.features.tools import compile_tool
from mcp_django.protocol.uriindex import TemplateIndex
from mcp_django.protocol.uris import address

Entry = tuple[Declaration, Feature]
Entries = dict[tuple[str, str], Entry]  # by kind of record and key

# As records name them, in the order in which they are told.
KINDS = tuple(
    record.kind for record in (ToolFeature, ResourceFeature, TemplateFeature, PromptFeature)
)

_COMPILERS: Mapping[Kind, Callable[[Declaration, Binder], Feature]] = {
    "tool": compile_tool,
    "resource": compile_resource,
    "prompt": compile_prompt,
}


def compiled(declaration: Declaration, binder: Binder) -> Feature:
    """The record of a declaration; mistakes raise ``ImproperlyConfigured`` with their place."""
    with located(declaration.source):
        return _COMPILERS[declaration.kind](declaration, binder)


def refuse_taken(feature: Feature, entries: Entries) -> None:
    """Two features of a kind have different names, and no URI is surely that of two templates."""
    taken = entries.get((feature.kind, feature.key))
    if taken is not None:
        raise already_registered(feature, taken[1].source)
    if isinstance(feature, ResourceFeature):
        for _, other in entries.values():
            if isinstance(other, ResourceFeature) and feature.address == other.address:
                raise already_registered(feature, other.source)
    if isinstance(feature, TemplateFeature):
        for _, other in entries.values():
            if isinstance(other, TemplateFeature) and feature.template.overlaps(other.template):
                raise overlapping(feature, other)


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
        self.by_kind: Mapping[str, Mapping[str, Any]] = {kind: self._of(kind) for kind in KINDS}
        self.tools, self.resources, self.templates, self.prompts = self.by_kind.values()
        self.index = TemplateIndex((one.template, one) for one in self.templates.values())
        self._at = {one.address: one for one in self.resources.values()}

    def resource_at(self, uri: str) -> ResourceFeature | None:
        """The fixed resource of a URI, however a client escapes it."""
        found: ResourceFeature | None = self.resources.get(uri)
        at = address(uri) if found is None else None
        return self._at.get(at) if at else found

    def _of(self, kind: str) -> Mapping[str, Any]:
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
