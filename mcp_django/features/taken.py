"""What the features of a server are called, so that no two are called the same."""

from __future__ import annotations

from collections.abc import Iterable

from mcp_django.features.base import Feature
from mcp_django.features.errors import already_registered, overlapping
from mcp_django.features.records import ResourceFeature, TemplateFeature
from mcp_django.protocol.urifixed import Meaning, meaning


class Taken:
    """The names, URIs and templates that a server has features of."""

    def __init__(self, features: Iterable[Feature]) -> None:
        self._features: dict[tuple[str, str], Feature] = {}
        self._resources: dict[Meaning | None, ResourceFeature] = {}
        self._templates: list[TemplateFeature] = []
        for feature in features:
            self.add(feature)

    def refuse(self, feature: Feature) -> None:
        """``AlreadyRegistered`` for a name or URI that is taken, or surely a template's too."""
        other = self._features.get((feature.kind, feature.key))
        if other is None and isinstance(feature, ResourceFeature):
            other = self._resources.get(_meaning(feature))
        if other is not None:
            raise already_registered(feature, other.source)
        if isinstance(feature, TemplateFeature):
            for template in self._templates:
                if feature.template.overlaps(template.template):
                    raise overlapping(feature, template)

    def add(self, feature: Feature) -> None:
        """From now on this one has its name."""
        self._features[feature.kind, feature.key] = feature
        if isinstance(feature, ResourceFeature):
            self._resources[_meaning(feature)] = feature
        if isinstance(feature, TemplateFeature):
            self._templates.append(feature)


def _meaning(resource: ResourceFeature) -> Meaning | None:
    return None if resource.address is None else meaning(resource.address)
