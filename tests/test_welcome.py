"""The page for a person whose browser opens the endpoint."""

from __future__ import annotations

import base64
import html
import json
import re
import shlex
from collections.abc import Callable, Iterator
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

import pytest
from django.contrib.auth.models import User
from django.http import HttpResponse
from django.test import Client, override_settings
from django.utils.functional import lazy
from rest_framework.authentication import BaseAuthentication

from mcp_django import CurrentUser, server
from tests.catalogued import URLS

BROWSER = {"accept": "text/html,application/xhtml+xml,*/*;q=0.8"}
NAMED = {"name": "City Library", "title": "The <Library>", "description": "Books & loans."}
SESSIONS = ["rest_framework.authentication.SessionAuthentication"]
TOKENS = ["rest_framework.authentication.TokenAuthentication"]


def open_tool() -> str:
    """Say <b>hello</b>.

    And nothing
    else.
    """
    return "hello"


def by_name(name: str) -> str:
    """Say hello to one."""
    return name


def mine(*, user: CurrentUser) -> str:
    """Yours alone."""
    return user.username


@pytest.fixture(autouse=True)
def register() -> Iterator[Callable[..., Any]]:
    """A server with no features but those that a test registers."""
    with server.registry.isolated() as registry:
        registry.clear()
        server.compile()
        yield registry.register


def page(client: Client, path: str = "/mcp", **headers: str) -> HttpResponse:
    return client.get(path, headers={**BROWSER, **headers})


def snippets(response: HttpResponse) -> dict[str, str]:
    """What can be copied, by the heading above it."""
    found = re.findall(
        r"<h[23][^>]*>([^<]+)</h[23]>(?:(?!<h[23]).)*?<pre><code>(.*?)</code></pre>",
        response.content.decode(),
        re.DOTALL,
    )
    return {html.unescape(name): html.unescape(text) for name, text in found}


def links(response: HttpResponse) -> list[str]:
    return [html.unescape(url) for url in re.findall(r'href="([^"]+)"', response.content.decode())]


def test_it_is_a_refusal_that_a_person_can_read(client: Client) -> None:
    with override_settings(MCP_DJANGO={"SERVER": NAMED, "AUTHENTICATION_CLASSES": []}):
        response = page(client)
    assert response.status_code == 405
    assert response["Allow"] == "POST, OPTIONS"
    assert response["Content-Type"] == "text/html; charset=utf-8"
    assert response["Cache-Control"] == "private, no-store"
    assert "Authorization" in response["Vary"]
    text = response.content.decode()
    assert "<h1>The &lt;Library&gt;</h1>" in text
    assert "Books &amp; loans." in text


def test_a_strict_content_security_policy_may_stand(client: Client, register: Any) -> None:
    register(open_tool)
    with override_settings(MCP_DJANGO={"AUTHENTICATION_CLASSES": []}):
        text = page(client).content.decode()
    assert "<style" not in text
    assert not re.search(r"\s(style|on\w+)=", text)
    assert re.findall(r"<script[^>]*>(.*?)</script>", text) == [""]
    assert re.findall(r'(?:src|rel="stylesheet" href)="([^"]+)"', text) == [
        "/static/mcp_django/welcome.css",
        "/static/mcp_django/copy.js",
    ]


@override_settings(MCP_DJANGO={"SERVER": NAMED, "AUTHENTICATION_CLASSES": []})
def test_clients_of_an_open_endpoint(client: Client, register: Any) -> None:
    register(open_tool)
    response = page(client, "/mcp/")
    told, url = snippets(response), "http://testserver/mcp"
    assert told["Address"] == url
    assert shlex.split(told["Claude Code"]) == [
        *("claude", "mcp", "add", "--transport", "http", "city-library", url)
    ]
    assert json.loads(told["VS Code"]) == {
        "servers": {"city-library": {"type": "http", "url": url}}
    }
    assert json.loads(told["Cursor"]) == {"mcpServers": {"city-library": {"url": url}}}
    assert shlex.split(told["MCP Inspector"]) == [
        *("npx", "@modelcontextprotocol/inspector", "--transport", "http", "--server-url", url)
    ]
    vs_code, cursor = (link for link in links(response) if "mcp/install" in link)
    assert json.loads(unquote(vs_code.partition("?")[2])) == {
        "name": "city-library",
        "type": "http",
        "url": url,
    }
    query = parse_qs(urlsplit(cursor).query)
    assert query["name"] == ["city-library"]
    assert json.loads(base64.b64decode(query["config"][0])) == {"url": url}


