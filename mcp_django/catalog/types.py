"""Reading a JSON Schema: references, alternatives, and the type of a value in words."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from django.utils.translation import gettext as _

Schema = Mapping[str, Any]


def json_text(value: Any, *, indent: int | None = None) -> str:
    """JSON for people: unescaped, and lazy texts as text."""
    return json.dumps(value, ensure_ascii=False, indent=indent, default=str)


def argument_texts(arguments: Mapping[str, Any]) -> dict[str, str]:
    """Arguments as the protocol has those of prompts: texts alone.

    A string is itself, anything else its JSON: without the quotes where that is a string,
    as it is of a date. None is left out.
    """
    return {name: _argument(value) for name, value in arguments.items() if value is not None}


def _argument(value: Any) -> str:
    text = json_text(value)
    return str(json.loads(text)) if text.startswith('"') else text


def type_of(schema: Schema | bool, root: Schema | None = None) -> str:
    """The type of a schema in words: ``list of integer``, ``string or null``."""
    if isinstance(schema, bool):
        return _("any") if schema else _("nothing")
    root = schema if root is None else root
    name = reference_name(schema)
    schema = resolved(schema, root)
    if types := schema.get("type"):
        types = [types] if isinstance(types, str) else types
        return joined(_one_type(kind, schema, root) for kind in types)
    if "const" in schema:
        return _type_of_value(schema["const"])
    if "enum" in schema:
        return joined(_type_of_value(value) for value in schema["enum"])
    if alternatives := branches(schema):
        return joined(type_of(branch, root) for branch in alternatives)
    return name or _("any")


def _one_type(kind: str, schema: Schema, root: Schema) -> str:
    if kind == "array":
        items = schema.get("items")
        if schema.get("prefixItems"):
            parts = ", ".join(type_of(item, root) for item in schema["prefixItems"])
            return _("list of (%(types)s)") % {"types": parts}
        if isinstance(items, Mapping) and (inner := type_of(items, root)) != _("any"):
            return _("list of %(type)s") % {"type": inner}
        return _("list")
    return {"object": _("object"), "null": _("null")}.get(kind, kind)


def resolved(schema: Schema, root: Schema) -> Schema:
    """The schema that a local ``$ref`` points to, with what stands beside the reference."""
    seen: set[str] = set()
    while isinstance(reference := schema.get("$ref"), str) and reference not in seen:
        seen.add(reference)
        beside = {key: value for key, value in schema.items() if key != "$ref"}
        schema = {**_pointed(reference, root), **beside}
    return schema


def _pointed(reference: str, root: Schema) -> Schema:
    if not reference.startswith("#"):
        return {}
    found: Any = root
    for part in reference[1:].split("/")[1:]:
        key = part.replace("~1", "/").replace("~0", "~")
        found = found.get(key, {}) if isinstance(found, Mapping) else {}
    return found if isinstance(found, Mapping) else {}


def reference_name(schema: Schema) -> str:
    return str(schema.get("$ref", "")).rpartition("/")[2]


def branches(schema: Schema) -> list[Any]:
    """The alternatives of a union; a choice of constants is no union."""
    for key in ("anyOf", "oneOf"):
        if isinstance(found := schema.get(key), list):
            return found
    return []


def joined(types: Iterable[str]) -> str:
    """Each type once, in order: ``string or null``."""
    return _(" or ").join(dict.fromkeys(types))


def _type_of_value(value: Any) -> str:
    names = {bool: "boolean", int: "integer", float: "number", str: "string", list: _("list")}
    return _("null") if value is None else names.get(type(value), _("object"))
