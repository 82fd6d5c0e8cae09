"""Several servers in one project, each with its own features, callers and URL."""

from __future__ import annotations

import sys
from types import ModuleType
from typing import Annotated, Any

import pytest
from django.contrib.auth.models import User
from django.core.exceptions import ImproperlyConfigured
from django.http import HttpRequest
from django.test import override_settings
from django.urls import include, path, reverse
from django.utils import translation
from django.utils.translation import gettext_lazy
from rest_framework.authentication import BasicAuthentication
from rest_framework.authtoken.models import Token
from rest_framework.permissions import IsAdminUser

from mcp_django import (
    Context,
    CurrentTenant,
    Inject,
    MCPServer,
    ParameterResolver,
    Prompt,
    Resource,
    Tool,
    Toolset,
    prompt,
    resource,
    server,
    tool,
)
from mcp_django.dispatch.languages import MOST, ByLanguage
from mcp_django.dispatch.server import servers
from mcp_django.protocol.versions import LATEST
from tests.app.models import Branch
from tests.wire.conftest import Wire, error_of
from tests.wire.test_sign_in import Bearer

STAFF = "/staff/mcp"
BRANCH = "/north/mcp"
DEFAULT = server


@pytest.fixture
def staff(new_server: Any, register: Any, mount: Any) -> MCPServer:
    """A server of its own, mounted twice beside the default one."""
    made: MCPServer = new_server("staff", authentication_classes=[])
    mount(
        path("mcp", include("mcp_django.urls")),
        path("staff/mcp", made.urls),
        path("<slug:branch>/mcp", made.urls),
    )
    return made


def names(wire: Wire, method: str = "tools/list", url: str = STAFF) -> list[str]:
    result = wire.result(method, url=url)
    (member,) = result.keys() & {"tools", "prompts", "resources", "resourceTemplates"}
    return [one["name"] for one in result[member]]


def count_books() -> str:
    """Count."""
    return "12"


# Whose feature it is.


def test_features_of_one_are_unknown_to_the_other(wire: Wire, staff: MCPServer) -> None:
    @tool(server=staff)
    def hire() -> str:
        """Hire."""
        return "hired"

    @resource("library://staff", server=staff)
    def list_staff() -> str:
        """The staff."""
        return "ann"

    @prompt(server=staff)
    def greet() -> str:
        """Greet."""
        return "Hello."

    @tool
    def lend() -> str:
        """Lend."""
        return "lent"

    assert (names(wire), names(wire, "prompts/list")) == (["hire"], ["greet"])
    assert names(wire, "resources/list") == ["list_staff"]
    assert "hire" not in names(wire, url="/mcp")
    assert "lend" in names(wire, url="/mcp")
    called = wire.result("tools/call", {"name": "hire"}, url=STAFF)
    assert called["content"][0]["text"] == "hired"
    assert wire.error("tools/call", {"name": "hire"}) == {
        "code": -32602,
        "message": "Unknown tool: hire",
    }
    assert wire.error("tools/call", {"name": "lend"}, url=STAFF)["message"] == "Unknown tool: lend"
    assert wire.result("resources/read", {"uri": "library://staff"}, url=STAFF)["contents"]
    assert error_of(wire.modern("resources/read", {"uri": "library://staff"})) == (404, -32601)


def test_one_feature_on_several_servers(wire: Wire, staff: MCPServer) -> None:
    tool(server=[server, staff])(count_books)
    assert names(wire) == ["count_books"]
    assert "count_books" in names(wire, url="/mcp")
    staff.unregister("count_books")
    assert "count_books" in names(wire, url="/mcp")


def test_the_same_name_on_two_servers(wire: Wire, staff: MCPServer) -> None:
    @tool(server=staff, name="count")
    def count_staff() -> int:
        """Count staff."""
        return 3

    @tool(name="count")
    def count_all() -> int:
        """Count books."""
        return 12

    found = [
        wire.result("tools/call", {"name": "count"}, url=url)["structuredContent"]
        for url in (STAFF, "/mcp")
    ]
    assert found == [3, 12]


