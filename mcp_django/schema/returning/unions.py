"""Unions: their schema, and whether a reader of JSON could tell their members apart."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from typing import Any

import orjson

from mcp_django.schema.trees import ANYTHING

Schema = dict[str, Any]
Resolve = Callable[[Schema], Schema]  # follows a $ref, if there is one

_NULL: Schema = {"type": "null"}


def nullable(schema: Schema) -> Schema:
    """The schema of X | None: a further type where X has one, else a further alternative."""
    if not schema:
        return schema
    if _NULL in schema.get("anyOf", ()):
        return schema
    if "anyOf" in schema:
        return {**schema, "anyOf": [*schema["anyOf"], _NULL]}
    if "type" not in schema:
        inner = {key: value for key, value in schema.items() if key != "$defs"}
        around = {"$defs": schema["$defs"]} if "$defs" in schema else {}
        return {"anyOf": [inner, _NULL], **around}
    types = _listed(schema["type"])
    if "null" in types:
        return schema
    schema = {**schema, "type": [*types, "null"]}
    if "oneOf" in schema:
        schema["oneOf"] = [*schema["oneOf"], _NULL]
    if "const" in schema:
        schema["enum"] = [schema.pop("const")]
    if "enum" in schema:
        schema["enum"] = [*schema["enum"], None]
    return schema


def _listed(types: str | list[str]) -> list[str]:
    return [types] if isinstance(types, str) else types


def any_of(schemas: Sequence[Schema]) -> Schema:
    """The schema of a union."""
    if not all(schemas):
        return {}  # one member takes anything
    if all(set(schema) == {"type"} for schema in schemas):
        types = dict.fromkeys(t for schema in schemas for t in _listed(schema["type"]))
        if "number" in types:
            types.pop("integer", None)
        return {"type": list(types) if len(types) > 1 else next(iter(types))}
    return {"anyOf": list(schemas)}


def confused(schemas: Sequence[Schema], resolve: Resolve) -> tuple[int, int] | None:
    """Two members of a union that JSON can't tell apart, by their places."""
    for first, second in itertools.combinations(range(len(schemas)), 2):
        if not _differ(schemas[first], schemas[second], resolve):
            return first, second
    return None


def _differ(one: Schema, other: Schema, resolve: Resolve) -> bool:
    one, other = resolve(one), resolve(other)
    if all(set(schema) == {"type"} for schema in (one, other)) and not (
        {one["type"], other["type"]} - {"integer", "number"}
    ):
        return True  # both are numbers: nothing depends on which
    shared = _types(one, resolve) & _types(other, resolve)
    if not shared:
        return True
    values, others = _values(one), _values(other)
    if values is not None and others is not None:
        return not values & others
    return shared == {"object"} and _objects_differ(one, other)


def _objects_differ(one: Schema, other: Schema) -> bool:
    """By a member that only one of them always has, or by a constant."""
    if "properties" not in one or "properties" not in other:
        return False  # a dict has any key
    properties, other_properties = one["properties"], other["properties"]
    required, others = set(one.get("required", ())), set(other.get("required", ()))
    if required - set(other_properties) or others - set(properties):
        return True
    for name in sorted(required & others):
        values, other_values = _values(properties[name]), _values(other_properties[name])
        if values is not None and other_values is not None and not values & other_values:
            return True
    return False


def _types(schema: Schema, resolve: Resolve) -> frozenset[str]:
    schema = resolve(schema)
    if "type" in schema:
        types = frozenset(_listed(schema["type"]))
        return types | {"integer"} if "number" in types else types
    if "anyOf" in schema:
        return frozenset().union(*(_types(member, resolve) for member in schema["anyOf"]))
    return ANYTHING


def _values(schema: Schema) -> frozenset[bytes] | None:
    """The values of an enumeration, as JSON: Python holds 1 == True."""
    if "const" in schema:
        return frozenset({orjson.dumps(schema["const"])})
    if "enum" in schema:
        return frozenset(orjson.dumps(value) for value in schema["enum"])
    if "oneOf" in schema and all("const" in option for option in schema["oneOf"]):
        return frozenset(orjson.dumps(option["const"]) for option in schema["oneOf"])
    return None
