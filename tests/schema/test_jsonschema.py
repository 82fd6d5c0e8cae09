"""Serializers as JSON Schema: their form, null and defaults."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import jsonschema
import pytest
from django.utils.translation import gettext_lazy, override
from rest_framework import serializers

from mcp_django.schema.jsonschema import arguments_schema, field_schema, result_schema
from mcp_django.schema.keywords import UNSPOKEN_NULL
from tests.app.models import Branch
from tests.schema.samples import Line, arguments, results, said

BRANCHES = Branch.objects.all()


# Form


def test_arguments_are_a_closed_object_of_described_properties() -> None:
    assert arguments(
        limit=serializers.IntegerField(min_value=1, max_value=9, default=5, help_text="At most."),
        lines=Line(many=True),
        secret=serializers.HiddenField(default=1),
        total=serializers.IntegerField(read_only=True),
    ) == {
        "type": "object",
        "properties": {
            "limit": {
                "type": "integer",
                "minimum": 1,
                "maximum": 9,
                "default": 5,
                "description": "At most.",
            },
            "lines": {
                "type": "array",
                "items": {
                    "type": "object",
                    "description": "One line of an order.",
                    "properties": {"quantity": {"type": "integer", "minimum": 1}},
                    "required": ["quantity"],
                    "additionalProperties": False,
                },
            },
        },
        "required": ["lines"],
        "additionalProperties": False,
    }


def test_results_leave_out_what_is_only_written() -> None:
    schema = results(
        id=serializers.IntegerField(read_only=True, label="Number"),
        word=serializers.CharField(write_only=True),
        secret=serializers.HiddenField(default=1),
    )
    assert schema == {
        "type": "object",
        "properties": {"id": {"type": "integer", "title": "Number"}},
    }


def test_no_arguments_are_an_empty_object() -> None:
    empty = {"type": "object", "properties": {}, "additionalProperties": False}
    assert arguments() == empty
    assert arguments(inner=type("Empty", (serializers.Serializer,), {})()) == {
        "type": "object",
        "properties": {"inner": empty},
        "required": ["inner"],
        "additionalProperties": False,
    }


def test_many_results_are_an_array() -> None:
    assert result_schema(Line(many=True)) == {"type": "array", "items": result_schema(Line())}


def test_a_partial_serializer_requires_nothing() -> None:
    assert "required" not in arguments_schema(Line(partial=True))


def test_texts_are_in_the_language_of_the_moment() -> None:
    field = serializers.BooleanField(help_text=gettext_lazy("Yes"), label=gettext_lazy("No"))
    with override("de"):
        assert field_schema(field, "request") == {
            "type": "boolean",
            "title": "Nein",
            "description": "Ja",
        }


# Null and defaults


@pytest.mark.parametrize(
    ("field", "expected"),
    [
        (serializers.IntegerField(allow_null=True), {"type": ["integer", "null"]}),
        (
            serializers.ChoiceField(["a", "b"], allow_null=True),
            {"type": ["string", "null"], "enum": ["a", "b", None]},
        ),
        (
            serializers.ChoiceField([(1, "One")], allow_null=True),
            {"type": ["integer", "null"], "oneOf": [{"const": 1, "title": "One"}, {"const": None}]},
        ),
        (serializers.JSONField(allow_null=True), {}),
        (
            serializers.IPAddressField(allow_null=True),
            {"type": ["string", "null"], "anyOf": [{"format": "ipv4"}, {"format": "ipv6"}]},
        ),
        (Line(allow_null=True, help_text="Or none."), {"type": ["object", "null"]}),
    ],
)
def test_null_is_a_type_beside_others(field: Any, expected: dict[str, Any]) -> None:
    schema = field_schema(field, "request")
    assert expected == {key: schema[key] for key in expected}
    assert jsonschema.Draft202012Validator(schema).is_valid(None)
    if isinstance(field, Line):
        assert schema["description"] == "Or none."


def test_null_is_a_branch_only_where_there_is_no_single_type() -> None:
    decimal = serializers.DecimalField(None, None, allow_null=True, help_text="How much.")
    schema = field_schema(decimal, "request")
    assert [branch["type"] for branch in schema["anyOf"]] == ["number", "string", "null"]
    assert schema["description"] == "How much."
    field = said({"const": 5, "description": "Five.", "nullable": True})
    assert field_schema(field, "request") == {
        "enum": [5, None],
        "description": "Five.",
    }


def test_null_satisfies_a_one_of_once() -> None:
    either = said({"oneOf": [{}, {"type": "null"}], "nullable": True, "title": "T"})
    assert field_schema(either, "request") == {"anyOf": [{}, {"type": "null"}], "title": "T"}
    no_type = {"not": {"const": 1}, "allOf": [{"type": "integer"}, {"minimum": 2}]}
    schema = field_schema(said({**no_type, "nullable": True}), "request")
    assert schema == {"anyOf": [no_type, {"type": "null"}]}


@pytest.mark.parametrize(
    ("field", "expected"),
    [
        (serializers.IntegerField(default=None, allow_null=True), {"default": None}),
        (serializers.ListField(default=[]), {"default": []}),
        (serializers.IntegerField(default=list), {}),
        (serializers.DecimalField(5, 2, default=1), {"default": "1.00"}),
        (serializers.JSONField(default={"a": gettext_lazy("b")}), {"default": {"a": "b"}}),
        (serializers.MultipleChoiceField(choices=[1, 2], default={2, 1}), {"default": [1, 2]}),
        (serializers.JSONField(default={2, 1}), {"default": [1, 2]}),
        (serializers.JSONField(default=Decimal("1.5")), {"default": 1.5}),
        (serializers.DateField(default="2024-01-01"), {"default": "2024-01-01"}),
        (serializers.JSONField(default=object()), {}),
        (serializers.PrimaryKeyRelatedField(queryset=BRANCHES, default=3), {"default": 3}),
    ],
)
def test_defaults_are_kept_where_json_has_them(field: Any, expected: dict[str, Any]) -> None:
    schema = arguments(field=field)
    shown = schema["properties"]["field"]
    assert {key: value for key, value in shown.items() if key == "default"} == expected
    assert "required" not in schema


def test_null_may_go_unsaid() -> None:
    options: dict[str, Any] = {"allow_null": True, "style": {UNSPOKEN_NULL: True}}
    assert arguments(field=serializers.IntegerField(default=None, **options)) == {
        "type": "object",
        "properties": {"field": {"type": "integer"}},
        "additionalProperties": False,
    }
    field = serializers.IntegerField(default=4, **options)
    assert field_schema(field, "request") == {"type": "integer", "default": 4}
    assert field_schema(field, "response") == {"type": ["integer", "null"]}
