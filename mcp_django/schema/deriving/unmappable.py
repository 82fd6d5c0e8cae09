"""The refusals of hints that no field stands for, each with what to write instead."""

from __future__ import annotations

import enum
from collections.abc import Callable, Set
from types import NoneType
from typing import Any, ForwardRef, Literal, TypeVar, get_origin

from django.db.models import QuerySet

from mcp_django.schema.annotations import spelled
from mcp_django.schema.errors import DeclarationError


def unmappable(hint: Any) -> DeclarationError:
    """The refusal of a hint that can't be an argument."""
    problem, fix = _reason(hint)
    return DeclarationError(problem, fix)


def _reason(hint: Any) -> tuple[str, str]:
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
    if isinstance(origin, type):
        return _class_reason(origin, name)
    return f"{name} has no field.", _FIELD_FIX


_FIELD_FIX = (
    "Take JSON types, a dataclass, a TypedDict or a serializer, or say the field: "
    "Annotated[..., serializers.CharField()]; what is no argument is injected: "
    "Annotated[..., Inject(function)], or provide()."
)


def _class_reason(cls: type, name: str) -> tuple[str, str]:
    for classes, problem, fix in _CLASSES:
        if issubclass(cls, classes):
            return problem.format(name=name), fix.format(name=cls.__name__)
    if getattr(cls, "_is_protocol", False):
        return f"{name} is a Protocol, which no JSON value is.", _FIELD_FIX
    for scalar in (bool, int, float, str):
        if issubclass(cls, scalar):
            return (
                f"{name} is a subclass of {scalar.__name__}, which JSON can't tell from it.",
                f'Take {scalar.__name__}, or NewType("{cls.__name__}", {scalar.__name__}).',
            )
    return f"{name} has no field.", _FIELD_FIX


_CLASSES: tuple[tuple[Any, str, str], ...] = (
    (
        (bytes, bytearray, memoryview),
        "Bytes can't cross JSON.",
        "Take a str (text, base64 or a URL) and decode it in the tool.",
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
