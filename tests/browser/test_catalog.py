"""The catalog in a browser: readable in light and dark, on wide and narrow screens."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any
from urllib.parse import quote

import pytest
from django.contrib.admin.utils import quote as quoted
from playwright.sync_api import Page, expect

from tests.browser.conftest import overflow, violations
from tests.catalogued import only_catalogued

LIST = "/admin/mcp_django/feature/"
DETAIL = f"{LIST}default_2Ftool_2Fimport_5Fbooks/change/"
PAGES = {
    "tool": "default/tool/import_books",
    "resource": "default/resource/library://hours",
    "template": "default/resource_template/library://{branch}/books/{number}{?lang}",
    "prompt": "default/prompt/reading_list",
}
LOOKS = [("light", 1280), ("dark", 1280), ("light", 400), ("dark", 400)]
WIDTHS = [1920, 1700, 1600, 1536, 1440, 1300, 1280, 1024, 800, 700, 400]

Visit = Callable[..., Page]


def page_of(kind: str) -> str:
    return f"{LIST}{quote(quoted(PAGES[kind]))}/change/"


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
    expect(page.locator("#result_list tbody tr")).to_have_count(9)
    page.locator("#changelist-filter").get_by_role("link", name="Prompt").click()
    expect(page.locator("#result_list tbody tr")).to_have_count(2)
    page.locator("#changelist-filter").get_by_role("link", name="staff").click()
    expect(page.locator("#result_list tbody tr")).to_have_count(0)


def test_from_a_search_for_a_uri_to_its_template(visit: Visit) -> None:
    page = visit(LIST)
    page.locator("#searchbar").fill("{number}{?lang}")
    page.keyboard.press("Enter")
    page.locator("#result_list tbody th a").click()
    expect(page.get_by_role("table", name="Variables")).to_contain_text("rows of Branch by name")
    expect(page.locator("#content")).to_contain_text("Resource template")


@pytest.mark.parametrize(("scheme", "width"), LOOKS)
def test_the_list_is_accessible_and_fits(visit: Visit, scheme: str, width: int) -> None:
    page = visit(LIST, width=width, scheme=scheme)
    assert violations(page, "#content") == []
    assert overflow(page) <= 0


def inner_overflow(page: Page, selector: str) -> int:
    """By how many pixels what is inside is wider than an element."""
    return int(page.locator(selector).evaluate("box => box.scrollWidth - box.clientWidth"))


@pytest.mark.parametrize("width", [w for w in WIDTHS if w != 800])  # the admin's bars leave 200
def test_no_column_of_the_list_is_cut_off(visit: Visit, width: int) -> None:
    page = visit(LIST, width=width)
    assert inner_overflow(page, ".results") <= 0
    assert page.locator("#result_list tbody th.field-name").count() == 9
    expect(page.locator("#result_list .field-callers").first).to_be_visible()


@pytest.mark.parametrize("width", WIDTHS)
def test_a_long_description_makes_no_row_higher(visit: Visit, width: int) -> None:
    page = visit(LIST, width=width)
    cell = page.locator("#result_list .field-summary").first
    measure = "(cell, text) => { cell.textContent = text; return cell.parentNode.offsetHeight; }"
    assert cell.evaluate(measure, "word " * 100) == cell.evaluate(measure, "word")


def test_a_long_description_ends_in_an_ellipsis(visit: Visit) -> None:
    row = visit(f"{LIST}?q=find_loans", width=1024).locator("#result_list tbody tr")
    cell = row.locator(".field-summary")
    expect(cell).to_have_css("text-overflow", "ellipsis")
    assert cell.evaluate("cell => cell.scrollWidth > cell.clientWidth")


@pytest.mark.parametrize("width", WIDTHS)
def test_no_type_is_broken_within_a_word(visit: Visit, width: int) -> None:
    page = visit(DETAIL, width=width)
    assert overflow(page) <= 0
    types = page.locator(".mcp-schema td:nth-child(2)").all()
    assert len(types) > 3
    for cell in types:
        assert cell.evaluate("cell => cell.scrollWidth - cell.clientWidth") <= 0
        assert cell.evaluate("cell => getComputedStyle(cell).overflowWrap") == "break-word"


@pytest.mark.parametrize("kind", PAGES)
@pytest.mark.parametrize(("scheme", "width"), LOOKS)
def test_each_page_is_accessible_and_fits(visit: Visit, kind: str, scheme: str, width: int) -> None:
    page = visit(page_of(kind), width=width, scheme=scheme)
    for summary in page.locator("#content details summary").all():
        summary.click()
    assert violations(page, "#content") == []
    assert overflow(page) <= 0


def test_axe_would_bite(visit: Visit) -> None:
    page = visit(LIST)
    page.evaluate("document.querySelector('#content').append(document.createElement('input'))")
    assert [rule for rule, _place in violations(page, "#content")] == ["label"]


def test_a_long_uri_ends_in_an_ellipsis_and_widens_nothing(visit: Visit) -> None:
    page = visit(LIST, width=1700)
    cell = page.locator("#result_list td.field-uri_if_any").first
    measure = "(cell, text) => { cell.textContent = text; return cell.parentNode.offsetHeight; }"
    assert cell.evaluate(measure, "library://" + "far/" * 50) == cell.evaluate(measure, "library:")
    cell.evaluate(measure, "library://" + "far/" * 50)
    assert inner_overflow(page, ".results") <= 0


@pytest.mark.parametrize("width", WIDTHS)
def test_of_several_servers_each_row_says_which(visit: Visit, width: int) -> None:
    page = visit(LIST, width=width)
    cells = page.locator("#result_list td.field-server")
    assert set(cells.all_inner_texts()) == {"default", "staff"}


@pytest.mark.parametrize("width", [1700, 1600, 1440, 1300, 1024, 700])
def test_a_resource_says_its_uri_once(visit: Visit, width: int) -> None:
    row = visit(f"{LIST}?q=library://hours", width=width).locator("#result_list tbody tr")
    assert row.inner_text().count("library://hours") == 1
    said = row.inner_text().count("When the library is open.")
    assert said == (1 if width >= 1600 else 0)


def test_a_tool_says_what_it_does_on_narrow_screens_too(visit: Visit) -> None:
    row = visit(f"{LIST}?q=import_books", width=1024).locator("#result_list tbody tr")
    assert "Import books into the catalogue." in row.inner_text()


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
    snippet = page.locator(".mcp-snippet").filter(has_text="python manage.py")
    snippet.get_by_role("button", name="Copy").click()
    expect(snippet.get_by_role("button", name="Copied")).to_be_visible()
    text = page.evaluate("navigator.clipboard.readText()")
    assert text.startswith("python manage.py mcp call import_books ")
