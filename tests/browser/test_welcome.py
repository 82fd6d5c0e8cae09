"""The page at the endpoint in a browser."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from mcp_django import server
from tests.browser.conftest import overflow, violations

Visit = Callable[..., Page]

pytestmark = pytest.mark.django_db(transaction=True)


def hello() -> str:
    """Say hello."""
    return "hello"


def greeting(name: str) -> str:
    """Say hello to one."""
    return f"Hello, {name}"


@pytest.fixture(autouse=True)
def one_of_each_kind() -> Iterator[None]:
    with server.registry.isolated() as registry:
        registry.register(hello)
        registry.register(hello, uri="library://hello", title="Hello")
        registry.register(greeting, uri=f"library://{'far/' * 30}hello/{{name}}")
        registry.register(greeting, kind="prompt")
        yield


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 400])
def test_it_is_accessible_and_fits(visit: Visit, scheme: str, width: int) -> None:
    page = visit("/mcp", width=width, scheme=scheme)
    expect(page.get_by_role("heading", name="Connect a client")).to_be_visible()
    assert violations(page, "html") == []
    assert overflow(page) <= 0


def test_dark_is_dark(visit: Visit) -> None:
    def background(scheme: str) -> Any:
        page = visit("/mcp", scheme=scheme)
        return page.evaluate("getComputedStyle(document.body).backgroundColor")

    assert background("light") == "rgb(255, 255, 255)"
    assert background("dark") == "rgb(18, 21, 24)"


def test_the_address_is_copied(visit: Visit, context: Any, live_server: Any) -> None:
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    page = visit("/mcp")
    page.get_by_role("button", name="Copy").first.click()
    expect(page.get_by_role("button", name="Copied")).to_be_visible()
    assert page.evaluate("navigator.clipboard.readText()") == f"{live_server.url}/mcp"


def test_without_script_the_snippets_are_there_and_no_dead_button(
    browser: Any, live_server: Any
) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{live_server.url}/mcp")
    expect(page.locator(".mcp-snippet").first).to_contain_text("/mcp")
    expect(page.get_by_role("button")).to_have_count(0)
    context.close()
