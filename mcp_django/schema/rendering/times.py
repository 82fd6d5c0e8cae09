"""What DRF's date, time and duration fields accept and give."""

from __future__ import annotations

import datetime
import re
from collections.abc import Callable, Iterable

from rest_framework import serializers
from rest_framework.settings import api_settings
from rest_framework.utils import humanize_datetime

from mcp_django.schema.keywords import NOTE, Schema

# RFC 3339's "time" has an offset, which DRF's TimeField drops; its "duration" has years and
# months, which no timedelta has, and is checked beside this.
TIME = r"^(?:[01][0-9]|2[0-3]):[0-5][0-9](?::[0-5][0-9](?:\.[0-9]{1,6})?)?$"
DURATION = r"^P(?:[0-9]{1,8}D)?(?:T(?:[0-9]{1,9}H)?(?:[0-9]{1,9}M)?(?:[0-9]{1,9}S)?)?$"
_SECOND = datetime.timedelta(seconds=1)
_DIRECTIVES = {
    "%Y": "[1-9][0-9]{3}",
    "%y": "[0-9]{2}",
    "%m": "(?:0[1-9]|1[0-2])",
    "%d": "(?:0[1-9]|[12][0-9]|3[01])",
    "%H": "(?:[01][0-9]|2[0-3])",
    "%I": "(?:0[1-9]|1[0-2])",
    "%M": "[0-5][0-9]",
    "%S": "[0-5][0-9]",
    "%f": "[0-9]{1,6}",
    "%%": "%",
}


def date(field: serializers.DateField) -> Schema:
    """A date in ISO 8601, or in the formats of the field."""
    formats = getattr(field, "input_formats", api_settings.DATE_INPUT_FORMATS)
    return _read({"format": "date"}, formats, humanize_datetime.date_formats)


def date_time(field: serializers.DateTimeField) -> Schema:
    """A point in time in ISO 8601, or in the formats of the field."""
    formats = getattr(field, "input_formats", api_settings.DATETIME_INPUT_FORMATS)
    return _read({"format": "date-time"}, formats, humanize_datetime.datetime_formats)


def time(field: serializers.TimeField) -> Schema:
    """A time of day without an offset, or in the formats of the field."""
    formats = getattr(field, "input_formats", api_settings.TIME_INPUT_FORMATS)
    return _read({"pattern": TIME}, formats, humanize_datetime.time_formats)


def _read(iso: Schema, formats: Iterable[str], humanized: Callable[[list[str]], str]) -> Schema:
    formats = list(formats)
    if any(text.lower() == "iso-8601" for text in formats):
        return {"type": "string", **iso}
    schema: Schema = {"type": "string", NOTE: f"Format: {humanized(formats)}."}
    patterns = [_pattern(text) for text in formats]
    if None not in patterns:
        schema["pattern"] = f"^(?:{'|'.join(filter(None, patterns))})$"
    return schema


def _pattern(text: str) -> str | None:
    """A format of ``strptime`` as a pattern, where it has numbers only."""
    parts = re.split(r"(%.)", text)
    known = [_DIRECTIVES.get(part, None if part[:1] == "%" else _plain(part)) for part in parts]
    return None if None in known else "".join(filter(None, known))


def _plain(text: str) -> str:
    return re.sub(r"[\^$\\.*+?()\[\]{}|]", r"\\\g<0>", text)


def duration(field: serializers.DurationField) -> Schema:
    """ISO 8601; where bounds are set that no text can be held to, a number of seconds."""
    low, high = field.min_value, field.max_value
    # The format has no sign, so a text is never below zero.
    if high is None and (low is None or low <= datetime.timedelta()):
        return {"type": "string", "format": "duration", "pattern": DURATION}
    low = datetime.timedelta.min if low is None else low
    high = datetime.timedelta.max if high is None else high
    return {
        "type": "integer",
        NOTE: "In seconds.",
        "minimum": -(-low // _SECOND),
        "maximum": high // _SECOND,
    }


def date_given(field: serializers.DateField) -> Schema:
    """A date as the field writes it."""
    return _written(getattr(field, "format", api_settings.DATE_FORMAT), "date")


def date_time_given(field: serializers.DateTimeField) -> Schema:
    """A point in time as the field writes it: without time zones it has no offset."""
    zone = getattr(field, "timezone", None) or field.default_timezone()
    written = getattr(field, "format", api_settings.DATETIME_FORMAT)
    return _written(written, "date-time") if zone is not None else {"type": "string"}


def _written(written: str | None, name: str) -> Schema:
    if written is None or written.lower() == "iso-8601":
        return {"type": "string", "format": name}
    return {"type": "string"}
