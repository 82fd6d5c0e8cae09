"""JSON Schema in words: ``an integer from 1 to 28``, ``a date such as 2026-07-28``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from mcp_django.schema.references import resolved
from mcp_django.schema.rendering.strings import NOT_BLANK, TRIMMED
from mcp_django.schema.trees import ANYTHING
from mcp_django.schema.validating.findings import Path, shortened, shown

_MOST = 20  # choices and names told
_DEPTH = 3  # lists and alternatives inside of each other that are told

_FORMATS = {
    "date": "a date such as 2026-07-28",
    "date-time": "a date and time such as 2026-07-28T14:30:00Z",
    "time": "a time with its offset such as 14:30:00Z",
    "duration": "a duration such as PT2H30M",
    "email": "an email address",
    "idn-email": "an email address",
    "ipv4": "an IPv4 address",
    "ipv6": "an IPv6 address",
    "uri": "a URL",
    "uuid": "a UUID",
}
_TYPES = {"boolean": "true or false", "null": "null"}


def describe(schema: Any, root: Mapping[str, Any], depth: int = 0) -> str:
    """What a schema takes, as it follows "Expected"; empty where it takes anything."""
    schema = resolved(schema, root)
    if not isinstance(schema, Mapping) or depth > _DEPTH:
        return ""
    if "const" in schema or "enum" in schema:
        return _choices(schema.get("enum", [schema.get("const")]))
    for key in ("anyOf", "oneOf"):
        if schema.get(key):
            outer = {name: value for name, value in schema.items() if name != key}
            branches = [resolved(branch, root) for branch in schema[key][:_MOST]]
            said = [{**outer, **branch} for branch in branches if isinstance(branch, Mapping)]
            return _alternatives(said, root, depth)
    kinds = schema.get("type", [])
    told = [
        _of_type(kind, schema, root, depth)
        for kind in ([kinds] if isinstance(kinds, str) else kinds)
    ]
    return " or ".join(told)


def schema_at(path: Path, root: Mapping[str, Any]) -> Any:
    """The subschema for a path, as far as ``properties`` and ``items`` lead; else None."""
    schema: Any = root
    for step in path:
        schema = _step(resolved(schema, root), step, root)
    return resolved(schema, root)


def kinds_taken(schema: Any, root: Mapping[str, Any], depth: int = 0) -> frozenset[str]:
    """The JSON types that a schema takes, as far as it says; all of them where it doesn't."""
    schema = resolved(schema, root)
    if not isinstance(schema, Mapping) or depth > _DEPTH:
        return ANYTHING
    kinds = schema.get("type")
    if kinds:
        return frozenset([kinds] if isinstance(kinds, str) else kinds)
    branches = schema.get("anyOf") or schema.get("oneOf") or [True]
    return frozenset().union(*(kinds_taken(branch, root, depth + 1) for branch in branches))


def _step(schema: Any, step: str | int, root: Mapping[str, Any], depth: int = 0) -> Any:
    if not isinstance(schema, Mapping) or depth > _DEPTH:
        return None
    if isinstance(step, int) and isinstance(schema.get("prefixItems"), list):
        places = schema["prefixItems"]
        return places[step] if step < len(places) else schema.get("items")
    if isinstance(step, int) and "items" in schema:
        return schema["items"]
    properties = schema.get("properties")
    if isinstance(properties, Mapping) and step in properties:
        return properties[step]
    if isinstance(schema.get("additionalProperties"), Mapping):
        return schema["additionalProperties"]
    # X | null, spelled out: the branch that has what is looked for; of several, the first.
    branches = (
        _step(resolved(branch, root), step, root, depth + 1) for branch in schema.get("anyOf", ())
    )
    found = [branch for branch in branches if branch is not None]
    if len(found) > 1 and all(isinstance(one, Mapping) and _TOLD & one.keys() for one in found):
        # What tells alternatives apart: all of its values are right somewhere.
        return {"enum": [each for one in found for each in one.get("enum", [one.get("const")])]}
    return found[0] if found else None


