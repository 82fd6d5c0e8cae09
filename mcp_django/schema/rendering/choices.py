"""What DRF's choice fields accept and give: values of any JSON type, with their labels."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from rest_framework import serializers

from mcp_django.schema.keywords import Direction, Schema
from mcp_django.schema.rendering.descriptions import as_text
from mcp_django.schema.rendering.presence import may_be_blank
from mcp_django.schema.trees import kind_of, plain


def choices_schema(field: serializers.ChoiceField, direction: Direction) -> Schema:
    """One of the field's choices; null apart, which is the field's to allow."""
    options = dict(_options(field))
    if field.allow_blank or (direction == "response" and may_be_blank(field)):
        options.setdefault(("string", ""), "")
    values = [value for _kind, value in options]
    labels = list(options.values())
    schema: Schema = {}
    if types := list(dict.fromkeys(kind for kind, _value in options)):
        schema["type"] = types[0] if len(types) == 1 else types
    if any(str(label) != str(value) for value, label in zip(values, labels, strict=True)):
        schema["oneOf"] = [
            {"const": value} if str(label) == str(value) else {"const": value, "title": label}
            for value, label in zip(values, labels, strict=True)
        ]
    else:
        schema["enum"] = values
    return schema


def _options(field: serializers.ChoiceField) -> Iterable[tuple[tuple[str, Any], Any]]:
    """Each value with its JSON type (1 and true are equal in Python), and its label."""
    for choice, label in field.choices.items():
        if choice is not None:
            value = plain(choice)
            # DRF compares texts, so what JSON lacks is sent as its text.
            value = value if isinstance(value, str | int | float) else str(value)
            yield (kind_of(value), value), as_text(label)
