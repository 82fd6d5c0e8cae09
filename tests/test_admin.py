"""The catalog in the admin: what an operator sees, and who is one."""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Iterator
from dataclasses import fields
from io import StringIO
from types import SimpleNamespace
from typing import Any
from unittest.mock import patch

import pytest
from django.contrib.admin import site
from django.contrib.auth.models import Permission, User
from django.core.management import call_command
from django.http import HttpResponse
from django.test import Client, RequestFactory
from django.utils.translation import override

from mcp_django.dispatch.server import MCPServer
from mcp_django.features.base import ToolFeature
from mcp_django.models import Feature
from tests.catalogued import READERS, made_servers, only_catalogued

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("catalogued")]

LIST = "/admin/mcp_django/feature/"


def detail_url(key: str) -> str:
    quoted = key.replace("_", "_5F").replace("/", "_2F")
    return f"{LIST}{quoted}/change/"


def text_of(response: HttpResponse) -> str:
    """What the main part of the page says, without its markup."""
    content = response.content.decode()
    main = content[content.index('id="content"') :]
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", main)).split())


@pytest.fixture
def catalogued() -> Iterator[None]:
    with only_catalogued():
        yield


@pytest.fixture
def names(admin_client: Client) -> Callable[[str], list[str]]:
    """The tools that the list shows for a query string."""

    def listed(query: str = "") -> list[str]:
        response = admin_client.get(LIST + query)
        assert response.status_code == 200, response.headers
        return [row.key for row in response.context["cl"].result_list]

    return listed


def staff_user(*codenames: str) -> User:
    user = User.objects.create_user("ann", is_staff=True)
    user.user_permissions.set(Permission.objects.filter(codename__in=codenames))
    return user


def test_the_list_shows_what_every_server_publishes(admin_client: Client) -> None:
    response = admin_client.get(LIST)
    assert response.status_code == 200
    table = text_of(response)
    for row in (
        "find_loans Find loans Find the caller's loans, newest first. default "
        "signed-in users read-only, idempotent, closed world",
        "import_books Import books into the catalogue. default with “Can add book” destructive",
        "report Home Write the report. default staff -",
        "hello Say <b>hello</b> & wave. staff anyone -",
    ):
        assert row in table, row
    assert "<h1>MCP features</h1>" in response.content.decode()
    assert "4 MCP features" in text_of(response)


def shown(client: Client) -> tuple[list[str], list[str]]:
    """The columns of the list, and what it can be filtered by."""
    response = client.get(LIST)
    assert response.status_code == 200, response.headers
    changelist = response.context["cl"]
    filters = [each.parameter_name for each in changelist.filter_specs]
    return [name for name in changelist.list_display if name != "action_checkbox"], filters


def test_what_would_be_empty_or_the_same_in_every_row_is_left_out(admin_client: Client) -> None:
    assert shown(admin_client) == (
        ["name", "title_if_any", "summary", "server", "callers", "hint_words"],
        ["server"],
    )
    with only_catalogued() as (_default, staff), patch(READERS[0], lambda: [staff]):
        assert shown(admin_client) == (["name", "summary", "callers", "hint_words"], [])


def test_what_tells_rows_apart_is_there(admin_client: Client) -> None:
    class Prompt(ToolFeature):
        kind = "prompt"

    _default, staff = made_servers()
    hello = staff.registry.tools["hello"]
    given = {f.name: getattr(hello, f.name) for f in fields(hello) if f.init}
    prompt: Any = Prompt(**{**given, "name": "ask", "app_label": "auth"})
    tools: Any = SimpleNamespace(tools={"hello": hello, "ask": prompt})
    with patch(READERS[0], lambda: [MCPServer("both", tools)]):
        columns, filters = shown(admin_client)
        listed = text_of(admin_client.get(LIST))
    assert columns == ["name", "summary", "kind", "app_name", "callers", "hint_words"]
    assert filters == ["app"]
    assert "hello Say <b>hello</b> & wave. Tool App anyone -" in listed
    assert "Authentication and Authorization" in listed


def test_a_filter_that_was_chosen_can_be_taken_back(admin_client: Client) -> None:
    with only_catalogued() as (_default, staff), patch(READERS[0], lambda: [staff]):
        changelist = admin_client.get(LIST + "?server=default").context["cl"]
        assert [each.parameter_name for each in changelist.filter_specs] == ["server"]
        assert changelist.result_count == 0


