"""Fields that hold others, choose or relate, and fields that say their schema themselves."""

from __future__ import annotations

import copy
import enum
from decimal import Decimal
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core import validators
from rest_framework import serializers

from mcp_django.schema.jsonschema import arguments_schema, field_schema
from tests.app.models import Branch
from tests.schema.samples import Line

BRANCHES = Branch.objects.all()


LINE = arguments_schema(Line())


class Colour(enum.Enum):
    RED = "red"


@pytest.mark.parametrize(
    ("field", "expected"),
    [
        (serializers.ListField(), {"type": "array", "items": {}}),
        (
            serializers.ListField(
                child=serializers.IntegerField(allow_null=True, max_value=3), allow_empty=False
            ),
            {
                "type": "array",
                "items": {"type": ["integer", "null"], "maximum": 3},
                "minItems": 1,
            },
        ),
        (
            serializers.ListField(child=Line(allow_null=True), min_length=2, max_length=3),
            {
                "type": "array",
                "items": {**LINE, "type": ["object", "null"]},
                "minItems": 2,
                "maxItems": 3,
            },
        ),
        (
            Line(many=True, allow_empty=False, max_length=0, allow_null=True, help_text="Lines."),
            {
                "type": ["array", "null"],
                "items": LINE,
                "minItems": 1,
                "maxItems": 0,
                "description": "Lines.",
            },
        ),
        (Line(many=True, min_length=2), {"type": "array", "items": LINE, "minItems": 2}),
        (serializers.DictField(), {"type": "object", "additionalProperties": True}),
        (
            serializers.DictField(
                child=serializers.FloatField(),
                allow_empty=False,
                validators=[validators.MaxLengthValidator(2)],
            ),
            {
                "type": "object",
                "additionalProperties": {"type": "number"},
                "minProperties": 1,
                "maxProperties": 2,
            },
        ),
        (
            serializers.HStoreField(),
            {
                "type": "object",
                "additionalProperties": {
                    "type": ["string", "null"],
                },
            },
        ),
        (
            serializers.JSONField(),
            {"type": ["object", "array", "string", "number", "boolean"]},
        ),
        (
            serializers.JSONField(binary=True),
            {"type": "string", "contentMediaType": "application/json"},
        ),
    ],
)
def test_holders(field: Any, expected: dict[str, Any]) -> None:
    assert field_schema(field, "request") == expected


@pytest.mark.parametrize(
    ("field", "expected"),
    [
        (serializers.ChoiceField(["a", "b"]), {"type": "string", "enum": ["a", "b"]}),
        (
            serializers.ChoiceField([("a", "Alpha"), ("b", "b")]),
            {"type": "string", "oneOf": [{"const": "a", "title": "Alpha"}, {"const": "b"}]},
        ),
        (
            serializers.ChoiceField([("Odd", [(1, "1")]), ("Even", [(2, "2")])]),
            {"type": "integer", "enum": [1, 2]},
        ),
        (
            serializers.ChoiceField(["1", 1, 2.5]),
            {"type": ["string", "integer", "number"], "enum": ["1", 1, 2.5]},
        ),
        (serializers.ChoiceField([None, "a"]), {"type": "string", "enum": ["a"]}),
        (serializers.ChoiceField(["a"], allow_blank=True), {"type": "string", "enum": ["a", ""]}),
        (serializers.ChoiceField([("", "None"), "a"], allow_blank=True), None),
        (serializers.ChoiceField([(Colour.RED, "red")]), {"type": "string", "enum": ["red"]}),
        (serializers.ChoiceField([Decimal("1.50")]), {"type": "string", "enum": ["1.50"]}),
        (serializers.ChoiceField([]), {"enum": []}),
        (
            serializers.MultipleChoiceField(choices=["a"], allow_empty=False, allow_null=True),
            {
                "type": ["array", "null"],
                "items": {"type": "string", "enum": ["a"]},
                "minItems": 1,
            },
        ),
    ],
)
def test_choices(field: Any, expected: dict[str, Any] | None) -> None:
    labelled = {"type": "string", "oneOf": [{"const": "", "title": "None"}, {"const": "a"}]}
    assert field_schema(field, "request") == (expected or labelled)


@pytest.mark.parametrize(
    ("field", "expected"),
    [
        (serializers.PrimaryKeyRelatedField(queryset=BRANCHES), {"type": "integer"}),
        (
            serializers.PrimaryKeyRelatedField(
                queryset=BRANCHES, pk_field=serializers.UUIDField(), allow_null=True
            ),
            {"type": ["string", "null"], "format": "uuid"},
        ),
        (
            serializers.SlugRelatedField(
                "name",
                queryset=BRANCHES,
                many=True,
                allow_empty=False,
                allow_null=True,
                help_text="Names.",
            ),
            {
                "type": "array",
                "items": {
                    "type": "string",
                    "maxLength": 100,
                    "minLength": 1,
                    "pattern": r"\S",
                },
                "minItems": 1,
                "description": "Names.",
            },
        ),
        (
            serializers.SlugRelatedField("last_login", queryset=User.objects.all()),
            {"type": "string", "format": "date-time"},
        ),
        (
            serializers.HyperlinkedRelatedField("branch", queryset=BRANCHES),
            {"type": "string", "format": "uri"},
        ),
    ],
)
def test_relations(field: Any, expected: dict[str, Any]) -> None:
    assert field_schema(field, "request") == expected


# Fields that say their schema


class Length(serializers.Field[Any, Any, Any, Any]):
    """A field of this package's kind: it says its schema, and that of what it holds."""

    def __init__(self, child: Any, **kwargs: Any) -> None:
        self.child = child
        super().__init__(**kwargs)

    def json_schema(self, render: Any) -> dict[str, Any]:
        return {"type": "array", "prefixItems": [render(self.child), {"enum": ["m", "km"]}]}


def test_a_field_says_its_schema_at_any_depth() -> None:
    length = Length(serializers.FloatField(allow_null=True), allow_null=True, help_text="Far.")
    schema = {
        "type": ["array", "null"],
        "prefixItems": [{"type": ["number", "null"]}, {"enum": ["m", "km"]}],
        "description": "Far.",
    }
    assert field_schema(length, "request") == schema
    held = field_schema(serializers.ListField(child=copy.deepcopy(length)), "response")
    assert held == {"type": "array", "items": schema}
    nested = type("Nested", (serializers.Serializer,), {"length": copy.deepcopy(length)})
    of_serializer = field_schema(Length(nested()), "request")
    assert of_serializer["prefixItems"][0]["properties"] == {"length": schema}


def test_validators_count_beside_what_a_field_says() -> None:
    validator = validators.MinLengthValidator(1)
    schema = field_schema(Length(Line(), validators=[validator]), "request")
    assert schema["minItems"] == 1
    assert schema["prefixItems"][0] == LINE
