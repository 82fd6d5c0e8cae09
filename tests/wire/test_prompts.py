"""``prompts/list`` and ``prompts/get``, as clients of each revision see them."""

from __future__ import annotations

import asyncio
import datetime
from collections.abc import Iterator
from typing import Annotated, Any, Literal

import pytest
from django.contrib.auth.models import User
from django.db import IntegrityError
from django.http import Http404
from django.test import override_settings
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from mcp_django import (
    Annotations,
    Arguments,
    Context,
    CurrentTenant,
    CurrentUser,
    Icon,
    Image,
    Prompt,
    PromptMessage,
    PromptResult,
    ResourceLink,
    Text,
    ToolError,
    Toolset,
    prompt,
)
from tests.app.models import Branch
from tests.wire.conftest import Wire, error_of

NOBODY_SIGNS_IN: dict[str, Any] = {"AUTHENTICATION_CLASSES": []}
LOADERS = "django.template.loaders.locmem.Loader"


def reading_list(topic: str, level: Literal["child", "adult"] = "adult", count: int = 3) -> str:
    """Suggest books.

    Args:
        topic: What they are about.
        count: How many.
    """
    return f"{count!r} {level} books on {topic!r}"


def messages(wire: Wire, prompt_name: str, /, **arguments: Any) -> list[dict[str, Any]]:
    result = wire.result("prompts/get", {"name": prompt_name, "arguments": arguments})
    found: list[dict[str, Any]] = result["messages"]
    return found


def text(wire: Wire, prompt_name: str, /, **arguments: Any) -> str:
    (message,) = messages(wire, prompt_name, **arguments)
    assert message["role"] == "user"
    assert message["content"]["type"] == "text"
    return str(message["content"]["text"])


def refusal(wire: Wire, prompt_name: str, /, **arguments: Any) -> str:
    """Why the arguments do not validate: -32602 in both eras."""
    params = {"name": prompt_name, "arguments": arguments}
    error = wire.error("prompts/get", params)
    assert error["code"] == -32602
    assert wire.legacy("prompts/get", params).json()["error"] == error
    return str(error["message"])


# What is listed.


def test_what_is_listed_of_a_function(wire: Wire, register: Any) -> None:
    register(reading_list, kind="prompt")
    assert wire.result("prompts/list")["prompts"] == [
        {
            "name": "reading_list",
            "description": "Suggest books.",
            "arguments": [
                {"name": "topic", "description": "What they are about.", "required": True},
                {"name": "level"},
                {"name": "count", "description": "How many."},
            ],
        }
    ]


class Topic(serializers.Serializer[Any]):
    topic = serializers.CharField(label="The topic", help_text="Any.")


def test_all_that_can_be_said_of_a_prompt(wire: Wire, register: Any) -> None:
    def render(topic: str) -> str:
        return topic

    register(
        render,
        kind="prompt",
        name="reading-list",
        title="Reading list",
        description="Suggests books.",
        arguments=Topic,
        icons=[Icon("https://example.com/a.png")],
        meta={"example.com/a": 1},
        tags=["books"],
    )
    whole = {
        "name": "reading-list",
        "title": "Reading list",
        "description": "Suggests books.",
        "icons": [{"src": "https://example.com/a.png"}],
        "_meta": {"example.com/a": 1},
        "arguments": [
            {"name": "topic", "title": "The topic", "description": "Any.", "required": True}
        ],
    }
    assert wire.result("prompts/list")["prompts"] == [whole]
    assert wire.old_result("prompts/list") == {"prompts": [whole]}
    june = {key: value for key, value in whole.items() if key != "icons"}
    assert wire.old_result("prompts/list", version="2025-06-18") == {"prompts": [june]}
    assert wire.old_result("prompts/list", version="2025-03-26") == {
        "prompts": [
            {
                "name": "reading-list",
                "description": "Suggests books.",
                "arguments": [{"name": "topic", "description": "Any.", "required": True}],
            }
        ]
    }


