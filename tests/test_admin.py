"""The catalog in the admin: what an operator sees, and who is one."""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Iterator
from io import StringIO
from typing import Any
from urllib.parse import quote

import pytest
from django.contrib.admin import site
from django.contrib.admin.utils import quote as quoted
from django.contrib.auth.models import Permission, User
from django.core.management import call_command
from django.http import HttpResponse
from django.test import Client, RequestFactory
from django.utils.translation import override

from mcp_django.models import Feature
from tests.catalogued import URLS, branch_server, only, only_catalogued, only_server

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("catalogued")]

LIST = "/admin/mcp_django/feature/"


TEMPLATE = "default/resource_template/library://{branch}/books/{number}{?lang}"


OF_ANOTHER_APP = '''
def ask() -> str:
    """Ask."""

server.register(ask, kind="prompt")
'''


def detail_url(key: str) -> str:
    return f"{LIST}{quote(quoted(key))}/change/"


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
def elsewhere() -> Iterator[Any]:
    """The only server of the project, which has nothing yet and no URL."""
    with only_server("elsewhere") as server:
        yield server


@pytest.fixture
def names(admin_client: Client) -> Callable[[str], list[str]]:
    """The features that the list shows for a query string."""

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
        "find_loans Find loans Find the caller's loans, newest first. Tool default "
        "signed-in users read-only, idempotent, closed world",
        "import_books Import books into the catalogue. Tool default with “Can add book” "
        "destructive",
        "report Home Write the report. Tool default staff -",
        "hello Say <b>hello</b> & wave. Tool staff anyone -",
        "hours library://hours Opening hours library://hours When the library is open. Resource "
        "default anyone text/plain",
        "book library://{branch}/books/{number}{?lang} library://{branch}/books/{number}{?lang} "
        "One book. Resource template default staff, if enabled application/json",
        "reading_list Reading list Make a reading list. Prompt default anyone -",
        "take_stock Take stock. Prompt default with “Can view book” -",
    ):
        assert row in table, row
    assert "<h1>MCP features</h1>" in response.content.decode()
    assert "9 MCP features" in text_of(response)


def shown(client: Client) -> tuple[list[str], list[str]]:
    """The columns of the list, and what it can be filtered by."""
    response = client.get(LIST)
    assert response.status_code == 200, response.headers
    changelist = response.context["cl"]
    filters = [each.parameter_name for each in changelist.filter_specs]
    return [name for name in changelist.list_display if name != "action_checkbox"], filters


def test_what_would_be_empty_or_the_same_in_every_row_is_left_out(admin_client: Client) -> None:
    assert shown(admin_client) == (
        [
            "name",
            "uri_if_any",
            "title_if_any",
            "summary",
            "kind",
            "server",
            "callers",
            "hint_words",
        ],
        ["kind", "server"],
    )
    with only_catalogued() as (_default, staff), only(staff):
        assert shown(admin_client) == (["name", "summary", "callers", "hint_words"], [])


def test_what_tells_rows_apart_is_there(admin_client: Client, elsewhere: Any) -> None:
    def tell() -> str:
        """Tell."""
        return "Told."

    elsewhere.register(tell)
    exec(OF_ANOTHER_APP, {"__name__": "django.contrib.auth.mcp_tools", "server": elsewhere})
    columns, filters = shown(admin_client)
    listed = text_of(admin_client.get(LIST))
    assert columns == ["name", "summary", "kind", "app_name", "callers", "hint_words"]
    assert filters == ["kind", "app"]
    assert "ask Ask. Prompt Authentication and Authorization anyone -" in listed
    assert "tell Tell. Tool - anyone -" in listed


