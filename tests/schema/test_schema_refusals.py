"""What has no JSON Schema stops start-up; what is global in drf-spectacular is left alone."""

from __future__ import annotations

import threading
from typing import Any

import pytest
from drf_spectacular.drainage import GENERATOR_STATS, warn
from drf_spectacular.settings import spectacular_settings
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import (
    PolymorphicProxySerializer,
    extend_schema_field,
)
from rest_framework import serializers

from mcp_django.schema.errors import DeclarationError
from mcp_django.schema.jsonschema import arguments_schema, field_schema, result_schema
from mcp_django.schema.rendering.spectacular import generation
from tests.schema.samples import Odd, method, said


class Cat(serializers.Serializer[Any]):
    lives = serializers.IntegerField()


class Dog(serializers.Serializer[Any]):
    name = serializers.CharField()


class Untyped(serializers.Serializer[Any]):
    field = serializers.ReadOnlyField()


class Files(serializers.Serializer[Any]):
    scans = serializers.ListField(child=serializers.ImageField())


@pytest.mark.parametrize(
    ("field", "problem"),
    [
        (Odd(), 'could not resolve serializer field "Odd()"'),
        (
            method(...),
            "Methodical has no exact JSON Schema: unable to resolve type hint for function",
        ),
        (method(list[tuple[int, str]]), "tuple[int, str]"),
        (method("Missing"), "NameError: name 'Missing' is not defined"),
        (
            said(Untyped(many=True)),
            "Untyped has no exact JSON Schema: Could not derive type",
        ),
        (serializers.BaseSerializer(), "BaseSerializer has no JSON Schema (AttributeError"),
        (said({"type": "text"}), "ValidationError"),
        (said({"$ref": "#/components/schemas/Gone"}), "refers to #/components/schemas/Gone, which"),
        (said({"$ref": "https://example.com"}), "refers to https://example.com, which"),
    ],
)
def test_what_has_no_schema_is_refused(field: Any, problem: str) -> None:
    with pytest.raises(DeclarationError) as caught:
        field_schema(field, "response")
    assert problem in caught.value.problem
    assert "\n" not in caught.value.problem
    assert caught.value.fix
    assert not GENERATOR_STATS._traces


def test_a_file_cannot_be_an_argument() -> None:
    nested = type("Upload", (serializers.Serializer,), {"pages": Files(many=True)})
    with pytest.raises(DeclarationError, match=r"^Upload\.pages\.scans reads a file \(Im"):
        arguments_schema(nested())
    with pytest.raises(DeclarationError, match=r"^FileField reads a file"):
        field_schema(serializers.FileField(), "request")
    said_field = extend_schema_field(OpenApiTypes.STR)(type("F", (serializers.FileField,), {}))()
    assert field_schema(said_field, "request") == {"type": "string"}


@pytest.mark.parametrize(
    "serializer", [Cat(many=True), PolymorphicProxySerializer("Either", [Cat, Dog], None)]
)
def test_arguments_are_one_object(serializer: Any) -> None:
    with pytest.raises(DeclarationError, match="does not read an object of named arguments"):
        arguments_schema(serializer)


def test_settings_of_the_project_neither_count_nor_change(monkeypatch: pytest.MonkeyPatch) -> None:
    expected = arguments_schema(Cat()), result_schema(Cat(allow_null=True))
    monkeypatch.setitem(vars(spectacular_settings), "OAS_VERSION", "3.0.3")
    monkeypatch.setitem(vars(spectacular_settings), "COMPONENT_SPLIT_REQUEST", False)
    monkeypatch.delitem(vars(spectacular_settings), "COMPONENT_SPLIT_PATCH", raising=False)
    before = dict(vars(spectacular_settings))
    assert (arguments_schema(Cat()), result_schema(Cat(allow_null=True))) == expected
    with pytest.raises(DeclarationError):
        field_schema(Odd(), "response")
    assert vars(spectacular_settings) == before


def test_warnings_of_others_stay_theirs(capsys: pytest.CaptureFixture[str]) -> None:
    with generation(Cat()):
        thread = threading.Thread(target=warn, args=["of the project's own schema"])
        thread.start()
        thread.join()
        warn("registered extensions Foo have an app that is not installed")
    printed = capsys.readouterr().err
    assert "of the project's own schema" in printed
    assert "registered extensions" not in printed
    GENERATOR_STATS.reset()


def test_a_serializer_that_reads_its_context_finds_one() -> None:
    class Asking(serializers.Serializer[Any]):
        def get_fields(self) -> dict[str, Any]:
            request = self.context["request"]
            return {self.context.get("name") or request.method: Cat()}

    asking: Any = Asking()
    assert list(arguments_schema(asking)["properties"]) == ["POST"]
    assert asking._context == {}
    told: Any = Asking(context={"name": "told", "request": None})
    assert list(arguments_schema(told)["properties"]) == ["told"]
    assert told._context == {"name": "told", "request": None}