def test_a_prompt_without_arguments_lists_none(wire: Wire, register: Any) -> None:
    def hello(context: Context) -> str:
        """Say hello."""
        return "Hello."

    register(hello, kind="prompt")
    assert wire.result("prompts/list")["prompts"] == [
        {"name": "hello", "description": "Say hello."}
    ]
    assert text(wire, "hello") == "Hello."
    for params in ({"name": "hello"}, {"name": "hello", "arguments": None}):
        assert wire.result("prompts/get", params)["messages"]


# Arguments.


def test_arguments_come_as_strings_and_have_the_types_of_the_signature(
    wire: Wire, register: Any
) -> None:
    def plan(day: datetime.date, count: int, big: bool, tags: list[str], name: str) -> str:
        """Plan."""
        return f"{day!r} {count!r} {big!r} {tags!r} {name!r}"

    register(plan, kind="prompt")
    sent = {"day": "2026-03-01", "count": "3", "big": "true", "tags": '["a"]', "name": "007"}
    assert text(wire, "plan", **sent) == "datetime.date(2026, 3, 1) 3 True ['a'] '007'"


def test_what_is_left_out_has_its_default(wire: Wire, register: Any) -> None:
    register(reading_list, kind="prompt")
    assert text(wire, "reading_list", topic="cats") == "3 adult books on 'cats'"
    assert text(wire, "reading_list", topic="cats", level="child", count="5") == (
        "5 child books on 'cats'"
    )


def test_arguments_that_do_not_validate(wire: Wire, register: Any) -> None:
    register(reading_list, kind="prompt")
    assert "topic" in refusal(wire, "reading_list")
    assert "count" in refusal(wire, "reading_list", topic="x", count="many")
    why = refusal(wire, "reading_list", topic="x", level="baby")
    assert "level" in why
    assert "child" in why
    why = refusal(wire, "reading_list", topic="x", levle="adult")
    assert "levle" in why
    assert "level" in why


def test_an_injected_parameter_cannot_be_sent(wire: Wire, register: Any) -> None:
    def hello(name: str, context: Context) -> str:
        """Say hello."""
        return name

    register(hello, kind="prompt")
    assert "context" in refusal(wire, "hello", name="x", context="y")


@pytest.mark.parametrize(
    ("params", "told"),
    [
        ({}, "prompts/get needs name, a string."),
        ({"name": 5}, "prompts/get needs name, a string."),
        ({"name": "reading_list", "arguments": []}, "prompts/get takes arguments, an object."),
        ({"name": "reading_list", "arguments": "x"}, "prompts/get takes arguments, an object."),
        ({"name": "nothing"}, "Unknown prompt: nothing"),
        ({"name": "x" * 300}, "Unknown prompt: " + "x" * 200),
    ],
)
def test_what_is_no_request_for_a_prompt(wire: Wire, register: Any, params: Any, told: str) -> None:
    register(reading_list, kind="prompt")
    error = {"code": -32602, "message": told}
    assert wire.error("prompts/get", params) == error
    assert wire.legacy("prompts/get", params).json()["error"] == error


def test_arguments_taken_whole(wire: Wire, register: Any) -> None:
    def whole(data: Arguments[Topic]) -> str:
        """All in one."""
        return f"{data['topic']} {data.raw('topic')}"

    register(whole, kind="prompt")
    assert text(wire, "whole", topic=" cats ") == "cats  cats "


# Messages.


def test_a_text_is_one_message_of_the_user(wire: Wire, register: Any) -> None:
    register(reading_list, kind="prompt")
    result = wire.result("prompts/get", {"name": "reading_list", "arguments": {"topic": "x"}})
    assert result.pop("_meta").keys() == {"io.modelcontextprotocol/serverInfo"}
    assert result == {
        "messages": [{"role": "user", "content": {"type": "text", "text": "3 adult books on 'x'"}}],
        "resultType": "complete",
    }
    legacy = wire.old_result("prompts/get", {"name": "reading_list", "arguments": {"topic": "x"}})
    assert legacy == {"messages": result["messages"]}


def talk() -> list[PromptMessage | Text | str]:
    """Talk."""
    return [
        "a",
        PromptMessage("b", role="assistant"),
        Text("c", annotations=Annotations(last_modified="2026-01-02", priority=1.0)),
    ]


