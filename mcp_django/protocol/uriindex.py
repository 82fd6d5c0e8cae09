"""Many URI templates, and which of them a URI matches."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping
from typing import Generic, TypeVar

from mcp_django.protocol.uripatterns import Values
from mcp_django.protocol.uris import Address
from mcp_django.protocol.uritemplates import UriTemplate

T = TypeVar("T")


class Prefixes(Generic[T]):
    """Finds, among many keys, those that a text begins with: one search, then one step a key."""

    def __init__(self, values: Mapping[str, T]) -> None:
        self._keys = sorted(values)
        self._values = [values[key] for key in self._keys]
        self._within: list[int] = []
        for index, key in enumerate(self._keys):
            within = index - 1
            while within >= 0 and not key.startswith(self._keys[within]):
                within = self._within[within]
            self._within.append(within)

    def of(self, text: str) -> Iterator[T]:
        """The values of these keys, longest key first.

        Whatever sorts between a key and a text that begins with it begins with that key too:
        so the nearest key before the text is one of those asked for, or lies within them all.
        """
        index = bisect_right(self._keys, text) - 1
        while index >= 0:
            if text.startswith(self._keys[index]):
                yield self._values[index]
            index = self._within[index]


# Its place among the entries, a literal that its paths hold, itself, and what belongs to it.
Entry = tuple[int, str, UriTemplate, T]


class TemplateIndex(Generic[T]):
    """Templates with what belongs to each, found by how their paths begin and end."""

    def __init__(self, entries: Iterable[tuple[UriTemplate, T]]) -> None:
        grouped: dict[str, dict[str, list[Entry[T]]]] = {}
        for place, (template, value) in enumerate(entries):
            literals = template.layout.path.literals
            # Path parameters stand after the last literal, so that one tells nothing.
            ending = "" if template.layout.path_parameters else literals[-1][::-1]
            found = grouped.setdefault(literals[0], {}).setdefault(ending, [])
            found.append((place, max(literals[1:-1], key=len, default=""), template, value))
        self._starts = Prefixes({start: Prefixes(ends) for start, ends in grouped.items()})

    def matching(self, found: Address) -> Iterator[tuple[T, Values]]:
        """Of each entry that matches, what belongs to it and the values; in the given order."""
        path, backwards = found.path, found.path[::-1]
        candidates = [
            entry
            for endings in self._starts.of(path)
            for entries in endings.of(backwards)
            for entry in entries
            if entry[1] in path
        ]
        candidates.sort(key=_place)
        for _nth, _inner, template, value in candidates:
            values = template.layout.read(found)
            if values is not None:
                yield value, values


def _place(entry: Entry[T]) -> int:
    return entry[0]
