"""What projects and drf-spectacular add to schemas, and what stops start-up."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal, NamedTuple

import pytest
from drf_spectacular.extensions import OpenApiSerializerExtension, OpenApiSerializerFieldExtension
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import (
    PolymorphicProxySerializer,
    extend_schema_field,
    extend_schema_serializer,
)
from rest_framework import serializers

from mcp_django.schema.jsonschema import arguments_schema, field_schema, result_schema
from tests.schema.samples import Odd, method, said


class Cat(serializers.Serializer[Any]):
    lives = serializers.IntegerField()


class Dog(serializers.Serializer[Any]):
    name = serializers.CharField()


@pytest.fixture
def extensions() -> Iterator[None]:
    """Extensions that a test declares are gone after it."""
    registries = [OpenApiSerializerExtension._registry, OpenApiSerializerFieldExtension._registry]
    before = [list(registry) for registry in registries]
    yield
    for registry, kept in zip(registries, before, strict=True):
        registry[:] = kept


class Pair(NamedTuple):
    left: int
    right: str | None


@pytest.mark.parametrize(
    ("override", "expected"),
    [
        (OpenApiTypes.INT, {"type": "integer"}),
        (OpenApiTypes.DOUBLE, {"type": "number"}),
        (list[int], {"type": "array", "items": {"type": "integer"}}),
        (int | float | None, {"anyOf": [{"type": t} for t in ("integer", "number", "null")]}),
        (serializers.BooleanField, {"type": "boolean"}),
        (
            {"type": "string", "format": "isbn", "x-foo": 1, "x-mcp-header": "A", "example": "1"},
            {"type": "string", "format": "isbn", "x-mcp-header": "A"},
        ),
        (
            {"oneOf": [{"type": "integer", "nullable": True}, {"const": "a"}], "xml": {}},
            {"oneOf": [{"type": ["integer", "null"]}, {"const": "a"}]},
        ),
        (
            {"type": "number", "maximum": 5, "exclusiveMaximum": True, "exclusiveMinimum": False},
            {"type": "number", "exclusiveMaximum": 5},
        ),
        ({"type": "string", "pattern": r"\A(?P<a>x)\Z"}, {"type": "string", "pattern": "^(x)$"}),
        ({"type": "string", "pattern": r"(?>x)"}, {"type": "string"}),
        ({"items": False, "allOf": [{"title": "A"}]}, {"items": False, "title": "A"}),
        (
            {"type": "number", "allOf": [{"type": "integer"}]},
            {"allOf": [{"type": "integer"}, {"type": "number"}]},
        ),
        (
            {"oneOf": [{"type": "integer"}, {"type": "string"}], "nullable": True},
            {"oneOf": [{"type": "integer"}, {"type": "string"}, {"type": "null"}]},
        ),
        ({"anyOf": [True, {"const": 1}], "nullable": True}, {"anyOf": [True, {"const": 1}]}),
        (
            {"type": "object", "properties": {"example": {"readOnly": True}}, "minimum": 1},
            {"type": "object", "properties": {"example": {}}, "minimum": 1},
        ),
    ],
)
def test_what_an_author_says_is_emitted(override: Any, expected: dict[str, Any]) -> None:
    assert field_schema(said(override), "request") == expected


def test_what_an_author_says_is_not_changed_by_it() -> None:
    override = {"type": "string", "nullable": True}
    assert field_schema(said(override, help_text="Why."), "response")["description"] == "Why."
    assert override == {"type": "string", "nullable": True}


def test_an_author_can_leave_a_field_out() -> None:
    field = said(OpenApiTypes.NONE, required=False)
    fields = {"field": field, "list": serializers.ListField(child=said(OpenApiTypes.NONE))}
    schema = arguments_schema(type("A", (serializers.Serializer,), fields)())
    assert schema["properties"] == {"list": {"type": "array", "items": {}}}
    assert field_schema(said(OpenApiTypes.NONE), "request") == {}


def test_an_author_can_name_a_serializer() -> None:
    assert field_schema(said(Cat(many=True)), "response") == result_schema(Cat(many=True))
    either = PolymorphicProxySerializer("Either", [Cat, Dog], None)
    expected = {"anyOf": [result_schema(Cat()), result_schema(Dog())]}
    assert field_schema(said(either), "response") == expected
    by_kind = PolymorphicProxySerializer("Kind", {"cat": Cat, "dog": Dog}, "kind")
    assert field_schema(said(by_kind), "response") == expected


@pytest.mark.usefixtures("extensions")
def test_extensions_are_asked() -> None:
    class Colour(Odd):
        pass

    class Gone(Odd):
        pass

    class Titled(serializers.Serializer[Any]):
        name = serializers.CharField()

    class Paged(serializers.ListSerializer[Any]):
        pass

    class Money:
        """No serializer; an extension may know it all the same."""

    class MoneyExtension(OpenApiSerializerExtension):
        target_class = Money

        def get_name(self) -> str:
            return "Money"

        def map_serializer(self, auto_schema: Any, direction: Any) -> Any:
            return {"type": "object"}

    class ColourExtension(OpenApiSerializerFieldExtension):
        target_class = Colour

        def map_serializer_field(self, auto_schema: Any, direction: Any) -> Any:
            return {"enum": ["red"], "nullable": True}

    class GoneExtension(OpenApiSerializerFieldExtension):
        target_class = Gone

        def map_serializer_field(self, auto_schema: Any, direction: Any) -> None:
            return None

    class TextExtension(OpenApiSerializerFieldExtension):
        target_class = serializers.SlugField

        def map_serializer_field(self, auto_schema: Any, direction: Any) -> Any:
            schema = auto_schema._map_serializer_field(self.target, direction, True)
            return {**schema, "maxLength": 9}

    class TitledExtension(OpenApiSerializerExtension):
        target_class = Titled

        def map_serializer(self, auto_schema: Any, direction: Any) -> Any:
            return {**super().map_serializer(auto_schema, direction), "title": "T"}

    class PagedExtension(OpenApiSerializerExtension):
        target_class = Paged

        def map_serializer(self, auto_schema: Any, direction: Any) -> Any:
            return {"type": "object", "properties": {"count": {"type": "integer"}}}

    assert field_schema(Colour(), "request") == {"enum": ["red", None]}
    assert field_schema(Gone(), "request") == {}
    assert field_schema(said(Money), "request") == {"type": "object"}
    assert field_schema(serializers.SlugField(), "request")["maxLength"] == 9
    assert arguments_schema(Titled())["title"] == "T"
    assert arguments_schema(Titled())["additionalProperties"] is False
    assert result_schema(Paged(child=Cat()))["properties"] == {"count": {"type": "integer"}}


def test_serializers_can_be_annotated() -> None:
    annotate = extend_schema_serializer(exclude_fields=["b"], deprecate_fields=["a"])
    fields = {name: serializers.IntegerField() for name in ("a", "b")}
    schema = result_schema(annotate(type("A", (serializers.Serializer,), fields))())
    assert schema["properties"] == {"a": {"type": "integer", "deprecated": True}}
    assert schema["required"] == ["a"]


@pytest.mark.parametrize(
    ("hint", "expected"),
    [
        (int, {"type": "integer"}),
        (Literal["a", 1] | None, {"enum": ["a", 1, None]}),
        (int | float, {"anyOf": [{"type": "integer"}, {"type": "number"}]}),
        (list[int | None], {"type": "array", "items": {"type": ["integer", "null"]}}),
        (tuple[int, int], {"type": "array", "items": {"type": "integer"}}),
        (dict[str, int], {"type": "object", "additionalProperties": {"type": "integer"}}),
        (dict[str, Any], {"type": "object", "additionalProperties": True}),
        (
            Pair,
            {
                "type": "object",
                "properties": {"left": {"type": "integer"}, "right": {"type": ["string", "null"]}},
                "required": ["left", "right"],
            },
        ),
    ],
)
def test_hints_of_methods(hint: Any, expected: dict[str, Any]) -> None:
    schema = result_schema(method(hint))
    assert schema["properties"]["value"] == {**expected, "description": "The value."}
    assert schema["required"] == ["value"]


def test_a_method_can_be_annotated() -> None:
    serializer = method(...)
    override = {"type": "object", "properties": {"oneOf": {"type": "string"}}, "nullable": True}
    extend_schema_field(override)(type(serializer).get_value)
    assert result_schema(serializer)["properties"]["value"] == {
        "type": ["object", "null"],
        "properties": {"oneOf": {"type": "string"}},
    }
