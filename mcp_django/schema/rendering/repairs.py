"""What each of DRF's fields really accepts and gives, where drf-spectacular's answer is not it.

Requests: the schema accepts nothing that the field refuses. Responses: a schema says what
serializing guarantees (types, choices, what a conversion writes) and nothing of what only
validation checks, for a row in the database may be older than the rule.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rest_framework import serializers
from rest_framework.fields import _UnvalidatedField
from rest_framework.settings import api_settings

from mcp_django.schema.errors import DeclarationError
from mcp_django.schema.keywords import NULL, Direction, Schema
from mcp_django.schema.rendering import strings, times
from mcp_django.schema.rendering.choices import choices_schema
from mcp_django.schema.rendering.constraints import constrained
from mcp_django.schema.rendering.decimals import decimal_schema

Builder = Callable[[Any], Schema]


def path_of(field: Any) -> str:
    """Where a field stands: the serializer's class, then the names down to it."""
    names = []
    while getattr(field, "parent", None) is not None:
        if field.field_name:
            names.append(field.field_name)
        field = field.parent
    return ".".join([type(getattr(field, "child", None) or field).__name__, *reversed(names)])


def _refuse_file(field: serializers.FileField) -> Schema:
    raise DeclarationError(
        f"{path_of(field)} reads a file ({type(field).__name__}), which can't be an argument.",
        "Take its URL (URLField) or its content as Base64 text (CharField), or say with "
        "@extend_schema_field what JSON the field reads.",
    )


def _json(field: serializers.JSONField) -> Schema:
    if field.binary:
        return {"type": "string", "contentMediaType": "application/json"}
    if field.allow_null:
        return {}
    return {"type": ["object", "array", "string", "number", "boolean"]}


def _uuid_given(field: serializers.UUIDField) -> Schema:
    return dict(_UUIDS[field.uuid_format])


_UUIDS: dict[str, Schema] = {
    "hex_verbose": {"type": "string", "format": "uuid"},
    "hex": {"type": "string", "pattern": "^[0-9a-f]{32}$"},
    "int": {"type": "integer"},
    "urn": {"type": "string", "pattern": "^urn:uuid:[-0-9a-f]{36}$"},
}


def _decimal_given(field: serializers.DecimalField) -> Schema:
    if not getattr(field, "coerce_to_string", api_settings.COERCE_DECIMAL_TO_STRING):
        return {"type": ["number", "string"]}
    if field.localize:
        return {"type": "string"}
    return {"type": "string", "pattern": r"^-?[0-9]+(?:\.[0-9]+)?$"}


def _big_integer_given(field: Any) -> Schema:
    if getattr(field, "coerce_to_string", api_settings.COERCE_BIGINT_TO_STRING):
        return {"type": "string", "pattern": "^-?[0-9]+$"}
    return {"type": "integer"}


def _file_given(field: serializers.FileField) -> Schema:
    # No file is null, whether the field allows null or not; without a request the URL is a path.
    schema: Schema = {"type": "string", NULL: True}
    if getattr(field, "use_url", api_settings.UPLOADED_FILES_USE_URL):
        schema["format"] = "uri-reference"
    return schema


def _always(**schema: Any) -> Builder:
    return lambda field: dict(schema)


# The first class that fits decides; a field that is in neither table is drf-spectacular's.
_ACCEPTED: tuple[tuple[type, Builder], ...] = (
    (serializers.FileField, _refuse_file),
    (serializers.CharField, strings.text),
    (serializers.DecimalField, decimal_schema),
    (serializers.DateTimeField, times.date_time),
    (serializers.DateField, times.date),
    (serializers.TimeField, times.time),
    (serializers.DurationField, times.duration),
    (serializers.JSONField, _json),
    (_UnvalidatedField, _always()),
)
_GIVEN: tuple[tuple[type | tuple[()], Builder], ...] = (
    (serializers.FileField, _file_given),
    (serializers.HyperlinkedRelatedField, _always(type="string", format="uri-reference")),
    (serializers.CharField, _always(type="string")),
    (serializers.UUIDField, _uuid_given),
    (serializers.DecimalField, _decimal_given),
    (serializers.DateTimeField, times.date_time_given),
    (serializers.DateField, times.date_given),
    (serializers.TimeField, _always(type="string")),
    (serializers.DurationField, _always(type="string")),
    (getattr(serializers, "BigIntegerField", ()), _big_integer_given),  # since DRF 3.17
    (serializers.IntegerField, _always(type="integer")),
    (serializers.FloatField, _always(type="number")),
    (serializers.JSONField, _always()),
    (_UnvalidatedField, _always()),
)


def own_schema(field: Any, direction: Direction) -> Schema | None:
    """The schema of a field without its annotations; None: drf-spectacular's is right."""
    if isinstance(field, serializers.ChoiceField):
        options = choices_schema(field, direction)
        if not isinstance(field, serializers.MultipleChoiceField):
            return options
        chosen = {"type": "array", "items": options}
        return constrained(field, chosen) if direction == "request" else chosen
    table: Any = _ACCEPTED if direction == "request" else _GIVEN
    build = next((build for cls, build in table if isinstance(field, cls)), None)
    return build(field) if build else None
