"""Who calls: DRF's authentication classes, and what each caller may see and call."""

from __future__ import annotations

from typing import Annotated, Any

import pytest
from django.contrib.auth.models import AnonymousUser, Permission, User
from django.test import Client, override_settings
from rest_framework import permissions
from rest_framework.authentication import (
    BasicAuthentication,
    SessionAuthentication,
    TokenAuthentication,
)
from rest_framework.authtoken.models import Token

from mcp_django import Context, CurrentTenant, CurrentUser, Lookup
from mcp_django.test import MCPClient, MCPError
from tests.app.models import Book, Branch
from tests.wire.conftest import Wire, error_of

pytestmark = pytest.mark.django_db


class Bearer(TokenAuthentication):
    keyword = "Bearer"


class Nobody(Bearer):
    """Hands back Django's anonymous user, as some classes do."""

    def authenticate(self, request: Any) -> Any:
        return AnonymousUser(), None


TOKENS: dict[str, Any] = {"AUTHENTICATION_CLASSES": [Bearer, SessionAuthentication]}
PRIVATE = {**TOKENS, "PERMISSION_CLASSES": [permissions.IsAuthenticated]}


@pytest.fixture(autouse=True)
def _tokens() -> Any:
    with override_settings(MCP_DJANGO=TOKENS):
        yield


@pytest.fixture
def ann() -> User:
    return User.objects.create_user("ann", password="secret")


@pytest.fixture
def token(ann: User) -> str:
    return f"Bearer {Token.objects.create(user=ann).key}"


@pytest.fixture
def tools(register: Any) -> None:
    def me(user: CurrentUser) -> str:
        """Who am I."""
        return str(user.username)

    def anyone(user: CurrentUser | None) -> str:
        """Who is there."""
        return user.username if user else "nobody"

    def context_user(context: Context) -> str:
        """The user of the context."""
        return f"{context.user} {context.request.user}"

    register(me)
    register(anyone)
    register(context_user)


def names(wire: Wire, **headers: Any) -> set[str]:
    tools = wire.modern("tools/list", **headers).json()["result"]["tools"]
    return {tool["name"] for tool in tools}


def text(wire: Wire, name: str, **headers: Any) -> str:
    return str(wire.call(name, **headers)["content"][0]["text"])


@pytest.mark.usefixtures("tools")
class TestCallers:
    def test_signed_in(self, wire: Wire, token: str) -> None:
        assert text(wire, "me", Authorization=token) == "ann"
        assert text(wire, "anyone", Authorization=token) == "ann"
        assert text(wire, "context_user", Authorization=token) == "ann ann"

    def test_anonymous(self, wire: Wire) -> None:
        assert text(wire, "anyone") == "nobody"
        assert text(wire, "context_user") == "None AnonymousUser"
        response = wire.modern("tools/call", {"name": "me"})
        assert error_of(response) == (401, -32600)
        assert response["WWW-Authenticate"] == "Bearer"
        assert response.json()["id"] == 1

    def test_lists_show_what_may_be_called(self, wire: Wire, token: str) -> None:
        assert {"anyone", "context_user"} <= names(wire)
        assert "me" not in names(wire)
        assert "me" in names(wire, Authorization=token)

    def test_a_list_that_depends_on_the_caller_is_private(self, wire: Wire) -> None:
        assert wire.modern("tools/list").json()["result"]["cacheScope"] == "private"

    @pytest.mark.parametrize("rpc", ["tools/list", "server/discover"])
    def test_bad_credentials_are_refused_everywhere(self, wire: Wire, rpc: str) -> None:
        response = wire.modern(rpc, Authorization="Bearer nope")
        assert error_of(response) == (401, -32600)
        assert response["WWW-Authenticate"] == 'Bearer error="invalid_token"'

    @pytest.mark.parametrize("given", ["Bearer", "Bearer ", "Bearer a b", "bearer"])
    def test_a_malformed_bearer_is_400(self, wire: Wire, given: str) -> None:
        assert error_of(wire.modern("tools/list", Authorization=given)) == (400, -32600)

    def test_a_bearer_that_no_class_claims_is_401(self, wire: Wire) -> None:
        with override_settings(MCP_DJANGO={"AUTHENTICATION_CLASSES": [BasicAuthentication]}):
            response = wire.modern("tools/list", Authorization="Bearer x")
        assert response.status_code == 401
        assert response["WWW-Authenticate"] == ('Bearer error="invalid_token", Basic realm="api"')

    def test_another_scheme_that_no_class_claims_is_ignored(self, wire: Wire) -> None:
        assert text(wire, "anyone", Authorization="Digest x") == "nobody"
        refused = wire.modern("tools/call", {"name": "me"}, Authorization="Token x")
        assert "nothing here reads" in refused.json()["error"]["message"]

    def test_an_inactive_user_is_refused(self, wire: Wire, token: str, ann: User) -> None:
        User.objects.update(is_active=False)
        assert wire.modern("tools/list", Authorization=token).status_code == 401

    def test_a_class_that_gives_the_anonymous_user_gives_nobody(self, wire: Wire) -> None:
        with override_settings(MCP_DJANGO={"AUTHENTICATION_CLASSES": [Nobody]}):
            assert text(wire, "anyone") == "nobody"

    def test_without_classes_a_session_signs_nobody_in(self, wire: Wire, ann: User) -> None:
        wire.client.force_login(ann)
        with override_settings(MCP_DJANGO={"AUTHENTICATION_CLASSES": []}):
            assert text(wire, "context_user") == "None AnonymousUser"
            assert error_of(wire.modern("tools/call", {"name": "me"})) == (200, -32602)