def test_classes_say_their_server_as_an_attribute(wire: Wire, staff: MCPServer) -> None:
    class OfStaff:
        server = staff

    @tool
    class Hire(OfStaff, Tool):
        """Hire."""

        def call(self) -> str:
            return "hired"

    @resource("library://staff")
    class Rota(Resource):
        """The rota."""

        server = (staff,)

        def read(self) -> str:
            return "ann"

    @prompt(server=staff)
    class Greet(Prompt):
        """Greet."""

        server = DEFAULT

        def render(self) -> str:
            return "Hello."

    tool(count_books)
    assert (names(wire), names(wire, "resources/list")) == (["hire"], ["rota"])
    assert names(wire, "prompts/list") == ["greet"]  # the decorator is nearer
    assert "hire" not in names(wire, url="/mcp")


def test_a_toolset_and_one_of_its_methods(staff: MCPServer) -> None:
    from mcp_django.features.owners import owners_of
    from mcp_django.features.publishing import declared_by_itself

    class Desk(Toolset):
        server = staff

        @tool
        def open_it(self) -> None:
            """Open."""

        @tool(server=DEFAULT)
        def close_it(self) -> None:
            """Close."""

    owners = [owners_of(declaration) for declaration in declared_by_itself(Desk)]
    assert owners == [[staff.registry], [server.registry]]


def test_a_family_that_it_has_no_features_of_is_unknown(wire: Wire, staff: MCPServer) -> None:
    assert wire.result("server/discover", url=STAFF)["capabilities"] == {}
    staff.register(count_books)
    assert wire.result("server/discover", url=STAFF)["capabilities"] == {"tools": {}}
    for method in ("prompts/list", "prompts/get", "resources/list", "resources/templates/list"):
        assert error_of(wire.modern(method, url=STAFF)) == (404, -32601)
        assert error_of(wire.legacy(method, url=STAFF)) == (200, -32601)
    assert error_of(wire.modern("resources/read", {"uri": "a://b"}, url=STAFF)) == (404, -32601)


def test_a_cursor_is_good_for_its_server_alone(wire: Wire, staff: MCPServer) -> None:
    for number in range(3):
        tool(server=[server, staff], name=f"count{number}")(count_books)
    with override_settings(MCP_DJANGO={"AUTHENTICATION_CLASSES": [], "PAGE_SIZE": 1}):
        cursor = wire.result("tools/list", url=STAFF)["nextCursor"]
        assert wire.result("tools/list", {"cursor": cursor}, url=STAFF)["tools"]
        assert wire.error("tools/list", {"cursor": cursor})["code"] == -32602


# What it says of itself, and its own settings.


def test_what_it_says_of_itself(wire: Wire, new_server: Any, mount: Any) -> None:
    made = new_server(
        "staff",
        title="For staff",
        version="3",
        instructions="Ask twice.",
        description="Of the library.",
        website_url="https://example.com/",
        icons=["https://example.com/a.png"],
        authentication_classes=[],
    )
    mount(path("staff/mcp", made.urls))
    with override_settings(MCP_DJANGO={"SERVER": {"name": "library"}}):
        result = wire.result("server/discover", url=STAFF)
        asked = {"protocolVersion": "2025-11-25", "capabilities": {}}
        legacy = wire.legacy("initialize", asked, url=STAFF).json()["result"]
    info = {
        "name": "staff",
        "title": "For staff",
        "version": "3",
        "description": "Of the library.",
        "websiteUrl": "https://example.com/",
        "icons": [{"src": "https://example.com/a.png"}],
    }
    assert result["_meta"]["io.modelcontextprotocol/serverInfo"] == info
    assert result["instructions"] == "Ask twice."
    assert legacy["serverInfo"] == info
    assert legacy["instructions"] == "Ask twice."