def test_several_messages(wire: Wire, register: Any) -> None:
    register(talk, kind="prompt")
    found = messages(wire, "talk")
    assert [one["role"] for one in found] == ["user", "assistant", "user"]
    assert [one["content"]["text"] for one in found] == ["a", "b", "c"]
    assert found[2]["content"]["annotations"] == {"lastModified": "2026-01-02", "priority": 1.0}
    march = wire.old_result("prompts/get", {"name": "talk"}, version="2025-03-26")["messages"]
    assert march[2]["content"]["annotations"] == {"priority": 1.0}


def test_blocks_and_a_description(wire: Wire, register: Any) -> None:
    def show() -> PromptResult:
        """Show."""
        return PromptResult(
            [Image(b"x", "image/png"), ResourceLink("library://1", "Emma")],
            description="Two.",
            meta={"example.com/a": 1},
        )

    register(show, kind="prompt")
    result = wire.result("prompts/get", {"name": "show"})
    assert result["description"] == "Two."
    assert result["_meta"]["example.com/a"] == 1
    assert result["_meta"].keys() > {"example.com/a"}
    assert [one["content"]["type"] for one in result["messages"]] == ["image", "resource_link"]
    march = wire.old_result("prompts/get", {"name": "show"}, version="2025-03-26")
    assert march["messages"][1]["content"] == {"type": "text", "text": "Emma: library://1"}


@pytest.mark.usefixtures("open_endpoint")
def test_an_async_function(wire: Wire, register: Any) -> None:
    async def later(topic: str) -> list[str]:
        """Later."""
        await asyncio.sleep(0)
        return [topic, "x"]

    register(later, kind="prompt")
    assert len(messages(wire, "later", topic="a")) == 2


def test_a_class_and_a_toolset(wire: Wire, register: Any) -> None:
    class ReadingList(Prompt):
        """Suggest books."""

        def setup(self) -> None:
            self.calls = 0

        def render(self, topic: str) -> str:
            self.calls += 1
            return f"{topic} {self.calls}"

    class Desk(Toolset):
        @prompt
        def greet(self, name: str) -> str:
            """Greet."""
            return f"Hello {name}"

    register(ReadingList)
    register(Desk)
    names = [one["name"] for one in wire.result("prompts/list")["prompts"]]
    assert names == ["reading-list", "desk.greet"]
    assert text(wire, "reading-list", topic="a") == "a 1"
    assert text(wire, "reading-list", topic="a") == "a 2"
    assert text(wire, "desk.greet", name="Ann") == "Hello Ann"


# Templates of Django's.


@pytest.fixture
def templates() -> Iterator[None]:
    found = {
        "list.txt": "{{ count }} books on {{ topic }}{% if note %}, {{ note }}{% endif %}",
        "branches.txt": "{% for branch in branches %}{{ branch }};{% endfor %}",
    }
    engine = {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "OPTIONS": {"loaders": [(LOADERS, found)]},
    }
    with override_settings(TEMPLATES=[engine]):
        yield


@pytest.mark.usefixtures("templates")
def test_a_template_gets_the_arguments(wire: Wire, register: Any) -> None:
    def books(topic: str, count: int = 3) -> None:
        """Books."""

    register(books, kind="prompt", template="list.txt")
    assert text(wire, "books", topic="<cats> & co") == "3 books on <cats> & co"


@pytest.mark.usefixtures("templates", "open_endpoint")
def test_a_template_gets_what_the_function_adds(wire: Wire, register: Any) -> None:
    def books(topic: str, context: Context) -> dict[str, Any]:
        """Books."""
        return {"count": "many", "note": context.revision.version}

    async def later(topic: str) -> dict[str, Any]:
        """Books, later."""
        await asyncio.sleep(0)
        return {"count": 2, "topic": f"{topic}!"}

    register(books, kind="prompt", template="list.txt")
    register(later, kind="prompt", template="list.txt")
    assert text(wire, "books", topic="a") == "many books on a, 2026-07-28"
    assert text(wire, "later", topic="a") == "2 books on a!"


@pytest.mark.usefixtures("templates", "open_endpoint")
def test_arguments_taken_whole_have_their_names_in_a_template(wire: Wire, register: Any) -> None:
    def books(data: Arguments[Topic]) -> dict[str, Any]:
        """Books."""
        return {"count": len(data["topic"])}

    register(books, kind="prompt", template="list.txt")
    assert text(wire, "books", topic="abc") == "3 books on abc"


