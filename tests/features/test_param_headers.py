"""Arguments that are mirrored in a header."""

from __future__ import annotations

import enum
from typing import Annotated, Any, Literal

import pytest
from rest_framework import serializers

from mcp_django import Arguments, CurrentUser, ParamHeader
from tests.features.conftest import Make, Refused


def property_of(feature: Any, name: str) -> Any:
    return feature.arguments.schema["properties"][name]


class Color(enum.Enum):
    RED = 1
    BLUE = 2


def test_a_header_on_an_annotation(made: Make) -> None:
    def run(
        region: Annotated[str, ParamHeader("Region")],
        shard: Annotated[int, ParamHeader("Shard"), serializers.IntegerField(max_value=9)] = 0,
        dry: Annotated[bool | None, ParamHeader("Dry-Run")] = None,
        color: Annotated[Color, ParamHeader("Color")] = Color.RED,
        level: Annotated[Literal["a", "b"], ParamHeader("Level")] = "a",
        other: int = 1,
    ) -> None: ...

    feature = made(run)
    assert feature.headers == {
        "region": "Region",
        "shard": "Shard",
        "dry": "Dry-Run",
        "color": "Color",
        "level": "Level",
    }
    assert property_of(feature, "region")["type"] == "string"
    assert property_of(feature, "region")["x-mcp-header"] == "Region"
    assert property_of(feature, "shard")["x-mcp-header"] == "Shard"
    assert property_of(feature, "color")["type"] == "integer"
    assert property_of(feature, "level")["type"] == "string"
    assert "x-mcp-header" not in property_of(feature, "other")
    assert feature.arguments.validate({"region": "eu"}, {})["region"] == "eu"


def test_a_header_by_option(made: Make) -> None:
    def run(region: str, zone: str) -> None: ...

    fields = {"region": serializers.CharField(), "zone": serializers.CharField()}
    feature = made(run, arguments=fields, headers={"zone": "Zone"})
    assert feature.headers == {"zone": "Zone"}
    assert property_of(feature, "zone")["x-mcp-header"] == "Zone"


def test_a_header_by_option_of_arguments_taken_whole(made: Make) -> None:
    class Run(serializers.Serializer[Any]):
        region = serializers.CharField()

    def run(data: Arguments[Run]) -> None: ...

    assert made(run, headers={"region": "Region"}).headers == {"region": "Region"}


def test_a_header_in_a_raw_schema(made: Make) -> None:
    def run(region: str, more: Any = None) -> None: ...

    schema = {
        "type": "object",
        "properties": {"region": {"type": "string", "x-mcp-header": "Region"}, "more": True},
        "required": ["region"],
    }
    feature = made(run, input_schema=schema)
    assert feature.headers == {"region": "Region"}
    assert feature.arguments.schema == schema


ONLY = "Only a string, an integer or a boolean that is not nullable may have one."


@pytest.mark.parametrize(
    ("field", "header", "message"),
    [
        (
            serializers.CharField(),
            "My_Region",
            "The header 'My_Region' of the argument 'a' is not made of A-Z, a-z, 0-9 and '-'. "
            "Name it such as 'Region'; clients put Mcp-Param- before it.",
        ),
        (
            serializers.CharField(),
            "",
            "The header '' of the argument 'a' is not made of A-Z, a-z, 0-9 and '-'. "
            "Name it such as 'Region'; clients put Mcp-Param- before it.",
        ),
        (serializers.FloatField(), "A", f"The argument 'a' has a header, but is a number. {ONLY}"),
        (serializers.ListField(), "A", f"The argument 'a' has a header, but is an array. {ONLY}"),
        (
            serializers.DecimalField(max_digits=3, decimal_places=1),
            "A",
            f"The argument 'a' has a header, but is of several types. {ONLY}",
        ),
        (
            serializers.CharField(allow_null=True),
            "A",
            f"The argument 'a' has a header, but is string or null. {ONLY}",
        ),
        (
            serializers.IntegerField(max_value=2**60),
            "A",
            "The argument 'a' has a header, and bounds beyond ±(2**53 - 1). "
            "Narrow its bounds, or send it as a string.",
        ),
        (
            serializers.CharField(style={"input_type": "password"}),
            "A",
            "The argument 'a' is a secret, and a header is read on its way. Take the header away.",
        ),
        (
            serializers.CharField(write_only=True),
            "A",
            "The argument 'a' is a secret, and a header is read on its way. Take the header away.",
        ),
    ],
)
def test_what_may_not_have_a_header(
    refused: Refused, field: Any, header: str, message: str
) -> None:
    def run(a: Any) -> None: ...

    assert refused(run, arguments={"a": field}, headers={"a": header}) == f"run: {message}"


def test_the_header_of_no_argument(refused: Refused) -> None:
    def run(a: str) -> None: ...

    assert refused(run, headers={"b": "B"}) == (
        "run: headers= names 'b', which is no argument. Correct the name."
    )


def test_headers_differ_by_more_than_case(refused: Refused) -> None:
    def run(a: Annotated[str, ParamHeader("Region")], b: str) -> None: ...

    assert refused(run, headers={"b": "region"}) == (
        "run: The arguments 'a' and 'b' have the same header 'region'. "
        "Header names differ by more than their case: rename one."
    )


def test_an_injected_parameter_has_no_header(refused: Refused) -> None:
    def run(user: Annotated[Any, CurrentUser, ParamHeader("User")]) -> None: ...

    assert refused(run) == (
        "run: The parameter 'user' has a ParamHeader, but no caller sends it. Take the header away."
    )


@pytest.mark.parametrize(
    "schema",
    [
        {"properties": {"a": {"type": "object", "properties": {"b": {"x-mcp-header": "B"}}}}},
        {"properties": {"a": {"type": "array", "items": {"x-mcp-header": "B"}}}},
        {"properties": {"a": {}}, "allOf": [{"properties": {"a": {"x-mcp-header": "B"}}}]},
        {"properties": {"a": {}}, "x-mcp-header": "B"},
    ],
)
def test_a_header_further_inside_of_a_raw_schema(refused: Refused, schema: Any) -> None:
    def run(a: Any = None) -> None: ...

    assert refused(run, input_schema={"type": "object", **schema}) == (
        "run: input_schema has x-mcp-header inside of another value. "
        "Put it on a property of the top level."
    )


def test_a_property_that_is_called_so_is_no_header(made: Make) -> None:
    def run(arguments):  # type: ignore[no-untyped-def]
        return arguments

    schema = {
        "type": "object",
        "properties": {"x-mcp-header": {"type": "string"}},
        "required": ["x-mcp-header"],
    }
    assert made(run, input_schema=schema).headers == {}
