"""``MCPClient`` where the wire tests do not look, and the package's own names."""

from __future__ import annotations

import datetime
import sys
from collections.abc import Callable, Iterator
from decimal import Decimal
from types import ModuleType
from typing import Any, Literal

import pytest
from django.contrib.auth.models import User
from django.test import override_settings
from django.urls import NoReverseMatch, include, path

import mcp_django
from mcp_django import (
    Completion,
    Context,
    CurrentUser,
    Image,
    PromptMessage,
    ResourceContents,
    server,
)
from mcp_django.test import MCPClient, MCPError
from tests.catalogued import URLS, branch_server, made_servers, only


def test_the_names_of_the_package_are_listed_before_they_are_loaded() -> None:
    assert set(mcp_django.__all__) <= set(dir(mcp_django))
    with pytest.raises(AttributeError, match="no attribute 'Tol'"):
        _ = mcp_django.Tol


def test_a_user_who_is_in_no_database_can_sign_in() -> None:
    def me(user: CurrentUser) -> str:
        """Who am I."""
        return str(user.username)

    client = MCPClient()
    client.login(User(username="ann"))
    with server.registry.isolated():
        server.register(me)
        assert client.call_tool("me").text == "ann"


@pytest.mark.parametrize(
    ("revision", "key"), [("2026-07-28", "supportedVersions"), ("2025-06-18", "protocolVersion")]
)
def test_discover_in_either_era(revision: str, key: str) -> None:
    with override_settings(MCP_DJANGO={"SERVER": {"instructions": "Be kind."}}):
        told: dict[str, Any] = MCPClient(revision=revision).discover()
    assert key in told
    assert told["instructions"] == "Be kind."


@pytest.fixture
def register() -> Iterator[Callable[..., Any]]:
    """``server.register`` for one test, of a server that has nothing else."""
    with server.registry.isolated() as registry:
        registry.clear()
        server.compile()
        yield server.register


def hours() -> str:
    """When it is open."""
    return "Monday to Friday"


def book(number: int) -> str:
    """One book."""
    return f"Book {number}"


def test_every_list_in_either_era(register: Any) -> None:
    register(hours)
    register(hours, uri="library://hours")
    register(book, uri="library://books/{number}")
    register(book, kind="prompt")
    for revision in ("2026-07-28", "2025-03-26"):
        client = MCPClient(revision=revision)
        assert [one["name"] for one in client.list_tools()] == ["hours"]
        assert [one["uri"] for one in client.list_resources()] == ["library://hours"]
        assert [one["uriTemplate"] for one in client.list_resource_templates()] == [
            "library://books/{number}"
        ]
        assert [one["name"] for one in client.list_prompts()] == ["book"]


def test_lists_go_on_to_their_last_page(register: Any) -> None:
    for number in range(5):
        register(hours, name=f"tool_{number}")
    with override_settings(MCP_DJANGO={"PAGE_SIZE": 2}):
        client = MCPClient()
        assert len(client.request("tools/list")["tools"]) == 2
        assert [one["name"] for one in client.list_tools()] == [f"tool_{n}" for n in range(5)]


def test_a_resource_that_is_text(register: Any) -> None:
    register(hours, uri="library://hours", mime_type="text/plain")
    read = MCPClient().read_resource("library://hours")
    assert read.text == "Monday to Friday"
    assert read.contents == [
        {"uri": "library://hours", "mimeType": "text/plain", "text": "Monday to Friday"}
    ]
    assert read.raw["contents"] is read.contents
    with pytest.raises(ValueError, match="0 of the contents are bytes"):
        _ = read.data


def test_a_resource_that_is_bytes_and_text(register: Any) -> None:
    def shelf(covers: int) -> list[ResourceContents]:
        """A shelf."""
        texts = [ResourceContents(text="One"), ResourceContents(text="Two")]
        return [*texts, *[ResourceContents(data=b"cover")] * covers]

    register(shelf, uri="library://shelf/{covers}")
    read = MCPClient().read_resource("library://shelf/1")
    assert (read.text, read.data) == ("One\nTwo", b"cover")
    with pytest.raises(ValueError, match="2 of the contents are bytes"):
        _ = MCPClient().read_resource("library://shelf/2").data


def test_a_uri_beyond_ascii_reaches_its_resource(register: Any) -> None:
    def named(name: str) -> str:
        """By its name."""
        return name

    register(named, uri="library://books/{name}")
    assert MCPClient().read_resource("library://books/größe").text == "größe"


def test_a_resource_that_is_not_there(register: Any) -> None:
    register(hours, uri="library://hours")
    with pytest.raises(MCPError, match="Resource not found") as caught:
        MCPClient().read_resource("library://nowhere")
    assert caught.value.data == {"uri": "library://nowhere"}


def test_a_prompt(register: Any) -> None:
    def talk(topic: str) -> list[PromptMessage]:
        """Talk about it."""
        return [
            PromptMessage(f"About {topic}"),
            PromptMessage(Image(b"dot", "image/png")),
            PromptMessage("Yes.", role="assistant"),
        ]

    register(talk, kind="prompt")
    rendered = MCPClient().get_prompt("talk", topic="moss")
    assert [message["role"] for message in rendered.messages] == ["user", "user", "assistant"]
    assert rendered.text == "About moss\nYes."
    assert rendered.description == rendered.raw.get("description", "")