def test_without_any_words_it_has_its_name(staff: MCPServer) -> None:
    from mcp_django.protocol.versions import LATEST

    assert staff.info(LATEST) == {"name": "staff", "version": "1.0.0"}
    assert staff.instructions is None


@pytest.mark.django_db
def test_it_signs_in_by_its_own_classes(
    wire: Wire, new_server: Any, register: Any, mount: Any
) -> None:
    register(count_books)
    made = new_server("staff", authentication_classes=[Bearer], permission_classes=[IsAdminUser])
    made.register(count_books)
    mount(path("mcp", include("mcp_django.urls")), path("staff/mcp", made.urls))
    ann = User.objects.create_user("ann")
    root = User.objects.create_superuser("root")
    tokens = {
        user.username: f"Bearer {Token.objects.create(user=user).key}" for user in (ann, root)
    }
    with override_settings(MCP_DJANGO={"AUTHENTICATION_CLASSES": [BasicAuthentication]}):
        assert error_of(wire.modern("tools/list", url=STAFF)) == (401, -32600)
        ann_is = wire.modern("tools/list", url=STAFF, Authorization=tokens["ann"])
        assert error_of(ann_is) == (403, -32600)
        assert wire.result("tools/list", url=STAFF, Authorization=tokens["root"])["tools"]
        assert wire.result("tools/list")["tools"] is not None  # the default one is open
        assert error_of(wire.modern("tools/list", Authorization=tokens["root"])) == (401, -32600)


class Shelf:
    """What a project injects."""

    def __init__(self, name: str) -> None:
        self.name = name


class ShelfResolver(ParameterResolver):
    def __init__(self, name: str = "its own") -> None:
        self.name = name

    def claims(self, parameter: Any) -> bool:
        return parameter.annotation is Shelf

    def resolve(self, parameter: Any, context: Any, arguments: Any) -> Any:
        return Shelf(self.name)


def test_its_resolvers_are_asked_first(new_server: Any) -> None:
    def shelf(shelf: Shelf) -> str:
        """A shelf."""
        return shelf.name

    shared = ShelfResolver("of all")
    with override_settings(MCP_DJANGO={"PARAMETER_RESOLVERS": [shared]}):
        own = new_server("own", resolvers=[ShelfResolver])
        none = new_server("none")
    found = []
    for made in (own, none):
        made.register(shelf)
        (binding,) = made.registry.tools["shelf"].bindings
        found.append(binding.resolve(None, {}).name)
    assert found == ["its own", "of all"]


def branch_of(request: HttpRequest) -> Branch:
    return Branch(name=request.resolver_match.kwargs["branch"])  # type: ignore[union-attr]


@pytest.mark.parametrize("tenant", [branch_of, f"{__name__}.branch_of"])
def test_its_tenant_is_its_own(wire: Wire, new_server: Any, mount: Any, tenant: Any) -> None:
    def desk(context: Context) -> str:
        return str(context.captured["branch"])

    def where(branch: Annotated[Branch, CurrentTenant], name: Annotated[str, Inject(desk)]) -> str:
        """Where."""
        return f"{branch.name} {name}"

    made = new_server("branches", tenant=tenant, authentication_classes=[])
    made.register(where)
    made.register(where, uri="library://where")
    mount(path("<slug:branch>/mcp", made.urls))
    for branch in ("north", "east"):
        url = f"/{branch}/mcp"
        called = wire.result("tools/call", {"name": "where"}, url=url)
        assert called["content"][0]["text"] == f"{branch} {branch}"
        read = wire.result("resources/read", {"uri": "library://where"}, url=url)
        assert read["contents"][0]["text"] == f"{branch} {branch}"


# Its URL.