def test_the_list_makes_no_query_but_for_session_and_user(
    admin_client: Client, django_assert_num_queries: Any
) -> None:
    with django_assert_num_queries(2):
        admin_client.get(LIST + "?q=loan&_facets=True")


def test_no_query_but_permissions_for_others(
    client: Client, django_assert_num_queries: Any
) -> None:
    client.force_login(staff_user("view_feature"))
    with django_assert_num_queries(4):
        assert client.get(LIST).status_code == 200


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("?q=loan", ["default/tool/find_loans"]),
        ("?q=IMPORT", ["default/tool/import_books"]),
        ("?q=members", ["default/tool/find_loans"]),  # a tag
        ("?q=newest+caller", ["default/tool/find_loans"]),  # every word, in the description
        ("?q=nothing+like+it", []),
        ("?kind=tool&server=staff", ["staff/tool/hello"]),
        ("?server=default&q=home", ["default/tool/report"]),
        ("?app=app&q=hello", ["staff/tool/hello"]),
        ("?app=nosuchapp", []),
        ("?app=-", []),
        ("?kind__exact=tool&name__startswith=imp", ["default/tool/import_books"]),
    ],
)
def test_search_and_filters(names: Any, query: str, found: list[str]) -> None:
    assert names(query) == found


def test_sorting(names: Any) -> None:
    by_name = [key.rpartition("/")[2] for key in names()]
    assert by_name == ["find_loans", "hello", "import_books", "report"]
    assert [key.rpartition("/")[2] for key in names("?o=-0")] == by_name[::-1]
    assert names("?o=3.-0")[-1] == "staff/tool/hello"  # by server
    by_title = [key.rpartition("/")[2] for key in names("?o=1")]
    assert by_title == ["hello", "import_books", "find_loans", "report"]


def test_facets_count_what_each_filter_would_leave(admin_client: Client) -> None:
    page = text_of(admin_client.get(LIST + "?_facets=True&q=o"))
    assert "By server All default (3) staff (1)" in page
    narrowed = text_of(admin_client.get(LIST + "?_facets=True&server=staff"))
    assert "By server All default (3) staff (1)" in narrowed
    narrowed = text_of(admin_client.get(LIST + "?_facets=True&server=staff&kind=tool&app=app"))
    assert "By kind All Tool (1)" in narrowed
    assert "By app All App (1)" in narrowed
    assert "By server All default (3) staff (1)" in narrowed


def test_a_mistake_in_the_queryset_is_not_hidden_behind_a_redirect(admin_user: Any) -> None:
    request = RequestFactory().get(LIST)
    request.user = admin_user
    changelist = site._registry[Feature].get_changelist_instance(request)
    assert changelist.result_count == 4


def test_an_unknown_lookup_is_refused_as_everywhere_in_the_admin(admin_client: Client) -> None:
    response = admin_client.get(LIST + "?name__regex=a")
    assert (response.status_code, response["Location"]) == (302, f"{LIST}?e=1")


def test_the_page_of_a_tool_tells_all_about_it(admin_client: Client) -> None:
    response = admin_client.get(detail_url("default/tool/find_loans"))
    assert response.status_code == 200
    page = text_of(response)
    for words in (
        "Title: Find loans",
        "Find the caller's loans, newest first.",
        "searched, and only at the branch whose token was sent.",
        "Tags: loans, members",
        "It only reads. (readOnlyHint: true)",
        "It stays within this system. (openWorldHint: false)",
        "Only users who are signed in.",
        "Filled in by the server: user",
        "Declared as: tests.app.catalogued_tools.find_loans",
        'status string No "open" one of "open", "returned"',
        "limit integer No 20 1 to 100 At most this many loans.",
        "since string Yes format date Only loans that began on this day or later.",
        '"additionalProperties": false',
        "Structured content of the type list of object",
        "[].title string Yes",
        "Mcp-Name: find_loans",
        "http://testserver/mcp",
        '"since": "2026-07-28"',
        "python manage.py mcp call find_loans '{",
        "--user NAME",
    ):
        assert words in page, words
    assert re.search(r"Source: \S*tests/app/catalogued_tools\.py:\d+", page)


