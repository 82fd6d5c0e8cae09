"""What completes arguments, in words: as its author wrote it."""

from __future__ import annotations

import enum
import functools
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Annotated, Any, Literal

import pytest

from mcp_django import Arguments, Completion, Prompt, server
from mcp_django.catalog.completions import completions
from tests.app.models import Book, Branch
from tests.catalogued import branch_server

Told = Callable[..., dict[str, str]]


@pytest.fixture
def told() -> Iterator[Told]:
    """How the arguments of a prompt are completed, in words."""
    with server.registry.isolated() as registry:

        def words(target: Any, **options: Any) -> dict[str, str]:
            registry.clear()
            server.compile()
            registry.register(target, kind="prompt", **options)
            return completions(server, registry.features[0])

        yield words


class Size(enum.Enum):
    SMALL = "s"
    LARGE = "l"


def sizes() -> list[str]:
    """Small and large."""
    return ["s", "l"]


def pick(one: str) -> str:
    """Pick one."""
    return one


@pytest.mark.parametrize(
    ("source", "words"),
    [
        (["s", "l"], "a list of values"),
        (("s", "l"), "a list of values"),
        (Size, "the values of Size"),
        (sizes, "the function sizes"),
        (lambda: ["s"], "a function"),
        (functools.partial(sizes), "a function"),
        (Completion(Branch.objects.all(), "name"), "rows of Branch by name"),
        ((Book.objects.all(), "branch__name"), "rows of Book by branch__name"),
        (Book.objects.values_list("title", flat=True), "rows of Book by title"),
    ],
)
def test_what_stands_in_completers(told: Told, source: Any, words: str) -> None:
    assert told(pick, completers={"one": source}) == {"one": words}
    if not isinstance(source, Completion | tuple):
        assert told(pick, completers={"one": Completion(source)}) == {"one": words}


def test_what_stands_on_parameters_and_what_their_types_say(told: Told) -> None:
    def picked(
        one: Annotated[str, Completion(sizes)],
        two: Annotated[str, Completion(["a", "b"])] | None = None,
        three: Literal["x", "y"] = "x",
        four: str = "",
    ) -> str:
        """Pick some."""
        return one

    assert told(picked) == {
        "one": "the function sizes",
        "two": "a list of values",
        "three": "its choices",
    }
    assert told(picked, completers={"one": Size})["one"] == "the values of Size"


@dataclass
class Wanted:
    """What is wanted."""

    one: Annotated[str, Completion(Size)]
    two: str = ""


def test_members_of_what_takes_all_arguments(told: Told) -> None:
    def picked(wanted: Arguments[Wanted]) -> str:
        """Pick some."""
        return wanted.one

    assert told(picked) == {"one": "the values of Size"}


def test_a_method_of_the_class(told: Told) -> None:
    class Pick(Prompt):
        """Pick one."""

        def known(self) -> list[str]:
            return ["a"]

        completers = {"one": known}

        def render(self, one: str) -> str:
            return one

    assert told(Pick) == {"one": "the function Pick.known"}


def test_what_has_none() -> None:
    def nothing() -> str:
        """Say nothing."""
        return ""

    with server.registry.isolated() as registry:
        registry.register(nothing)
        registry.register(pick, kind="prompt")
        assert completions(server, registry.tools["nothing"]) == {}
        assert completions(server, registry.prompts["pick"]) == {}


def test_a_feature_that_is_no_longer_on_the_server() -> None:
    with server.registry.isolated() as registry:
        registry.register(pick, kind="prompt", completers={"one": sizes})
        prompt = registry.prompts["pick"]
    assert completions(branch_server(), prompt) == {"one": "its choices"}
