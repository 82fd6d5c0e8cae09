"""The catalog in a browser: readable in light and dark, on wide and narrow screens."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import overflow, violations
from tests.catalogued import only_catalogued

LIST = "/admin/mcp_django/feature/"
DETAIL = f"{LIST}default_2Ftool_2Fimport_5Fbooks/change/"
LOOKS = [("light", 1280), ("dark", 1280), ("light", 400), ("dark", 400)]

Visit = Callable[..., Page]

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.usefixtures("catalogued", "operator"),
]


@pytest.fixture
def catalogued() -> Iterator[None]:
    with only_catalogued():
        yield


def test_from_the_index_to_a_tool_and_back(visit: Visit) -> None:
    page = visit("/admin/")
    page.get_by_role("link", name="MCP features").first.click()
    page.locator("#searchbar").fill("import")
    page.keyboard.press("Enter")
    expect(page.locator("#result_list tbody tr")).to_have_count(1)
    page.locator("#result_list tbody th a").click()
    expect(page.locator("#content")).to_contain_text("Import books into the catalogue.")
    page.locator(".closelink").click()
    expect(page.locator("#result_list tbody tr")).to_have_count(1)  # the search still stands


def test_a_filter_narrows_the_list(visit: Visit) -> None:
    page = visit(LIST)
    expect(page.locator("#result_list tbody tr")).to_have_count(4)
    page.locator("#changelist-filter").get_by_role("link", name="staff").click()
    expect(page.locator("#result_list tbody tr")).to_have_count(1)


@pytest.mark.parametrize(("scheme", "width"), LOOKS)
def test_the_list_is_accessible_and_fits(visit: Visit, scheme: str, width: int) -> None:
    page = visit(LIST, width=width, scheme=scheme)
    assert violations(page, "#content") == []
    assert overflow(page) <= 0


@pytest.mark.parametrize(("scheme", "width"), LOOKS)
def test_the_page_of_a_tool_is_accessible_and_fits(visit: Visit, scheme: str, width: int) -> None:
    page = visit(DETAIL, width=width, scheme=scheme)
    for summary in page.locator("#content details summary").all():
        summary.click()
    assert violations(page, "#content") == []
    assert overflow(page) <= 0


def test_axe_would_bite(visit: Visit) -> None:
    page = visit(LIST)
    page.evaluate("document.querySelector('#content').append(document.createElement('input'))")
    assert [rule for rule, _place in violations(page, "#content")] == ["label"]


def test_a_narrow_screen_shows_each_argument_as_a_block(visit: Visit) -> None:
    page = visit(DETAIL, width=400)
    table = page.get_by_role("table", name="Arguments")
    row = table.get_by_role("row").filter(has=page.get_by_text("records[].isbn"))
    expect(row.get_by_role("rowheader")).to_have_text("records[].isbn")
    cell = row.get_by_role("cell").first
    box, header = cell.bounding_box(), row.get_by_role("rowheader").bounding_box()
    assert box is not None
    assert header is not None
    assert box["y"] >= header["y"] + header["height"]


def test_a_snippet_is_copied(visit: Visit, context: Any) -> None:
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    page = visit(DETAIL)
    snippet = page.locator(".mcp-snippet").last
    snippet.get_by_role("button", name="Copy").click()
    expect(snippet.get_by_role("button", name="Copied")).to_be_visible()
    text = page.evaluate("navigator.clipboard.readText()")
    assert text.startswith("python manage.py mcp call import_books ")