def test_nested_arguments_permissions_and_headers_in_words(admin_client: Client) -> None:
    page = text_of(admin_client.get(detail_url("default/tool/import_books")))
    for words in (
        "It may delete or overwrite what is there. (destructiveHint: true)",
        "Only users with the permission “Can add book” (app.add_book).",
        "Filled in by the server: Nothing.",
        "The argument region is repeated in the header Mcp-Param-Region.",
        "records list of object Yes",
        "records[].copies[].shelf string Yes",
        "Structured content of the type integer",
        "Mcp-Param-Region: text",
    ):
        assert words in page, words


def test_a_tool_without_arguments_or_structure(admin_client: Client) -> None:
    page = text_of(admin_client.get(detail_url("default/tool/report")))
    for words in (
        "IsAdminUser: Allows access only to admin users.",
        "python manage.py mcp call report '{}' --user NAME",
        "Hints to clients: None.",
        "An async function.",
        "It takes no arguments.",
        "No structure is declared",
    ):
        assert words in page, words


def test_texts_are_escaped(admin_client: Client) -> None:
    response = admin_client.get(detail_url("staff/tool/hello"))
    assert "Say &lt;b&gt;hello&lt;/b&gt; &amp; wave." in response.content.decode()
    assert "Anyone who reaches the endpoint." in text_of(response)
    assert "python manage.py mcp call hello '{}' --server staff" in text_of(response)
    assert "How it runs: Without a transaction: what it has saved before an error stays." in (
        text_of(response)
    )


def test_lazy_titles_follow_the_language(admin_client: Client, settings: Any) -> None:
    settings.MIDDLEWARE = [*settings.MIDDLEWARE, "django.middleware.locale.LocaleMiddleware"]
    with override("en-us"):  # the middleware leaves its language active in this thread
        response = admin_client.get(LIST, headers={"accept-language": "de"})
    titles = {row.name: row.title for row in response.context["cl"].result_list}
    assert titles["report"] == "Start"


def test_a_tool_that_is_gone_is_told_as_the_admin_tells_it(admin_client: Client) -> None:
    response = admin_client.get(detail_url("default/tool/gone"), follow=True)
    assert response.redirect_chain == [("/admin/", 302)]
    assert "MCP feature with ID “default/tool/gone”" in response.content.decode()


def test_nothing_leads_to_a_history_that_cannot_be(admin_client: Client) -> None:
    content = admin_client.get(detail_url("default/tool/report")).content.decode()
    assert "/history/" not in content
    assert "object-tools" not in content


def test_only_staff_with_the_permission_may_look(client: Client) -> None:
    assert client.get(LIST).status_code == 302  # to the login page
    client.force_login(staff_user())
    assert client.get(LIST).status_code == 403
    assert client.get(detail_url("default/tool/report")).status_code == 403
    assert "MCP features" not in client.get("/admin/").content.decode()


def test_staff_with_the_permission_look_and_change_nothing(client: Client) -> None:
    client.force_login(staff_user("view_feature"))
    assert "MCP features" in client.get("/admin/").content.decode()
    assert client.get(detail_url("default/tool/report")).status_code == 200


def test_nothing_can_be_added_or_deleted(admin_client: Client) -> None:
    url = detail_url("default/tool/report").replace("change/", "delete/")
    assert admin_client.get(LIST + "add/").status_code == 403
    assert admin_client.post(url, {"post": "yes"}).status_code == 403


def test_nothing_can_be_changed(admin_client: Client) -> None:
    url = detail_url("default/tool/report")
    assert admin_client.post(url, {"name": "other"}).status_code == 403
    assert 'name="_save"' not in admin_client.get(url).content.decode()


def test_the_only_permission_is_to_view() -> None:
    codenames = Permission.objects.filter(content_type__app_label="mcp_django")
    assert list(codenames.values_list("codename", flat=True)) == ["view_feature"]


def test_dumpdata_leaves_the_catalog_out() -> None:
    out = StringIO()
    call_command("dumpdata", "mcp_django", stdout=out)
    assert out.getvalue().strip() == "[]"


def test_the_migrations_are_complete() -> None:
    call_command("makemigrations", "mcp_django", "--check", "--dry-run", verbosity=0)
