"""What records say of themselves, in words."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from types import ModuleType
from typing import Annotated, Any
from unittest.mock import patch

import pytest
from django.test import RequestFactory, override_settings
from django.urls import path, re_path
from rest_framework.permissions import (
    AllowAny,
    BasePermission,
    IsAdminUser,
    IsAuthenticated,
    IsAuthenticatedOrReadOnly,
)

from mcp_django import CurrentTenant, CurrentUser, server
from mcp_django.catalog import particulars, words
from mcp_django.catalog.endpoints import (
    authorization,
    captured_in,
    endpoint_path,
    endpoint_url,
    example_path,
)
from mcp_django.catalog.features import close_names, declared_option
from tests.app.models import Branch
from tests.catalogued import URLS, branch_server, made_servers


@pytest.fixture
def made() -> Iterator[Callable[..., Any]]:
    """The record of a function, by itself on the default server."""
    with server.registry.isolated() as registry:

        def register(target: Any, **options: Any) -> Any:
            registry.register(target, name="subject", **options)
            return registry.tools["subject"]

        yield register


def plain() -> None:
    """Do nothing."""


class Undocumented(BasePermission):
    pass


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("One\nline.\n\nAnd\nmore.", "One line.\n\nAnd more."),
        ("List:\n- one\n- two\n  of them", "List:\n- one\n- two\n  of them"),
        ("Steps:\n1. one\n2) two", "Steps:\n1. one\n2) two"),
        ("  \n", ""),
    ],
)
def test_docstrings_lose_their_line_breaks_and_lists_keep_theirs(text: str, told: str) -> None:
    assert words.unwrapped(text) == told


@pytest.mark.parametrize(
    ("codename", "name"),
    [
        ("app.add_book", "Can add book"),
        ("mcp_django.view_feature", "Can view MCP feature"),
        ("app.lend", "May lend books"),
        ("app.unknown", "unknown"),
        ("nowhere.add_book", "add_book"),
    ],
)
def test_permissions_have_the_names_that_the_admin_gives_them(
    codename: str, name: str, monkeypatch: Any
) -> None:
    monkeypatch.setattr(Branch._meta, "permissions", [("lend", "May lend books")])
    assert words.permission_name(codename) == name


@pytest.mark.parametrize(
    ("rule", "sentence"),
    [
        (IsAuthenticated, "IsAuthenticated: Allows access only to authenticated users."),
        (Undocumented, "Undocumented"),
        (IsAdminUser & ~IsAuthenticated, "(IsAdminUser and not IsAuthenticated)"),
        (AllowAny | IsAdminUser, "(AllowAny or IsAdminUser)"),
    ],
)
def test_permission_classes_in_words(made: Any, rule: Any, sentence: str) -> None:
    assert words.access(made(plain, permission_classes=[rule]), server) == [sentence]


def test_who_may_call_is_the_sum_of_all_that_is_asked(made: Any) -> None:
    def ours(*, user: CurrentUser, branch: Annotated[Branch, CurrentTenant]) -> None:
        """Do it."""

    tool = made(ours, permission_classes=[IsAdminUser])
    with override_settings(
        MCP_DJANGO={"PERMISSION_CLASSES": ["rest_framework.permissions.IsAuthenticated"]}
    ):
        assert words.access(tool, server) == [
            "IsAuthenticated: Allows access only to authenticated users.",
            "Only users who are signed in.",
            "IsAdminUser: Allows access only to admin users.",
            "Only requests within a tenant.",
        ]
    assert words.injected(tool) == ["user", "branch"]


def test_each_hint_has_a_word_for_yes_and_for_no(made: Any) -> None:
    yes = made(plain, read_only=True, destructive=True, idempotent=True, open_world=True)
    assert words.short_hints(yes.annotations) == [
        "read-only",
        "destructive",
        "idempotent",
        "open world",
    ]
    server.registry.unregister("subject")
    no = made(plain, read_only=False, destructive=False, idempotent=False, open_world=False)
    assert words.short_hints(no.annotations) == [
        "writes",
        "not destructive",
        "not idempotent",
        "closed world",
    ]


@pytest.mark.parametrize(
    ("atomic", "sentence"),
    [
        (False, "Without a transaction: what it has saved before an error stays."),
        (True, "In a transaction: an error undoes its work."),
    ],
)
def test_how_a_sync_tool_runs(made: Any, atomic: bool, sentence: str) -> None:
    assert list(words.execution(made(plain, atomic=atomic))) == [sentence]


def with_user(*, user: CurrentUser) -> None:
    """Do it as somebody."""


@pytest.mark.parametrize(
    ("target", "options", "who"),
    [
        (plain, {}, "anyone"),
        (plain, {"permission_classes": [AllowAny]}, "anyone"),
        (with_user, {}, "signed-in users"),
        (plain, {"permission_classes": [IsAuthenticatedOrReadOnly]}, "signed-in users"),
        (plain, {"permission_classes": [IsAuthenticated, IsAdminUser]}, "staff"),
        (plain, {"permission_classes": [Undocumented]}, "Undocumented"),
        (
            with_user,
            {"permission_classes": [IsAdminUser | Undocumented]},
            "signed-in users, (IsAdminUser or Undocumented)",
        ),
        (plain, {"permission": "app.add_book"}, "with “Can add book”"),
        (
            plain,
            {
                "permission": ["app.add_book", "app.change_book"],
                "permission_classes": [IsAdminUser],
            },
            "staff with “Can add book”, “Can change book”",
        ),
    ],
)
def test_who_may_call_in_a_few_words(made: Any, target: Any, options: Any, who: str) -> None:
    assert words.callers(made(target, **options), server) == who


def test_what_the_endpoint_asks_for_holds_for_each_tool(made: Any) -> None:
    tool = made(plain, permission_classes=[Undocumented])
    with override_settings(
        MCP_DJANGO={"PERMISSION_CLASSES": ["rest_framework.permissions.IsAdminUser", Undocumented]}
    ):
        assert words.callers(tool, server) == "staff, Undocumented"


def test_a_summary_is_the_first_paragraph_in_one_line() -> None:
    assert words.summary("\nFind\nloans.\n\nNewest first.") == "Find loans."


class Hours:
    """A callable that is no function."""

    def __call__(self) -> bool:
        return True


def is_open() -> bool:
    """Asked for each request."""
    return True


@pytest.mark.parametrize(
    ("enabled", "told"),
    [
        (is_open, "tests.catalog.test_words.is_open()"),
        (lambda: True, "the function in enabled="),
        (Hours(), "the function in enabled="),
    ],
)
def test_a_feature_that_is_not_always_there(made: Any, enabled: Any, told: str) -> None:
    tool = made(plain, enabled=enabled)
    assert words.access(tool, server) == [
        f"Only where {told} says so, which is asked for each request."
    ]
    assert words.callers(tool, server) == "anyone, if enabled"


def test_apps_by_their_names() -> None:
    assert words.app_name("auth") == "Authentication and Authorization"
    assert words.app_name("gone") == "gone"
    assert words.app_name("") == ""


@pytest.mark.parametrize(
    ("name", "near"),
    [
        ("find_loan", ["find_loans"]),
        ("FIND_LOANS", ["find_loans"]),
        ("loans", ["find_loans"]),
        ("", []),
        ("xyz", []),
        ("import_boks", ["import_books"]),
    ],
)
def test_names_that_a_mistyped_one_may_have_meant(name: str, near: list[str]) -> None:
    assert close_names(name, ["find_loans", "import_books"]) == near


def test_uris_are_near_only_where_more_than_their_beginning_is() -> None:
    uris = ["library://hours", "library://covers/all"]
    assert close_names("library://hour", uris) == ["library://hours"]


@pytest.mark.urls(URLS)
def test_the_endpoint_of_each_server() -> None:
    request = RequestFactory().get("/admin/")
    _default, staff = made_servers()
    assert endpoint_url(staff, request) == "http://testserver/staff/mcp"
    assert endpoint_path(branch_server()) == "/<slug:branch>/mcp"
    assert endpoint_url(branch_server(), request) == "http://testserver/BRANCH/mcp"


@pytest.mark.parametrize(
    ("path", "names"),
    [
        ("/mcp", []),
        ("/<branch>/<int:year>/mcp", ["branch", "year"]),
        (r"/^(?P<branch>\w+)/mcp", ["branch"]),
    ],
)
def test_parts_that_a_pattern_captures(path: str, names: list[str]) -> None:
    assert captured_in(path) == names


@pytest.mark.parametrize(
    ("route", "example"),
    [
        (path("<branch>/<int:year>/mcp", branch_server().urls), "/BRANCH/YEAR/mcp"),
        (re_path(r"^(?P<branch>[\w-]+)/mcp/?", branch_server().urls), "/BRANCH/mcp"),
        (path("mcp", made_servers()[0].urls), ""),
    ],
)
def test_examples_have_words_to_replace_in_the_url(route: Any, example: str) -> None:
    urls = ModuleType("example_urls")
    urls.urlpatterns = [route]  # type: ignore[attr-defined]
    with (
        patch.dict(sys.modules, {urls.__name__: urls}),
        override_settings(ROOT_URLCONF=urls.__name__),
    ):
        assert example_path(branch_server()) == example


def test_the_endpoint_is_found_where_it_is_mounted() -> None:
    request = RequestFactory().get("/admin/")
    assert endpoint_url(server, request) == "http://testserver/mcp"


@pytest.mark.urls("tests.unmounted_urls")
def test_an_endpoint_that_is_not_mounted_has_an_example_for_its_url() -> None:
    assert endpoint_url(server, RequestFactory().get("/")) == "https://example.com/mcp"


def test_where_nobody_can_sign_in_there_is_no_authorization_header() -> None:
    with override_settings(MCP_DJANGO={"AUTHENTICATION_CLASSES": []}):
        assert authorization(server, RequestFactory().get("/")) is None


def test_when_a_resource_last_changed(made: Any) -> None:
    def hours() -> str:
        """When it is open."""
        return "Always."

    with server.registry.isolated() as registry:
        registry.register(hours, uri="library://h", annotations={"last_modified": "2026-07-28"})
        resource = registry.resources["library://h"]
        assert particulars.audience(resource) == ["Last modified: 2026-07-28."]


def test_an_option_of_a_feature_that_is_not_on_the_server(made: Any) -> None:
    tool = made(plain, title="Plain")
    assert declared_option(server, tool, "title") == "Plain"
    assert declared_option(branch_server(), tool, "title") is None
