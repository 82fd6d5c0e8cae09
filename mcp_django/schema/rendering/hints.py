"""Type hints of a serializer's methods, as drf-spectacular resolves them, made exact."""

from __future__ import annotations

from typing import Any, get_args, get_origin

from drf_spectacular.plumbing import UnableToProceedError, resolve_type_hint

from mcp_django.schema.keywords import NULL, Schema


def hint_schema(hint: Any) -> Schema:
    """The schema of a hint; raises ``UnableToProceedError`` where none can be told."""
    refuse_tuples(hint)
    return exact(resolve_type_hint(hint))  # type: ignore[no-untyped-call]


def refuse_tuples(hint: Any) -> None:
    """Raise for ``tuple[int, str]``: drf-spectacular takes all places for the first."""
    if get_origin(hint) is tuple and len({*get_args(hint)} - {...}) > 1:
        raise UnableToProceedError(hint)
    for inner in get_args(hint):
        refuse_tuples(inner)


def exact(schema: Schema) -> Schema:
    """Unions as ``anyOf`` (5 is an int and a float), null for the last pass to write."""
    result: Schema = {}
    for key, value in schema.items():
        if key == "properties":
            result[key] = {name: exact(member) for name, member in value.items()}
        elif key == "oneOf":
            result["anyOf"] = [exact(member) for member in value]
        elif key in ("items", "additionalProperties") and isinstance(value, dict):
            result[key] = exact(value)
        else:
            result[NULL if key == "nullable" else key] = value
    return result
