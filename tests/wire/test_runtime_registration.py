"""Features that come and go while the project runs."""

from __future__ import annotations

import logging
import threading
from collections.abc import Iterator
from typing import Any

import pytest
from django.test import Client

from mcp_django import MCPServer, Toolset, prompt, resource, server, tool
from mcp_django.features.errors import InvalidFeature, Misuse, NotRegistered
from mcp_django.signals import features_changed
from tests.wire.conftest import META, MODERN, Wire, error_of

pytestmark = pytest.mark.usefixtures("open_endpoint")

BOOKS = "library://books/{isbn}"


def text() -> str:
    """Text."""
    return "text"


def book(isbn: str) -> str:
    """A book."""
    return isbn


@pytest.fixture
def told(register: Any) -> Iterator[list[tuple[Any, frozenset[str]]]]:
    """Sender and kinds of each signal."""
    found: list[tuple[Any, frozenset[str]]] = []

    def receive(sender: Any, kinds: frozenset[str], **kwargs: Any) -> None:
        found.append((sender, kinds))

    features_changed.connect(receive)
    yield found
    features_changed.disconnect(receive)


def names(wire: Wire, method: str) -> list[str]:
    result = wire.result(method)
    (member,) = result.keys() & {"tools", "prompts", "resources", "resourceTemplates"}
    return [one["name"] for one in result[member]]


def test_it_is_there_at_once_and_gone_at_once(wire: Wire, register: Any) -> None:
    register(text, name="other")
    register(text)
    assert "text" in names(wire, "tools/list")
    assert wire.call("text")["content"][0]["text"] == "text"
    server.unregister("text")
    assert "text" not in names(wire, "tools/list")
    error = wire.error("tools/call", {"name": "text"})
    assert error == {"code": -32602, "message": "Unknown tool: text"}


def test_decorators_do_the_same_after_start_up(wire: Wire, register: Any) -> None:
    tool(text)
    prompt(text)
    resource("library://text")(text)
    resource(BOOKS)(book)
    assert "text" in names(wire, "tools/list")
    assert names(wire, "prompts/list") == ["text"]
    assert names(wire, "resources/list") == ["text"]
    assert names(wire, "resources/templates/list") == ["book"]


def test_capabilities_follow(wire: Wire, register: Any) -> None:
    register(text)
    assert "prompts" not in wire.result("server/discover")["capabilities"]
    assert error_of(wire.modern("prompts/list")) == (404, -32601)
    register(text, kind="prompt")
    assert "prompts" in wire.result("server/discover")["capabilities"]
    assert names(wire, "prompts/list") == ["text"]
    server.unregister("text", kind="prompt")
    assert error_of(wire.modern("prompts/list")) == (404, -32601)


def test_by_uri_and_by_template(wire: Wire, register: Any) -> None:
    register(text, uri="library://text")
    register(book, uri=BOOKS)
    server.unregister("library://text")
    assert wire.error("resources/read", {"uri": "library://text"})["code"] == -32602
    server.unregister(BOOKS)
    assert error_of(wire.modern("resources/read", {"uri": "library://books/1"})) == (404, -32601)


def test_what_is_called_twice_is_unregistered_by_kind(register: Any) -> None:
    register(text)
    register(text, kind="prompt")
    with pytest.raises(Misuse) as caught:
        server.unregister("text")
    assert str(caught.value) == (
        "Several features are called 'text': say kind=, one of 'tool', 'prompt'."
    )
    with pytest.raises(NotRegistered) as missing:
        server.unregister("text", kind="resource_template")
    assert str(missing.value) == "The server 'default' has no resource template 'text'."
    with pytest.raises(Misuse) as unknown:
        server.unregister("text", kind="tools")  # type: ignore[arg-type]
    assert str(unknown.value) == (
        "There is no kind 'tools' of features. Say one of tool, resource, resource_template, "
        "prompt."
    )
    server.unregister("text", kind="tool")
    assert "text" in server.registry.prompts
    server.unregister("text")
    assert "text" not in server.registry.prompts


def test_a_template_is_a_resource_where_it_was_registered_as_one(register: Any) -> None:
    register(book, uri=BOOKS, kind="resource")
    server.unregister(BOOKS, kind="resource")
    assert BOOKS not in server.registry.templates
    with pytest.raises(NotRegistered, match=r"^The server 'default' has no resource 'library://"):
        server.unregister(BOOKS, kind="resource")


