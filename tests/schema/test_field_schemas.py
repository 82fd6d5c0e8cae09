"""What each of DRF's fields accepts and gives, where drf-spectacular says otherwise."""

from __future__ import annotations

import datetime
from decimal import Decimal
from typing import Any

import pytest
from django.core import validators
from django.test import override_settings
from rest_framework import serializers

from mcp_django.schema.jsonschema import field_schema
from tests.app.models import Branch
from tests.schema.samples import accepted

BRANCHES = Branch.objects.all()
NUMBERS: list[tuple[Any, dict[str, Any]]] = [
    (serializers.IntegerField(), {"type": "integer"}),
    (
        serializers.IntegerField(min_value=Decimal("1.5"), validators=[]),
        {"type": "integer", "minimum": 1.5},
    ),
    (
        serializers.IntegerField(
            validators=[
                validators.MaxValueValidator(9),
                validators.MaxValueValidator(lambda: 7),
                validators.StepValueValidator(2),
                validators.StepValueValidator(3),
            ]
        ),
        {"type": "integer", "maximum": 7, "multipleOf": 6},
    ),
    (serializers.FloatField(max_value=2.0), {"type": "number", "maximum": 2}),
    (
        serializers.FloatField(
            min_value=Decimal("0.10000000000000000001"), max_value=Decimal("0.12345678901234567891")
        ),
        {"type": "number", "minimum": 0.10000000000000002, "maximum": 0.12345678901234566},
    ),
    (serializers.IntegerField(max_value=10**19), {"type": "integer", "maximum": 1e19}),
    (serializers.BooleanField(), {"type": "boolean"}),
    (
        serializers.DurationField(),
        {
            "type": "string",
            "format": "duration",
            "pattern": r"^P(?:[0-9]{1,8}D)?(?:T(?:[0-9]{1,9}H)?(?:[0-9]{1,9}M)?(?:[0-9]{1,9}S)?)?$",
        },
    ),
    (
        serializers.DurationField(
            min_value=datetime.timedelta(milliseconds=1500),
            max_value=datetime.timedelta(hours=1),
            help_text="How long.",
        ),
        {
            "type": "integer",
            "minimum": 2,
            "maximum": 3600,
            "description": "How long. In seconds.",
        },
    ),
]


@pytest.mark.parametrize(("field", "expected"), NUMBERS)
def test_numbers(field: Any, expected: dict[str, Any]) -> None:
    assert field_schema(field, "request") == expected


def test_durations() -> None:
    texts = [
        "P1D",
        "PT1H",
        "P1Y",
        "P1W",
        "P",
        "PT",
        "",
        "-P1D",
        "P99999999DT1H",
        "1:00",
        "P1000000000D",
    ]
    assert accepted(serializers.DurationField(), texts) == ["P1D", "PT1H", "P99999999DT1H"]
    from_zero = serializers.DurationField(min_value=datetime.timedelta())
    assert accepted(from_zero, ["PT0S", "-PT1S", 5]) == ["PT0S"]
    at_least = serializers.DurationField(min_value=datetime.timedelta(minutes=1))
    assert accepted(at_least, ["PT2M", 59, 60, 10**15]) == [60]
    at_most = serializers.DurationField(max_value=datetime.timedelta(minutes=1))
    assert accepted(at_most, ["PT1M", 60, 61, -(10**15), -60]) == [60, -60]


TIMES: list[tuple[Any, list[str]]] = [
    (serializers.DateField(), ["2024-02-29"]),
    (serializers.DateField(input_formats=["%d/%m/%Y", "%Y.%m.%d"]), ["01/02/2024", "2024.02.01"]),
    (serializers.DateTimeField(), ["2024-02-29T10:00:00Z", "2024-02-29T10:00:00+02:00"]),
    (serializers.DateTimeField(input_formats=["%Y%m%d %H%M"]), ["20240229 1000"]),
    (serializers.TimeField(), ["10:00", "10:00:00", "23:59:59.123456"]),
    (
        serializers.TimeField(input_formats=["%H.%M", "iso-8601"]),
        ["10:00", "10:00:00", "23:59:59.123456"],
    ),
]