@pytest.mark.parametrize(
    ("classes", "header"),
    [
        (TOKENS, "Authorization: Token YOUR_TOKEN"),
        (SESSIONS, "Authorization: Bearer YOUR_TOKEN"),
        (["rest_framework.authentication.BasicAuthentication"], "Authorization: Bearer YOUR_TOKEN"),
    ],
)
def test_credentials_stand_where_a_tool_needs_them(
    client: Client, register: Any, classes: list[str], header: str
) -> None:
    register(mine)
    with override_settings(MCP_DJANGO={"AUTHENTICATION_CLASSES": classes}):
        response = page(client)
    told = snippets(response)
    assert shlex.split(told["Claude Code"].replace("\\\n", ""))[-2:] == ["--header", header]
    assert shlex.split(told["MCP Inspector"])[-2:] == ["--header", header]
    cursor = json.loads(told["Cursor"])["mcpServers"]["tests"]
    assert cursor["headers"] == {"Authorization": header.partition(": ")[2]}
    vs_code = json.loads(told["VS Code"])
    scheme = header.split()[1]
    assert vs_code["servers"]["tests"]["headers"] == {
        "Authorization": f"{scheme} ${{input:tests-token}}"
    }
    assert vs_code["inputs"][0]["password"] is True
    assert not [link for link in links(response) if "mcp/install" in link]


@pytest.mark.django_db
@override_settings(MCP_DJANGO={"AUTHENTICATION_CLASSES": SESSIONS})
def test_the_reader_sees_what_the_reader_may_use(client: Client, register: Any) -> None:
    register(open_tool)
    register(mine)
    text = page(client).content.decode()
    assert "Say &lt;b&gt;hello&lt;/b&gt;.<br><br>And nothing else." in text
    assert "You are signed in" not in text
    assert "Yours alone." not in text
    client.force_login(User.objects.create_user("ann<"))
    text = page(client).content.decode()
    assert "You are signed in here as <b>ann&lt;</b>" in text
    assert "Yours alone." in text


@override_settings(
    MCP_DJANGO={
        "SERVER": NAMED,
        "AUTHENTICATION_CLASSES": TOKENS,
        "PERMISSION_CLASSES": ["rest_framework.permissions.IsAuthenticated"],
    }
)
def test_a_private_endpoint_tells_strangers_how_to_connect_and_no_more(
    client: Client, register: Any
) -> None:
    register(open_tool)
    response = page(client)
    assert response.status_code == 405
    assert "hello" not in response.content.decode()
    assert "Books" not in response.content.decode()
    assert "Token YOUR_TOKEN" in snippets(response)["Claude Code"]


@pytest.mark.django_db
@override_settings(MCP_DJANGO={"AUTHENTICATION_CLASSES": TOKENS})
@pytest.mark.parametrize("credentials", ["Token nonsense", "Bearer", "Bearer nonsense"])
def test_bad_credentials_make_an_anonymous_reader(
    client: Client, register: Any, credentials: str
) -> None:
    register(open_tool)
    register(mine)
    response = page(client, authorization=credentials)
    assert response.status_code == 405
    assert "open_tool" in response.content.decode()
    assert "Yours alone." not in response.content.decode()


def test_a_program_gets_json(client: Client) -> None:
    response = client.get("/mcp", headers={"accept": "application/json"})
    assert response.status_code == 405
    assert response["Content-Type"] == "application/json"


@pytest.mark.parametrize(
    "changes",
    [
        {"STORAGES": {"staticfiles": {"BACKEND": "tests.test_welcome.Uncollected"}}},
        {"STATIC_URL": None, "STORAGES": {}},
    ],
)
def test_it_does_without_static_files(client: Client, changes: Any) -> None:
    with override_settings(MCP_DJANGO={"AUTHENTICATION_CLASSES": []}, **changes):
        response = page(client)
    assert response.status_code == 405
    assert "<link" not in response.content.decode()
    assert "<script" not in response.content.decode()


class Uncollected:
    """Static files that were not collected, as ``ManifestStaticFilesStorage`` tells it."""

    def url(self, path: str) -> str:
        raise ValueError(f"Missing staticfiles manifest entry for {path!r}")


@pytest.mark.parametrize(
    "engines",
    [
        [],
        [{"BACKEND": "django.template.backends.django.DjangoTemplates"}],
    ],
)
def test_it_does_without_the_templates_of_the_project(client: Client, engines: Any) -> None:
    with override_settings(TEMPLATES=engines, MCP_DJANGO={"AUTHENTICATION_CLASSES": []}):
        response = page(client)
    assert snippets(response)["Address"] == "http://testserver/mcp"


def test_many_tools_are_folded_away(client: Client, register: Any) -> None:
    with override_settings(MCP_DJANGO={"AUTHENTICATION_CLASSES": []}):
        register(open_tool)
        assert "<details open>" in page(client).content.decode()
        for number in range(9):
            register(open_tool, name=f"tool_{number}", title=f"Tool {number}")
        text = page(client).content.decode()
    assert "<details>" in text
    assert "<summary>10 tools</summary>" in text
    assert "Tool 3 <code>tool_3</code>" in text


