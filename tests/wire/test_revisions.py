"""The same tools in each revision: a key that a revision lacks is not sent to it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import orjson
import pytest
from django.core.exceptions import ImproperlyConfigured
from django.test import override_settings
from django.utils import translation
from django.utils.functional import lazy
from django.utils.translation import gettext_lazy

from mcp_django import Context, Icon, ResourceLink, Text, ToolError, ToolResult, server
from mcp_django.test import MCPClient
from tests.wire.conftest import META, Wire, error_of

ALL = ["2026-07-28", "2025-11-25", "2025-06-18", "2025-03-26"]
LEGACY = ALL[1:]

pytestmark = pytest.mark.usefixtures("open_endpoint", "tools")


@pytest.fixture
def tools(register: Any) -> None:
    def numbers() -> list[int]:
        """Some numbers."""
        return [1, 2]

    def anything() -> Any:
        """Whatever."""
        return [1, 2]

    def record() -> dict[str, int]:
        """A record."""
        return {"a": 1}

    def link() -> ResourceLink:
        """A link."""
        return ResourceLink("file:///a", "a", title="A", icons=[Icon("https://e.example/i.png")])

    register(
        numbers,
        title="Numbers",
        icons=[Icon("https://e.example/i.png")],
        meta={"example.com/kind": "x"},
        read_only=True,
    )
    register(anything)
    register(record)
    register(link)


def definition(revision: str, name: str) -> dict[str, Any]:
    tools = MCPClient(revision=revision).list_tools()
    return next(tool for tool in tools if tool["name"] == name)


def test_a_definition_in_each_revision() -> None:
    base = {
        "name": "numbers",
        "description": "Some numbers.",
        "inputSchema": {"type": "object", "properties": {}, "additionalProperties": False},
    }
    bare = {"type": "array", "items": {"type": "integer"}}
    wrapped = {"type": "object", "properties": {"result": bare}, "required": ["result"]}
    icons = [{"src": "https://e.example/i.png"}]
    titled = {**base, "title": "Numbers", "annotations": {"readOnlyHint": True}}
    meta = {"example.com/kind": "x"}
    assert definition("2026-07-28", "numbers") == {
        **titled,
        "outputSchema": bare,
        "icons": icons,
        "_meta": meta,
    }
    assert definition("2025-11-25", "numbers") == {
        **titled,
        "outputSchema": wrapped,
        "icons": icons,
        "_meta": meta,
    }
    assert definition("2025-06-18", "numbers") == {**titled, "outputSchema": wrapped, "_meta": meta}
    assert definition("2025-03-26", "numbers") == {
        **base,
        "annotations": {"title": "Numbers", "readOnlyHint": True},
    }


@pytest.mark.parametrize(
    ("name", "modern", "legacy"),
    [
        ("numbers", [1, 2], {"result": [1, 2]}),
        ("anything", [1, 2], {"result": [1, 2]}),
        ("record", {"a": 1}, {"a": 1}),
    ],
)
def test_structured_content(name: str, modern: Any, legacy: Any) -> None:
    assert MCPClient().call_tool(name).structured == modern
    for revision in ("2025-11-25", "2025-06-18"):
        result = MCPClient(revision=revision).call_tool(name)
        assert result.structured == legacy
        assert result.text == ("[1,2]" if isinstance(modern, list) else '{"a":1}')
    oldest = MCPClient(revision="2025-03-26").call_tool(name)
    assert oldest.raw.keys() == {"content"}


def test_a_link_is_a_text_to_the_oldest_clients() -> None:
    newest = MCPClient().call_tool("link").content
    assert newest == [
        {
            "type": "resource_link",
            "uri": "file:///a",
            "name": "a",
            "title": "A",
            "icons": [{"src": "https://e.example/i.png"}],
        }
    ]
    assert "icons" not in MCPClient(revision="2025-06-18").call_tool("link").content[0]
    assert MCPClient(revision="2025-03-26").call_tool("link").content == [
        {"type": "text", "text": "A: file:///a"}
    ]


def test_frames_of_results(wire: Wire) -> None:
    info = {"io.modelcontextprotocol/serverInfo": {"name": "tests", "version": "1.0.0"}}
    modern = wire.modern("tools/list").json()["result"]
    assert modern["resultType"] == "complete"
    assert modern["_meta"] == info
    assert (modern["ttlMs"], modern["cacheScope"]) == (60_000, "public")
    called = wire.call("record")
    assert called["_meta"] == info
    assert called.keys() == {"content", "structuredContent", "resultType", "_meta"}
    assert wire.legacy("tools/list").json()["result"].keys() == {"tools"}


@pytest.mark.parametrize("revision", LEGACY)
def test_initialize(revision: str) -> None:
    told = {
        "name": "shop",
        "title": "Shop",
        "version": "7",
        "description": "d",
        "website_url": "https://e.example",
        "instructions": "Be kind.",
    }
    with override_settings(MCP_DJANGO={"SERVER": told, "AUTHENTICATION_CLASSES": []}):
        result = MCPClient(revision=revision).discover()
    info = {"name": "shop", "version": "7"}
    if revision != "2025-03-26":
        info["title"] = "Shop"
    if revision == "2025-11-25":
        info |= {"description": "d", "websiteUrl": "https://e.example"}
    assert result == {
        "protocolVersion": revision,
        "capabilities": {"tools": {}},
        "serverInfo": info,
        "instructions": "Be kind.",
    }


@pytest.mark.parametrize("asked", ["2026-07-28", "1999-01-01", ""])
def test_initialize_with_a_version_that_it_does_not_have(wire: Wire, asked: str) -> None:
    response = wire.legacy("initialize", {"protocolVersion": asked}, version=None)
    assert response.json()["result"]["protocolVersion"] == "2025-11-25"


def test_discover(wire: Wire) -> None:
    with override_settings(
        MCP_DJANGO={
            "SERVER": {"instructions": "Be kind."},
            "AUTHENTICATION_CLASSES": [],
            "TTL_MS": {"lists": 5},
        }
    ):
        result = wire.modern("server/discover").json()["result"]
    assert result == {
        "supportedVersions": ["2026-07-28"],
        "capabilities": {"tools": {}},
        "instructions": "Be kind.",
        "ttlMs": 5,
        "cacheScope": "public",
        "resultType": "complete",
        "_meta": {"io.modelcontextprotocol/serverInfo": {"name": "tests", "version": "1.0.0"}},
    }


def test_errors_have_no_wrapping_of_their_own(register: Any) -> None:
    def failing() -> list[int]:
        """Fails."""
        raise ToolError("No.", structured={"why": "x"}, content=[Text("More.")])

    register(failing)
    for revision in ALL[:3]:
        result = MCPClient(revision=revision).call_tool("failing")
        assert (result.is_error, result.structured) == (True, {"why": "x"})
        assert [block["text"] for block in result.content] == ["No.", "More."]


def test_meta_of_the_author_stands_beside_the_servers(register: Any, wire: Wire) -> None:
    def noted() -> ToolResult:
        """Notes."""
        return ToolResult("x", meta={"example.com/a": 1})

    register(noted)
    assert wire.call("noted")["_meta"] == {
        "example.com/a": 1,
        "io.modelcontextprotocol/serverInfo": {"name": "tests", "version": "1.0.0"},
    }


def test_titles_and_descriptions_in_the_language_of_the_request(register: Any) -> None:
    def yes() -> str:
        """Yes."""
        return "x"

    register(yes, title=gettext_lazy("Yes"), description=gettext_lazy("No"))
    client = MCPClient()
    for language, title, description in (("de", "Ja", "Nein"), ("fr", "Oui", "Non")):
        with translation.override(language):
            result = client.request("tools/list")
        tool = next(tool for tool in result["tools"] if tool["name"] == "yes")
        assert (tool["title"], tool["description"]) == (title, description)
        assert result["cacheScope"] == "private"


def test_listening_where_nothing_is_streamed(wire: Wire) -> None:
    response = wire.modern(
        "subscriptions/listen", {"notifications": {"toolsListChanged": True}}, id="s"
    )
    assert (response.status_code, response["Content-Type"]) == (200, "text/event-stream")
    events = [
        orjson.loads(line.removeprefix("data: "))
        for line in response.content.decode().splitlines()
        if line.startswith("data: ")
    ]
    subscription = {"io.modelcontextprotocol/subscriptionId": "s"}
    assert events[0] == {
        "jsonrpc": "2.0",
        "method": "notifications/subscriptions/acknowledged",
        "params": {"_meta": subscription, "notifications": {}},
    }
    assert events[1]["id"] == "s"
    assert events[1]["result"]["resultType"] == "complete"
    assert events[1]["result"]["_meta"].items() >= subscription.items()
    assert len(events) == 2


def test_listening_needs_an_event_stream(wire: Wire) -> None:
    response = wire.modern("subscriptions/listen", {"notifications": {}}, Accept="application/json")
    assert response.status_code == 406


@pytest.mark.parametrize("params", [{}, {"protocolVersion": 5}])
def test_a_handshake_without_a_version(wire: Wire, params: Any) -> None:
    assert error_of(wire.legacy("initialize", params, version=None)) == (200, -32602)


@dataclass
class Shelf:
    name: str
    parts: list[Shelf]


def test_a_recursive_schema_that_is_wrapped_keeps_its_definitions(register: Any) -> None:
    def shelves() -> list[Shelf]:
        """Shelves."""
        return [Shelf("a", [Shelf("b", [])])]

    register(shelves)
    modern = definition("2026-07-28", "shelves")["outputSchema"]
    legacy = definition("2025-06-18", "shelves")["outputSchema"]
    definitions = modern.pop("$defs")
    assert legacy == {
        "type": "object",
        "properties": {"result": modern},
        "required": ["result"],
        "$defs": definitions,
    }


def test_a_definition_that_cannot_be_written_stops_start_up(register: Any) -> None:
    def yes() -> str:
        """Yes."""
        return "x"

    with pytest.raises(ImproperlyConfigured, match="Its definition cannot be written as JSON"):
        register(yes, title=lazy(lambda: "\ud800", str)())
    assert "yes" not in server.registry.tools


def test_what_a_client_says_that_it_can_do(register: Any, wire: Wire) -> None:
    def able(context: Context) -> list[str]:
        """Abilities."""
        return sorted(context.capabilities)

    register(able)
    meta = {**META, "io.modelcontextprotocol/clientCapabilities": {"roots": {}}}
    modern = wire.modern("tools/call", {"name": "able"}, meta=meta)
    assert modern.json()["result"]["structuredContent"] == ["roots"]
    legacy = wire.legacy("tools/call", {"name": "able"})
    assert legacy.json()["result"]["structuredContent"] == {"result": []}
