"""Fields for the hints of a signature that DRF has no field for, or too lenient a one.

Each says its own JSON Schema, by ``json_schema(render)``, where ``render`` gives the schema
of a field inside it, and the JSON types that it reads, by ``json_kinds``.
"""

from __future__ import annotations

import datetime
import math
import re
from collections.abc import Callable, Sequence
from typing import Any, TypeAlias
from uuid import UUID

from django.utils.duration import duration_iso_string
from rest_framework import serializers

from mcp_django.schema.trees import AnyField, kind_of

Schema: TypeAlias = dict[str, Any]
Render: TypeAlias = Callable[[AnyField], Schema]


class NumberField(serializers.FloatField):
    """A float that JSON can hold; true and false are no numbers."""

    def to_internal_value(self, data: Any) -> float:
        try:
            number = math.nan if isinstance(data, bool) else float(data)
        except (OverflowError, TypeError, ValueError):
            number = math.nan
        if not math.isfinite(number):
            self.fail("invalid")
        return number

    def json_schema(self, render: Render) -> Schema:
        return render(serializers.FloatField())


class TextUUIDField(serializers.UUIDField):
    """A UUID as text alone: DRF takes numbers for one too, and true for a number."""

    def to_internal_value(self, data: Any) -> UUID:
        if not isinstance(data, str):
            self.fail("invalid", value=data)
        return super().to_internal_value(data)

    def json_schema(self, render: Render) -> Schema:
        return render(serializers.UUIDField())


class StrictTimeField(serializers.TimeField):
    """A time of day. One with an offset is refused: DRF would drop the offset unsaid."""

    default_error_messages = {
        "invalid": "This is not a time of day such as 14:30 or 14:30:00.",
        "offset": "A time of day has no offset.",
    }
    json_kinds = frozenset({"string"})
    PATTERN = r"^([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d{1,6})?)?$"

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(format="iso-8601", input_formats=["iso-8601"], **kwargs)

    def to_internal_value(self, value: Any) -> datetime.time:
        parsed = super().to_internal_value(value)
        if has_offset(value):
            self.fail("offset")
        return parsed

    def json_schema(self, render: Render) -> Schema:
        return {"type": "string", "pattern": self.PATTERN, "examples": ["14:30:00"]}


def has_offset(value: Any) -> bool:
    """Whether the ISO 8601 text of a time says an offset from UTC."""
    return isinstance(value, str) and not set("zZ+-").isdisjoint(value)


class ISODurationField(serializers.DurationField):
    """A length of time, as ISO 8601 (``P1DT2H30M``) both ways, or a number of seconds.

    Years and months are refused, because their length varies; the digits of each part
    are few enough that no sum of them overflows.
    """

    default_error_messages = {
        "invalid": "This is not a duration such as PT2H30M or P3D.",
    }
    json_kinds = frozenset({"string", "integer", "number"})
    PATTERN = (
        r"^[-+]?P(\d{1,7}W|(?=\d|T\d)(\d{1,8}D)?"
        r"(T(?=\d)(\d{1,9}H)?(\d{1,9}M)?(\d{1,9}([.,]\d{1,6})?S)?)?)$"
    )
    MAX_SECONDS = 8_640_000_000_000  # a hundred million days

    def to_internal_value(self, value: Any) -> datetime.timedelta:
        if kind_of(value) in ("integer", "number"):
            if not -self.MAX_SECONDS <= value <= self.MAX_SECONDS:  # also false for NaN
                self.fail("invalid")
            return datetime.timedelta(seconds=value)
        if isinstance(value, bool):
            self.fail("invalid")
        weeks = re.fullmatch(r"([-+]?)P(\d{1,7})W", value) if isinstance(value, str) else None
        if weeks is not None:
            return datetime.timedelta(weeks=int(weeks[1] + weeks[2]))
        return super().to_internal_value(value)

    def to_representation(self, value: datetime.timedelta) -> str:
        return duration_iso_string(value)

    def json_schema(self, render: Render) -> Schema:
        text = {"type": "string", "pattern": self.PATTERN, "examples": ["PT2H30M"]}
        seconds = {"type": "number", "minimum": -self.MAX_SECONDS, "maximum": self.MAX_SECONDS}
        return {"anyOf": [text, seconds]}


class ItemsField(serializers.ListField):
    """A list whose items are read together where their field can (``run_many``)."""

    def run_child_validation(self, data: Any) -> list[Any]:
        together = getattr(self.child, "run_many", None)
        return together(data) if together else super().run_child_validation(data)

    def json_schema(self, render: Render) -> Schema:
        return {"type": "array", "items": render(self.child)}


class TupleListField(ItemsField):
    """``tuple[X, ...]``: a list of any length that arrives as a tuple."""

    def to_internal_value(self, data: Any) -> Any:
        return tuple(super().to_internal_value(data))


class SetField(ItemsField):
    """A set: order and repetition in the list don't count."""

    def __init__(self, *, frozen: bool = False, **kwargs: Any) -> None:
        self.frozen = frozen
        super().__init__(**kwargs)

    def to_internal_value(self, data: Any) -> Any:
        items = super().to_internal_value(data)
        return frozenset(items) if self.frozen else set(items)

    def to_representation(self, data: Any) -> list[Any]:
        items = super().to_representation(data)
        try:
            return sorted(items)
        except TypeError:
            return items

    def json_schema(self, render: Render) -> Schema:
        return {**super().json_schema(render), "uniqueItems": True}


class TupleField(serializers.Field[Any, Any, Any, Any]):
    """``tuple[A, B]``: a list of fixed length with a field for each place."""

    default_error_messages = {
        "not_a_list": "Expected a list of {length} items.",
        "length": "Expected {length} items, not {given}.",
    }
    json_kinds = frozenset({"array"})

    def __init__(self, *, children: Sequence[AnyField], **kwargs: Any) -> None:
        self.children = list(children)
        super().__init__(**kwargs)
        for child in self.children:
            child.bind(field_name="", parent=self)  # type: ignore[arg-type]

    def to_internal_value(self, data: Any) -> tuple[Any, ...]:
        if not isinstance(data, (list, tuple)):
            self.fail("not_a_list", length=len(self.children))
        if len(data) != len(self.children):
            self.fail("length", length=len(self.children), given=len(data))
        values: list[Any] = []
        errors: dict[Any, Any] = {}
        for index, (child, item) in enumerate(zip(self.children, data, strict=True)):
            try:
                values.append(child.run_validation(item))
            except serializers.ValidationError as error:
                errors[index] = error.detail
        if errors:
            raise serializers.ValidationError(errors)
        return tuple(values)

    def to_representation(self, value: Any) -> list[Any]:
        return [
            None if item is None else child.to_representation(item)
            for child, item in zip(self.children, value, strict=True)
        ]

    def json_schema(self, render: Render) -> Schema:
        length = len(self.children)
        return {
            "type": "array",
            "prefixItems": [render(child) for child in self.children],
            "items": False,
            "minItems": length,
            "maxItems": length,
        }
