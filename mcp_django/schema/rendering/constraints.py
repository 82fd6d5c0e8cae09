"""What validators of Django and DRF ask, in keywords of JSON Schema."""

from __future__ import annotations

import math
from decimal import Decimal
from typing import Any

from django.core import validators
from rest_framework import serializers

from mcp_django.schema.keywords import Schema, types_of

_COUNTED = {
    "string": ("minLength", "maxLength"),
    "array": ("minItems", "maxItems"),
    "object": ("minProperties", "maxProperties"),
}
MAX_INTEGER = 2**63  # beyond, many readers and writers of JSON take a float


def constrained(field: Any, schema: Schema) -> Schema:
    """The schema with what the field asks beside its type."""
    kinds = types_of(schema)
    kind = kinds[0] if len(kinds) == 1 else ""
    if kind in _COUNTED:
        return {**schema, **_counts(field, *_COUNTED[kind])}
    if kind in ("integer", "number"):
        schema = {**schema, **bounds(*limits(field))}
        steps = _limits(field, validators.StepValueValidator) if kind == "integer" else []
        return schema | ({"multipleOf": math.lcm(*steps)} if steps else {})
    return schema


def _counts(field: Any, least: str, most: str) -> Schema:
    lows = _limits(field, validators.MinLengthValidator)
    highs = _limits(field, validators.MaxLengthValidator)
    if isinstance(field, serializers.ListSerializer):  # has no validators for these
        least_items, most_items = (getattr(field, name) for name in ("min_length", "max_length"))
        lows += [least_items] if least_items else []
        highs += [most_items] if most_items is not None else []
    if not getattr(field, "allow_empty", True):
        lows.append(1)
    schema: Schema = {least: max(lows)} if lows else {}
    return {**schema, most: min(highs)} if highs else schema


def limits(field: Any) -> tuple[Decimal | None, Decimal | None]:
    """The tightest bounds that the field's validators set on a number."""
    lows = _limits(field, validators.MinValueValidator)
    highs = _limits(field, validators.MaxValueValidator)
    return max(_exact(lows), default=None), min(_exact(highs), default=None)


def _limits(field: Any, cls: type[validators.BaseValidator]) -> list[Any]:
    found = [v.limit_value for v in field.validators if isinstance(v, cls)]
    return [value() if callable(value) else value for value in found]


def _exact(values: list[Any]) -> list[Decimal]:
    # Bounds of durations and dates are no numbers.
    return [Decimal(str(value)) for value in values if isinstance(value, int | float | Decimal)]


def bounds(low: Decimal | None, high: Decimal | None) -> Schema:
    """``minimum`` and ``maximum``, as far as they are set."""
    schema: Schema = {}
    if low is not None:
        schema["minimum"] = json_number(low, math.inf)
    if high is not None:
        schema["maximum"] = json_number(high, -math.inf)
    return schema


def json_number(value: Any, inward: float | None = None) -> int | float:
    """A number as JSON has it; what a binary fraction can't hold moves ``inward``."""
    exact = Decimal(str(value))
    if exact == exact.to_integral_value() and abs(exact) < MAX_INTEGER:
        return int(exact)
    number = float(exact)
    held = Decimal(repr(number))
    if inward is not None and (held < exact if inward > 0 else held > exact):
        return math.nextafter(number, inward)
    return number
