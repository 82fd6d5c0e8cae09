"""``enabled=``: a feature that is there at times, asked anew for each request."""

from __future__ import annotations

import datetime
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import override_settings

from mcp_django import Context, Prompt, Resource, Tool, Toolset, tool
from tests.wire.conftest import Wire

URI = "library://hours"
TEMPLATE = "library://books/{isbn}"


def text() -> str:
    """Text."""
    return "text"


def book(isbn: str) -> str:
    """A book."""
    return isbn


def add(register: Any, **options: Any) -> None:
    """A feature of each kind, with these options."""
    register(text, **options)
    register(text, kind="prompt", **options)
    register(text, uri=URI, **options)
    register(book, uri=TEMPLATE, instances=lambda: [{"isbn": "1"}], **options)


LISTS = {
    "tools/list": "tools",
    "prompts/list": "prompts",
    "resources/list": "resources",
    "resources/templates/list": "resourceTemplates",
}
CALLS: dict[str, tuple[dict[str, Any], str]] = {
    "tools/call": ({"name": "text"}, "Unknown tool: text"),
    "prompts/get": ({"name": "text"}, "Unknown prompt: text"),
    "resources/read": ({"uri": URI}, f"Resource not found: {URI}"),
}


def are_there(wire: Wire) -> bool:
    """Whether lists show the features, and calls reach them: both, or neither."""
    listed = {
        method: [one["name"] for one in wire.result(method)[member] if one["name"] in NAMES]
        for method, member in LISTS.items()
    }
    reached = []
    for method, (params, unknown) in CALLS.items():
        answer = wire.modern(method, params).json()
        reached.append("result" in answer)
        if "error" in answer:
            assert (answer["error"]["code"], answer["error"]["message"]) == (-32602, unknown)
    assert len({*map(bool, listed.values()), *reached}) == 1
    return all(reached)


NAMES = ("text", "book", "1")


@pytest.mark.parametrize(
    ("enabled", "is_there"),
    [
        (lambda: True, True),
        (lambda: False, False),
        (lambda context: context.user is None, True),
        (lambda context: context.user is not None, False),
        (lambda context=None: context is None, True),
        (lambda *args: bool(args), True),
        (lambda **more: not more, True),
        (partial(lambda wanted, context: wanted, False), False),
        (list, False),
        (lambda: "yes", True),
    ],
)
@pytest.mark.usefixtures("open_endpoint")
def test_it_is_there_or_not(
    wire: Wire, register: Any, enabled: Callable[..., Any], is_there: bool
) -> None:
    add(register, enabled=enabled)
    assert are_there(wire) is is_there


@pytest.mark.usefixtures("open_endpoint")
def test_it_is_asked_anew_for_each_request(wire: Wire, register: Any) -> None:
    open_days: set[int] = set()
    add(register, enabled=lambda: datetime.date(2026, 3, 1).day in open_days)
    assert not are_there(wire)
    open_days.add(1)
    assert are_there(wire)
    open_days.clear()
    assert not are_there(wire)


@pytest.mark.django_db
def test_it_may_depend_on_the_caller(wire: Wire, register: Any) -> None:
    add(register, enabled=lambda context: context.user and context.user.username == "ann")
    assert not are_there(wire)
    wire.client.force_login(User.objects.create_user("bob"))
    assert not are_there(wire)
    wire.client.force_login(User.objects.create_user("ann"))
    assert are_there(wire)


@pytest.mark.django_db
def test_it_goes_before_signing_in(wire: Wire, register: Any) -> None:
    register(text, enabled=lambda: False, permission="app.add_book")
    response = wire.modern("tools/call", {"name": "text"})
    assert response.status_code == 200
    assert response.json()["error"]["message"] == "Unknown tool: text"