def test_it_is_mounted_as_often_as_one_likes(wire: Wire, staff: MCPServer) -> None:
    @tool(server=staff)
    def where(context: Context) -> str:
        """Where."""
        return str(dict(context.captured))

    for url, told in ((STAFF, "{}"), (f"{STAFF}/", "{}"), (BRANCH, "{'branch': 'north'}")):
        called = wire.result("tools/call", {"name": "where"}, url=url)
        assert called["content"][0]["text"] == told
    assert reverse("staff:endpoint") == STAFF
    assert reverse("mcp_django:endpoint") == "/mcp"


def test_the_default_one_may_be_mounted_by_its_urls(wire: Wire, mount: Any) -> None:
    mount(path("elsewhere/mcp", server.urls))
    assert reverse("mcp_django:endpoint") == "/elsewhere/mcp"
    assert wire.result("server/discover", url="/elsewhere/mcp")


def test_urls_are_known_once_the_app_is_ready(staff: MCPServer) -> None:
    before, MCPServer.url_patterns = MCPServer.url_patterns, None
    try:
        with pytest.raises(ImproperlyConfigured, match="known once mcp_django is ready"):
            _ = staff.urls
    finally:
        MCPServer.url_patterns = before


# What stops start-up.


def refused(new_server: Any, name: Any = "staff", **options: Any) -> str:
    with pytest.raises(ImproperlyConfigured) as caught:
        new_server(name, **options)
    place, _, said = str(caught.value).partition(": ")
    path, _, line = place.rpartition(":")
    assert path == __file__
    assert int(line) > 0
    assert said.startswith(f"{name}: ")
    return said.removeprefix(f"{name}: ")


class Needy(BasicAuthentication):
    def __init__(self, realm: str) -> None:
        self.realm = realm


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (
            {"titel": "x"},
            "MCPServer has no option 'titel'. Did you mean 'title'?",
        ),
        ({"zzz": 1}, "MCPServer has no option 'zzz'. It takes title, version, instructions, "),
        ({"title": 5}, "title is 5. It takes a string."),
        ({"website_url": "ftp://x"}, "website_url is 'ftp://x'. It takes an https or http URL."),
        ({"icons": ["javascript:x"]}, "icons is 'javascript:x'. It takes icons whose src is"),
        ({"page_size": 0}, "page_size is 0. It takes a whole number from 1"),
        ({"ttl_ms": 5}, "ttl_ms is 5. It takes a dict with any of lists, tools, "),
        ({"ttl_ms": {"tools": -1}}, 'ttl_ms["tools"] is -1. It takes milliseconds, from 0.'),
        ({"ttl_ms": {"tool": 1}}, "ttl_ms has an unknown key 'tool'. Did you mean 'tools'?"),
        ({"cache_scope": {"read": "all"}}, 'cache_scope["read"] is \'all\'. It takes "public" or'),
        (
            {"authentication_classes": ["nowhere.Class"]},
            "authentication_classes names 'nowhere.Class', which cannot be imported: No module "
            "named 'nowhere'. Correct the path.",
        ),
        (
            {"authentication_classes": [Needy]},
            "Needy cannot be made: TypeError: Needy.__init__() missing 1 required positional "
            "argument: 'realm'. Requests make it without arguments.",
        ),
        ({"permission_classes": [int]}, "permission_classes is <class 'int'>. It takes permission"),
        ({"tenant": 5}, 'tenant is 5. It takes "request.<attribute>", a callable, or its import'),
        ({"tenant": "nowhere.tenant"}, "tenant names 'nowhere.tenant', which cannot be imported"),
        ({"tenant": "sys.path"}, "tenant names 'sys.path', which is not callable. Name a function"),
        ({"resolvers": 5}, "resolvers is 5. It takes a list of classes or of their import paths."),
        ({"resolvers": [int]}, "The resolver <class 'int'> has no method claims(). Derive its cla"),
    ],
)
def test_a_mistake_in_the_options(new_server: Any, options: Any, told: str) -> None:
    assert refused(new_server, **options).startswith(told)
    assert new_server("staff").name == "staff"  # a refused one takes no name