@pytest.mark.usefixtures("tools")
class TestSessions:
    def test_a_session_needs_its_csrf_token(self, wire: Wire, ann: User) -> None:
        wire.client = Client(enforce_csrf_checks=True)
        wire.client.force_login(ann)
        response = wire.modern("tools/call", {"name": "me"})
        assert error_of(response) == (403, -32600)
        assert "CSRF" in response.json()["error"]["message"]

    def test_with_it_the_session_signs_in(self, wire: Wire, ann: User) -> None:
        wire.client = Client(enforce_csrf_checks=True)
        wire.client.force_login(ann)
        wire.client.cookies["csrftoken"] = "a" * 32
        assert text(wire, "me", X_CSRFToken="a" * 32) == "ann"

    def test_without_a_session_no_csrf_token_is_asked_for(self, wire: Wire, token: str) -> None:
        wire.client = Client(enforce_csrf_checks=True)
        assert text(wire, "me", Authorization=token) == "ann"


@pytest.mark.usefixtures("tools")
class TestPrivateEndpoint:
    @pytest.mark.parametrize("rpc", ["tools/list", "server/discover", "nope"])
    def test_anonymous_callers_are_refused_first(self, wire: Wire, rpc: str) -> None:
        with override_settings(MCP_DJANGO=PRIVATE):
            response = wire.modern(rpc)
        assert error_of(response) == (401, -32600)
        assert response["WWW-Authenticate"] == "Bearer"

    def test_also_in_the_legacy_era_and_for_notifications(self, wire: Wire) -> None:
        with override_settings(MCP_DJANGO=PRIVATE):
            assert wire.legacy("initialize", {"protocolVersion": "2025-11-25"}).status_code == 401
            note = {"jsonrpc": "2.0", "method": "notifications/initialized"}
            assert wire.send(note).status_code == 401

    def test_a_signed_in_caller_is_answered(self, wire: Wire, token: str) -> None:
        with override_settings(MCP_DJANGO=PRIVATE):
            response = wire.modern("server/discover", Authorization=token)
            assert response.json()["result"]["cacheScope"] == "private"
            assert text(wire, "me", Authorization=token) == "ann"

    def test_a_caller_who_may_not_is_403(self, wire: Wire, token: str) -> None:
        only_staff = {**TOKENS, "PERMISSION_CLASSES": [permissions.IsAdminUser]}
        with override_settings(MCP_DJANGO=only_staff):
            assert error_of(wire.modern("tools/list", Authorization=token)) == (403, -32600)


