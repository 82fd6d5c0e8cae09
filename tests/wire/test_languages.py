"""What a server says of itself, in the language of the request."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import override_settings
from django.utils import translation
from django.utils.translation import gettext_lazy

from mcp_django import Context
from tests.wire.conftest import Wire

INFO = "io.modelcontextprotocol/serverInfo"


def told(**server: Any) -> Any:
    return override_settings(MCP_DJANGO={"AUTHENTICATION_CLASSES": [], "SERVER": server})


@pytest.fixture(autouse=True)
def _tool(register: Any) -> None:
    def ready() -> str:
        """Ready."""
        return "x"

    register(ready)


@pytest.mark.parametrize("rpc", ["server/discover", "tools/list", "tools/call"])
def test_a_lazy_title_in_each_language(wire: Wire, rpc: str) -> None:
    with told(title=gettext_lazy("Yes")):
        for language, title in (("de", "Ja"), ("fr", "Oui"), ("de", "Ja"), (None, "Yes")):
            with translation.override(language):
                result = result_of(wire, rpc)
            assert result["_meta"][INFO]["title"] == title


def result_of(wire: Wire, rpc: str) -> Any:
    return wire.modern(rpc, {"name": "ready"}).json()["result"]


@pytest.mark.parametrize("rpc", ["server/discover", "tools/list"])
@pytest.mark.parametrize("key", ["title", "instructions"])
def test_what_depends_on_the_language_is_private(wire: Wire, rpc: str, key: str) -> None:
    with told(**{key: "Yes"}):
        assert result_of(wire, rpc)["cacheScope"] == "public"
    with told(**{key: gettext_lazy("Yes")}):
        assert result_of(wire, rpc)["cacheScope"] == "private"


def test_the_language_that_a_tool_sees(wire: Wire, register: Any) -> None:
    def spoken(context: Context) -> str:
        """The language."""
        return str(context.language)

    register(spoken)
    with translation.override("fr"):
        assert wire.call("spoken")["content"][0]["text"] == "fr"