@override_settings(MCP_DJANGO={"AUTHENTICATION_CLASSES": []})
def test_every_kind_under_its_number(client: Client, register: Any) -> None:
    register(open_tool)
    register(open_tool, uri="library://hello", title="Greeting")
    register(open_tool, uri="library://hello/again")
    register(by_name, uri="library://hello/{name}", name="by name")
    register(open_tool, kind="prompt", name="greet")
    text = page(client).content.decode()
    assert re.findall(r"<summary>([^<]+)</summary>", text) == [
        *("1 tool", "2 resources", "1 resource template", "1 prompt")
    ]
    assert "Greeting <code>library://hello</code>" in text
    assert "open_tool <code>library://hello/again</code>" in text
    assert "by name <code>library://hello/{name}</code>" in text
    assert "<dt><code>greet</code></dt>" in text


@pytest.mark.django_db
@override_settings(MCP_DJANGO={"AUTHENTICATION_CLASSES": SESSIONS})
def test_what_a_reader_may_not_use_is_not_there(client: Client, register: Any) -> None:
    register(mine, uri="library://mine")
    register(mine, kind="prompt")
    register(open_tool, uri="library://closed", enabled=lambda: False)
    assert "What you may use here" not in page(client).content.decode()
    assert "Bearer YOUR_TOKEN" in snippets(page(client))["Claude Code"]
    client.force_login(User.objects.create_user("ann"))
    text = page(client).content.decode()
    assert "mine <code>library://mine</code>" in text
    assert "<dt><code>mine</code></dt>" in text
    assert "library://closed" not in text


@pytest.mark.urls(URLS)
@override_settings(MCP_DJANGO={"AUTHENTICATION_CLASSES": []})
def test_each_server_has_a_page_of_its_own(client: Client) -> None:
    staff = page(client, "/staff/mcp")
    assert snippets(staff)["Address"] == "http://testserver/staff/mcp"
    assert "<h1>staff</h1>" in staff.content.decode()
    assert "<code>hello</code>" in staff.content.decode()
    assert "find_loans" not in staff.content.decode()
    north = page(client, "/north/mcp")
    assert snippets(north)["Address"] == "http://testserver/north/mcp"
    assert "branch_name" in north.content.decode()


@pytest.mark.parametrize("error", [ValueError("no catalog"), SystemExit(3)])
@pytest.mark.parametrize("text", ["title", "description"])
def test_a_feature_whose_texts_raise_is_left_out(
    client: Client,
    register: Callable[..., Any],
    error: BaseException,
    text: str,
    caplog: pytest.LogCaptureFixture,
) -> None:
    def said() -> str:
        if failing:
            raise error
        return "Fine."

    failing: list[bool] = []
    register(open_tool, name="odd", **{text: lazy(said, str)()})
    register(open_tool)
    failing.append(True)
    with override_settings(MCP_DJANGO={"AUTHENTICATION_CLASSES": []}):
        response = page(client)
    assert response.status_code == 405
    told = response.content.decode()
    assert "open_tool" in told
    assert "odd" not in told
    assert "The endpoint's page leaves out the tool odd, whose texts raise." in caplog.text


def test_an_interrupt_among_the_errors_of_a_text_stops_the_process(
    client: Client, register: Callable[..., Any]
) -> None:
    def said() -> str:
        if failing:
            raise BaseExceptionGroup("several", [ValueError(), KeyboardInterrupt()])
        return "Fine."

    failing: list[bool] = []
    register(open_tool, title=lazy(said, str)())
    failing.append(True)
    with (
        override_settings(MCP_DJANGO={"AUTHENTICATION_CLASSES": []}),
        pytest.raises(BaseExceptionGroup),
    ):
        page(client)


@pytest.mark.parametrize(
    ("error", "raised"),
    [
        (SystemExit(3), RuntimeError),
        (GeneratorExit(), RuntimeError),
        (BaseExceptionGroup("several", [SystemExit(3)]), RuntimeError),
        (BaseExceptionGroup("several", [KeyboardInterrupt()]), BaseExceptionGroup),
    ],
)
def test_nothing_else_that_it_runs_ends_the_process(
    client: Client, register: Callable[..., Any], error: BaseException, raised: Any
) -> None:
    class Signs(BaseAuthentication):
        def authenticate(self, request: Any) -> None:
            return None

        def authenticate_header(self, request: Any) -> str:
            raise error.with_traceback(None)

    register(mine)
    with override_settings(MCP_DJANGO={"AUTHENTICATION_CLASSES": [Signs]}), pytest.raises(raised):
        page(client)