@pytest.mark.usefixtures("templates", "open_endpoint")
def test_an_object_among_the_arguments_is_one_value(wire: Wire, register: Any) -> None:
    def books(topic: str, count: dict[str, Any]) -> None:
        """Books."""

    register(books, kind="prompt", template="list.txt")
    assert text(wire, "books", topic="a", count='{"topic": "b"}') == "{'topic': 'b'} books on a"


@pytest.mark.django_db
@pytest.mark.usefixtures("templates", "open_endpoint")
def test_a_template_may_query(wire: Wire, register: Any) -> None:
    def branches() -> dict[str, Any]:
        """Branches."""
        return {"branches": Branch.objects.order_by("name")}

    async def later() -> dict[str, Any]:
        """Branches, later."""
        return branches()

    Branch.objects.create(name="north")
    register(branches, kind="prompt", template="branches.txt")
    register(later, kind="prompt", template="branches.txt")
    assert text(wire, "branches") == "north;"
    assert text(wire, "later") == "north;"


@pytest.mark.usefixtures("templates", "open_endpoint")
def test_a_function_beside_a_template_returns_a_dict(wire: Wire, register: Any) -> None:
    def books() -> Any:
        """Books."""
        return "text"

    register(books, kind="prompt", template="list.txt")
    error = wire.error("prompts/get", {"name": "books"})
    assert error["code"] == -32603
    assert "it has template= and returned str: return a dict" in error["message"]


# Who may use it, and what goes wrong.


@pytest.mark.django_db
def test_what_is_hidden_is_unknown(wire: Wire, register: Any) -> None:
    register(reading_list, kind="prompt", permission="app.add_book")
    arguments = {"topic": "x", "count": "not validated"}
    params = {"name": "reading_list", "arguments": arguments}
    assert wire.result("prompts/list")["prompts"] == []
    assert error_of(wire.modern("prompts/get", params)) == (401, -32600)
    wire.client.force_login(User.objects.create_user("ann"))
    assert refusal(wire, "reading_list", **arguments) == "Unknown prompt: reading_list"
    wire.client.force_login(User.objects.create_superuser("root"))
    assert text(wire, "reading_list", topic="x").endswith("'x'")


@pytest.mark.django_db
def test_the_user_is_injected(wire: Wire, register: Any) -> None:
    def hello(user: CurrentUser) -> str:
        """Hello."""
        return f"Hello {user.username}"

    register(hello, kind="prompt")
    assert error_of(wire.modern("prompts/get", {"name": "hello"})) == (401, -32600)
    wire.client.force_login(User.objects.create_user("ann"))
    assert text(wire, "hello") == "Hello ann"


@pytest.mark.usefixtures("open_endpoint")
def test_a_missing_tenant(wire: Wire, register: Any) -> None:
    def hello(branch: Annotated[Branch, CurrentTenant]) -> str:
        """Hello."""
        return branch.name

    register(hello, kind="prompt")
    assert wire.error("prompts/get", {"name": "hello"}) == {
        "code": -32603,
        "message": "No tenant for this request",
    }


@pytest.mark.parametrize(
    ("error", "told", "is_shown"),
    [
        (ToolError("Closed."), "Closed.", True),
        (Http404("No list."), "No list.", True),
        (ValueError("secret"), "secret", False),
        (IntegrityError("secret"), None, False),
    ],
)
def test_what_is_raised_is_an_internal_error(
    wire: Wire, register: Any, error: Exception, told: str | None, is_shown: bool
) -> None:
    def failing() -> str:
        """Fails."""
        raise error

    register(failing, kind="prompt")
    with override_settings(MCP_DJANGO=NOBODY_SIGNS_IN):
        answer = wire.error("prompts/get", {"name": "failing"})
        assert answer["code"] == -32603
        assert answer["message"] == told or answer["message"].startswith("The prompt failed. ")
    with override_settings(MCP_DJANGO={**NOBODY_SIGNS_IN, "MASK_ERRORS": True}):
        masked = wire.error("prompts/get", {"name": "failing"})["message"]
        assert (masked == told) is is_shown
        assert is_shown or masked.startswith("The prompt failed. The operator finds the reason")