@pytest.mark.usefixtures("open_endpoint")
def test_one_that_raises_hides_the_feature_and_is_logged(
    wire: Wire, register: Any, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(context: Context) -> bool:
        raise ValueError("no such flag")

    add(register, enabled=broken)
    assert not are_there(wire)
    assert f"enabled= raised; the resource template {TEMPLATE} is hidden." in caplog.text
    assert "no such flag" in caplog.text


@pytest.mark.usefixtures("open_endpoint")
def test_what_would_have_to_be_awaited_hides_the_feature(
    wire: Wire, register: Any, caplog: pytest.LogCaptureFixture
) -> None:
    async def later() -> bool:
        return True

    class Later:
        def __await__(self) -> Any:
            yield

    add(register, enabled=lambda: later())
    assert not are_there(wire)
    assert "enabled= returned an awaitable, and lists await nothing" in caplog.text
    register(text, name="other", enabled=Later)
    assert "other" not in [one["name"] for one in wire.result("tools/list")["tools"]]


class Switched:
    def setup(self) -> None:
        self.is_on = True

    def enabled(self, context: Context) -> bool:
        return self.is_on and context.user is None


@pytest.mark.usefixtures("open_endpoint")
def test_a_method_of_a_class(wire: Wire, register: Any) -> None:
    class Hire(Switched, Tool):
        """Hire."""

        def call(self) -> str:
            return "hired"

    class Hours(Switched, Resource):
        """Hours."""

        uri = URI

        def setup(self) -> None:
            self.is_on = False

        def read(self) -> str:
            return "hours"

    register(Hire)
    register(Hours)
    assert "hire" in [one["name"] for one in wire.result("tools/list")["tools"]]
    assert wire.result("resources/list")["resources"] == []


def is_modern(context: Context) -> bool:
    return context.revision.modern


@pytest.mark.usefixtures("open_endpoint")
def test_a_function_that_is_no_method_as_an_attribute(wire: Wire, register: Any) -> None:
    class Greet(Prompt):
        """Greet."""

        enabled = is_modern  # it does not begin with self

        def render(self) -> str:
            return "Hello."

    class Leave(Greet):
        """Leave."""

        enabled = staticmethod(lambda: False)

    class Return(Greet):
        """Return."""

        @classmethod
        def enabled(cls, context: Context) -> bool:  # type: ignore[override]
            return cls.__name__ == "Return"

    for one in (Greet, Leave, Return):
        register(one)
    assert [one["name"] for one in wire.result("prompts/list")["prompts"]] == ["greet", "return"]
    assert [one["name"] for one in wire.old_result("prompts/list")["prompts"]] == ["return"]


@pytest.mark.usefixtures("open_endpoint")
def test_on_a_method_of_a_toolset(wire: Wire, register: Any) -> None:
    class Desk(Toolset):
        @tool(enabled=lambda: False)
        def close(self) -> None:
            """Close."""

        @tool(enabled=lambda context: True)
        def open(self) -> None:
            """Open."""

    register(Desk)
    names = [one["name"] for one in wire.result("tools/list")["tools"]]
    assert "desk.open" in names
    assert "desk.close" not in names


@pytest.mark.usefixtures("open_endpoint")
def test_lists_are_private_then_and_what_is_read_too(wire: Wire, register: Any) -> None:
    add(register)
    for method in LISTS:
        assert wire.result(method)["cacheScope"] == (
            "private" if method == "resources/list" else "public"
        )
    register(text, name="other", enabled=lambda: False)
    register(text, uri="library://other", enabled=lambda: True)
    assert wire.result("tools/list")["cacheScope"] == "private"
    assert wire.result("prompts/list")["cacheScope"] == "public"
    shared = {"AUTHENTICATION_CLASSES": [], "CACHE_SCOPE": {"read": "public"}}
    with override_settings(USE_I18N=False, MCP_DJANGO=shared):
        for uri, scope in ((URI, "public"), ("library://other", "private")):
            assert wire.result("resources/read", {"uri": uri})["cacheScope"] == scope


@pytest.mark.usefixtures("open_endpoint")
def test_capabilities_are_the_same_whoever_asks(wire: Wire, register: Any) -> None:
    register(text, kind="prompt", enabled=lambda: False)
    assert "prompts" in wire.result("server/discover")["capabilities"]
    assert wire.result("prompts/list")["prompts"] == []
