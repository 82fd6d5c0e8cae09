"""What a schema tells of a field beside its type: title, description, default."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.utils.functional import Promise
from django.utils.text import format_lazy
from drf_spectacular.plumbing import is_trivial_string_variation
from rest_framework.fields import empty

from mcp_django.schema.keywords import NOTE, NULL, UNSPOKEN_NULL, Direction, Schema
from mcp_django.schema.rendering.inlining import json_value
from mcp_django.schema.rendering.presence import may_be_null


def described(schema: Schema, field: Any, direction: Direction) -> Schema:
    """The schema with the field's title, description and default, and with its null."""
    schema = dict(schema)
    label = as_text(getattr(field, "label", None) or "")
    if label and not is_trivial_string_variation(str(label), field.field_name):
        schema["title"] = label
    description = as_text(getattr(field, "help_text", None) or schema.get("description", ""))
    if texts := [text for text in (description, schema.pop(NOTE, "")) if text]:
        schema["description"] = texts[0] if len(texts) == 1 else _composed(texts)
    if direction == "request":
        schema.update(_default(field))
    if _shows_null(field, direction):
        schema[NULL] = True
    return schema


def _composed(texts: Sequence[str | Promise]) -> str | Promise:
    if any(isinstance(text, Promise) for text in texts):
        return format_lazy(" ".join(["{}"] * len(texts)), *texts)
    return " ".join(map(str, texts))


def as_text(value: Any) -> str | Promise:
    """A text; a lazy one as it is, for its language is not known yet."""
    return value if isinstance(value, Promise) else str(value)


def _shows_null(field: Any, direction: Direction) -> bool:
    if direction == "response":
        return getattr(field, "allow_null", False) or may_be_null(field)
    return getattr(field, "allow_null", False) and not _is_unspoken(field)


def _is_unspoken(field: Any) -> bool:
    return bool(field.style.get(UNSPOKEN_NULL))


def _default(field: Any) -> Schema:
    """The default as a caller would send it, where it is a value that JSON has."""
    default = getattr(field, "default", empty)
    if default is empty or callable(default) or (default is None and _is_unspoken(field)):
        return {}
    try:
        shown = None if default is None else field.to_representation(default)
    except Exception:  # noqa: BLE001  (any field's code; it may want what JSON can't hold)
        shown = default
    try:
        return {"default": json_value(shown)}
    except TypeError:
        return {}