_TOLD = frozenset({"const", "enum"})


def _alternatives(branches: list[Any], root: Mapping[str, Any], depth: int) -> str:
    if all("const" in branch for branch in branches):
        return _choices([branch["const"] for branch in branches])
    kinds = [branch.get("type") for branch in branches]
    told = [
        describe(branch, root, depth + 1)
        for branch, kind in zip(branches, kinds, strict=True)
        # A number may come as text, to keep all of its digits: nobody needs the pattern.
        if not ("number" in kinds and kind == "string" and "examples" not in branch)
    ]
    return " or ".join(dict.fromkeys(filter(None, told)))


def _choices(values: list[Any]) -> str:
    told = ", ".join(shown(value) for value in values[:_MOST])
    more = f" and {len(values) - _MOST} more" if len(values) > _MOST else ""
    return f"{told}{more}" if len(values) == 1 else f"one of {told}{more}"


def _of_type(kind: str, schema: Mapping[str, Any], root: Mapping[str, Any], depth: int) -> str:
    if kind in ("integer", "number"):
        return f"{'an integer' if kind == 'integer' else 'a number'}{_range(schema)}"
    if kind == "string":
        return _string(schema)
    if kind == "array":
        item = describe(schema.get("items"), root, depth + 1)
        each = f", each {item}" if item else ""
        size = _size(schema.get("minItems"), schema.get("maxItems"), "item")
        return f"a list{size}{each}"
    if kind == "object":
        names = list(schema.get("properties", ()))
        told = ", ".join(names[:_MOST]) + (", …" if len(names) > _MOST else "")
        return f"an object with {told}" if names else "an object"
    return _TYPES.get(kind, kind)


def _range(schema: Mapping[str, Any]) -> str:
    low, high = schema.get("minimum"), schema.get("maximum")
    above, below = schema.get("exclusiveMinimum"), schema.get("exclusiveMaximum")
    # Bounds of the number type itself are no news.
    low, high = (None if _is_huge(bound) else bound for bound in (low, high))
    if low is not None and high is not None:
        text = f" from {low} to {high}"
    elif low is not None or high is not None:
        text = f" of at least {low}" if high is None else f" of at most {high}"
    else:
        text = ""
    others = (("above", above), ("below", below))
    for word, bound in others:
        if bound is not None:
            text += f" and {word} {bound}" if text else f" {word} {bound}"
    return f"{text}, a multiple of {schema['multipleOf']}" if "multipleOf" in schema else text


def _is_huge(bound: Any) -> bool:
    return isinstance(bound, (int, float)) and abs(bound) > 10**12


def _size(low: int | None, high: int | None, unit: str) -> str:
    if low and low == high:
        return f" of {_count(low, unit)}"
    if low and high is not None:
        return f" of {low} to {_count(high, unit)}"
    if high is not None:
        return f" of at most {_count(high, unit)}"
    return f" of at least {_count(low, unit)}" if low else ""


def _count(number: int, unit: str) -> str:
    return f"{number} {unit}" if number == 1 else f"{number} {unit}s"


def _string(schema: Mapping[str, Any]) -> str:
    text = _FORMATS.get(schema.get("format", ""), "")
    if not text and schema.get("examples"):
        text = f"a string such as {shown(schema['examples'][0])}"
    patterns = [rule.get("pattern") for rule in (schema, *schema.get("allOf", ()))]
    least = schema.get("minLength")
    size = _size(None if NOT_BLANK in patterns else least, schema.get("maxLength"), "character")
    if text:
        return f"{text}{size}"
    told = [
        _PATTERNS.get(text, f"that matches {shortened(text, 100)}") for text in patterns if text
    ]
    return " ".join([f"a string{size}", *told])


# Patterns that are plainer in words.
_PATTERNS = {NOT_BLANK: "that is not blank", TRIMMED: "without blanks around it"}
