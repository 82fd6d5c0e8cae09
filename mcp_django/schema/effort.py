"""How much work it may be to tell all that is wrong with a value, known before it begins.

Whether a schema holds is answered in linear time. To list why not, a validator looks into
every alternative of ``anyOf`` and its like, at each level anew: a schema whose alternatives
hold themselves doubles the work with every level of a value that any caller may send.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from mcp_django.protocol.measuring import measured
from mcp_django.schema.keywords import Schema
from mcp_django.schema.references import resolved

_MOST = 10_000  # values looked at, each as often as there are ways to it
_MANY = 1_000_000  # and all numbers beyond it
_DEEPEST = 64  # whatever doubles at all is beyond every limit by then
_MOST_PARTS = 200  # alternatives inside of each other at one place


class Effort:
    """What it costs to explain values by one schema."""

    def __init__(self, schema: Schema) -> None:
        self._root = schema
        self._known: dict[tuple[int, int], int] = {}

    def is_small(self, value: Any) -> bool:
        """Whether the errors of this value can be listed in little time."""
        depth, members = measured(value)
        ways = self.ways(depth + 1)  # what the deepest of them hold is looked at too
        return ways == 1 or ways * (members + 1) <= _MOST

    def ways(self, depth: int) -> int:
        """How often one place in a value of this depth may be looked at; at most a million."""
        return self._ways(self._root, min(depth, _DEEPEST))

    def _ways(self, schema: Any, depth: int) -> int:
        key = (id(schema), depth)
        if key not in self._known:
            parts = _parts(schema, self._root)
            total = sum(self._below(part, depth - 1) for part in parts) if depth else 1
            unknown = any(map(_leads_anywhere, parts))
            self._known[key] = _MANY if unknown else min(max(total, 1), _MANY)
        return self._known[key]

    def _below(self, part: Mapping[str, Any], depth: int) -> int:
        """The ways through one schema to a member or an item of the value."""
        totals = [
            sum(max((self._ways(s, depth) for s in group), default=0) for group in groups)
            for groups in (_of_members(part), _of_items(part))
        ]
        return max(totals)


def unfolded(schema: Schema, most: int) -> int:
    """The values of a schema with every reference written out, ends left open where it recurs.

    At most ``most``: that many is as bad as more.
    """
    known: dict[int, int] = {}

    def size(value: Any) -> int:
        value = resolved(value, schema)
        if id(value) not in known:
            known[id(value)] = 0  # inside of itself
            known[id(value)] = min(1 + sum(map(size, _inside(value))), most)
        return known[id(value)]

    try:
        return size(schema)
    except RecursionError:
        return most


def _inside(value: Any) -> Iterator[Any]:
    if isinstance(value, Mapping):
        yield from value.values()
    elif isinstance(value, (list, tuple)):
        yield from value


_SAME_PLACE = ("allOf", "anyOf", "oneOf", "not", "if", "then", "else", "dependentSchemas")


def _parts(schema: Any, root: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """A schema and all that judge the very same value, as often as they do."""
    parts: list[Mapping[str, Any]] = []
    waiting = [schema]
    while waiting and len(parts) < _MOST_PARTS:
        here = waiting.pop()
        if not isinstance(here, Mapping):
            continue
        parts.append(here)
        if "$ref" in here:
            waiting.append(resolved({"$ref": here["$ref"]}, root))
        for keyword in _SAME_PLACE:
            held = here.get(keyword)
            waiting += [held] if keyword in ("not", "if", "then", "else") else _inside(held)
    return parts


def _leads_anywhere(schema: Mapping[str, Any]) -> bool:
    """Whether a reference is of a kind that is not followed here: by anchor, or dynamic."""
    plain = str(schema.get("$ref", "#")).startswith("#/") or schema.get("$ref", "#") == "#"
    return not plain or "$dynamicRef" in schema or "$recursiveRef" in schema


def _of_members(schema: Mapping[str, Any]) -> list[list[Any]]:
    """The schemas for members of an object, of each group one at most for each member."""
    named = [*_inside(schema.get("properties")), schema.get("additionalProperties")]
    by_pattern = [[one] for one in _inside(schema.get("patternProperties"))]
    return [
        _schemas(group) for group in (named, *by_pattern, [schema.get("unevaluatedProperties")])
    ]


def _of_items(schema: Mapping[str, Any]) -> list[list[Any]]:
    """The same for the items of a list."""
    items = schema.get("items")
    in_order = [*_inside(schema.get("prefixItems")), schema.get("additionalItems")]
    listed = [*in_order, *(items if isinstance(items, list) else [items])]
    further = [[schema.get("contains")], [schema.get("unevaluatedItems")]]
    return [_schemas(group) for group in (listed, *further)]


def _schemas(values: list[Any]) -> list[Any]:
    return [value for value in values if isinstance(value, Mapping)]
