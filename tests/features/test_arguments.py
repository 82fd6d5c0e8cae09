"""The four ways to say arguments, and what fits them together with a signature."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import Annotated, Any, TypedDict

import pytest
from rest_framework import serializers
from rest_framework.request import Request

from mcp_django import Arguments, Context, CurrentUser, Lookup, Tool
from mcp_django.features.records import ToolFeature
from mcp_django.schema.errors import InvalidArguments
from tests.features.conftest import Make, Refused


class LoanSearch(serializers.Serializer[Any]):
    status = serializers.ChoiceField(["open", "returned"], default="open")
    limit = serializers.IntegerField(max_value=100, default=20, help_text="At most this many.")


def called(feature: ToolFeature, **sent: Any) -> Any:
    """What the handler gives for arguments as a client sends them."""
    values = feature.arguments.validate(sent, {})
    return feature.handler(**feature.handler_arguments(values, sent))


def test_a_serializer_whose_fields_are_parameters(made: Make) -> None:
    def find_loans(*, status: str, limit: int) -> Any:
        """Find loans.

        Args:
            status: Open ones, or returned ones.
            limit: Not shown, for the field's own text wins.
        """
        return status, limit

    feature = made(find_loans, arguments=LoanSearch)
    assert feature.arguments.schema["properties"] == {
        "status": {
            "type": "string",
            "enum": ["open", "returned"],
            "default": "open",
            "description": "Open ones, or returned ones.",
        },
        "limit": {
            "type": "integer",
            "maximum": 100,
            "default": 20,
            "description": "At most this many.",
        },
    }
    assert called(feature, limit="3") == ("open", 3)


def test_a_serializer_instance_keeps_what_it_was_made_with(made: Make) -> None:
    class Search(serializers.Serializer[Any]):
        def __init__(self, *args: Any, most: int = 1, **kwargs: Any) -> None:
            super().__init__(*args, **kwargs)
            self.fields["limit"] = serializers.IntegerField(max_value=most)

    def find(limit: int) -> int:
        return limit

    feature = made(find, arguments=Search(most=7))
    assert feature.arguments.schema["properties"]["limit"]["maximum"] == 7
    assert called(feature, limit=7) == 7


def test_fields_in_place(made: Make) -> None:
    def forecast(city: str, days: int) -> Any:
        return city, days

    fields = {
        "city": serializers.CharField(help_text="Where."),
        "days": serializers.IntegerField(default=1),
    }
    feature = made(forecast, arguments=fields)
    assert feature.arguments.schema["properties"]["city"]["description"] == "Where."
    assert called(feature, city="Oslo") == ("Oslo", 1)


def test_no_arguments_at_all(made: Make) -> None:
    def now() -> None: ...

    assert made(now).arguments.schema == {
        "type": "object",
        "properties": {},
        "additionalProperties": False,
    }


def test_the_whole_mapping_of_a_serializer(made: Make) -> None:
    def find(data: Arguments[LoanSearch]) -> Any:
        return data["limit"], data.get("status"), data.raw("limit")

    feature = made(find)
    assert feature.whole_parameter == "data"
    assert called(feature, limit="3") == (3, "open", "3")


@pytest.mark.parametrize("annotation", ["none", "mapping", "bare"])
def test_the_whole_mapping_of_arguments(made: Make, annotation: str) -> None:
    class Find(Tool):
        arguments = LoanSearch

        if annotation == "none":

            def call(self, arguments, context: Context):  # type: ignore[no-untyped-def]
                return arguments["limit"], arguments.raw("limit")

        elif annotation == "mapping":

            def call(self, arguments: Mapping[str, Any]) -> Any:  # type: ignore[no-redef]
                return arguments["limit"], None

        else:

            def call(self, data: Arguments) -> Any:  # type: ignore[type-arg,no-redef]
                return data["limit"], None

    feature = made(Find)
    assert feature.whole_parameter == ("data" if annotation == "bare" else "arguments")
    assert feature.arguments.names == ("status", "limit")


def test_a_field_called_arguments_is_that_field(made: Make) -> None:
    def run(arguments, command):  # type: ignore[no-untyped-def]
        return command, arguments

    fields = {
        "command": serializers.CharField(),
        "arguments": serializers.ListField(child=serializers.CharField()),
    }
    feature = made(run, arguments=fields)
    assert feature.whole_parameter is None
    assert called(feature, command="ls", arguments=["-l"]) == ("ls", ["-l"])


@dataclass
class Move:
    """Where to go."""

    x: int
    y: int = 0


class Point(TypedDict):
    x: int


def test_the_whole_as_a_dataclass_or_a_typed_dict(made: Make) -> None:
    def move(data: Arguments[Move]) -> Any:
        return data

    def draw(data: Arguments[Point]) -> Any:
        return data

    assert called(made(move), x=3) == Move(3, 0)
    assert called(made(draw), x=3) == {"x": 3}


def test_a_raw_schema_is_shown_to_the_letter_and_enforced(made: Make) -> None:
    schema = {
        "type": "object",
        "title": "Search",
        "properties": {"text": {"type": "string"}, "most": {"type": "integer", "default": 5}},
        "required": ["text"],
    }

    def search(text: str, most: int = 5, *, context: Context) -> Any:
        return text, most

    feature = made(search, input_schema=schema)
    assert feature.arguments.schema == schema
    assert feature.arguments.serializer is None
    assert feature.arguments.names == ("text", "most")
    values = feature.arguments.validate({"text": "a"}, {})
    assert feature.handler_arguments(values, {}) == {"text": "a"}
    for sent in ({}, {"text": 3}, {"text": "a", "context": 1}, {"text": "a", "other": 1}):
        with pytest.raises(InvalidArguments):
            feature.arguments.validate(sent, {})


def test_a_raw_schema_with_kwargs_lets_in_what_it_allows_but_no_injected_name(made: Make) -> None:
    schema = {"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]}

    def search(text: str, *, user: CurrentUser, **more: Any) -> Any:
        return text, more

    feature = made(search, input_schema=schema)
    assert feature.arguments.schema == schema
    assert feature.arguments.names == ("text",)
    values = feature.arguments.validate({"text": "a", "b": 2}, {})
    assert feature.handler_arguments(values, {}) == {"text": "a", "b": 2}
    with pytest.raises(InvalidArguments):
        feature.arguments.validate({"text": "a", "user": 1}, {})


def test_a_raw_schema_taken_whole(made: Make) -> None:
    schema = {"type": "object", "additionalProperties": {"type": "integer"}}

    def total(arguments):  # type: ignore[no-untyped-def]
        return sum(arguments.values())

    assert called(made(total, input_schema=schema), a=1, b=2) == 3

    def spend(arguments, user: CurrentUser):  # type: ignore[no-untyped-def]
        return sum(arguments.values())

    feature = made(spend, input_schema=schema)
    assert feature.arguments.schema == schema
    assert feature.arguments.validate({"a": 1}, {}) == {"a": 1}
    with pytest.raises(InvalidArguments, match="user"):
        feature.arguments.validate({"user": 1}, {})


class Owned(serializers.Serializer[Any]):
    title = serializers.CharField(source="name")
    owner = serializers.HiddenField(default="nobody")
    seen = serializers.IntegerField(read_only=True)

    def validate(self, attrs: Any) -> Any:
        return {**attrs, "added": True}


def test_hidden_fields_and_what_validate_adds_reach_those_who_take_them(made: Make) -> None:
    def one(title: str) -> Any:
        return title

    def two(title: str, owner: str) -> Any:
        return title, owner

    def three(title: str, **more: Any) -> Any:
        return title, more

    def four(arguments: Arguments[Owned]) -> Any:
        return dict(arguments)

    assert made(one, arguments=Owned).arguments.names == ("title",)
    assert called(made(one, arguments=Owned, name="a"), title="x") == "x"
    assert called(made(two, arguments=Owned), title="x") == ("x", "nobody")
    assert called(made(three, arguments=Owned), title="x") == (
        "x",
        {"owner": "nobody", "added": True},
    )
    assert called(made(four), title="x") == {"title": "x", "owner": "nobody", "added": True}


def test_what_a_nested_serializer_merges_reaches_those_who_take_it(made: Make) -> None:
    class Inner(serializers.Serializer[Any]):
        a = serializers.IntegerField()

    class Outer(serializers.Serializer[Any]):
        inner = Inner(source="*")
        b = serializers.IntegerField()

    def find(arguments):  # type: ignore[no-untyped-def]
        return dict(arguments)

    assert called(made(find, arguments=Outer), inner={"a": 1}, b=2) == {"a": 1, "b": 2}


def test_a_mutable_default_may_be_said_twice(made: Make) -> None:
    def find(tags: Any = ["a"]) -> Any:  # noqa: B006
        return tags

    fields = {"tags": serializers.ListField(child=serializers.CharField(), default=["a"])}
    assert called(made(find, arguments=fields)) == ["a"]


class Optional_(serializers.Serializer[Any]):
    note = serializers.CharField(required=False)


def test_a_default_of_the_parameter_stands_in_for_an_absent_field(made: Make) -> None:
    def write(note: str = "-") -> str:
        return note

    feature = made(write, arguments=Optional_)
    assert called(feature) == "-"
    assert called(feature, note="x") == "x"


def test_the_same_default_twice_is_fine(made: Make) -> None:
    def find(status: str = "open", limit: int = 20) -> Any:
        return status, limit

    assert called(made(find, arguments=LoanSearch)) == ("open", 20)


def test_all_fields_of_a_partial_serializer_may_be_absent(made: Make, refused: Refused) -> None:
    def search(status: str, limit: int) -> None: ...

    assert refused(search, arguments=LoanSearch(partial=True)) == (
        "search: The field 'status' of LoanSearch may be absent, and the parameter has no default. "
        "Give the parameter or the field a default, or make the field required."
    )


INJECT_IT = (
    "if the server is to fill it, provide() its type, write Annotated[…, Inject(function)], or "
    "claim it with a ParameterResolver"
)


def no_default(note: str) -> None: ...
def idle_default(a: int = 3) -> None: ...
def other_default(status: str = "returned", limit: int = 20) -> None: ...
def too_few(status: str) -> None: ...
def too_many(status: str, limit: int, page: int, size: int = 3) -> None: ...
def injected(status: str, limit: CurrentUser) -> None: ...
def unannotated(a, b: int) -> None: ...  # type: ignore[no-untyped-def]
def with_request(request) -> None: ...  # type: ignore[no-untyped-def]
def bare_context(a, context) -> None: ...  # type: ignore[no-untyped-def]
def kwargs(a: int, **more: Any) -> None: ...
def nothing_known(arguments) -> None: ...  # type: ignore[no-untyped-def]
def bare(data: Arguments) -> None: ...  # type: ignore[type-arg]
def beside(data: Arguments[LoanSearch], page: int) -> None: ...
def whole(data: Arguments[LoanSearch]) -> None: ...
def unknown_type(parser: Make) -> None: ...
def by_name(a: int) -> None: ...


A = {"a": serializers.IntegerField()}


@pytest.mark.parametrize(
    ("function", "options", "message"),
    [
        (
            no_default,
            {"arguments": Optional_},
            "The field 'note' of Optional_ may be absent, and the parameter has no default. "
            "Give the parameter or the field a default, or make the field required.",
        ),
        (
            idle_default,
            {"arguments": A},
            "The parameter 'a' has a default that is never used, for the field of arguments= is "
            "required. Remove the default, or write required=False on the field.",
        ),
        (
            other_default,
            {"arguments": LoanSearch},
            "The parameter 'status' has the default 'returned', but the field of LoanSearch has "
            "'open', which is used. Keep that of the field alone.",
        ),
        (
            too_few,
            {"arguments": LoanSearch},
            "The field 'limit' of LoanSearch has no parameter. Add limit to the signature, or "
            "**kwargs, or take all in one parameter called arguments.",
        ),
        (
            by_name,
            {"arguments": {**A, "b": serializers.IntegerField(), "c": serializers.DateField()}},
            "The fields 'b', 'c' of arguments= have no parameter. Add b, c to the signature, or "
            "**kwargs, or take all in one parameter called arguments.",
        ),
        (
            too_many,
            {"arguments": LoanSearch()},
            "The parameters 'page', 'size' are no field of LoanSearch. Add the field or remove the "
            f"parameter; {INJECT_IT}.",
        ),
        (
            bare_context,
            {"arguments": A},
            "The parameter 'context' is no field of arguments=. Write context: Context, and the "
            "server fills it.",
        ),
        (
            injected,
            {"arguments": LoanSearch},
            "The parameter 'limit' would be sent by the caller and filled by the server. "
            "Rename the parameter, or leave the field out.",
        ),
        (
            unannotated,
            {},
            "The parameter 'a' has no annotation. Write its type, such as a: str, or give "
            "arguments= a serializer.",
        ),
        (
            with_request,
            {},
            "The parameter 'request' has no annotation. Write request: HttpRequest, and the server "
            "fills it.",
        ),
        (
            kwargs,
            {},
            "It takes **kwargs, which does not say what may be sent. Name each argument, or give "
            "arguments= a serializer.",
        ),
        (
            nothing_known,
            {},
            "Nothing says which arguments 'arguments' holds. Give arguments= a serializer, or "
            "annotate the parameter with Arguments[…].",
        ),
        (
            bare,
            {},
            "Nothing says which arguments 'data' holds. Give arguments= a serializer, or annotate "
            "the parameter with Arguments[…].",
        ),
        (
            beside,
            {},
            "The parameter 'page' cannot be filled, for 'data' takes all arguments. Read them from "
            f"'data'; or, {INJECT_IT}.",
        ),
        (
            whole,
            {"arguments": Optional_},
            "arguments= gives Optional_, and 'data' is of Arguments[LoanSearch]. Say it once.",
        ),
        (
            whole,
            {"arguments": LoanSearch, "input_schema": {"type": "object"}},
            "It has both arguments= and input_schema=. Keep one of them.",
        ),
        (
            by_name,
            {"input_schema": {"type": "object", "properties": {"a": {}, "b": {}}}},
            "The field 'b' of input_schema has no parameter. Add b to the signature, or **kwargs, "
            "or take all in one parameter called arguments.",
        ),
        (
            by_name,
            {"input_schema": {"type": "object", "properties": {"a": {}}}},
            "The field 'a' of input_schema may be absent, and the parameter has no default. Give "
            "the parameter or the field a default, or make the field required.",
        ),
        (
            by_name,
            {
                "input_schema": {
                    "type": "object",
                    "properties": {"a": {}},
                    "required": ["a"],
                    "additionalProperties": True,
                }
            },
            "input_schema lets in further arguments, for which the function has no place. Take "
            "them with **kwargs, or take all in one parameter called arguments.",
        ),
        (
            injected,
            {"input_schema": {"type": "object", "properties": {"limit": {}, "status": {}}}},
            "The parameter 'limit' would be sent by the caller and filled by the server. "
            "Rename the parameter, or leave the field out.",
        ),
    ],
)
def test_what_does_not_fit_together(
    refused: Refused, function: Any, options: Any, message: str
) -> None:
    assert refused(function, **options) == f"{function.__name__}: {message}"


def test_a_type_that_is_no_argument_may_be_meant_to_be_injected(refused: Refused) -> None:
    class Parser: ...

    def parse(text: str, parser: Annotated[Parser, "how"]) -> None: ...

    name = Parser.__qualname__
    assert refused(parse) == (
        f"parse: Its argument 'parser': {name} has no JSON form. Take JSON's own types, a "
        f"dataclass, a TypedDict or a serializer, or put a field beside it: Annotated[{name}, "
        f"serializers.CharField()]. I{INJECT_IT[1:]}."
    )

    def parse_all(parsers: list[Parser]) -> None: ...

    assert INJECT_IT[1:] not in refused(parse_all)


@pytest.mark.parametrize(
    "annotation", [bytes, Any, date | str, Annotated[int, Lookup(lambda context: None)], Request]
)
def test_other_types_are_not_said_to_be_meant_to_be_injected(
    refused: Refused, annotation: Any
) -> None:
    def parse(text) -> None: ...  # type: ignore[no-untyped-def]

    parse.__annotations__["text"] = annotation
    assert "inject" not in refused(parse).lower()


def test_a_wrong_default_is_not_said_to_be_meant_to_be_injected(refused: Refused) -> None:
    def parse(number: int = "three") -> None: ...  # type: ignore[assignment]

    assert "inject" not in refused(parse).lower()
