"""Declaring prompts: what they become, and what stops start-up."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from typing import Annotated, Any, TypedDict

import pytest
from django.test import override_settings
from rest_framework import serializers

from mcp_django import (
    Arguments,
    Context,
    CurrentUser,
    Prompt,
    PromptMessage,
    PromptResult,
    Text,
    prompt,
)
from mcp_django.features.records import PromptFeature
from mcp_django.features.registry import Registry
from tests.features.conftest import Refused

Record = Callable[..., Any]


@pytest.fixture(autouse=True)
def _templates() -> Any:
    loader = "django.template.loaders.locmem.Loader"
    texts = {"hello.txt": "Hello {{ name }}{{ mark }}", "broken.txt": "{% if %}"}
    engine = {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "OPTIONS": {"loaders": [(loader, texts)]},
    }
    with override_settings(TEMPLATES=[engine]):
        yield


def hello(name: str, mark: str = "!") -> str:
    """Say hello.

    Args:
        name: To whom.
    """
    return f"Hello {name}{mark}"


class Name(serializers.Serializer[Any]):
    name = serializers.CharField(label="Name", help_text="Whose.")
    mark = serializers.CharField(default="!")


# What they become.


def test_a_function(record: Record) -> None:
    feature: PromptFeature = record(hello, kind="prompt")
    assert (feature.kind, feature.noun, feature.key) == ("prompt", "prompt", "hello")
    assert feature.description == "Say hello."
    assert feature.handler is hello
    assert feature.arguments.schema["required"] == ["name"]
    assert feature.arguments.schema["properties"]["name"]["description"] == "To whom."


def test_a_bare_decorator_and_one_with_options(registry: Registry) -> None:
    from types import SimpleNamespace

    of_test: Any = SimpleNamespace(registry=registry)
    assert prompt(hello, server=of_test) is hello
    assert prompt(server=of_test, name="hi", title="Hi")(hello) is hello
    assert list(registry.prompts) == ["hello", "hi"]
    assert registry.prompts["hi"].title == "Hi"
    assert not registry.tools


def test_a_class(record: Record) -> None:
    class SayHello(Prompt):
        """Say hello."""

        arguments = Name
        tags = ("greetings",)

        def render(self, name: str, mark: str) -> str:
            return name + mark

    feature = record(SayHello)
    assert (feature.kind, feature.name, feature.tags) == ("prompt", "say-hello", ("greetings",))
    assert feature.handler(name="a", mark="?") == "a?"


def test_arguments_as_a_serializer_in_place_and_whole(record: Record) -> None:
    def whole(data: Arguments[Name]) -> str:
        return str(data["name"])

    def unannotated(arguments) -> str:  # type: ignore[no-untyped-def]
        return str(arguments["name"])

    assert list(record(hello, kind="prompt", arguments=Name).arguments.names) == ["name", "mark"]
    fields = {"name": serializers.CharField(), "mark": serializers.CharField(default="!")}
    assert record(hello, kind="prompt", name="b", arguments=fields)
    assert record(whole, kind="prompt").whole_parameter == "data"
    assert record(unannotated, kind="prompt", arguments=Name).whole_parameter == "arguments"


def test_what_blocks_is_known(record: Record) -> None:
    async def quick(name: str) -> list[Text]:
        return [Text(name)]

    async def unknown(name: str) -> Any:
        return name

    assert not record(quick, kind="prompt").blocks
    assert record(unknown, kind="prompt").blocks
    assert record(hello, kind="prompt").blocks
    async_template = record(quick_dict, kind="prompt", template="hello.txt")
    assert async_template.is_async
    assert async_template.blocks  # it reads a file


async def quick_dict(name: str) -> dict[str, Any]:
    await asyncio.sleep(0)
    return {"mark": "?"}


class Added(TypedDict, total=False):
    mark: str


def nothing(name: str) -> None: ...


def unannotated(name: str):  # type: ignore[no-untyped-def]
    return {"mark": "?"}


def a_dict(name: str) -> dict[str, Any]:
    return {"mark": "?"}


def a_mapping_or_nothing(name: str) -> Mapping[str, Any] | None:
    return {"mark": "?"}


def a_typed_dict(name: str) -> Added:
    return {"mark": "?"}


def awaited(name: str) -> Awaitable[dict[str, Any]]:
    return quick_dict(name)


@pytest.mark.parametrize(
    "function", [unannotated, a_dict, a_mapping_or_nothing, a_typed_dict, quick_dict, awaited]
)
def test_a_template_and_what_the_function_adds(record: Record, function: Any) -> None:
    feature = record(function, kind="prompt", template="hello.txt")
    found = feature.handler(name="<b>")
    if asyncio.iscoroutine(found):
        found = asyncio.run(found)
    assert found == "Hello <b>?"


def test_a_template_alone(record: Record) -> None:
    feature = record(nothing, kind="prompt", template="hello.txt")
    assert feature.handler(name="Ann") == "Hello Ann"


def test_what_is_injected_is_not_in_the_template(record: Record) -> None:
    def with_context(name: str, mark: Context) -> None: ...

    feature = record(with_context, kind="prompt", template="hello.txt")
    assert feature.handler(name="Ann", mark="secret") == "Hello Ann"


# What stops start-up.


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"template": 5}, "template=5 is no name of a template. Give a string."),
        ({"template": "nowhere.txt"}, "There is no template nowhere.txt."),
        ({"template": "broken.txt"}, "The template broken.txt cannot be parsed: "),
        (
            {"name": "two words"},
            "'two words' is not a valid name. Give it one with name=: 1 to 128",
        ),
        ({"arguments": 5}, "5"),
        ({"title": 5}, "title=5 is no text. Give a string."),
        ({"permission": "add_book"}, "permission='add_book' names no app."),
        ({"enabled": 5}, "enabled=5 is no function."),
        ({"enabled": quick_dict}, "enabled= is async, and lists await nothing. Write it with def."),
        (
            {"enabled": lambda context, user: True},
            "enabled= needs context, user, and is given the context alone. Let it take one "
            "positional parameter, or none.",
        ),
        (
            {"enabled": lambda *, context: True},
            "enabled= needs context, and is given the context alone.",
        ),
    ],
)
def test_options_that_cannot_be(refused: Refused, options: Any, told: str) -> None:
    assert told in refused(nothing, kind="prompt", **{"template": "hello.txt", **options})


@pytest.mark.parametrize("annotation", [int, dict, list[int], PromptMessage | int, None])
def test_what_no_message_comes_from(refused: Refused, annotation: Any) -> None:
    def wrong(name: str) -> Any: ...

    wrong.__annotations__["return"] = annotation
    assert "wrong: " in refused(wrong, kind="prompt")


@pytest.mark.parametrize("annotation", [str, list[str], PromptResult, "dict[str, Any] | str"])
def test_what_no_template_takes(refused: Refused, annotation: Any) -> None:
    def wrong(name: str) -> Any: ...

    wrong.__annotations__["return"] = annotation
    assert refused(wrong, kind="prompt", template="hello.txt").endswith(
        "It has template=, and returns what no template takes. Return a dict that the template "
        "gets beside the arguments, or nothing."
    )


def test_a_parameter_without_annotation(refused: Refused) -> None:
    def wrong(name) -> str:  # type: ignore[no-untyped-def]
        return str(name)

    def anyone(user) -> str:  # type: ignore[no-untyped-def]
        return str(user)

    assert "The parameter 'name' has no annotation." in refused(wrong, kind="prompt")
    assert "Write user: CurrentUser" in refused(anyone, kind="prompt")


def test_a_field_without_a_parameter(refused: Refused) -> None:
    def wrong(name: str) -> str:
        return name

    assert "The field 'mark' of Name has no parameter." in refused(
        wrong, kind="prompt", arguments=Name
    )


def test_a_name_that_is_taken(registry: Registry) -> None:
    registry.register(hello)
    registry.register(hello, kind="prompt")
    with pytest.raises(Exception, match="The name 'hello' is taken by") as caught:
        registry.register(hello, kind="prompt")
    assert str(caught.value).startswith(f"{__file__}:{hello.__code__.co_firstlineno}: hello: ")
    assert (list(registry.tools), list(registry.prompts)) == (["hello"], ["hello"])


def test_the_user_is_known_to_be_needed(record: Record) -> None:
    def mine(user: CurrentUser, name: Annotated[str, "Whose."]) -> str:
        return name

    feature = record(mine, kind="prompt")
    assert feature.requires_user
    assert feature.uses_user
    assert feature.arguments.schema["properties"]["name"]["description"] == "Whose."