def test_arguments_of_prompts_are_sent_as_texts(register: Any) -> None:
    def all_of(
        text: str,
        number: int,
        price: Decimal,
        yes: bool,
        day: datetime.date,
        words: list[str],
        missing: str = "none",
    ) -> str:
        """Show them."""
        return f"{text}|{number}|{price}|{yes}|{day}|{words}|{missing}"

    register(all_of, kind="prompt")
    given = {"text": '"quoted"', "number": 3, "price": Decimal("1.50"), "yes": True}
    rendered = MCPClient().get_prompt(
        "all_of", given, day=datetime.date(2026, 7, 28), words=["a", "ä"], missing=None
    )
    assert rendered.text == "\"quoted\"|3|1.50|True|2026-07-28|['a', 'ä']|none"


def test_completions(register: Any) -> None:
    def books_of(value: str, context: Context) -> list[str]:
        """Of the level that was chosen before."""
        return [f"{value}-{context.arguments.get('level')}"]

    def reading(level: Literal["child", "adult"], title: str) -> str:
        """Read."""
        return f"{title} for a {level}"

    def shelf(letter: str) -> str:
        """A shelf."""
        return letter

    register(reading, kind="prompt", completers={"title": Completion(books_of)})
    letters = [chr(code) for code in range(0x4E00, 0x4E00 + 150)]
    register(shelf, uri="library://{letter}", completers={"letter": Completion(letters)})
    client = MCPClient()
    assert client.complete_prompt("reading", "level", "ch") == ["child"]
    assert client.complete_prompt("reading", "title", "m", {"level": "adult"}) == ["m-adult"]
    found = client.complete_resource("library://{letter}", "letter", "")
    assert (len(found), found.total, found.has_more) == (100, 150, True)
    found = client.complete_resource("library://{letter}", "letter", letters[3])
    assert (found, found.total, found.has_more) == ([letters[3]], 1, False)


@pytest.mark.urls(URLS)
def test_a_client_finds_the_url_of_its_server() -> None:
    default, staff = made_servers()
    with only(default, staff):
        assert MCPClient(default).url == "/mcp"
        assert MCPClient(staff).call_tool("hello").text == "hello"
        with pytest.raises(MCPError, match="Unknown tool: hello"):
            MCPClient(default).call_tool("hello")


@pytest.mark.urls(URLS)
def test_a_client_of_a_url_that_captures() -> None:
    client = MCPClient(branch_server(), url_kwargs={"branch": "north"})
    assert client.url == "/north/mcp"
    assert client.call_tool("branch_name").text == "north"
    assert MCPClient(branch_server(), url="/south/mcp").call_tool("branch_name").text == "south"


@pytest.mark.urls(URLS)
@pytest.mark.parametrize(
    ("given", "message"),
    [
        (
            {},
            "The URL of the MCP server 'branches' is /<slug:branch>/mcp. Say which one by "
            'url_kwargs={"branch": …} or by url=.',
        ),
        (
            {"branch": "a b"},
            "The URL of the MCP server 'branches' is /<slug:branch>/mcp. "
            "url_kwargs={'branch': 'a b'} does not fit it. Say which one by "
            'url_kwargs={"branch": …} or by url=.',
        ),
    ],
)
def test_a_part_of_the_url_that_is_not_given(given: Any, message: str) -> None:
    with pytest.raises(NoReverseMatch) as caught:
        MCPClient(branch_server(), url_kwargs=given).list_tools()
    assert str(caught.value) == message


@pytest.mark.urls(URLS)
def test_a_part_of_the_url_that_there_is_none_of() -> None:
    _default, staff = made_servers()
    with pytest.raises(NoReverseMatch) as caught:
        MCPClient(staff, url_kwargs={"branch": "north"}).list_tools()
    assert str(caught.value) == (
        "The URL of the MCP server 'staff' is /staff/mcp. It captures nothing: leave "
        "url_kwargs={'branch': 'north'} out."
    )


def test_no_url_leads_to_the_server() -> None:
    _default, staff = made_servers()
    with pytest.raises(NoReverseMatch) as caught:
        MCPClient(staff).list_tools()
    assert str(caught.value) == (
        "No URL of the project leads to the MCP server 'staff'. "
        'Add path("staff/mcp", staff.urls) to ROOT_URLCONF, or say where it is by url="/path".'
    )


def test_a_server_below_a_namespace_of_the_project(monkeypatch: pytest.MonkeyPatch) -> None:
    _default, staff = made_servers()
    urls = ModuleType("namespaced_urls")
    urls.urlpatterns = [  # type: ignore[attr-defined]
        path("api/", include(([path("mcp", staff.urls)], "api"), namespace="api")),
    ]
    monkeypatch.setitem(sys.modules, urls.__name__, urls)
    with override_settings(ROOT_URLCONF=urls.__name__):
        with pytest.raises(NoReverseMatch) as caught:
            MCPClient(staff).list_tools()
        assert str(caught.value) == (
            "The URL of the MCP server 'staff' is /api/mcp. Say so by url='/api/mcp'."
        )
        assert MCPClient(staff, url="/api/mcp").call_tool("hello").text == "hello"


def test_what_is_no_server(monkeypatch: pytest.MonkeyPatch) -> None:
    default, staff = made_servers()
    made: Any = MCPClient
    with only(default, staff):
        with pytest.raises(TypeError) as caught:
            made("staff")
        assert str(caught.value) == (
            "MCPClient takes an MCPServer, not 'staff'. Give the server itself, or nothing for "
            "the default one."
        )
        monkeypatch.setattr("tests.catalogued.desk", staff, raising=False)
        with pytest.raises(
            TypeError, match=r"not 'staff'\. Write MCPClient\(desk\), with 'from tests"
        ):
            made("staff")
        with pytest.raises(TypeError, match="A user signs in by"):
            made(User(username="ann"))