class NamedOdd(permissions.BasePermission):
    """Reads the feature, which DRF calls the view."""

    def has_permission(self, request: Any, view: Any) -> bool:
        return view.kind == "server" or len(view.name) % 2 == 1


class Raises(permissions.BasePermission):
    def has_permission(self, request: Any, view: Any) -> bool:
        raise RuntimeError("broken rule")


class TestPermissions:
    def hidden(self, wire: Wire, name: str, **headers: Any) -> bool:
        """Neither listed nor callable, in the words for what does not exist."""
        response = wire.modern("tools/call", {"name": name}, **headers)
        called = error_of(response) == (200, -32602) if "error" in response.json() else False
        if called:
            assert response.json()["error"]["message"] == f"Unknown tool: {name}"
        assert called is (name not in names(wire, **headers))
        return called

    def test_a_codename(self, wire: Wire, register: Any, ann: User, token: str) -> None:
        def add_book() -> str:
            """Add."""
            return "x"

        register(add_book, permission="app.add_book")
        assert self.hidden(wire, "add_book", Authorization=token)
        ann.user_permissions.add(
            Permission.objects.get(codename="add_book", content_type__app_label="app")
        )
        assert not self.hidden(wire, "add_book", Authorization=token)
        assert wire.modern("tools/call", {"name": "add_book"}).status_code == 401

    def test_several_codenames_are_all_needed(
        self, wire: Wire, register: Any, ann: User, token: str
    ) -> None:
        def both() -> str:
            """Both."""
            return "x"

        register(both, permission=["app.add_book", "app.change_book"])
        ann.user_permissions.add(
            Permission.objects.get(codename="add_book", content_type__app_label="app")
        )
        assert self.hidden(wire, "both", Authorization=token)

    def test_a_permission_class_of_the_tool(self, wire: Wire, register: Any, token: str) -> None:
        def staff() -> str:
            """Staff."""
            return "x"

        register(staff, permission_classes=[permissions.IsAdminUser])
        assert self.hidden(wire, "staff", Authorization=token)
        assert wire.modern("tools/call", {"name": "staff"}).status_code == 401
        User.objects.update(is_staff=True)
        assert not self.hidden(wire, "staff", Authorization=token)

    def test_a_servers_class_sees_the_feature(self, wire: Wire, register: Any, token: str) -> None:
        def odd() -> str:
            """Odd."""
            return "x"

        def even() -> str:
            """Even."""
            return "x"

        register(odd)
        register(even)
        with override_settings(MCP_DJANGO={**TOKENS, "PERMISSION_CLASSES": [NamedOdd]}):
            assert not self.hidden(wire, "odd", Authorization=token)
            assert self.hidden(wire, "even", Authorization=token)

    def test_a_rule_that_raises_denies(self, wire: Wire, register: Any, token: str) -> None:
        def guarded() -> str:
            """Guarded."""
            return "x"

        register(guarded, permission_classes=[Raises])
        assert self.hidden(wire, "guarded", Authorization=token)


