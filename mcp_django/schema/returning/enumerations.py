"""The schemas of Enum and Literal."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum, Flag
from typing import Any, get_args

from mcp_django.schema.annotations import spelled
from mcp_django.schema.conversion import to_native
from mcp_django.schema.errors import DeclarationError, InvalidResult
from mcp_django.schema.rendering.descriptions import as_text
from mcp_django.schema.trees import kind_of


def enum_schema(cls: type[Enum]) -> dict[str, Any]:
    """The members as JSON, with titles where Django's Choices give them labels."""
    if issubclass(cls, Flag):
        return {"type": "integer"}  # members may be combined
    if not cls.__members__:
        raise DeclarationError(f"{spelled(cls)} has no members.", "Give the Enum some.")
    values = [to_native(member) for member in cls]
    options = [
        {"const": value, "title": as_text(getattr(member, "label", value))}
        for member, value in zip(cls, values, strict=True)
    ]
    if all(str(option["title"]) == str(option["const"]) for option in options):
        return _one_of(values)
    return {"type": _types(values), "oneOf": options}


def literal_schema(annotation: Any) -> dict[str, Any]:
    """The values of a Literal."""
    try:
        return _one_of([to_native(value) for value in get_args(annotation)])
    except InvalidResult as error:
        raise DeclarationError(
            f"{spelled(annotation)} holds a value that JSON lacks: {error.problem}.",
            "Use strings, numbers, booleans and None.",
        ) from error


def _one_of(values: Sequence[Any]) -> dict[str, Any]:
    if any(isinstance(value, int) and not -(2**63) <= value < 2**64 for value in values):
        raise DeclarationError(
            "One of its values is an integer beyond 64 bits, which few readers of JSON hold.",
            "Use smaller numbers, or strings.",
        )
    if len(values) == 1:
        return {"type": _types(values), "const": values[0]}
    return {"type": _types(values), "enum": list(values)}


def _types(values: Sequence[Any]) -> str | list[str]:
    kinds = list(dict.fromkeys(kind_of(value) for value in values))
    return kinds[0] if len(kinds) == 1 else kinds
