"""DRF serializers and fields as JSON Schema 2020-12.

Arguments are the request direction: no read-only and no hidden field, every object closed,
nothing accepted that the serializer refuses but what only the database or the project's own
code can tell, the places of a decimal that is sent as a number, and rare forms of email,
uri, date and date-time. Results are the response direction: no write-only field, and
nothing that serializing does not guarantee. Lazy titles and descriptions stay in a schema, for
``translation.separated`` to take out.
"""

from __future__ import annotations

from typing import Any

import jsonschema_rs
from rest_framework import serializers

from mcp_django.schema.errors import DeclarationError
from mcp_django.schema.keywords import Direction, Schema
from mcp_django.schema.plain import is_plain
from mcp_django.schema.rendering.inlining import Inliner
from mcp_django.schema.rendering.spectacular import generation
from mcp_django.schema.translation import separated

_COMPOSED = frozenset(["allOf", "anyOf", "oneOf", "not", "if"])


def arguments_schema(serializer: serializers.BaseSerializer[Any]) -> Schema:
    """The schema of the arguments that a serializer reads; raises ``DeclarationError``."""
    if isinstance(serializer, serializers.ListSerializer):
        raise _no_arguments(serializer)
    with generation(serializer) as generator:
        root = generator.resolve_serializer(serializer, "request").ref
        schema = _document(Inliner(generator.components()), root)
    if schema.get("type") != "object" or not _COMPOSED.isdisjoint(schema):
        raise _no_arguments(serializer)
    schema.setdefault("properties", {})
    schema["additionalProperties"] = False
    return schema


def _no_arguments(serializer: Any) -> DeclarationError:
    return DeclarationError(
        f"{type(serializer).__name__} does not read an object of named arguments.",
        "Arguments come from a Serializer with fields; make what else it reads one of them.",
    )


def result_schema(serializer: serializers.BaseSerializer[Any]) -> Schema:
    """The schema of what a serializer gives, also ``many=True``; raises ``DeclarationError``."""
    return field_schema(serializer, "response")


def field_schema(field: serializers.Field[Any, Any, Any, Any], direction: Direction) -> Schema:
    """The schema of one field, with ``$defs`` where it needs them; raises ``DeclarationError``."""
    with generation(field) as generator:
        root = generator._map_serializer_field(field, direction) or {}
        return _document(Inliner(generator.components()), root)


def _document(inliner: Inliner, root: Schema) -> Schema:
    schema = inliner.document(root)
    # drf-spectacular's part and ours are right; an author's own part may be anything.
    told = separated(schema)[0]
    if not is_plain(told):
        jsonschema_rs.meta.validate(told)
    return schema
