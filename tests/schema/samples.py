"""Serializers and fields for tests of schemas, and short ways to their schemas."""

from __future__ import annotations

from typing import Any

import jsonschema_rs
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from mcp_django.schema.jsonschema import arguments_schema, field_schema, result_schema


class Line(serializers.Serializer[Any]):
    """One line of an order."""

    quantity = serializers.IntegerField(min_value=1)


class Odd(serializers.Field[Any, Any, Any, Any]):
    """A field that nothing is known of."""


def said(override: Any, **kwargs: Any) -> Any:
    """A field whose schema is said by ``@extend_schema_field``."""
    return extend_schema_field(override)(type("Said", (Odd,), {}))(**kwargs)


def method(hint: Any) -> Any:
    """A serializer with a method field that has this return annotation; ``...``: none."""

    def get_value(self: Any, instance: Any) -> Any:
        """The value."""

    get_value.__annotations__ = {} if hint is ... else {"return": hint}
    field = serializers.SerializerMethodField()
    members = {"value": field, "get_value": get_value}
    return type("Methodical", (serializers.Serializer,), members)()


def arguments(**fields: Any) -> dict[str, Any]:
    """The schema of arguments with these fields."""
    return arguments_schema(type("Arguments", (serializers.Serializer,), fields)())


def results(**fields: Any) -> dict[str, Any]:
    """The schema of results with these fields."""
    return result_schema(type("Result", (serializers.Serializer,), fields)())


def accepted(field: Any, values: list[Any]) -> list[Any]:
    """Those of the values that the schema of a field takes, which the field takes too."""
    schema = field_schema(field, "request")
    validator = jsonschema_rs.Draft202012Validator(schema, validate_formats=True)
    taken = [value for value in values if validator.is_valid(value)]
    for value in taken:
        field.run_validation(value)
    return taken