class TestTenants:
    @pytest.fixture(autouse=True)
    def _tool(self, register: Any) -> None:
        def mine(branch: Annotated[Branch, CurrentTenant]) -> str:
            """The branch."""
            return branch.name

        def maybe(branch: Annotated[Branch, CurrentTenant] | None) -> str:
            """The branch, if any."""
            return branch.name if branch else "none"

        register(mine)
        register(maybe)

    @pytest.mark.parametrize(
        "setting",
        [
            "request.tenant",
            "request.no.such",
            lambda request: None,
            lambda request: Branch.objects.get(name="nowhere"),
        ],
    )
    def test_none_found_is_a_refusal(self, wire: Wire, setting: Any) -> None:
        with override_settings(MCP_DJANGO={**TOKENS, "TENANT": setting}):
            result = wire.call("mine")
            assert (result["isError"], result["content"][0]["text"]) == (
                True,
                "No tenant for this request",
            )
            assert text(wire, "maybe") == "none"
            assert "mine" in names(wire)

    def test_found_by_a_function_after_sign_in(self, wire: Wire, token: str) -> None:
        def branch_of(request: Any) -> Branch:
            return Branch(name=f"of {request.user.username}")

        with override_settings(MCP_DJANGO={**TOKENS, "TENANT": branch_of}):
            assert text(wire, "mine", Authorization=token) == "of ann"

    def test_found_by_an_async_function(self, wire: Wire) -> None:
        async def branch_of(request: Any) -> Branch:
            return Branch(name="north")

        with override_settings(MCP_DJANGO={**TOKENS, "TENANT": branch_of}):
            assert text(wire, "mine") == "north"

    def test_looked_up_only_where_it_is_used(self, wire: Wire, register: Any) -> None:
        def branch_of(request: Any) -> Branch:
            raise AssertionError("not asked")

        def other() -> str:
            """Other."""
            return "x"

        register(other)
        with override_settings(MCP_DJANGO={**TOKENS, "TENANT": branch_of}):
            assert text(wire, "other") == "x"


class TestClient:
    """``MCPClient`` signs in whatever the project's classes are."""

    @pytest.mark.usefixtures("tools")
    @pytest.mark.parametrize("revision", ["2026-07-28", "2025-11-25", "2025-03-26"])
    def test_login_and_logout(self, ann: User, revision: str) -> None:
        client = MCPClient(revision=revision)
        with pytest.raises(MCPError) as refused:
            client.call_tool("me")
        assert (refused.value.status, refused.value.code) == (401, -32600)
        client.login(ann)
        assert client.call_tool("me").text == "ann"
        client.logout()
        assert client.call_tool("anyone").text == "nobody"

    def test_mirrored_headers_are_sent(self, register: Any) -> None:
        def query(region: str, text: str = "") -> str:
            """Query."""
            return region + text

        register(query, headers={"region": "Region", "text": "Text"})
        client = MCPClient()
        assert client.call_tool("query", region="eu é", text="x").text == "eu éx"
        assert client.call_tool("query", {"region": "eu"}).text == "eu"

    def test_an_unknown_revision(self) -> None:
        with pytest.raises(ValueError, match="2026-07-28"):
            MCPClient(revision="1999-01-01")

    def test_an_answer_that_is_no_json_rpc(self, mcp_client: MCPClient) -> None:
        client = MCPClient(url="/admin/login/")
        with pytest.raises(MCPError) as refused:
            client.list_tools()
        assert refused.value.status in (200, 403)


class TestTenantsAndLookups:
    def test_the_tenant_is_there_before_an_argument_is_looked_up(
        self, wire: Wire, register: Any
    ) -> None:
        asked = []

        def own_books(context: Context) -> Any:
            asked.append(context.tenant.name)
            return Book.objects.filter(branch=context.tenant)

        def read(
            book: Annotated[Book, Lookup(own_books)], branch: Annotated[Branch, CurrentTenant]
        ) -> str:
            """Read."""
            return book.title

        register(read)
        north, south = (Branch.objects.create(name=name) for name in ("north", "south"))
        book = Book.objects.create(title="Emma", branch=north)
        with override_settings(MCP_DJANGO={**TOKENS, "TENANT": lambda request: north}):
            assert text(wire, "read", arguments={"book": book.pk}) == "Emma"
        with override_settings(MCP_DJANGO={**TOKENS, "TENANT": lambda request: south}):
            elsewhere = wire.call("read", {"book": book.pk})
            nowhere = wire.call("read", {"book": book.pk + 1})
        assert elsewhere["isError"]
        assert nowhere["isError"]
        told = [one["content"][0]["text"] for one in (elsewhere, nowhere)]
        assert told[0].replace(str(book.pk), "N") == told[1].replace(str(book.pk + 1), "N")
        with override_settings(MCP_DJANGO={**TOKENS, "TENANT": lambda request: None}):
            assert text(wire, "read", arguments={"book": book.pk}) == "No tenant for this request"
        assert asked == ["north", "south", "south"]
