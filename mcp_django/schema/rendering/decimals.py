"""What DRF's ``DecimalField`` accepts: a number within bounds, or its digits as text.

A keyword for the bounds of a text does not exist, so they are spelled out in its pattern.
The places of a number are not: ``multipleOf`` is a division of binary fractions to most
validators, which then refuse 19.99 as a multiple of 0.01.
"""

from __future__ import annotations

import decimal
from decimal import Decimal

from rest_framework import serializers

from mcp_django.schema.keywords import Schema
from mcp_django.schema.rendering.constraints import bounds, json_number, limits

_REST = r"(?:\.[0-9]*)?"


def decimal_schema(field: serializers.DecimalField) -> Schema:
    """A number with bounds, or a text of the same value."""
    whole = _whole_digits(field)
    low, high = limits(field)
    number: Schema = {"type": "integer" if field.decimal_places == 0 else "number"}
    if whole is not None:
        edge = Decimal(10) ** whole
        low = low if low is None or low > -edge else None
        high = high if high is None or high < edge else None
        number |= {"exclusiveMinimum": json_number(-edge)} if low is None else {}
        number |= {"exclusiveMaximum": json_number(edge)} if high is None else {}
    if whole == 0:
        number["not"] = {"const": 0}  # DRF counts it as a digit before the point
    number |= bounds(low, high)
    text: Schema = {"type": "string", "pattern": _text_pattern(field, whole, low, high)}
    if whole is None:
        text["maxLength"] = field.MAX_STRING_LENGTH
    return {"anyOf": [number, text]}


def _whole_digits(field: serializers.DecimalField) -> int | None:
    """The most digits before the point."""
    places, digits = field.decimal_places, field.max_digits
    if digits is not None:
        return digits - (places or 0)
    # Rounding to the field's places fails beyond the precision of the context.
    return None if places is None else max(0, decimal.getcontext().prec - places)


def _text_pattern(
    field: serializers.DecimalField, whole: int | None, low: Decimal | None, high: Decimal | None
) -> str:
    sign = "-?"
    ahead = ""
    if low is not None and low >= 0:
        sign = ""
    if low is not None and low != 0:
        ahead += f"(?={_at_least(low)}$)"
    if high is not None:
        ahead += f"(?={_at_most(high)}$)"
    return f"^{ahead}{sign}{_digits(field, whole)}$"


def _digits(field: serializers.DecimalField, whole: int | None) -> str:
    """The digits before and after the point, without a sign."""
    places = field.decimal_places
    if places is None and field.max_digits is not None:
        most = field.max_digits
        if most == 1:
            return "[0-9]"
        return f"(?:[0-9]{{1,{most}}}|(?=[0-9.]{{3,{most + 1}}}$)[0-9]+\\.[0-9]+)"
    if whole is None:
        return r"[0-9]+(?:\.[0-9]+)?"
    if not places:
        return f"[0-9]{{1,{whole}}}"
    if whole == 0:
        return f"0?\\.[0-9]{{1,{places}}}"
    return f"[0-9]{{1,{whole}}}(?:\\.[0-9]{{1,{places}}})?"


def _at_least(bound: Decimal) -> str:
    if bound > 0:
        return _magnitude_at_least(bound)
    return f"(?:-{_magnitude_at_most(-bound)}|[0-9.]+)"


def _at_most(bound: Decimal) -> str:
    if bound < 0:
        return f"-{_magnitude_at_least(-bound)}"
    return f"(?:-[0-9.]+|{_magnitude_at_most(bound)})"


def _magnitude_at_most(bound: Decimal) -> str:
    whole, fraction = _parts(bound)
    ways = [f"[0-9]{{0,{len(whole) - 1}}}{_REST}"] if whole else []
    for place, digit in enumerate(whole):
        if digit != "0":
            ways.append(f"{whole[:place]}{_range('0', _next(digit, -1))}{_more(whole, place)}")
    ways.append(f"{whole}(?:\\.{_fraction_at_most(fraction)})?")
    return f"0*(?:{'|'.join(ways)})"


def _magnitude_at_least(bound: Decimal) -> str:
    whole, fraction = _parts(bound)
    ways = [f"[1-9][0-9]{{{len(whole)},}}{_REST}"]
    for place, digit in enumerate(whole):
        if digit != "9":
            ways.append(f"{whole[:place]}{_range(_next(digit, 1), '9')}{_more(whole, place)}")
    ways.append(whole + (f"\\.{_fraction_at_least(fraction)}" if fraction else _REST))
    return f"0*(?:{'|'.join(ways)})"


def _parts(bound: Decimal) -> tuple[str, str]:
    """The digits before and after the point, without zeros at the outer ends."""
    whole, _, fraction = f"{bound:f}".partition(".")
    return whole.lstrip("0"), fraction.rstrip("0")


def _fraction_at_most(digits: str) -> str:
    if not digits:
        return "0*"
    first, rest = digits[0], _fraction_at_most(digits[1:])
    less = f"{_range('0', _next(first, -1))}[0-9]*|" if first != "0" else ""
    return f"(?:{less}{first}{rest})?"


def _fraction_at_least(digits: str) -> str:
    if not digits:
        return "[0-9]*"
    first, rest = digits[0], _fraction_at_least(digits[1:])
    more = f"{_range(_next(first, 1), '9')}[0-9]*|" if first != "9" else ""
    return f"(?:{more}{first}{rest})"


def _more(whole: str, place: int) -> str:
    left = len(whole) - place - 1
    return ("[0-9]" if left else "") + (f"{{{left}}}" if left > 1 else "") + _REST


def _range(low: str, high: str) -> str:
    return low if low == high else f"[{low}-{high}]"


def _next(digit: str, step: int) -> str:
    return str(int(digit) + step)
