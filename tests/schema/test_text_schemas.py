"""What DRF's text fields accept: blanks, whitespace and regular expressions."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.core import validators
from rest_framework import serializers

from mcp_django.schema.jsonschema import field_schema
from tests.schema.samples import accepted

TRIMMED = r"^\S(?:[\s\S]*\S)?$"


def not_blank(**schema: Any) -> dict[str, Any]:
    return {"type": "string", "minLength": 1, "pattern": r"\S", **schema}


def regex(pattern: str, **kwargs: Any) -> validators.RegexValidator:
    return validators.RegexValidator(re.compile(pattern), **kwargs)


TEXTS: list[tuple[Any, dict[str, Any]]] = [
    (serializers.CharField(), not_blank()),
    (serializers.CharField(max_length=5), not_blank(maxLength=5)),
    (serializers.CharField(allow_blank=True), {"type": "string"}),
    (
        serializers.CharField(trim_whitespace=False),
        {"type": "string", "minLength": 1},
    ),
    (
        serializers.CharField(trim_whitespace=False, allow_blank=True),
        {"type": "string"},
    ),
    (serializers.CharField(min_length=3), {"type": "string", "minLength": 3, "pattern": TRIMMED}),
    (
        serializers.CharField(min_length=3, allow_blank=True, help_text="A name."),
        {
            "type": "string",
            "anyOf": [{"const": ""}, {"minLength": 3, "pattern": TRIMMED}],
            "description": "A name.",
        },
    ),
    (serializers.SlugField(), {"type": "string", "pattern": "^[-a-zA-Z0-9_]+$"}),
    (
        serializers.RegexField(r"b\Z"),
        {"type": "string", "minLength": 1, "allOf": [{"pattern": TRIMMED}, {"pattern": "b$"}]},
    ),
    (
        serializers.CharField(
            trim_whitespace=False,
            allow_blank=True,
            validators=[regex("^x+$"), regex("y", inverse_match=True)],
        ),
        {
            "type": "string",
            "anyOf": [
                {"const": ""},
                {"allOf": [{"pattern": "^x+$"}, {"not": {"pattern": "y"}}]},
            ],
        },
    ),
    (serializers.RegexField("(?>x)"), not_blank()),
    (serializers.EmailField(), {"type": "string", "format": "email"}),
    (
        serializers.URLField(max_length=99),
        {
            "type": "string",
            "format": "uri",
            "maxLength": 99,
            "pattern": "^(?:http|https|ftp|ftps)://",
        },
    ),
    (
        serializers.CharField(
            validators=[
                validators.URLValidator(["ftp", "https"]),
                validators.URLValidator(["https", "ws"]),
            ]
        ),
        {"type": "string", "format": "uri", "pattern": "^(?:https)://"},
    ),
    (serializers.IPAddressField(protocol="IPv4"), {"type": "string", "format": "ipv4"}),
    (
        serializers.IPAddressField(),
        {"type": "string", "anyOf": [{"format": "ipv4"}, {"format": "ipv6"}]},
    ),
    (serializers.UUIDField(), {"type": "string", "format": "uuid"}),
]


@pytest.mark.parametrize(("field", "expected"), TEXTS)
def test_texts(field: Any, expected: dict[str, Any]) -> None:
    if "validators" in field._kwargs:  # which DRF takes in place of the field's own
        field.validators.append(validators.ProhibitNullCharactersValidator())
    assert field_schema(field, "request") == expected
    plain = {"type": "string", **({"description": "A name."} if field.help_text else {})}
    given = field_schema(field, "response")
    assert {key: value for key, value in given.items() if key != "format"} == plain


@pytest.mark.parametrize(
    ("field", "expected"),
    [
        (serializers.CharField(), ["a", " a", "a\n", "a b"]),
        (
            serializers.CharField(allow_blank=True),
            ["", " ", "\u2003", "a", " a", "a\n", "a b", "\ufeff"],
        ),
        (serializers.CharField(min_length=2), ["a b"]),
        (serializers.RegexField(r"^a b\Z"), ["a b"]),
        (serializers.RegexField(r"^[ab]", allow_blank=True), ["", "a", "a b"]),
    ],
)
def test_blanks(field: Any, expected: list[str]) -> None:
    nasty = ["", " ", "\u2003", "a", " a", "a\n", "a b", "\ufeff"]
    assert accepted(field, nasty) == expected
