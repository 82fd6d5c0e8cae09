"""What can be asked of a registry, from any thread and without waiting."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from mcp_django.features.base import Feature
from mcp_django.features.records import (
    PromptFeature,
    ReadableFeature,
    RecordKind,
    ResourceFeature,
    TemplateFeature,
    ToolFeature,
)
from mcp_django.features.tables import Entry, Tables
from mcp_django.protocol.uripatterns import Values


class Lookups:
    """The features of one state of a registry, which it exchanges as a whole."""

    def __init__(self) -> None:
        self._tables = Tables({})

    @property
    def entries(self) -> list[Entry]:
        """Every feature with what it was made of, in the order of lists: for checks."""
        return list(self._tables.entries.values())

    @property
    def features(self) -> list[Feature]:
        """Every feature: apps as installed, then as they stand in the source."""
        return [feature for _, feature in self.entries]

    @property
    def tools(self) -> Mapping[str, ToolFeature]:
        """The compiled tools by name, in the order of lists."""
        return self._tables.tools

    @property
    def prompts(self) -> Mapping[str, PromptFeature]:
        """The compiled prompts by name, in the order of lists."""
        return self._tables.prompts

    @property
    def resources(self) -> Mapping[str, ResourceFeature]:
        """The compiled resources by URI, in the order of lists."""
        return self._tables.resources

    @property
    def templates(self) -> Mapping[str, TemplateFeature]:
        """The compiled resource templates by the text of their template."""
        return self._tables.templates

    def of_kind(self, kind: RecordKind) -> Mapping[str, Feature]:
        """The features of one kind of record, by name, URI or template."""
        return self._tables.by_kind[kind]

    def resource_at(self, uri: str) -> ResourceFeature | None:
        """The fixed resource of a URI, however a client escapes it."""
        return self._tables.resource_at(uri)

    def matching(self, uri: str) -> Iterator[tuple[TemplateFeature, Values]]:
        """The templates that have a URI, first registered first, with its variables.

        None has what a fixed resource keeps for itself: see ``FixedUris.keep``.
        """
        return self._tables.matching(uri)

    def readable_at(self, uri: str) -> tuple[ReadableFeature, Values] | None:
        """What a URI means, with its variables: a resource, else the first registered template.

        It is the same for every caller; whether this one may read it is asked afterwards. So
        what is hidden is never read as something else.
        """
        return self._tables.readable_at(uri)
