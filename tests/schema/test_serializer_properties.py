"""Properties that hold for serializers of any kind: valid, exact both ways."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import jsonschema
import jsonschema_rs
import orjson
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from rest_framework import serializers

from mcp_django.schema.jsonschema import arguments_schema, result_schema
from mcp_django.schema.validating.decoding import ObjectDecoder
from tests.schema.json_strategies import json_for
from tests.schema.strategies import declared, instances, scalars, serializer_classes

slowly = settings(
    max_examples=150,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)

# Forms that RFC 3339, 3986 and 5321 know and DRF refuses.
RARE_FORMS = (
    serializers.EmailField,
    serializers.URLField,
    serializers.DateField,
    serializers.DateTimeField,
)


def is_valid(schema: dict[str, Any], value: Any) -> bool:
    validator = jsonschema_rs.Draft202012Validator(schema, validate_formats=True)
    return validator.is_valid(value)


def decoded(cls: type[serializers.Serializer[Any]], value: dict[str, Any]) -> Any:
    """The value as a call hands it to the fields."""
    return ObjectDecoder(cls())(value, (), [])


def refusals(field: Any, value: Any, errors: Any) -> Iterator[tuple[Any, Any, str]]:
    """Each field that refuses, with the value and the code."""
    if not errors:
        return
    if isinstance(field, serializers.Serializer) and isinstance(errors, dict):
        for name, inner in errors.items():
            yield from refusals(field.fields[name], value.get(name), inner)
    elif isinstance(errors, dict):
        for key, inner in errors.items():
            yield from refusals(getattr(field, "child", field), value[key], inner)
    elif isinstance(errors[0], dict):
        for item, inner in zip(value, errors, strict=True):
            yield from refusals(field.child, item, inner)
    else:
        yield from ((field, value, error.code) for error in errors)


def only_it_can_tell(field: Any, value: Any, code: str) -> bool:
    """Whether no schema could have said it.

    That of a decimal cannot count the digits of a number: ``multipleOf`` is checked in binary
    fractions, where 19.99 is no multiple of 0.01.
    """
    if isinstance(field, serializers.DecimalField) and isinstance(value, float):
        return code in ("max_decimal_places", "max_digits")
    return isinstance(field, RARE_FORMS) and code in ("invalid", "overflow")


@slowly
@given(serializer_classes)
def test_a_schema_is_valid_2020_12(cls: type[serializers.Serializer[Any]]) -> None:
    for schema in (arguments_schema(cls()), result_schema(cls()), result_schema(cls(many=True))):
        jsonschema.Draft202012Validator.check_schema(schema)
        jsonschema_rs.meta.validate(schema)
        orjson.dumps(schema)


def wrongly_refused(serializer: serializers.Serializer[Any], value: dict[str, Any]) -> list[Any]:
    """Refusals of what the schema accepts, which a schema could have said."""
    if serializer.is_valid():
        return []
    found = refusals(serializer, value, serializer.errors)
    return [refusal for refusal in found if not only_it_can_tell(*refusal)]


@slowly
@given(declared(scalars), st.data())
def test_what_the_schema_accepts_a_field_accepts(field: Any, data: st.DataObject) -> None:
    cls = type("Single", (serializers.Serializer,), {"value": field})
    schema = arguments_schema(cls())
    drawn = data.draw(st.lists(json_for(schema["properties"]["value"]), min_size=8))
    for value in ({"value": value} for value in drawn):
        if is_valid(schema, value):
            value = decoded(cls, value)
            assert wrongly_refused(cls(data=value), value) == []


@slowly
@given(serializer_classes, st.data())
def test_what_the_schema_accepts_the_serializer_accepts(
    cls: type[serializers.Serializer[Any]], data: st.DataObject
) -> None:
    schema = arguments_schema(cls())
    members = {}
    for name, member in schema["properties"].items():
        drawn = data.draw(st.lists(json_for(member), min_size=4, max_size=8))
        members[name] = [value for value in drawn if is_valid(member, value)]
    for row in range(8):
        value = {name: values[row] for name, values in members.items() if row < len(values)}
        if is_valid(schema, value):
            value = decoded(cls, value)
            assert wrongly_refused(cls(data=value), value) == []


@slowly
@given(serializer_classes, st.data())
def test_what_a_serializer_gives_satisfies_its_schema(
    cls: type[serializers.Serializer[Any]], data: st.DataObject
) -> None:
    given_values = data.draw(st.lists(instances(cls()), max_size=2))
    given_json = json.loads(json.dumps(cls(given_values, many=True).data, default=str))
    jsonschema_rs.validate(result_schema(cls(many=True)), given_json, validate_formats=True)
