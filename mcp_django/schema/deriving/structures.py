"""Dataclasses, TypedDicts and NamedTuples as serializers whose values are made of them."""

from __future__ import annotations

import dataclasses
import inspect
from dataclasses import InitVar, dataclass
from typing import Any, ClassVar, get_origin

from django.core.exceptions import ValidationError as DjangoValidationError
from rest_framework import serializers
from rest_framework.fields import empty

from mcp_django.schema import docstrings
from mcp_django.schema.annotations import hints_of, is_typed_dict, members_of
from mcp_django.schema.errors import DeclarationError
from mcp_django.schema.trees import AnyField

EMPTY: Any = inspect.Parameter.empty


@dataclass(frozen=True, slots=True)
class Argument:
    """One argument of a feature, or one member of a dataclass, TypedDict or NamedTuple.

    ``annotation`` is resolved, with its ``Annotated`` extras. ``default`` is
    ``inspect.Parameter.empty`` if there is none. ``is_factory``: the default is called for
    each value. ``required`` False without a default: it may be absent altogether.
    """

    name: str
    annotation: Any
    default: Any = EMPTY
    help_text: str = ""
    is_factory: bool = False
    required: bool = True


# These two have no docstrings, because drf-spectacular would show them to callers.


class DerivedSerializer(serializers.Serializer[Any]):
    pass  # derived from hints: its defaults and unions have been checked already


class StructSerializer(DerivedSerializer):
    # Validates an object, and makes a dataclass, TypedDict or NamedTuple of it.
    struct: ClassVar[Any]

    def run_validation(self, data: Any = empty) -> Any:
        value = super().run_validation(data)
        return self.make(value) if isinstance(value, dict) else value

    def to_representation(self, instance: Any) -> dict[str, Any]:
        shown = super().to_representation(instance)
        if isinstance(instance, dict):  # a key of a TypedDict that is absent stays so
            return {name: value for name, value in shown.items() if name in instance}
        return shown

    @classmethod
    def make(cls, values: dict[str, Any]) -> Any:
        """A ``struct`` of validated values; what its ``__post_init__`` refuses is invalid."""
        try:
            return cls.struct(**values)
        except (ValueError, DjangoValidationError, serializers.ValidationError) as error:
            if isinstance(error, ValueError):
                error = serializers.ValidationError(str(error))
            raise serializers.ValidationError(serializers.as_serializer_error(error)) from error


def is_structure(cls: Any) -> bool:
    """A class that ``StructSerializer`` can make."""
    return isinstance(cls, type) and (
        dataclasses.is_dataclass(cls)
        or is_typed_dict(cls)
        or (issubclass(cls, tuple) and hasattr(cls, "_fields"))
    )


def structure_serializer(annotation: Any) -> type[StructSerializer]:
    """A serializer class for such a class, still without its fields."""
    cls = get_origin(annotation) or annotation
    struct = dict if is_typed_dict(cls) else cls
    return type(cls.__name__, (StructSerializer,), {"struct": struct, "__doc__": _text(cls)})


def fill(serializer: type[serializers.Serializer[Any]], fields: dict[str, AnyField]) -> None:
    """Declare fields on a class that exists already, and may be inside of them."""
    for name in fields:
        if "." in name or name == "*":
            raise DeclarationError(
                f"{serializer.__name__} has a member named {name!r}, which no field can have.",
                "Rename it without dots and asterisks.",
            )
    declared: dict[str, AnyField] = serializer._declared_fields
    declared.update(fields)


def members(annotation: Any) -> list[Argument]:
    """What has to be given to make one; raises ``DeclarationError``."""
    cls = get_origin(annotation) or annotation
    texts = docstrings.parse(None if _is_automatic(cls) else cls.__doc__).arguments
    if is_typed_dict(cls):
        hints, required = members_of(annotation)
        return [
            Argument(name, hint, help_text=texts.get(name, ""), required=name in required)
            for name, hint in hints.items()
        ]
    hints = hints_of(annotation)
    if dataclasses.is_dataclass(cls):
        _refuse_unmakeable(cls, hints)
        return [
            Argument(field.name, hints[field.name], *_default(field, texts))
            for field in dataclasses.fields(cls)
            if field.init
        ]
    defaults = cls._field_defaults
    return [
        Argument(name, hints.get(name, Any), defaults.get(name, EMPTY), texts.get(name, ""))
        for name in cls._fields
    ]


def _default(field: dataclasses.Field[Any], texts: dict[str, str]) -> tuple[Any, str, bool]:
    text = texts.get(field.name, "")
    if field.default_factory is not dataclasses.MISSING:
        return field.default_factory, text, True
    return (EMPTY if field.default is dataclasses.MISSING else field.default), text, False


def _refuse_unmakeable(cls: Any, hints: dict[str, Any]) -> None:
    for name, hint in hints.items():
        if isinstance(hint, InitVar):
            raise DeclarationError(
                f"{cls.__name__}.{name} is an InitVar, which no field of the dataclass keeps.",
                "Make it a field, or take the values as arguments and build it in the tool.",
            )
    if not cls.__dataclass_params__.init:
        raise DeclarationError(
            f"{cls.__name__} is a dataclass without a generated __init__.",
            "Leave init=True, or take the values as arguments and build it in the tool.",
        )


def _is_automatic(cls: Any) -> bool:
    """Whether the docstring is the one that ``dataclass`` or ``NamedTuple`` writes."""
    return (cls.__doc__ or "").startswith(f"{cls.__name__}(")


def _text(cls: Any) -> str:
    own = cls.__dict__.get("__doc__")
    return "" if _is_automatic(cls) or not own else docstrings.parse(own).description