# Whoever wants to know is told.


def test_a_signal_says_whose_features_and_of_which_kinds(
    told: list[tuple[Any, frozenset[str]]], register: Any, new_server: Any
) -> None:
    class Desk(Toolset):
        @tool
        def open_it(self) -> None:
            """Open."""

        @prompt
        def greet(self) -> str:
            """Greet."""
            return "Hello."

    staff: MCPServer = new_server("staff")
    register(text)
    register(text, uri="library://text")
    register(book, uri=BOOKS)
    staff.register(Desk)
    tool(server=staff)(text)
    staff.unregister("desk.greet")
    assert told == [
        (server, {"tool"}),
        (server, {"resource"}),
        (server, {"resource_template"}),
        (staff, {"tool", "prompt"}),
        (staff, {"tool"}),
        (staff, {"prompt"}),
    ]


def test_what_is_refused_is_not_told(told: list[tuple[Any, frozenset[str]]], register: Any) -> None:
    with pytest.raises(InvalidFeature):
        register(text, name="two words")
    with pytest.raises(NotRegistered):
        server.unregister("nothing")
    assert told == []


def test_whoever_is_told_finds_the_feature_there(register: Any, wire: Wire) -> None:
    found = []

    def receive(sender: MCPServer, **kwargs: Any) -> None:
        # In another thread: nobody who is told may have to wait for who tells.
        thread = threading.Thread(target=lambda: found.append(list(sender.registry.tools)))
        thread.start()
        thread.join()
        other = threading.Thread(
            target=lambda: found and len(found) == 1 and sender.register(text, name="other")
        )
        other.start()
        other.join(timeout=10)
        assert not other.is_alive()

    features_changed.connect(receive)
    try:
        register(text)
    finally:
        features_changed.disconnect(receive)
    assert "text" in found[0]
    assert "other" in server.registry.tools


def test_a_receiver_that_fails_undoes_nothing(
    register: Any, caplog: pytest.LogCaptureFixture
) -> None:
    def receive(**kwargs: Any) -> None:
        raise ValueError("nobody listens")

    features_changed.connect(receive)
    try:
        with caplog.at_level(logging.ERROR):
            assert register(text) is text
    finally:
        features_changed.disconnect(receive)
    assert "text" in server.registry.tools
    assert "nobody listens" in caplog.text


# Many threads at once.


class Caller:
    """A client of one thread, and what it saw that it should not have."""

    def __init__(self, number: int, failures: list[str]) -> None:
        self.client = Client()
        self.name, self.uri = f"text-{number}", f"library://text-{number}"
        self.failures = failures

    def ask(self, method: str, named: str = "", **params: Any) -> Any:
        headers = {"MCP-Protocol-Version": MODERN, "Mcp-Method": method, "Mcp-Name": named}
        message = {"jsonrpc": "2.0", "id": 1, "method": method, "params": {**params, "_meta": META}}
        response = self.client.post(
            "/mcp", message, content_type="application/json", headers=headers
        )
        return response.json().get("result")

    def is_listed(self) -> bool:
        return self.name in [one["name"] for one in self.ask("tools/list")["tools"]]

    def expect(self, what: object, told: str) -> None:
        if not what:
            self.failures.append(f"{self.name}: {told}")

    def come_and_go(self) -> None:
        server.register(text, name=self.name)
        server.register(text, uri=self.uri)
        self.expect(self.is_listed(), "not listed")
        self.expect(self.ask("tools/call", self.name, name=self.name), "not called")
        self.expect(self.ask("resources/read", self.uri, uri=self.uri), "not read")
        server.unregister(self.name)
        server.unregister(self.uri)
        self.expect(not self.is_listed(), "still listed")


def test_many_threads_register_list_and_call(register: Any) -> None:
    """Each its own features: they are there for it at once, and gone at once."""
    failures: list[str] = []
    begin = threading.Barrier(6)

    def run(number: int) -> None:
        try:
            caller = Caller(number, failures)
            begin.wait()
            for _ in range(15):
                caller.come_and_go()
        except Exception as error:  # noqa: BLE001 - a thread's own would be lost
            failures.append(repr(error))

    register(text, name="always")
    before = set(server.registry.tools)
    threads = [threading.Thread(target=run, args=(number,)) for number in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
    assert set(server.registry.tools) == before
