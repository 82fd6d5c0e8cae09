"""Decimals: as numbers and as texts, and their bounds in both."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import jsonschema_rs
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rest_framework import serializers

from mcp_django.schema.jsonschema import field_schema


def is_accepted(field: serializers.DecimalField, value: Any) -> bool:
    validator = jsonschema_rs.Draft202012Validator(field_schema(field, "request"))
    return validator.is_valid(value)


def is_read(field: serializers.DecimalField, value: Any) -> bool:
    try:
        field.run_validation(value)
    except serializers.ValidationError:
        return False
    return True


@pytest.mark.parametrize(
    ("field", "number", "text"),
    [
        (
            serializers.DecimalField(5, 2),
            {"type": "number", "exclusiveMinimum": -1000, "exclusiveMaximum": 1000},
            r"^-?[0-9]{1,3}(?:\.[0-9]{1,2})?$",
        ),
        (
            serializers.DecimalField(5, 2, min_value=0, max_value=10**6),
            {"type": "number", "minimum": 0, "exclusiveMaximum": 1000},
            r"^[0-9]{1,3}(?:\.[0-9]{1,2})?$",
        ),
        (
            serializers.DecimalField(3, 0, min_value=-(10**6)),
            {"type": "integer", "exclusiveMinimum": -1000, "exclusiveMaximum": 1000},
            "^-?[0-9]{1,3}$",
        ),
        (
            serializers.DecimalField(3, 3),
            {
                "type": "number",
                "exclusiveMinimum": -1,
                "exclusiveMaximum": 1,
                "not": {"const": 0},
            },
            r"^-?0?\.[0-9]{1,3}$",
        ),
        (
            serializers.DecimalField(4, None),
            {"type": "number", "exclusiveMinimum": -10000, "exclusiveMaximum": 10000},
            r"^-?(?:[0-9]{1,4}|(?=[0-9.]{3,5}$)[0-9]+\.[0-9]+)$",
        ),
        (
            serializers.DecimalField(1, None),
            {"type": "number", "exclusiveMinimum": -10, "exclusiveMaximum": 10},
            "^-?[0-9]$",
        ),
        (
            serializers.DecimalField(None, 2),
            {"type": "number", "exclusiveMinimum": -1e26, "exclusiveMaximum": 1e26},
            r"^-?[0-9]{1,26}(?:\.[0-9]{1,2})?$",
        ),
    ],
)
def test_digits_are_in_the_schema(
    field: serializers.DecimalField, number: dict[str, Any], text: str
) -> None:
    expected = {"anyOf": [number, {"type": "string", "pattern": text}]}
    assert field_schema(field, "request") == expected


def test_without_digits_any_decimal_is_taken() -> None:
    assert field_schema(serializers.DecimalField(None, None), "request") == {
        "anyOf": [
            {"type": "number"},
            {"type": "string", "pattern": r"^-?[0-9]+(?:\.[0-9]+)?$", "maxLength": 1000},
        ]
    }


@pytest.mark.parametrize("value", ["", "-", ".", "-.", "1.", "nan", "Infinity", "1e3", "+1", "٣"])
def test_a_text_needs_digits(value: str) -> None:
    for field in (serializers.DecimalField(5, 2), serializers.DecimalField(None, None)):
        assert not is_accepted(field, value)


@pytest.mark.parametrize(
    ("low", "high", "inside", "outside"),
    [
        ("0", "100", ["0", "0.00", "9.5", "99.99", "100.00"], ["-0.01", "100.01", "101", "1000"]),
        ("0.01", "9.25", ["0.01", "5", "9.2", "9.25"], ["0", "0.00", "9.26", "9.3", "10", "-1"]),
        ("-2.5", "-1.5", ["-2.5", "-2.50", "-1.5", "-2"], ["-2.51", "-1.49", "0", "2", "-3"]),
        ("-0.25", "0.75", ["-0.25", "0", "-0", "0.75", "0.7"], ["-0.26", "0.76", "-1", "1"]),
        ("199", "901", ["199", "200", "0199", "899.99", "901"], ["198.99", "901.01", "99", "1000"]),
    ],
)
def test_bounds_hold_for_numbers_and_texts(
    low: str, high: str, inside: list[str], outside: list[str]
) -> None:
    field = serializers.DecimalField(6, 2, min_value=Decimal(low), max_value=Decimal(high))
    for text in (*inside, *outside):
        number = float(text)
        assert is_accepted(field, text) is is_read(field, text) is (text in inside)
        assert is_accepted(field, number) is is_read(field, number) is (text in inside)


hundredths = st.integers(-30000, 30000).map(lambda number: Decimal(number) / 100)


@given(st.tuples(hundredths, hundredths).map(sorted), st.lists(hundredths, min_size=5), st.data())
def test_texts_are_bounded_as_numbers_are(
    bounds: list[Decimal], values: list[Decimal], data: st.DataObject
) -> None:
    low, high = bounds
    field = serializers.DecimalField(5, 2, min_value=low, max_value=high)
    near = [bound + Decimal(step) / 100 for bound in bounds for step in (-10, -1, 0, 1, 10)]
    for value in (*values, *near):
        zeros = data.draw(st.sampled_from(["", "0"])) if abs(value) < 100 else ""
        text = f"{'-' if value < 0 else ''}{zeros}{abs(value)}"
        assert is_accepted(field, text) is (low <= value <= high)
