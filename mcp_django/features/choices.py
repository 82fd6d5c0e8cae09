"""Choices that are known at start-up: of an argument's schema, of a list, of an Enum."""

from __future__ import annotations

import enum
from collections.abc import Iterator, Mapping
from typing import Any

from mcp_django.features.completers import text_of
from mcp_django.schema.errors import DeclarationError
from mcp_django.schema.trees import has_scalar_values


def choices_in(schema: Mapping[str, Any]) -> tuple[str, ...]:
    """The values that a schema names, as clients send them; none where it names none.

    Of an array those of its items. Where a schema lets in others as well, those it names.
    """
    found = (text_of(value) for value in _constants(schema))
    return tuple(dict.fromkeys(text for text in found if text))


def _constants(schema: Mapping[str, Any]) -> Iterator[Any]:
    if "const" in schema:
        yield schema["const"]
    elif "enum" in schema:
        yield from schema["enum"]
    elif "boolean" in types_of(schema):
        yield from (True, False)
    for inner in (*schema.get("oneOf", ()), *schema.get("anyOf", ()), schema.get("items")):
        if isinstance(inner, Mapping):
            yield from _constants(inner)


def types_of(schema: Mapping[str, Any]) -> list[str]:
    """The JSON types that a schema names, null apart."""
    kinds = schema.get("type", [])
    several = [kinds] if isinstance(kinds, str) else kinds
    return [kind for kind in several if kind != "null"]


def choices_of_enum(cls: type[enum.Enum]) -> tuple[str, ...]:
    """Its values; its names where the values are no scalars, as its field has it."""
    by_value = has_scalar_values(cls)
    return tuple(text_of(member.value) if by_value else member.name for member in cls)


def choices_of_list(name: str, values: list[Any] | tuple[Any, ...]) -> tuple[str, ...]:
    """Values that an author lists."""
    try:
        texts = [text_of(value) for value in values]
    except TypeError as error:
        raise DeclarationError(
            f"The choices of {name!r} hold what cannot be completed: {error}.",
            "List plain values.",
        ) from error
    if not any(texts):
        raise DeclarationError(f"The choices of {name!r} are empty.", "List some, or leave it out.")
    return tuple(dict.fromkeys(text for text in texts if text))