def test_a_filter_that_was_chosen_can_be_taken_back(admin_client: Client) -> None:
    with only_catalogued() as (_default, staff), only(staff):
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
        ("?q=library://hours", ["default/resource/library://hours"]),  # a URI
        ("?q=visits", ["default/resource/library://hours"]),
        ("?q={number}", [TEMPLATE]),
        ("?kind=resource_template", [TEMPLATE]),
        ("?kind=prompt", ["default/prompt/reading_list", "default/prompt/take_stock"]),
        ("?kind=prompt&q=reading", ["default/prompt/reading_list"]),
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
    tools = "?kind=tool&o="
    by_name = [key.rpartition("/")[2] for key in names("?kind=tool")]
    assert by_name == ["find_loans", "hello", "import_books", "report"]
    assert [key.rpartition("/")[2] for key in names(f"{tools}-0")] == by_name[::-1]
    assert names(f"{tools}5.-0")[-1] == "staff/tool/hello"  # by server
    by_title = [key.rpartition("/")[2] for key in names(f"{tools}2")]
    assert by_title == ["hello", "import_books", "find_loans", "report"]
    assert names("?o=-1")[:2] == [TEMPLATE, "default/resource/library://hours"]  # by URI


def test_facets_count_what_each_filter_would_leave(admin_client: Client) -> None:
    page = text_of(admin_client.get(LIST + "?_facets=True&q=report"))
    assert "By kind All Tool (1) Resource (0) Resource template (0) Prompt (0)" in page
    assert "By server All default (1) staff (0)" in page
    narrowed = text_of(admin_client.get(LIST + "?_facets=True&server=staff"))
    assert "By kind All Tool (1) Resource (0)" in narrowed
    assert "By server All default (8) staff (1)" in narrowed
    narrowed = text_of(admin_client.get(LIST + "?_facets=True&server=staff&kind=tool&app=app"))
    assert "By kind All Tool (1)" in narrowed
    assert "By app All App (1)" in narrowed
    assert "By server All default (3) staff (1)" in narrowed


def test_a_mistake_in_the_queryset_is_not_hidden_behind_a_redirect(admin_user: Any) -> None:
    request = RequestFactory().get(LIST)
    request.user = admin_user
    changelist = site._registry[Feature].get_changelist_instance(request)
    assert changelist.result_count == 9


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
        "Kind: Tool",
        "Who may use it: Only users who are signed in.",
        "URL of the server: /mcp",
        "Mcp-Name: find_loans",
        "http://testserver/mcp",
        "client = MCPClient() client.login(user) result = client.call_tool('find_loans', {",
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


def test_the_page_of_a_resource(admin_client: Client) -> None:
    page = text_of(admin_client.get(detail_url("default/resource/library://hours")))
    for words in (
        "Name: hours URI: library://hours Title: Opening hours",
        "Kind: Resource",
        "Tags: visits",
        "MIME type: text/plain",
        "Size: 1.2\xa0KB".replace("\xa0", " "),
        "Hints to clients: Meant for the user and the model. Importance: 0.5 of 1.",
        "Caching: Clients may keep it for 90 s. Caches may share it between callers.",
        "Who may use it: Anyone who reaches the endpoint.",
        "Mcp-Method: resources/read",
        "Mcp-Name: library://hours",
        '"uri": "library://hours"',
        "result = client.read_resource('library://hours')",
        "python manage.py mcp read library://hours",
        '"mimeType": "text/plain"',
    ):
        assert words in page, words
    assert "Arguments" not in page
    assert "Result" not in page
    assert "Made from" not in page


def test_what_a_resource_does_not_say(admin_client: Client) -> None:
    page = text_of(admin_client.get(detail_url("default/resource/library://covers/all")))
    for words in (
        "MIME type: As what is read turns out to be.",
        "Size: -",
        "Hints to clients: None.",
        "Caching: Clients read it anew each time. Caches may not share it between callers.",
    ):
        assert words in page, words


def test_the_page_of_a_template(admin_client: Client) -> None:
    page = text_of(admin_client.get(detail_url(TEMPLATE)))
    for words in (
        "Name: book URI: library://{branch}/books/{number}{?lang}",
        "Kind: Resource template",
        "MIME type: application/json",
        "Its resources in lists: Yes: those that instances= gives.",
        "IsAdminUser: Allows access only to admin users. Only where "
        "tests.app.catalogued_tools.is_open() says so, which is asked for each request.",
        "Variables Variable Type Required Default Limits Completed by Description",
        "branch string Yes rows of Branch by name",
        "number integer Yes As the catalogue counts.",
        'lang string No "en"',
        "JSON Schema of the variables",
        "client.login(user) result = client.read_resource('library://text/books/1?lang=en')",
        "python manage.py mcp read 'library://text/books/1?lang=en' --user NAME",
        '"uriTemplate": "library://{branch}/books/{number}{?lang}"',
    ):
        assert words in page, words


