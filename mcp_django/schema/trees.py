"""What stands inside a DRF field, and which types of JSON it reads."""

from __future__ import annotations

import enum
import math
from collections.abc import Iterator
from typing import Any, TypeAlias

from rest_framework import serializers

AnyField: TypeAlias = "serializers.Field[Any, Any, Any, Any]"

ANYTHING = frozenset({"null", "boolean", "integer", "number", "string", "array", "object"})

# The first class that fits decides; a field of ours says it itself (``json_kinds``).
_KINDS: tuple[tuple[type[AnyField], frozenset[str]], ...] = (
    (serializers.BooleanField, frozenset({"boolean"})),
    (serializers.IntegerField, frozenset({"integer"})),
    (serializers.FloatField, frozenset({"number"})),
    (serializers.DecimalField, frozenset({"number", "string"})),
    (serializers.DurationField, frozenset({"number", "string"})),
    (serializers.MultipleChoiceField, frozenset({"array"})),
    (serializers.ListField, frozenset({"array"})),
    (serializers.ListSerializer, frozenset({"array"})),
    (serializers.ManyRelatedField, frozenset({"array"})),
    (serializers.DictField, frozenset({"object"})),
    (serializers.BaseSerializer, frozenset({"object"})),
    (serializers.CharField, frozenset({"string"})),
    (serializers.UUIDField, frozenset({"string"})),
    (serializers.DateTimeField, frozenset({"string"})),
    (serializers.DateField, frozenset({"string"})),
    (serializers.TimeField, frozenset({"string"})),
)


def kind_of(value: Any) -> str:
    """The JSON type of a decoded JSON value; 1.0 is a ``number``, as it was written."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, int):
        return "integer"
    if isinstance(value, float):
        return "number"
    if isinstance(value, str):
        return "string"
    return "array" if isinstance(value, (list, tuple)) else "object"


def plain(choice: Any) -> Any:
    """The value that stands for a choice in JSON."""
    return choice.value if isinstance(choice, enum.Enum) else choice


def named(value: Any) -> str:
    """What an author gave in place of something else, in a few words.

    Not its ``repr()``: that of a serializer has a line for each field, and may query.
    """
    if isinstance(value, serializers.ListSerializer):
        return f"{named(value.child)}(many=True)"
    if value is None or isinstance(value, str | int | float):
        return repr(value)
    cls = value if isinstance(value, type) else type(value)
    return cls.__qualname__.rpartition("<locals>.")[2]


def has_scalar_values(kind: type[enum.Enum]) -> bool:
    """Members of this Enum are their values in JSON; others are their names."""
    return all(_is_scalar(member.value) for member in kind.__members__.values())


def _is_scalar(value: Any) -> bool:
    # None is no value to choose by: null says that nothing is chosen.
    return isinstance(value, str | int) or (isinstance(value, float) and math.isfinite(value))


def kinds_of(field: AnyField) -> frozenset[str]:
    """The JSON types that a field is meant for; null and leniency aside."""
    own: frozenset[str] | None = getattr(field, "json_kinds", None)
    if own is not None:
        return own
    if isinstance(field, serializers.ChoiceField) and not isinstance(
        field, serializers.MultipleChoiceField
    ):
        return frozenset(kind_of(plain(choice)) for choice in field.choices)
    return next((kinds for cls, kinds in _KINDS if isinstance(field, cls)), ANYTHING)


def children(field: AnyField) -> list[AnyField]:
    """The fields directly inside a field."""
    if isinstance(field, serializers.Serializer):
        return list(field.fields.values())
    inner = [getattr(field, name, None) for name in ("child", "child_relation", "pk_field", "key")]
    several = [*getattr(field, "children", ()), *getattr(field, "branches", ())]
    return [child for child in (*inner, *several) if isinstance(child, serializers.Field)]


def walk(field: AnyField) -> Iterator[AnyField]:
    """A field and all fields inside it; a class that holds itself is entered once."""
    return _walk(field, (), set())


def _walk(field: AnyField, inside: tuple[type, ...], recursive: set[type]) -> Iterator[AnyField]:
    yield field
    cls = type(field)
    if isinstance(field, serializers.Serializer):
        if cls in inside:
            recursive.add(cls)
        # A derived class has the same fields everywhere. Without this, ten of them that hold
        # each other would be entered in every order that there is.
        if cls in inside or (cls in recursive and hasattr(cls, "struct")):
            return
        inside = (*inside, cls)
    for child in children(field):
        yield from _walk(child, inside, recursive)


def holds_itself(field: AnyField) -> bool:
    """Whether a serializer class stands inside of itself, so that only values have an end."""
    recursive: set[type] = set()
    list(_walk(field, (), recursive))
    return bool(recursive)


def writable(serializer: serializers.BaseSerializer[Any]) -> dict[str, AnyField]:
    """The fields that a caller may send, by name."""
    fields: dict[str, AnyField] = getattr(serializer, "fields", {})
    return {
        name: field
        for name, field in fields.items()
        if not field.read_only and not isinstance(field, serializers.HiddenField)
    }
