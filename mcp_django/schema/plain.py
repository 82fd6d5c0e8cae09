"""Schemas so plain that Python alone can judge them: objects of values with one type each.

They are what most tools have, and the library's validator takes some three megabytes of a
process at its first use.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

_SCALARS: Mapping[str, type] = {"string": str, "integer": int, "boolean": bool}
_TEXTS = ("title", "description")
_OF_OBJECTS = {"type", "properties", "required", "additionalProperties"}
_OF_VALUES = {"type", "default"}
_LENGTHS = ("minLength", "maxLength")
_BOUNDS = ("minimum", "maximum")
_NOT_BLANK = r"\S"


def is_plain(schema: Any) -> bool:
    """Whether this surely is a valid schema of an object; False where it may be one too."""
    properties, required = schema.get("properties", {}), schema.get("required", [])
    return (
        schema.get("type") == "object"
        and schema.keys() <= {*_OF_OBJECTS, *_TEXTS}
        and isinstance(schema.get("additionalProperties", False), bool)
        and type(properties) is dict
        and all(_is_plain_value(one) for one in properties.values())
        and type(required) is list
        and len({one for one in required if type(one) is str}) == len(required)
        and _has_plain_texts(schema)
    )


def _is_plain_value(schema: Any) -> bool:
    return (
        type(schema) is dict
        and schema.get("type") in (*_SCALARS, "number")
        and schema.keys() <= {*_OF_VALUES, *_TEXTS, *_LENGTHS, *_BOUNDS, "pattern"}
        and all(type(schema.get(name, 0)) is int and schema.get(name, 0) >= 0 for name in _LENGTHS)
        and all(type(schema.get(name, 0)) in (int, float) for name in _BOUNDS)
        and schema.get("pattern", _NOT_BLANK) == _NOT_BLANK
        and _has_plain_texts(schema)
    )


def _has_plain_texts(schema: Mapping[str, Any]) -> bool:
    return all(type(schema.get(name, "")) is str for name in _TEXTS)


def sure_of(schema: dict[str, Any]) -> Callable[[Any], bool] | None:
    """What says that a value surely satisfies the schema; None where it could say so of none.

    A value of which it says False may satisfy it too.
    """
    if not is_plain(schema):
        return None
    properties = schema.get("properties", {})
    kinds = {name: _SCALARS.get(one["type"]) for name, one in properties.items()}
    is_bounded = any(one.keys() - {*_OF_VALUES, *_TEXTS} for one in properties.values())
    if is_bounded or None in kinds.values() or kinds.keys() != set(schema.get("required", ())):
        return None

    def surely(value: Any) -> bool:
        return type(value) is dict and kinds == {name: type(one) for name, one in value.items()}

    return surely