def test_the_page_of_a_prompt(admin_client: Client) -> None:
    page = text_of(admin_client.get(detail_url("default/prompt/reading_list")))
    for words in (
        "Kind: Prompt",
        "Made from the template: None: its function writes it.",
        "topic string Yes the function topics What to read about.",
        'level string No "adult" one of "child", "adult" its choices',
        "Clients send each of them as text",
        "Mcp-Method: prompts/get",
        "result = client.get_prompt('reading_list', "
        "{'topic': 'text', 'level': 'adult', 'most': '5'})",
        """python manage.py mcp prompt reading_list '{"topic": "text", "level": "adult", """
        """"most": "5"}'""",
    ):
        assert words in page, words
    page = text_of(admin_client.get(detail_url("default/prompt/take_stock")))
    assert "Only users with the permission “Can view book” (app.view_book)." in page
    assert "It takes no arguments." in page
    assert "Clients send each of them" not in page


def test_the_template_of_a_prompt_is_named(admin_client: Client, elsewhere: Any) -> None:
    def tour(room: str) -> None:
        """Show a room."""

    elsewhere.register(tour, kind="prompt", template="mcp_django/snippet.html")
    page = text_of(admin_client.get(detail_url("elsewhere/prompt/tour")))
    assert "Made from the template: mcp_django/snippet.html" in page


def test_a_template_of_which_lists_show_nothing(admin_client: Client, elsewhere: Any) -> None:
    def page_of(number: int) -> str:
        """One page."""
        return str(number)

    elsewhere.register(page_of, uri="book://page/{number}")
    key = "elsewhere/resource_template/book://page/{number}"
    page = text_of(admin_client.get(detail_url(key)))
    assert "Its resources in lists: No: clients fill in its variables." in page
    assert "Completed by" not in page
    assert "URL of the server: None: no URL of the project leads to it." in page
    assert "https://example.com/mcp" in page


def test_a_long_uri_has_a_page_too(admin_client: Client, elsewhere: Any) -> None:
    def long() -> str:
        """Far away."""
        return "here"

    uri = "book://" + "/".join(["volume_1", "ä:b?c", "d&e"] * 60)
    elsewhere.register(long, uri=uri)
    changelist = admin_client.get(LIST)
    link = re.search(r'<th class="field-name"><a href="([^"]+)"', changelist.content.decode())
    assert link
    page = admin_client.get(html.unescape(link[1]))
    assert page.status_code == 200
    assert uri in text_of(page)


@pytest.mark.urls(URLS)
def test_pages_of_another_server_lead_to_its_url(admin_client: Client) -> None:
    page = text_of(admin_client.get(detail_url("staff/tool/hello")))
    assert "URL of the server: /staff/mcp" in page
    assert "curl http://testserver/staff/mcp" in page
    with only(branch_server()):
        page = text_of(admin_client.get(detail_url("branches/tool/branch_name")))
    assert "URL of the server: /<slug:branch>/mcp" in page
    assert "curl http://testserver/BRANCH/mcp" in page
    assert "MCPClient(server, url_kwargs={'branch': 'BRANCH'})" in page
    assert "--server branches --url /BRANCH/mcp" in page


@pytest.mark.parametrize(
    ("key", "said"),
    [
        ("default/tool/import_books", '"inputSchema": {'),
        ("default/resource/library://hours", '"uri": "library://hours"'),
        (TEMPLATE, '"uriTemplate": "library://{branch}/books/{number}{?lang}"'),
        ("default/prompt/reading_list", '"description": "What to read about."'),
    ],
)
def test_each_page_has_the_definition_that_clients_get(
    admin_client: Client, key: str, said: str
) -> None:
    page = text_of(admin_client.get(detail_url(key)))
    heading = "Its definition, as lists give it to clients"
    assert page.count(heading) == 1
    assert said in page.partition(heading)[2]


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
