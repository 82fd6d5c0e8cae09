"""From the parameters of a function to a serializer: the way in for authors' type hints."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rest_framework import serializers

from mcp_django.schema.annotations import spelled
from mcp_django.schema.arguments import Arguments, ParamHeader, is_arguments_annotation
from mcp_django.schema.deriving.derivation import Derivation
from mcp_django.schema.deriving.settling import settle
from mcp_django.schema.deriving.structures import EMPTY, Argument, DerivedSerializer, fill
from mcp_django.schema.errors import DeclarationError
from mcp_django.schema.model_fields import Lookup
from mcp_django.schema.trees import AnyField

__all__ = [
    "Argument",
    "Arguments",
    "Lookup",
    "ParamHeader",
    "field_from_annotation",
    "is_arguments_annotation",
    "serializer_from_arguments",
]


def field_from_annotation(
    annotation: Any, *, default: Any = EMPTY, help_text: str = ""
) -> AnyField:
    """The field for a resolved type hint; raises ``DeclarationError``."""
    field = _ending(annotation, Derivation(), Argument("", annotation, default, help_text))
    settle(field)
    return field


def serializer_from_arguments(
    name: str, arguments: Sequence[Argument]
) -> type[serializers.Serializer[Any]]:
    """A serializer class with a field for each argument; raises ``DeclarationError``."""
    derivation = Derivation()
    made: type[serializers.Serializer[Any]] = type(name, (DerivedSerializer,), {"__doc__": ""})
    fields = {}
    for argument in arguments:
        try:
            fields[argument.name] = _ending(argument.annotation, derivation, argument)
        except DeclarationError as error:
            raise error.under(f"Its argument {argument.name!r}") from error
    fill(made, fields)
    settle(made())
    return made


def _ending(annotation: Any, derivation: Derivation, argument: Argument) -> AnyField:
    try:
        return derivation.field(argument)
    except RecursionError as error:
        raise DeclarationError(
            f"{spelled(annotation)} holds itself without end.",
            "Make the part that holds itself a dataclass or a TypedDict.",
        ) from error
