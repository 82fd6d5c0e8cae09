"""Values made up from a JSON Schema: what the schema accepts, as far as it can be turned around."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import jsonschema_rs

from mcp_django.catalog.types import Schema, resolved

_DEEPEST = 6

# Texts that satisfy the formats and patterns that are common; the first that fits is shown.
_BY_FORMAT = {
    "date": "2026-07-28",
    "date-time": "2026-07-28T12:00:00Z",
    "time": "12:00:00Z",
    "duration": "P1DT2H",
    "uuid": "3f2b8c1e-5d4a-4e8b-9c7d-1a2b3c4d5e6f",
    "email": "ann@example.com",
    "hostname": "example.com",
    "ipv4": "192.0.2.1",
    "ipv6": "2001:db8::1",
    "uri": "https://example.com/",
    "uri-reference": "/page",
    "regex": "^a+$",
    "json-pointer": "/name",
}
_TEXTS = ("text", "Text", "TEXT", "a", "A", "1", "10", "1.5", "12:00", "12:00:00", "2026", "a-b")


def example_arguments(schema: Schema) -> dict[str, Any]:
    """Arguments that the schema accepts: the required ones, and defaults as they are."""
    value = _example(schema, schema, 0)
    return value if isinstance(value, dict) else {}


def _example(schema: Schema | bool, root: Schema, depth: int) -> Any:
    """A value that the schema accepts, as far as a schema can be turned around."""
    if isinstance(schema, bool):
        return "text"
    schema = resolved(schema, root)
    for key in ("const", "default"):
        if schema.get(key) is not None:
            return schema[key]
    for key in ("examples", "enum"):
        if isinstance(schema.get(key), Sequence) and schema[key]:
            return schema[key][0]
    if depth > _DEEPEST:
        return None
    for key in ("anyOf", "oneOf"):
        if isinstance(schema.get(key), list) and schema[key]:
            return _example(_likeliest_branch(schema, key), root, depth + 1)
    if schema.get("allOf") and schema.get("type") in (None, "object"):
        return _merged(schema, root, depth)
    return _of_type(schema, root, depth)


def _likeliest_branch(schema: Schema, key: str) -> Any:
    """The first branch that says something, with what stands beside all of them."""
    branches = schema[key]
    empty: tuple[Any, ...] = ({"type": "null"}, {"const": None}, {"const": ""})
    branch = next((branch for branch in branches if branch not in empty), branches[0])
    if not isinstance(branch, Mapping):
        return branch
    return {**{name: value for name, value in schema.items() if name != key}, **branch}


def _merged(schema: Schema, root: Schema, depth: int) -> Any:
    """``allOf``: one schema out of all that hold at once."""
    parts = [resolved(part, root) for part in schema["allOf"] if isinstance(part, Mapping)]
    parts.append({key: value for key, value in schema.items() if key != "allOf"})
    whole: dict[str, Any] = {}
    for part in parts:
        properties = {**whole.get("properties", {}), **part.get("properties", {})}
        required = [*whole.get("required", ()), *part.get("required", ())]
        whole |= {**part, "properties": properties, "required": required}
    return _example(whole, root, depth + 1)


def _of_type(schema: Schema, root: Schema, depth: int) -> Any:
    kinds = schema.get("type") or ("object" if schema.get("properties") else "string")
    kinds = [kinds] if isinstance(kinds, str) else kinds
    match next((kind for kind in kinds if kind != "null"), "null"):
        case "object":
            return _object(schema, root, depth)
        case "array":
            return _array(schema, root, depth)
        case "integer" | "number" as kind:
            return _number(schema, whole=kind == "integer")
        case "string":
            return _text(schema)
        case "boolean":
            return True
    return None


def _object(schema: Schema, root: Schema, depth: int) -> dict[str, Any]:
    required, members = schema.get("required", ()), schema.get("properties", {})
    shown = [
        name
        for name, member in members.items()
        if name in required or (isinstance(member, Mapping) and member.get("default") is not None)
    ]
    missing = max(0, schema.get("minProperties", 0) - len(shown))
    shown += [name for name in members if name not in shown][:missing]
    return {name: _example(members[name], root, depth + 1) for name in members if name in shown}


def _array(schema: Schema, root: Schema, depth: int) -> list[Any]:
    first = [_example(item, root, depth + 1) for item in schema.get("prefixItems", ())]
    items = schema.get("items", True)
    if items is False or first:
        return first
    least = max(schema.get("minItems", 0), min(1, schema.get("maxItems", 1)))
    item = _example(items, root, depth + 1)
    if not schema.get("uniqueItems"):
        return [item] * least
    others = items.get("enum", ()) if isinstance(items, Mapping) else ()
    if isinstance(item, bool):
        others = (True, False)
    return [*_distinct(item, others, least)]


def _distinct(item: Any, others: Sequence[Any], count: int) -> Iterator[Any]:
    for number in range(count):
        if number < len(others):
            yield others[number]
        elif isinstance(item, str):
            yield f"{item}{number or ''}"
        elif isinstance(item, int | float):
            yield item + number
        elif number == 0:
            yield item


def _number(schema: Schema, *, whole: bool) -> int | float:
    step = schema.get("multipleOf", 1 if whole else None)
    low, above = schema.get("minimum"), schema.get("exclusiveMinimum")
    high, below = schema.get("maximum"), schema.get("exclusiveMaximum")
    candidates: list[int | float] = [1, 0, step or 1]
    candidates += [bound for bound in (low, high) if bound is not None]
    candidates += [bound + (step or 0.5) for bound in (above,) if bound is not None]
    candidates += [bound - (step or 0.5) for bound in (below,) if bound is not None]
    if step and low is not None:
        candidates.append(-(-low // step) * step)
    return _first_accepted(schema, candidates)  # type: ignore[no-any-return]


def _text(schema: Schema) -> str:
    """A text that fits; where nothing that we know does, one that a person must mend."""
    fitting = _BY_FORMAT.get(schema.get("format", ""))
    texts = [fitting] if fitting else []
    least, most = schema.get("minLength", 0), schema.get("maxLength")
    texts += [*_TEXTS, "text".ljust(least, "x")[:most], *_BY_FORMAT.values()]
    if repeated := re.fullmatch(r"\^(\[.+\]|\\d)\{(\d+)(?:,\d*)?\}\$", schema.get("pattern", "")):
        allowed = next((c for c in "A1a-" if re.match(repeated[1], c)), "x")
        texts.append(allowed * int(repeated[2]))
    return _first_accepted(schema, texts)  # type: ignore[no-any-return]


def _first_accepted(schema: Schema, candidates: Sequence[Any]) -> Any:
    """The first candidate that the schema accepts, else the first."""
    try:
        accepts = jsonschema_rs.Draft202012Validator(dict(schema), validate_formats=True).is_valid
    except ValueError:  # a pattern that only the author knows
        return candidates[0]
    return next((value for value in candidates if accepts(value)), candidates[0])
