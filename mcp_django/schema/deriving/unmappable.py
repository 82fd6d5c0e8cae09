"""The refusals of hints that no field stands for, each with what to write instead."""

from __future__ import annotations

import enum
from collections.abc import Callable, Set
from types import NoneType
from typing import Any, ForwardRef, Literal, TypeVar, get_origin

from django.db.models import QuerySet
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.serializers import BaseSerializer, Field

from mcp_django.schema.annotations import spelled
from mcp_django.schema.errors import DeclarationError, Unfilled


def unmappable(hint: Any) -> DeclarationError:
    """The refusal of a hint that can't be an argument."""
    reason = _reason(hint)
    if reason is not None:
        return DeclarationError(*reason)
    return Unfilled(
        f"{spelled(hint)} has no JSON form.",
        "Take JSON's own types, a dataclass, a TypedDict or a serializer, or put a field beside "
        f"it: Annotated[{spelled(hint)}, serializers.CharField()].",
    )


def _reason(hint: Any) -> tuple[str, str] | None:
    """Why a hint of a kind that is known here is none for an argument, and the fix."""
    name = spelled(hint)
    origin = get_origin(hint) or hint
    if hint in (Any, object):
        return (
            f"{name} says nothing about an argument, so its schema would accept anything.",
            "Write its type; for any JSON value, Annotated[Any, serializers.JSONField()].",
        )
    if isinstance(hint, (TypeVar, str, ForwardRef)):
        return (
            f"{name} stands for no type that is known at start-up.",
            "Write the type itself.",
        )
    if hint is NoneType:
        return "An argument that can only be null says nothing.", "Leave it out."
    if origin is Callable or origin is type:
        return (
            f"{name} can't cross JSON.",
            "Take a name, a Literal say, and look it up in the tool.",
        )
    if origin is Literal:
        return f"{name} holds something that JSON has no value for.", "Take strings or numbers."
    if isinstance(hint, Field):
        return _field_reason(type(hint))
    return _class_reason(origin, name) if isinstance(origin, type) else None


def _field_reason(cls: type) -> tuple[str, str]:
    """A field, or its class, that stands where its values' type belongs."""
    if issubclass(cls, BaseSerializer):
        return (
            f"An instance of {cls.__name__} stands in place of a type.",
            f"Write the class, {cls.__name__}; or Annotated[dict, {cls.__name__}(...)].",
        )
    kinds = (kind for field, kind in _VALUES if issubclass(cls, field))
    return (
        f"The field {cls.__name__} stands in place of a type.",
        f"Put it in Annotated: Annotated[{next(kinds, 'Any')}, {cls.__name__}()].",
    )


_VALUES: tuple[tuple[type, str], ...] = (
    (serializers.BooleanField, "bool"),
    (serializers.IntegerField, "int"),
    (serializers.FloatField, "float"),
    (serializers.DecimalField, "Decimal"),
    (serializers.CharField, "str"),
    (serializers.ChoiceField, "str"),
    (serializers.DateTimeField, "datetime"),
    (serializers.DateField, "date"),
    (serializers.ListField, "list"),
    (serializers.DictField, "dict"),
)


def _class_reason(cls: type, name: str) -> tuple[str, str] | None:
    if issubclass(cls, Field):
        return _field_reason(cls)
    for classes, problem, fix in _CLASSES:
        if issubclass(cls, classes):
            return problem.format(name=name), fix.format(name=cls.__name__)
    for scalar in (bool, int, float, str):
        if issubclass(cls, scalar):
            return (
                f"{name} is a subclass of {scalar.__name__}, which JSON can't tell from it.",
                f'Take {scalar.__name__}, or NewType("{cls.__name__}", {scalar.__name__}).',
            )
    return None


_CLASSES: tuple[tuple[Any, str, str], ...] = (
    (
        (bytes, bytearray, memoryview),
        "Bytes can't cross JSON.",
        "Take a str (text, base64 or a URL) and decode it in the tool.",
    ),
    (
        Request,
        "{name} is DRF's, and the server's requests are Django's.",
        "Write HttpRequest, or Context.",
    ),
    (complex, "JSON has no complex numbers.", "Take two floats."),
    (enum.Flag, "{name} is a Flag, whose values combine.", "Take a list of a plain Enum."),
    (enum.Enum, "{name} has no members.", "Give it some."),
    (QuerySet, "{name} can't cross JSON.", "Take list[Model]: the primary keys, looked up."),
    ((set, frozenset, Set), "{name} doesn't say what it holds.", "Write {name}[str], say."),
    (
        tuple,
        "{name} is no tuple that a schema can describe.",
        "Write tuple[int, ...] or tuple[int, str].",
    ),
)
