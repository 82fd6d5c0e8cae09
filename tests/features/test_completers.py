"""How the completions of arguments are declared, and what of it stops start-up."""

from __future__ import annotations

import datetime
import enum
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Literal

import pytest
from django.contrib.auth.models import User
from django.core.exceptions import ImproperlyConfigured
from django.http import HttpRequest
from rest_framework import serializers

from mcp_django import (
    Arguments,
    Completion,
    Context,
    CurrentUser,
    Inject,
    Prompt,
    Resource,
    Toolset,
)
from mcp_django import prompt as prompt_
from mcp_django.features.completers import Asked, Completer, Rows, text_of
from mcp_django.features.registry import Registry
from mcp_django.protocol.versions import LATEST
from tests.app.models import Book, Branch

Completers = Callable[..., Mapping[str, Completer]]
Refused = Callable[..., str]


@pytest.fixture
def completers(registry: Registry) -> Completers:
    """``completers(function, **options)``: by argument, of a prompt."""

    def make(target: Any, **options: Any) -> Mapping[str, Completer]:
        registry.register(target, kind=None if isinstance(target, type) else "prompt", **options)
        return next(iter(registry.prompts.values())).completers

    return make


@pytest.fixture
def of_template(registry: Registry) -> Completers:
    def make(target: Any, uri: str, **options: Any) -> Mapping[str, Completer]:
        registry.register(target, uri=uri, **options)
        return registry.templates[uri].completers

    return make


@pytest.fixture
def refused(registry: Registry) -> Refused:
    def refuse(target: Any, **options: Any) -> str:
        with pytest.raises(ImproperlyConfigured) as caught:
            registry.register(target, kind="prompt", **options)
        assert not registry.prompts
        return str(caught.value).partition(": ")[2]

    return refuse


class Level(enum.Enum):
    CHILD = "child"
    ADULT = "adult"


class Shape(enum.Enum):
    SQUARE = (1, 1)
    WIDE = (2, 1)


def about(topic: str) -> str:
    """A prompt with one argument."""
    return topic


def offered(found: Mapping[str, Completer]) -> dict[str, Any]:
    return {name: one.source for name, one in found.items()}


# Choices by themselves


def test_choices_need_no_word(completers: Completers) -> None:
    def all_kinds(
        level: Literal["child", "adult"],
        known: Level,
        shape: Shape,
        loud: bool,
        size: Literal[1, 2] | None = None,
        maybe: bool | None = None,
        most: int | Literal["all"] = "all",
        free: str = "",
    ) -> str:
        return ""

    assert offered(completers(all_kinds)) == {
        "level": ("child", "adult"),
        "known": ("child", "adult"),
        "shape": ("SQUARE", "WIDE"),
        "loud": ("true", "false"),
        "size": ("1", "2"),
        "maybe": ("true", "false"),
        "most": ("all",),
    }


def test_choices_of_serializer_fields(completers: Completers) -> None:
    class Search(serializers.Serializer[Any]):
        status = serializers.ChoiceField(
            [("open", "Still out"), ("returned", "Back")], allow_blank=True, allow_null=True
        )
        grade = serializers.ChoiceField([("Good", [(1, "Best"), (2, "Fine")])])
        tags = serializers.MultipleChoiceField(choices=["new", "old"])
        late = serializers.BooleanField(allow_null=True)
        days = serializers.IntegerField()

    def search(**kwargs: Any) -> str:
        return ""

    found = completers(search, arguments=Search)
    assert offered(found) == {
        "status": ("open", "returned"),
        "grade": ("1", "2"),
        "tags": ("new", "old"),
        "late": ("true", "false"),
    }
    assert [name for name, one in found.items() if one.in_list] == ["tags"]
    assert not any(one.blocks or one.requires_user for one in found.values())


def test_a_variable_that_is_a_list_is_sent_item_by_item(of_template: Completers) -> None:
    def files(path: list[Literal["a", "b"]]) -> str:
        return ""

    found = of_template(files, "files://all{/path*}")
    assert offered(found) == {"path": ("a", "b")}
    assert not found["path"].in_list


# Sources


def test_the_option_the_annotation_and_the_choices_in_this_order(completers: Completers) -> None:
    Topic = Annotated[Literal["a", "b"], Completion(["x"])]

    def topics(one: Literal["a", "b"], two: Topic, three: Topic) -> str:
        return ""

    found = completers(topics, completers={"three": ("y", "z")})
    assert offered(found) == {"one": ("a", "b"), "two": ("x",), "three": ("y", "z")}


def test_a_completion_stands_beside_a_field_and_inside_of_none(completers: Completers) -> None:
    def find(
        code: Annotated[str, serializers.CharField(max_length=3), Completion(["abc"])],
        other: Annotated[str, "A help text.", Completion(["def"])] | None = None,
    ) -> str:
        return ""

    assert offered(completers(find)) == {"code": ("abc",), "other": ("def",)}


