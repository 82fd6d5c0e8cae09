"""Moments, times of day, durations and decimals in results: exact texts."""

from __future__ import annotations

from datetime import datetime, time, timedelta, timezone
from decimal import Decimal
from typing import (
    Any,
)

import pytest

from mcp_django.schema.errors import InvalidResult
from tests.schema.returned import (
    TZ,
    convert,
)


def test_a_decimal_is_a_string_whatever_number_is_returned() -> None:
    assert [convert(Decimal, value).structured for value in (sum([]), 1.5, Decimal("-0.10"))] == [
        "0",
        "1.5",
        "-0.10",
    ]


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (timedelta(days=1, hours=2, microseconds=5), "P1DT02H00M00.000005S"),
        (timedelta(seconds=-1), "-P0DT00H00M01S"),
        (timedelta.max, "P999999999DT23H59M59.999999S"),
    ],
)
def test_durations_are_iso_8601(value: timedelta, text: str) -> None:
    assert convert(timedelta, value).structured == text


@pytest.mark.parametrize(
    ("value", "text"),
    [(time(3, 4), "03:04:00"), (time(3, 4, 5, 6, TZ), "03:04:05.000006+05:30")],
)
def test_times_of_day_are_iso_8601(value: time, text: str) -> None:
    assert convert(time, value).structured == text


def test_a_moment_always_has_an_offset(settings: Any) -> None:
    settings.TIME_ZONE = "Asia/Kolkata"
    mean_time = timezone(timedelta(hours=1, seconds=15))

    assert convert(datetime, datetime(2026, 1, 2)).structured == "2026-01-02T00:00:00+05:30"
    local = datetime(1890, 1, 1, 1, 0, 15, tzinfo=mean_time)
    assert convert(datetime, local).structured == "1890-01-01T00:00:00+00:00"
    with pytest.raises(InvalidResult, match="RFC 3339"):
        convert(datetime, datetime(1, 1, 1, tzinfo=mean_time))