@pytest.mark.parametrize("name", ["", "two words", "größe", "9", "a/b", "a:b", "-a", 5, None])
def test_a_name_is_fit_for_a_namespace(new_server: Any, name: Any) -> None:
    with pytest.raises(ImproperlyConfigured, match="is no name of a server"):
        new_server(name)


def test_names_are_unique(new_server: Any) -> None:
    first = new_server("staff")
    assert refused(new_server) == (
        f"The name 'staff' is taken by the server of {first.source}. Give one of the two another "
        "name."
    )
    assert refused(new_server, "default") == (
        "'default' is the name of the server that is always there. Give this one another name."
    )
    assert refused(new_server, "mcp_django") == (
        "'mcp_django' is the namespace of the default server. Give this one another name."
    )
    assert [one for one in servers() if one.name == "staff"] == [first]


def test_a_module_that_failed_may_be_imported_again(
    new_server: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = "from mcp_django import MCPServer\nstaff = MCPServer('staff')\n"
    found = []
    for _ in range(2):
        module = ModuleType("servers_of_an_app")
        monkeypatch.setitem(sys.modules, "servers_of_an_app", module)
        exec(compile(source, "servers.py", "exec"), module.__dict__)
        found.append(module.staff)
    assert [one for one in servers() if one.name == "staff"] == found[1:]
    with pytest.raises(ImproperlyConfigured, match=r"taken by the server of servers\.py:2: s"):
        exec(compile(source, "servers.py", "exec"), module.__dict__)


def test_one_that_is_made_after_start_up_is_ready_at_once(new_server: Any) -> None:
    made = new_server("late")
    assert made.registry.is_compiled
    made.register(count_books)
    assert list(made.registry.tools) == ["count_books"]


# What a server keeps.


def made_in(staff: MCPServer, languages: list[str]) -> int:
    """How many different listings of tools callers of these languages get."""
    listings = []
    for language in languages:
        with translation.override(language):
            listings.append(staff.listing("tool", LATEST))
    return len({id(listing) for listing in listings})


def test_lists_without_translations_are_made_once_for_all_languages(staff: MCPServer) -> None:
    staff.register(count_books)
    assert made_in(staff, ["de", "fr", "x-1", "de"]) == 1
    staff.register(count_books, name="said", title=gettext_lazy("Yes"))
    assert made_in(staff, ["de", "fr", "de"]) == 2
    with translation.override("de"):
        assert b"Ja" in staff.listing("tool", LATEST).rows[1].item.definition


def test_other_kinds_than_the_translated_one_are_made_once(staff: MCPServer) -> None:
    staff.register(count_books)
    staff.register(count_books, kind="prompt", title=gettext_lazy("Yes"))
    assert made_in(staff, ["de", "fr"]) == 1


def test_no_more_languages_are_kept_than_a_project_has(staff: MCPServer) -> None:
    """Some projects activate whatever tag a caller names."""
    staff.register(count_books, title=gettext_lazy("Yes"))
    assert made_in(staff, ["de", "fr", "de", "fr"]) == 2
    kept: ByLanguage[object] = ByLanguage()
    first = kept.of("x-0", object)
    assert kept.of("x-0", object) is first
    others = [kept.of(f"x-{number}", object) for number in range(1, MOST + 1)]
    assert [kept.of(f"x-{number}", object) for number in range(1, MOST + 1)] == others
    assert kept.of("x-0", object) is not first


def test_what_it_goes_by_is_read_anew_when_the_settings_change(staff: MCPServer) -> None:
    assert staff.page_size is None
    assert staff.ttl_ms is staff.ttl_ms
    with override_settings(MCP_DJANGO={"PAGE_SIZE": 7, "TTL_MS": {"read": 5}}):
        assert (staff.page_size, staff.ttl_ms["read"]) == (7, 5)
    assert staff.page_size is None
    with override_settings(MCP_DJANGO={"CACHE_SCOPE": {"read": "public"}}):
        assert staff.cache_scope["read"] == "public"