def test_members_of_what_takes_all_arguments(completers: Completers) -> None:
    @dataclass
    class Wish:
        title: Annotated[str, Completion(["Emma"])]
        loud: bool = False

    def wish(data: Arguments[Wish]) -> str:
        return ""

    assert offered(completers(wish)) == {"title": ("Emma",), "loud": ("true", "false")}


def test_fixed_values_of_any_plain_kind(completers: Completers) -> None:
    values = [1, 2.5, True, datetime.date(2026, 1, 2), Level.ADULT, None, "", "a", "a"]
    found = completers(about, completers={"topic": values})
    assert offered(found) == {"topic": ("1", "2.5", "true", "2026-01-02", "adult", "a")}


@pytest.mark.parametrize(
    ("source", "values"), [(Level, ("child", "adult")), (Shape, ("SQUARE", "WIDE"))]
)
def test_an_enum(completers: Completers, source: Any, values: tuple[str, ...]) -> None:
    assert offered(completers(about, completers={"topic": source})) == {"topic": values}


@pytest.mark.parametrize(
    ("source", "field", "is_text"),
    [
        ((Book.objects.all(), "title"), "title", True),
        ((Book.objects, "title"), "title", True),
        (Completion(Book.objects.filter(pages=1), "title"), "title", True),
        (Completion(Book.objects, "branch__name"), "branch__name", True),
        (Book.objects.values_list("title", flat=True), "title", True),
        ((Book.objects, "pages"), "pages", False),
        ((Book.objects, "id"), "id", False),
    ],
)
def test_rows_of_a_table(completers: Completers, source: Any, field: str, is_text: bool) -> None:
    completer = completers(about, completers={"topic": source})["topic"]
    assert isinstance(completer.source, Rows)
    assert completer.source.queryset.model is Book
    assert (completer.source.field, completer.source.is_text) == (field, is_text)
    assert completer.blocks
    assert not completer.requires_user


def test_a_queryset_alone_is_completed_from_the_field_of_the_arguments_name(
    of_template: Completers,
) -> None:
    def book(title: str) -> str:
        return ""

    found = of_template(book, "library://{title}", completers={"title": Book.objects.all()})
    source = found["title"].source
    assert isinstance(source, Rows)
    assert source.field == "title"


def test_functions(completers: Completers) -> None:
    def with_value(value: str, context: Context) -> list[str]:
        return []

    async def without(user: CurrentUser) -> list[str]:
        return []

    def two(topic: str, level: Annotated[str, Completion(without)]) -> str:
        return ""

    found = completers(two, completers={"topic": with_value})
    topic, level = found["topic"].source, found["level"].source
    assert isinstance(topic, Asked)
    assert isinstance(level, Asked)
    assert (topic.narrows, level.narrows) == (True, False)
    assert (found["topic"].blocks, found["level"].blocks) == (True, False)
    assert (found["topic"].requires_user, found["level"].requires_user) == (False, True)


def test_a_function_in_the_class_of_its_feature_is_a_method(registry: Registry) -> None:
    class Shelf(Resource):
        """A shelf."""

        uri = "library://{room}/shelves/{shelf}{?size}"
        known = ("a1", "b2")

        def shelves(self) -> tuple[str, ...]:
            return self.known

        @staticmethod
        def rooms() -> list[str]:
            return ["main"]

        @classmethod
        def sizes(cls) -> tuple[str, ...]:
            return cls.known

        completers = {"room": rooms, "shelf": shelves, "size": sizes}

        def read(self, room: str, shelf: str, size: str = "") -> str:
            return shelf

    class Reading(Toolset):
        def topics(self) -> list[str]:
            return ["dogs"]

        @prompt_(completers={"topic": topics})
        def advice(self, topic: str) -> str:
            """Give advice."""
            return topic

    registry.register(Shelf)
    registry.register(Reading)
    shelf = registry.templates["library://{room}/shelves/{shelf}{?size}"].completers
    assert {name: given(one) for name, one in shelf.items()} == {
        "room": ["main"],
        "shelf": ("a1", "b2"),
        "size": ("a1", "b2"),
    }
    assert given(registry.prompts["reading.advice"].completers["topic"]) == ["dogs"]


def given(completer: Completer) -> Any:
    """What a function gives that needs nothing of the request."""
    assert isinstance(completer.source, Asked)
    context = Context(None, HttpRequest(), LATEST)
    return completer.source.binding.resolve(context, {"value": ""})


def test_a_prompt_as_a_class(registry: Registry) -> None:
    class ReadingList(Prompt):
        """A reading list."""

        completers = {"topic": Completion(["dogs"])}

        def render(self, topic: str) -> str:
            return topic

    registry.register(ReadingList)
    assert offered(registry.prompts["reading-list"].completers) == {"topic": ("dogs",)}


