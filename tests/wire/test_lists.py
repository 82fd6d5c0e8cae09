"""The four lists: pages, cursors, and how long an answer may be kept and by whom."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Annotated, Any

import pytest
from django.contrib.auth.models import User
from django.core import signing
from django.test import override_settings
from django.utils import translation
from django.utils.translation import gettext_lazy
from rest_framework.permissions import IsAuthenticated

from mcp_django import CurrentTenant, CurrentUser, Inject, MCPServer, ToolError, server
from tests.app.models import Branch
from tests.wire.conftest import Wire

NOBODY_SIGNS_IN: dict[str, Any] = {"AUTHENTICATION_CLASSES": []}
INVALID = {"code": -32602, "message": "The cursor is not one of this server's."}

# Each list method, the member of its result, and how features of it are registered.
KINDS = {
    "tools/list": ("tools", lambda n: {"name": f"f{n}"}),
    "prompts/list": ("prompts", lambda n: {"name": f"f{n}", "kind": "prompt"}),
    "resources/list": ("resources", lambda n: {"name": f"f{n}", "uri": f"a://{n}"}),
    "resources/templates/list": (
        "resourceTemplates",
        lambda n: {"name": f"f{n}", "uri": f"t{n}://{{x}}"},
    ),
}
every_list = pytest.mark.parametrize("method", KINDS)


def feature() -> str:
    """Text."""
    return "text"


def template(x: str) -> str:
    """Text."""
    return x


def add(method: str, number: int, to: Any = None, **more: Any) -> None:
    options = KINDS[method][1](number)
    target = template if "{" in options.get("uri", "") else feature
    (to or server).register(target, **options, **more)


@pytest.fixture
def alone(register: Any) -> Iterator[None]:
    """No feature but those of the test."""
    for one in list(server.registry.features):
        server.unregister(one.key, kind=one.kind)
    return


@pytest.fixture
def paged() -> Iterator[None]:
    with override_settings(MCP_DJANGO={**NOBODY_SIGNS_IN, "PAGE_SIZE": 2}):
        yield


def page(wire: Wire, method: str, cursor: Any = None, **more: Any) -> tuple[list[str], Any]:
    """The names on a page, and the cursor of the next one."""
    params = {} if cursor is None else {"cursor": cursor}
    result = wire.result(method, params, **more)
    return [one["name"] for one in result[KINDS[method][0]]], result.get("nextCursor")


def pages(wire: Wire, method: str) -> list[list[str]]:
    names, cursor = page(wire, method)
    found = [names]
    while cursor is not None:
        names, cursor = page(wire, method, cursor)
        found.append(names)
    return found


# Pages.


@every_list
@pytest.mark.usefixtures("alone")
def test_there_is_one_page_unless_configured(wire: Wire, method: str) -> None:
    for number in range(30):
        add(method, number)
    assert pages(wire, method) == [[f"f{number}" for number in range(30)]]


@every_list
@pytest.mark.parametrize(
    ("count", "sizes"), [(1, [1]), (2, [2]), (3, [2, 1]), (4, [2, 2]), (5, [2, 2, 1])]
)
@pytest.mark.usefixtures("alone", "paged")
def test_pages_have_every_row_once(wire: Wire, method: str, count: int, sizes: list[int]) -> None:
    for number in range(count):
        add(method, number)
    found = pages(wire, method)
    assert [len(names) for names in found] == sizes
    assert [name for names in found for name in names] == [f"f{number}" for number in range(count)]


@every_list
@pytest.mark.usefixtures("alone", "paged")
def test_older_revisions_page_too(wire: Wire, method: str) -> None:
    for number in range(3):
        add(method, number)
    first = wire.old_result(method, version="2025-03-26")
    assert first.keys() == {KINDS[method][0], "nextCursor"}
    last = wire.old_result(method, {"cursor": first["nextCursor"]}, version="2025-03-26")
    assert last.keys() == {KINDS[method][0]}


@pytest.mark.usefixtures("alone")
def test_instances_are_rows_like_others(wire: Wire) -> None:
    server.register(feature, uri="a://declared")
    server.register(template, uri="b://{x}", instances=lambda: [{"x": str(n)} for n in range(4)])
    with override_settings(MCP_DJANGO={**NOBODY_SIGNS_IN, "PAGE_SIZE": 3}):
        assert pages(wire, "resources/list") == [["feature", "0", "1"], ["2", "3"]]


@pytest.mark.usefixtures("alone")
@pytest.mark.parametrize("is_async", [False, True])
def test_templates_that_share_a_function_list_what_it_gives_each(
    wire: Wire, is_async: bool
) -> None:
    """An iterator that the first of them has read to its end is none for the second."""

    def numbers() -> Iterator[dict[str, str]]:
        return ({"x": str(n)} for n in range(2))

    async def numbers_too() -> Iterator[dict[str, str]]:
        return numbers()

    for scheme in "ab":
        shared = numbers_too if is_async else numbers
        server.register(template, name=scheme, uri=f"{scheme}://{{x}}", instances=shared)
    listed = [one["uri"] for one in wire.result("resources/list")["resources"]]
    assert listed == ["a://0", "a://1", "b://0", "b://1"]


@pytest.mark.usefixtures("alone")
def test_what_instances_are_given_is_made_once_a_request(wire: Wire) -> None:
    made: list[int] = []

    def number() -> int:
        made.append(1)
        return len(made)

    def instances(number: Annotated[int, Inject(number)]) -> list[dict[str, str]]:
        return [{"x": str(number)}]

    for scheme in "ab":
        server.register(template, name=scheme, uri=f"{scheme}://{{x}}", instances=instances)
    listed = [one["uri"] for one in wire.result("resources/list")["resources"]]
    assert listed == ["a://1", "b://1"]


@pytest.mark.usefixtures("alone")
@pytest.mark.parametrize("masked", [False, True])
def test_all_errors_of_instances_are_told_or_in_the_log(
    wire: Wire, masked: bool, caplog: pytest.LogCaptureFixture
) -> None:
    async def instances() -> list[Any]:
        raise ExceptionGroup("TaskGroup", [RuntimeError("a bug"), ToolError("Closed.")])

    server.register(template, uri="b://{x}", instances=instances)
    with override_settings(MCP_DJANGO={**NOBODY_SIGNS_IN, "MASK_ERRORS": masked}):
        message = wire.error("resources/list")["message"]
    lines = message.splitlines()
    assert lines[0].endswith("Closed.")
    assert ("a bug" in lines[1]) != masked
    assert "TaskGroup" not in message
    assert "a bug" in caplog.text


# Cursors.


@every_list
@pytest.mark.usefixtures("alone", "paged")
def test_what_is_added_or_removed_neither_repeats_nor_hides_a_row(wire: Wire, method: str) -> None:
    for number in range(6):
        add(method, number)
    names, cursor = page(wire, method)
    assert names == ["f0", "f1"]
    server.unregister(KINDS[method][1](0).get("uri", "f0"))
    add(method, 9)
    names, cursor = page(wire, method, cursor)
    assert names == ["f2", "f3"]
    server.unregister(KINDS[method][1](3).get("uri", "f3"))  # the very row that the cursor names
    assert page(wire, method, cursor)[0] == ["f4", "f5"]


@pytest.mark.usefixtures("alone", "paged")
def test_a_cursor_behind_the_end_gives_nothing_more(wire: Wire) -> None:
    for number in range(4):
        add("tools/list", number)
    _, cursor = page(wire, "tools/list")
    for number in range(1, 4):
        server.unregister(f"f{number}")
    assert page(wire, "tools/list", cursor) == ([], None)


@every_list
@pytest.mark.parametrize(
    "cursor", ["", "x", "eyJ4IjoxfQ:x", 5, 0, False, ["x"], {"x": 1}, "x" * 100_000, "\u2028:\x00:"]
)
@pytest.mark.usefixtures("alone")
def test_no_cursor_of_ours(wire: Wire, method: str, cursor: Any) -> None:
    add(method, 1)
    for size in (None, 2):
        with override_settings(MCP_DJANGO={**NOBODY_SIGNS_IN, "PAGE_SIZE": size}):
            assert wire.error(method, {"cursor": cursor}) == INVALID
            assert wire.legacy(method, {"cursor": cursor}).json()["error"] == INVALID


def changed(cursor: str) -> Iterator[str]:
    for place in (0, len(cursor) // 2, len(cursor) - 1):
        letter = "A" if cursor[place] != "A" else "B"
        yield cursor[:place] + letter + cursor[place + 1 :]
    yield cursor[:-1]
    yield cursor + "x"
    yield signing.dumps(["f1", 1])  # with the project's key, but made for something else


@pytest.mark.usefixtures("alone", "paged")
def test_a_cursor_that_was_changed(wire: Wire) -> None:
    for number in range(4):
        add("tools/list", number)
    _, cursor = page(wire, "tools/list")
    for other in changed(cursor):
        assert wire.error("tools/list", {"cursor": other}) == INVALID
    assert page(wire, "tools/list", cursor)[0] == ["f2", "f3"]


@pytest.mark.usefixtures("alone", "paged")
def test_a_cursor_is_good_for_its_list_alone(wire: Wire) -> None:
    cursors = {}
    for method in KINDS:
        for number in range(3):
            add(method, number)
        cursors[method] = page(wire, method)[1]
    for method in KINDS:
        for other, cursor in cursors.items():
            if other != method:
                assert wire.error(method, {"cursor": cursor}) == INVALID


def cursors_of_three(wire: Wire, method: str) -> list[str]:
    """What nobody, ann and bob are given with their first pages; bob stays signed in."""
    cursors = [page(wire, method)[1]]
    for name in ("ann", "bob"):
        wire.client.force_login(User.objects.create_user(name))
        cursors.append(page(wire, method)[1])
    return cursors


@every_list
@pytest.mark.django_db
@pytest.mark.usefixtures("alone")
def test_a_cursor_is_good_for_its_caller_alone(wire: Wire, method: str) -> None:
    for number in range(3):
        add(method, number)
    with override_settings(MCP_DJANGO={"PAGE_SIZE": 2}):
        of_nobody, of_ann, of_bob = cursors_of_three(wire, method)
        assert wire.error(method, {"cursor": of_nobody}) == INVALID
        assert wire.error(method, {"cursor": of_ann}) == INVALID
        assert page(wire, method, of_bob) == (["f2"], None)
        # A cache that shared the first page would lead others astray.
        for params in ({}, {"cursor": of_bob}):
            assert hints(wire, method, **params)[1] == "private"


@every_list
@pytest.mark.parametrize("number", [2, 3])
@pytest.mark.usefixtures("alone")
def test_where_nobody_signs_in_pages_are_for_everybody(
    wire: Wire, method: str, number: int
) -> None:
    for one in range(number):
        add(method, one)
    with override_settings(MCP_DJANGO={"PAGE_SIZE": 2, "AUTHENTICATION_CLASSES": []}):
        cursor = page(wire, method)[1]
        assert hints(wire, method)[1] == "public"
        assert (cursor is None) is (number == 2)
        if cursor:
            assert hints(wire, method, cursor=cursor)[1] == "public"


@pytest.mark.usefixtures("alone")
def test_nothing_is_looked_up_for_a_cursor_of_somebody_else(wire: Wire) -> None:
    asked: list[str] = []

    def enabled() -> bool:
        asked.append("enabled")
        return True

    def instances() -> list[Any]:
        asked.append("instances")
        return []

    add("tools/list", 1, enabled=enabled)
    server.register(template, uri="b://{x}", instances=instances, enabled=enabled)
    for method in ("tools/list", "resources/list", "resources/templates/list"):
        assert wire.error(method, {"cursor": "x"}) == INVALID
    assert asked == []
    page(wire, "resources/list")
    assert asked == ["enabled", "instances"]


@pytest.mark.usefixtures("alone", "paged")
def test_keys_may_be_rotated_between_two_pages(wire: Wire) -> None:
    for number in range(3):
        add("tools/list", number)
    _, cursor = page(wire, "tools/list")
    with override_settings(SECRET_KEY="new", SECRET_KEY_FALLBACKS=["only-for-tests"]):
        assert page(wire, "tools/list", cursor) == (["f2"], None)
    with override_settings(SECRET_KEY="new"):
        assert wire.error("tools/list", {"cursor": cursor}) == INVALID


@pytest.mark.usefixtures("alone", "paged")
def test_why_a_cursor_is_refused_is_in_the_log(
    wire: Wire, caplog: pytest.LogCaptureFixture
) -> None:
    add("tools/list", 1)
    with caplog.at_level("INFO", "mcp_django"):
        wire.error("tools/list", {"cursor": 5})
        wire.error("tools/list", {"cursor": "x"})
    assert [message for message in caplog.messages if "cursor" in message] == [
        "A cursor for tool was refused: it is int",
        'A cursor for tool was refused: No ":" found in value',
    ]


# How long lists may be kept, and by whom.


def hints(wire: Wire, method: str, **params: Any) -> tuple[int, str]:
    result = wire.result(method, params)
    return result["ttlMs"], result["cacheScope"]


ANSWERS = [*KINDS, "server/discover"]


@pytest.mark.parametrize("method", ANSWERS)
@pytest.mark.usefixtures("alone")
def test_lists_are_for_everybody_and_for_a_minute(wire: Wire, method: str) -> None:
    for kind in KINDS:
        add(kind, 1)
    assert hints(wire, method) == (60_000, "public")


@every_list
@pytest.mark.usefixtures("alone")
def test_older_revisions_have_no_hints(wire: Wire, method: str) -> None:
    add(method, 1)
    for version in ("2025-11-25", "2025-06-18", "2025-03-26"):
        assert wire.old_result(method, version=version).keys() == {KINDS[method][0]}


@pytest.mark.usefixtures("alone")
def test_settings_name_each_answer(wire: Wire) -> None:
    for kind in KINDS:
        add(kind, 1)
    settings = {
        "TTL_MS": {"lists": 1, "tools": 2, "resource_templates": 3, "discover": 4},
        "CACHE_SCOPE": {"prompts": "private", "discover": "private"},
    }
    with override_settings(MCP_DJANGO={**NOBODY_SIGNS_IN, **settings}):
        assert {method: hints(wire, method) for method in ANSWERS} == {
            "tools/list": (2, "public"),
            "prompts/list": (1, "private"),
            "resources/list": (1, "public"),
            "resources/templates/list": (3, "public"),
            "server/discover": (4, "private"),
        }
    with override_settings(
        MCP_DJANGO={**NOBODY_SIGNS_IN, "CACHE_SCOPE": {"lists": "private", "tools": "public"}}
    ):
        assert hints(wire, "tools/list")[1] == "public"
        assert hints(wire, "resources/list")[1] == "private"


def of_user(user: CurrentUser) -> str:
    """Text."""
    return "x"


def of_tenant(branch: Annotated[Branch, CurrentTenant]) -> str:
    """Text."""
    return "x"


def template_of_user(x: str, user: CurrentUser) -> str:
    """Text."""
    return x


def template_of_tenant(x: str, branch: Annotated[Branch, CurrentTenant]) -> str:
    """Text."""
    return x


TEMPLATES: dict[Callable[..., str], Callable[..., str]] = {
    feature: template,
    of_user: template_of_user,
    of_tenant: template_of_tenant,
}
DEPENDENT: dict[str, tuple[Callable[..., str], dict[str, Any], str]] = {
    "a permission": (feature, {"permission": "app.add_book"}, "private"),
    "a permission class": (feature, {"permission_classes": [IsAuthenticated]}, "private"),
    "a switch": (feature, {"enabled": lambda: True}, "private"),
    "the user": (of_user, {}, "private"),
    "the language": (feature, {"title": gettext_lazy("Home")}, "private"),
    "the language of a description": (feature, {"description": gettext_lazy("x")}, "private"),
    "nothing but the tenant, which hides none": (of_tenant, {}, "public"),
}


@every_list
@pytest.mark.parametrize("case", DEPENDENT)
@pytest.mark.usefixtures("alone")
def test_a_list_is_private_where_another_caller_may_get_another_one(
    wire: Wire, method: str, case: str
) -> None:
    target, options, scope = DEPENDENT[case]
    given = KINDS[method][1](1)
    server.register(
        TEMPLATES[target] if "{" in given.get("uri", "") else target, **given, **options
    )
    assert hints(wire, method)[1] == scope
    with override_settings(MCP_DJANGO={**NOBODY_SIGNS_IN, "PAGE_SIZE": 1}):
        assert hints(wire, method)[1] == scope


@pytest.mark.usefixtures("alone")
def test_all_pages_have_the_same_scope(wire: Wire) -> None:
    add("tools/list", 1)
    add("tools/list", 2)
    add("tools/list", 3, enabled=lambda: True)
    with override_settings(MCP_DJANGO={**NOBODY_SIGNS_IN, "PAGE_SIZE": 1}):
        scopes, cursor = [], None
        for _ in range(3):
            params = {"cursor": cursor} if cursor else {}
            result = wire.result("tools/list", params)
            scopes.append(result["cacheScope"])
            cursor = result.get("nextCursor")
    assert scopes == ["private"] * 3


def none() -> list[Any]:
    return []


@pytest.mark.usefixtures("alone")
def test_a_list_with_instances_is_private(wire: Wire) -> None:
    server.register(template, uri="b://{x}", instances=none)
    assert hints(wire, "resources/list")[1] == "private"
    assert hints(wire, "resources/templates/list")[1] == "public"


@pytest.mark.usefixtures("alone")
def test_a_server_that_speaks_many_languages_is_private(wire: Wire) -> None:
    add("tools/list", 1)
    settings = {"SERVER": {"title": gettext_lazy("Home")}}
    with override_settings(MCP_DJANGO={**NOBODY_SIGNS_IN, **settings}):
        for method in ("tools/list", "server/discover"):
            assert hints(wire, method)[1] == "private"


@pytest.mark.django_db
@pytest.mark.usefixtures("alone")
def test_everything_on_a_private_endpoint_is_private(wire: Wire) -> None:
    for kind in KINDS:
        add(kind, 1)
    wire.client.force_login(User.objects.create_user("ann"))
    with override_settings(MCP_DJANGO={"PERMISSION_CLASSES": [IsAuthenticated]}):
        assert {hints(wire, method)[1] for method in ANSWERS} == {"private"}


@pytest.mark.usefixtures("alone")
def test_a_list_is_written_in_the_callers_language(wire: Wire) -> None:
    for method in KINDS:
        add(method, 1, title=gettext_lazy("Home"))
        member = KINDS[method][0]
        for language, title in (("de", "Start"), ("en", "Home")):
            with translation.override(language):
                (one,) = wire.result(method)[member]
                assert one["title"] == title


def test_each_server_has_hints_of_its_own(new_server: Any, register: Any) -> None:
    staff: MCPServer = new_server(
        "staff", ttl_ms={"tools": 5}, cache_scope={"read": "public"}, page_size=None
    )
    with override_settings(
        MCP_DJANGO={"TTL_MS": {"lists": 9, "read": 8}, "PAGE_SIZE": 3, "CACHE_SCOPE": {}}
    ):
        assert staff.ttl_ms == {"lists": 9, "tools": 5, "read": 8}
        assert staff.cache_scope == {"lists": "public", "read": "public"}
        assert staff.page_size is None
        assert server.page_size == 3


def test_a_servers_own_word_on_lists_is_about_each_of_them(new_server: Any) -> None:
    staff: MCPServer = new_server("staff", ttl_ms={"lists": 5})
    with override_settings(MCP_DJANGO={"TTL_MS": {"tools": 9, "read": 8}}):
        assert staff.ttl_ms == {"lists": 5, "read": 8}
