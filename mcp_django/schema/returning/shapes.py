"""The schema of some values beside their way into JSON, and this for Python's scalars."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from numbers import Number
from types import NoneType
from typing import Any
from uuid import UUID

from mcp_django.schema.conversion import Convert, to_native
from mcp_django.schema.returning import converters

Schema = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Shape:
    """The schema of some values, and how they become JSON.

    ``blocks``: converting runs code of the author's (a generator). ``cls``: in a union,
    values of this class are this shape's to convert.
    """

    schema: Schema
    convert: Convert = to_native
    blocks: bool = False
    cls: type | None = None


_TIME = r"^([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9](\.[0-9]{1,6})?)?([+-][0-9]{2}:[0-9]{2})?$"
SCALARS: dict[Any, Shape] = {
    NoneType: Shape({"type": "null"}),
    str: Shape({"type": "string"}),
    bool: Shape({"type": "boolean"}),
    int: Shape({"type": "integer"}),
    float: Shape({"type": "number"}, converters.as_float, cls=Number),
    Decimal: Shape(
        {"type": "string", "pattern": r"^-?[0-9]+(\.[0-9]+)?$"}, converters.as_decimal, cls=Decimal
    ),
    datetime: Shape({"type": "string", "format": "date-time"}),
    date: Shape({"type": "string", "format": "date"}),
    # Not the formats "time" and "duration": RFC 3339 asks for an offset in the one, and
    # knows neither fractions nor signs in the other.
    time: Shape({"type": "string", "pattern": _TIME, "examples": ["14:30:00"]}),
    timedelta: Shape(
        {
            "type": "string",
            "pattern": r"^-?P([0-9]+D)?(T[0-9HMS.]+)?$",
            "examples": ["P1DT02H30M00S"],
        }
    ),
    UUID: Shape({"type": "string", "format": "uuid"}),
}
_ANYTHING = (Any, object)