# Refusals


def gives(word: str) -> str:
    return (
        f"{word} Give a function, a queryset with the name of a field, a list of values, or an "
        "Enum class."
    )


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("topics", gives("'topics' cannot complete 'topic'.")),
        (None, gives("None cannot complete 'topic'.")),
        (dict, gives("dict cannot complete 'topic'.")),
        (
            Book,
            "Book cannot complete 'topic'. Give Book.objects, and the name of a field.",
        ),
        (
            Completion(["a"], "title"),
            gives(
                "The completer of 'topic' names the field 'title' of list, which is no queryset."
            ),
        ),
        ([], "The choices of 'topic' are empty. List some, or leave it out."),
        (
            [("a", "A")],
            "The choices of 'topic' hold what cannot be completed: tuple is no value to complete "
            "with: give strings, numbers or dates. List plain values.",
        ),
        (
            (User.objects, "date_joined"),
            "'topic' cannot be completed from the field 'date_joined' of User: a DateTimeField is "
            "neither text nor a whole number nor a date. Give a function that returns the values.",
        ),
        (
            (Book.objects, "price"),
            "'topic' cannot be completed from the field 'price' of Book: a DecimalField is "
            "neither text nor a whole number nor a date. Give a function that returns the values.",
        ),
        (
            (Book.objects.all()[:5], "title"),
            "'topic' cannot be completed from the field 'title' of Book: a queryset that is "
            "sliced or combined cannot be narrowed. Give a function that returns the values.",
        ),
        (
            (Book.objects.all().union(Book.objects.all()), "title"),
            "'topic' cannot be completed from the field 'title' of Book: a queryset that is "
            "sliced or combined cannot be narrowed. Give a function that returns the values.",
        ),
    ],
)
def test_what_completes_nothing(refused: Refused, source: Any, words: str) -> None:
    assert refused(about, completers={"topic": source}) == f"about: {words}"


RELATED = ". Correct the name; that of a related model is such as author__name."


@pytest.mark.parametrize(
    ("source", "field", "fix"),
    [
        ((Book.objects, "subject"), "subject", RELATED),
        ((Book.objects, "branch"), "branch", RELATED),
        (Branch.objects, "topic", '. Say which one, such as Completion(queryset, "isbn").'),
    ],
)
def test_a_field_that_cannot_be_looked_into(
    refused: Refused, source: Any, field: str, fix: str
) -> None:
    message = refused(about, completers={"topic": source})
    assert message.startswith(f"about: 'topic' cannot be completed from the field {field!r} of ")
    assert message.endswith(fix)


def test_completers_that_name_no_argument(refused: Refused) -> None:
    def mine(user: CurrentUser, topic: str) -> str:
        return ""

    def nothing() -> str:
        return ""

    assert refused(mine, completers={"user": ["a"]}) == (
        "mine: completers= names 'user', which is no argument. Correct the name. It has topic."
    )
    assert refused(nothing, completers={"topic": ["a"]}).endswith("Correct the name. It has none.")
    assert refused(about, completers=["topic"]) == (
        'about: completers= is no mapping. Write {"isbn": source}, with the names of arguments.'
    )


def test_a_completion_where_it_has_no_effect(refused: Refused) -> None:
    def bare(topic: Annotated[str, Completion]) -> str:
        return ""

    def injected(topic: Annotated[str, Inject(lambda: "a"), Completion(["a"])]) -> str:
        return ""

    assert refused(bare) == (
        "bare: Completion stands on 'topic' without a source. Write Completion(source)."
    )
    assert refused(injected) == (
        "injected: The parameter 'topic' has a Completion, but no caller sends it. "
        "Take the Completion away."
    )


def test_a_function_that_needs_what_nobody_fills(refused: Refused) -> None:
    def topics(prefix: str) -> list[str]:
        return []

    def generated() -> Any:
        yield "a"

    async def streamed() -> Any:
        yield "a"

    assert refused(about, completers={"topic": topics}) == (
        "about: test_a_function_that_needs_what_nobody_fills.<locals>.topics, which fills "
        "'topic': Nobody fills its parameter 'prefix'. Callers send "
        "nothing to it: inject that too, or give it a default. What was typed so far arrives as "
        "value."
    )
    assert "It is a generator" in refused(about, completers={"topic": generated})
    assert "It is an async generator" in refused(about, completers={"topic": streamed})


def test_a_value_that_no_client_could_send() -> None:
    with pytest.raises(TypeError, match="Book is no value to complete with"):
        text_of(Book(title="Emma"))
    assert text_of(datetime.time(14, 30)) == "14:30:00"
    assert text_of("a\x00b\x1b") == "ab"