def test_no_messages_are_an_error(wire: Wire, register: Any) -> None:
    def nothing() -> list[str]:
        """Nothing."""
        return []

    register(nothing, kind="prompt")
    error = wire.error("prompts/get", {"name": "nothing"})
    assert error["code"] == -32603
    assert error["message"].startswith("nothing returned nothing.")


def test_a_result_that_is_too_long(wire: Wire, register: Any) -> None:
    def long() -> str:
        """Long."""
        return "x" * 2000

    register(long, kind="prompt")
    with override_settings(MCP_DJANGO={**NOBODY_SIGNS_IN, "MAX_RESULT_BYTES": 1000}):
        error = wire.error("prompts/get", {"name": "long"})
    assert error["code"] == -32603
    assert "more than the 1,000 that this server sends" in error["message"]


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("open_endpoint")
def test_what_a_failed_prompt_wrote_is_undone(wire: Wire, register: Any) -> None:
    def found(fails: bool) -> str:
        """Found a branch."""
        Branch.objects.create(name="north")
        if fails:
            raise ToolError("No.")
        return "ok"

    register(found, kind="prompt", atomic=True)
    wire.error("prompts/get", {"name": "found", "arguments": {"fails": "true"}})
    assert not Branch.objects.exists()
    assert text(wire, "found", fails="false") == "ok"
    assert Branch.objects.exists()


def test_a_tool_and_a_prompt_may_have_the_same_name(wire: Wire, register: Any) -> None:
    register(reading_list)
    register(reading_list, kind="prompt")
    assert text(wire, "reading_list", topic="x")
    assert wire.call("reading_list", {"topic": "x"})["content"][0]["text"]


@extend_schema_field({"type": "string", "pattern": "["})
class LevelField(serializers.CharField):
    """Its schema has a pattern that no validator here can read."""


class Level(serializers.Serializer[Any]):
    level = LevelField(required=False, allow_blank=False)


def test_a_field_of_a_form_that_was_left_empty_counts_as_left_out(
    wire: Wire, register: Any
) -> None:
    def plan(
        topic: str, days: int = 3, day: datetime.date | None = None, level: Literal["a", "b"] = "a"
    ) -> str:
        """Plan."""
        return f"{topic!r} {days} {day} {level}"

    register(plan, kind="prompt")
    blank = {"topic": "", "days": "", "day": "", "level": ""}
    (message,) = wire.result("prompts/get", {"name": "plan", "arguments": blank})["messages"]
    assert message["content"]["text"] == "'' 3 None a"


def test_a_pattern_that_cannot_be_read_says_nothing_of_blanks(wire: Wire, register: Any) -> None:
    def plan(level: str = "a") -> str:
        """Plan."""
        return level

    register(plan, kind="prompt", arguments=Level)
    asked = {"name": "plan", "arguments": {"level": ""}}
    assert wire.error("prompts/get", asked)["code"] == -32602


@pytest.mark.parametrize("mask", [True, False])
def test_a_prompt_that_is_too_long_says_so_even_where_errors_are_masked(
    wire: Wire, register: Any, mask: bool
) -> None:
    def long() -> str:
        """Long."""
        return "x" * 1000

    register(long, kind="prompt")
    limits = {"AUTHENTICATION_CLASSES": [], "MASK_ERRORS": mask, "MAX_RESULT_BYTES": 500}
    with override_settings(MCP_DJANGO=limits):
        error = wire.error("prompts/get", {"name": "long"})
    assert error["code"] == -32603
    assert error["message"].endswith("more than the 500 that this server sends.")


@pytest.mark.usefixtures("open_endpoint")
def test_a_number_that_is_too_large_is_not_called_a_text(wire: Wire, register: Any) -> None:
    def suggest(count: Annotated[int, serializers.IntegerField(min_value=1, max_value=20)]) -> str:
        """Suggest books."""
        return str(count)

    register(suggest, kind="prompt")
    error = wire.error("prompts/get", {"name": "suggest", "arguments": {"count": "30"}})
    assert error["code"] == -32602
    assert error["message"].endswith("count: 30 is more than 20. Expected an integer from 1 to 20.")