@pytest.mark.parametrize(("field", "expected"), TIMES)
def test_times(field: Any, expected: list[str]) -> None:
    texts = ["2024-02-29", "01/02/2024", "31/13/2024", "2024.02.01", "2024x02x01", "", "24:00"]
    texts += [
        "2024-02-29T10:00:00Z",
        "2024-02-29T10:00:00+02:00",
        "20240229 1000",
        "2024-02-29T10:00",
    ]
    texts += [
        "10:00",
        "10:00:00",
        "10:00:00+02:00",
        "10:00:00Z",
        "23:59:59.123456",
        "10.00",
        "2024-02-29T10:00",
    ]
    assert accepted(field, texts) == expected


def test_formats_are_named_where_they_are_not_iso() -> None:
    field = serializers.DateField(input_formats=["%d %b %Y"], help_text="When.")
    described = {"type": "string", "description": "When. Format: DD [Jan-Dec] YYYY."}
    assert field_schema(field, "request") == described


@pytest.mark.parametrize(
    ("field", "expected"),
    [
        (serializers.DateField(), {"format": "date"}),
        (serializers.DateField(format=None), {"format": "date"}),
        (serializers.DateField(format="%d/%m"), {}),
        (serializers.DateTimeField(), {"format": "date-time"}),
        (serializers.DateTimeField(format="%H"), {}),
        (serializers.TimeField(), {}),
        (serializers.DurationField(), {}),
        (serializers.UUIDField(), {"format": "uuid"}),
        (serializers.UUIDField(format="hex"), {"pattern": "^[0-9a-f]{32}$"}),
        (serializers.UUIDField(format="urn"), {"pattern": "^urn:uuid:[-0-9a-f]{36}$"}),
        (serializers.BigIntegerField(coerce_to_string=True), {"pattern": "^-?[0-9]+$"}),
        (serializers.DecimalField(5, 2), {"pattern": r"^-?[0-9]+(?:\.[0-9]+)?$"}),
        (serializers.DecimalField(5, 2, localize=True), {}),
        (serializers.HyperlinkedIdentityField("book"), {"format": "uri-reference"}),
        (serializers.StringRelatedField(), {}),
    ],
)
def test_texts_that_are_given(field: Any, expected: dict[str, Any]) -> None:
    assert field_schema(field, "response") == {"type": "string", **expected}


@pytest.mark.parametrize(
    ("field", "expected"),
    [
        (serializers.UUIDField(format="int"), {"type": "integer"}),
        (serializers.IntegerField(max_value=3), {"type": "integer"}),
        (serializers.BigIntegerField(), {"type": "integer"}),
        (serializers.FloatField(max_value=3), {"type": "number"}),
        (serializers.DecimalField(5, 2, coerce_to_string=False), {"type": ["number", "string"]}),
        (serializers.JSONField(), {}),
        (serializers.FileField(), {"type": ["string", "null"], "format": "uri-reference"}),
        (serializers.ImageField(use_url=False), {"type": ["string", "null"]}),
        (serializers.ListField(min_length=2), {"type": "array", "items": {}}),
        (
            serializers.MultipleChoiceField(choices=["a"], allow_empty=False),
            {"type": "array", "items": {"type": "string", "enum": ["a"]}},
        ),
    ],
)
def test_other_values_that_are_given(field: Any, expected: dict[str, Any]) -> None:
    assert field_schema(field, "response") == expected


@override_settings(USE_TZ=False)
def test_without_time_zones_a_moment_has_no_offset() -> None:
    assert field_schema(serializers.DateTimeField(), "response") == {"type": "string"}
    zoned = serializers.DateTimeField(default_timezone=datetime.UTC)
    assert field_schema(zoned, "response") == {"type": "string", "format": "date-time"}
