"""``resources/read`` and ``resources/list``: fixed resources, as each revision has them."""

from __future__ import annotations

import base64
import io
from typing import Annotated, Any

import orjson
import pytest
from django.contrib.auth.models import Permission, User
from django.db import IntegrityError, connection, connections
from django.http import Http404
from django.test import override_settings
from rest_framework import serializers
from rest_framework.permissions import AllowAny, IsAuthenticated

from mcp_django import (
    Annotations,
    Context,
    CurrentTenant,
    CurrentUser,
    EmbeddedResource,
    Icon,
    Inject,
    Lookup,
    PromptMessage,
    Resource,
    ResourceContents,
    ToolError,
    Toolset,
    resource,
    tool,
)
from tests.app.models import Book, Branch
from tests.wire.conftest import Wire, error_of

URI = "library://opening-hours"
NOBODY_SIGNS_IN: dict[str, Any] = {"AUTHENTICATION_CLASSES": []}


def hours() -> str:
    """When the library is open."""
    return "Every day, 9 to 18."


def page(number: int) -> str:
    """One page."""
    return str(number)


def contents(wire: Wire, uri: str = URI) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = wire.result("resources/read", {"uri": uri})["contents"]
    return found


def text(wire: Wire, uri: str = URI) -> str:
    (one,) = contents(wire, uri)
    return str(one["text"])


# What is listed and read.


def test_a_function_is_listed_and_read(wire: Wire, register: Any) -> None:
    register(hours, uri=URI)
    listed = wire.result("resources/list")["resources"]
    assert listed == [
        {
            "uri": URI,
            "name": "hours",
            "description": "When the library is open.",
            "mimeType": "text/plain",
        }
    ]
    assert contents(wire) == [{"uri": URI, "mimeType": "text/plain", "text": hours()}]


def test_all_that_can_be_said_of_a_resource(wire: Wire, register: Any) -> None:
    register(
        hours,
        uri=URI,
        name="Opening hours",
        title="Hours",
        description="When we are open.",
        mime_type="text/markdown",
        size=19,
        annotations={"audience": ["user"], "priority": 0.5, "last_modified": "2026-01-02"},
        icons=[Icon("https://example.com/clock.png", sizes=("48x48",))],
        meta={"example.com/desk": 3},
        tags=["public"],
    )
    whole = {
        "uri": URI,
        "name": "Opening hours",
        "title": "Hours",
        "description": "When we are open.",
        "icons": [{"src": "https://example.com/clock.png", "sizes": ["48x48"]}],
        "_meta": {"example.com/desk": 3},
        "size": 19,
        "mimeType": "text/markdown",
        "annotations": {"audience": ["user"], "priority": 0.5, "lastModified": "2026-01-02"},
    }
    assert wire.result("resources/list")["resources"] == [whole]
    assert wire.old_result("resources/list")["resources"] == [whole]
    june = {key: value for key, value in whole.items() if key != "icons"}
    assert wire.old_result("resources/list", version="2025-06-18")["resources"] == [june]
    march = {key: whole[key] for key in ("uri", "name", "description", "size", "mimeType")}
    march["annotations"] = {"audience": ["user"], "priority": 0.5}
    assert wire.old_result("resources/list", version="2025-03-26")["resources"] == [march]


def test_what_is_read_as_each_revision_has_it(wire: Wire, register: Any) -> None:
    def notes() -> ResourceContents:
        """Notes."""
        return ResourceContents(text="x", meta={"example.com/a": 1})

    register(notes, uri=URI)
    result = wire.result("resources/read", {"uri": URI})
    assert result.pop("_meta").keys() == {"io.modelcontextprotocol/serverInfo"}
    assert result == {
        "contents": [{"uri": URI, "text": "x", "_meta": {"example.com/a": 1}}],
        "resultType": "complete",
        "ttlMs": 0,
        "cacheScope": "private",
    }
    for version in ("2025-11-25", "2025-06-18"):
        older = wire.old_result("resources/read", {"uri": URI}, version=version)
        assert older == {"contents": result["contents"]}
    march = wire.old_result("resources/read", {"uri": URI}, version="2025-03-26")
    assert march == {"contents": [{"uri": URI, "text": "x"}]}


def test_bytes_are_sent_in_base64(wire: Wire, register: Any) -> None:
    def cover() -> bytes:
        """A cover."""
        return b"\x89PNG\x00"

    register(cover, uri="library://cover.png")
    assert contents(wire, "library://cover.png") == [
        {
            "uri": "library://cover.png",
            "mimeType": "image/png",
            "blob": base64.b64encode(b"\x89PNG\x00").decode(),
        }
    ]


def test_several_contents_with_uris_of_their_own(wire: Wire, register: Any) -> None:
    def shelf() -> list[ResourceContents]:
        """A shelf."""
        return [ResourceContents(text="a", uri=f"{URI}/1"), ResourceContents(data=b"b")]

    register(shelf, uri=URI)
    assert [one["uri"] for one in contents(wire)] == [f"{URI}/1", URI]


class Title(serializers.Serializer[Any]):
    title = serializers.CharField()


def test_returns_says_what_is_shown_of_a_row(wire: Wire, register: Any) -> None:
    def book() -> Book:
        """A book."""
        return Book(title="Emma", pages=300)

    register(book, uri=URI, returns=Title())
    assert contents(wire) == [
        {"uri": URI, "mimeType": "application/json", "text": '{"title":"Emma"}'}
    ]


@pytest.mark.usefixtures("open_endpoint")
def test_an_async_function(wire: Wire, register: Any) -> None:
    async def later() -> str:
        """Later."""
        return "now"

    register(later, uri=URI)
    assert text(wire) == "now"


def test_a_method_of_a_toolset(wire: Wire, register: Any) -> None:
    class Desk(Toolset):
        def setup(self) -> None:
            self.number = 3

        @resource(URI)
        def hours(self) -> str:
            """When the desk is open."""
            return f"desk {self.number}"

        @tool
        def open_it(self) -> None:
            """Open it."""

    register(Desk)
    assert wire.result("resources/list")["resources"][0]["name"] == "desk.hours"
    assert text(wire) == "desk 3"


def test_a_class_that_is_set_up_once(wire: Wire, register: Any) -> None:
    class OpeningHours(Resource):
        """When the library is open."""

        uri = URI
        mime_type = "text/markdown"
        size = 5

        def setup(self) -> None:
            self.calls = 0

        def read(self, context: Context) -> str:
            self.calls += 1
            return f"{context.uri} {self.calls}"

    register(OpeningHours)
    (listed,) = wire.result("resources/list")["resources"]
    assert listed == {
        "uri": URI,
        "name": "opening-hours",
        "description": "When the library is open.",
        "size": 5,
        "mimeType": "text/markdown",
    }
    assert [text(wire), text(wire)] == [f"{URI} 1", f"{URI} 2"]


def test_the_uri_asked_for_is_in_the_context_as_it_was_sent(wire: Wire, register: Any) -> None:
    def where(context: Context) -> str:
        """Where."""
        return str(context.uri)

    register(where, uri="library://gr%C3%B6%C3%9Fe")
    for asked in ("library://gr%C3%B6%C3%9Fe", "library://gr%c3%b6%c3%9fe", "LIBRARY://größe"):
        assert contents(wire, asked) == [{"uri": asked, "mimeType": "text/plain", "text": asked}]


def test_what_the_context_knows_of_a_reading(wire: Wire, register: Any) -> None:
    def who(context: Context) -> dict[str, Any]:
        """Who."""
        return {
            "client": context.client.get("name"),
            "accept": context.headers.get("Accept-Language"),
            "feature": context.feature and context.feature.key,
        }

    register(who, uri=URI)
    result = wire.result("resources/read", {"uri": URI}, Accept_Language="de")
    assert orjson.loads(result["contents"][0]["text"]) == {
        "client": "test",
        "accept": "de",
        "feature": URI,
    }
    legacy = wire.old_result("resources/read", {"uri": URI})
    assert orjson.loads(legacy["contents"][0]["text"])["client"] is None


@pytest.mark.usefixtures("open_endpoint")
def test_an_async_function_may_return_an_open_file(wire: Wire, register: Any) -> None:
    async def cover() -> EmbeddedResource:
        """A cover."""
        return EmbeddedResource("library://cover.png", data=io.BytesIO(b"x"), mime_type="image/png")

    async def told() -> PromptMessage:
        """A cover to look at."""
        return PromptMessage(await cover())

    blob = base64.b64encode(b"x").decode()
    register(cover)
    register(told, kind="prompt")
    (block,) = wire.call("cover")["content"]
    assert block["resource"]["blob"] == blob
    (message,) = wire.result("prompts/get", {"name": "told"})["messages"]
    assert message["content"]["resource"]["blob"] == blob


@pytest.mark.usefixtures("open_endpoint")
def test_several_in_a_batch(wire: Wire, register: Any) -> None:
    def asked(context: Context) -> str:
        """What was asked for."""
        return str(context.uri)

    register(asked, uri=URI)
    register(page, uri="library://pages/{number}")
    uris = [URI, "library://pages/7", "library://nowhere"]
    batch = [
        {"jsonrpc": "2.0", "id": number, "method": "resources/read", "params": {"uri": uri}}
        for number, uri in enumerate(uris)
    ]
    answers = wire.send(batch, MCP_Protocol_Version="2025-03-26").json()
    assert [one["id"] for one in answers] == [0, 1, 2]
    assert [one["result"]["contents"][0]["text"] for one in answers[:2]] == [URI, "7"]
    assert answers[2]["error"]["code"] == -32002


def test_a_fixed_resource_goes_before_a_template(wire: Wire, register: Any) -> None:
    def any_page(page: str) -> str:
        """Any page."""
        return f"any {page}"

    register(any_page, uri="library://{page}")
    assert text(wire) == "any opening-hours"
    register(hours, uri=URI)
    assert text(wire) == hours()
    assert text(wire, "library://other") == "any other"


# What is not there, or not for this caller.


def not_found(wire: Wire, uri: str) -> None:
    message = f"Resource not found: {uri[:200]}"
    assert wire.error("resources/read", {"uri": uri}) == {
        "code": -32602,
        "message": message,
        "data": {"uri": uri},
    }
    for version in ("2025-11-25", "2025-06-18", "2025-03-26"):
        response = wire.legacy("resources/read", {"uri": uri}, version=version)
        assert response.status_code == 200
        assert response.json()["error"] == {
            "code": -32002,
            "message": message,
            "data": {"uri": uri},
        }


@pytest.mark.parametrize(
    "uri",
    [
        "library://nowhere",
        "",
        "no uri at all",
        "library://opening-hours/",
        "library://opening-hours?x=1",
        "library://opening-hours#",
        "library://" + "x" * 9000,
        "library://Opening-Hours",
    ],
)
@pytest.mark.usefixtures("open_endpoint")
def test_an_unknown_uri_is_not_found(wire: Wire, register: Any, uri: str) -> None:
    register(hours, uri=URI)
    not_found(wire, uri)


@pytest.mark.parametrize("params", [{}, {"uri": None}, {"uri": 5}, {"uri": [URI]}])
def test_a_uri_is_a_string(wire: Wire, register: Any, params: Any) -> None:
    register(hours, uri=URI)
    error = wire.error("resources/read", params)
    assert error == {"code": -32602, "message": "resources/read needs uri, a string."}


@pytest.mark.django_db
def test_what_is_hidden_is_unknown_in_the_same_words(wire: Wire, register: Any) -> None:
    register(hours, uri=URI, permission="app.add_book")
    ann = User.objects.create_user("ann")
    wire.client.force_login(ann)
    assert wire.result("resources/list")["resources"] == []
    not_found(wire, URI)
    ann.user_permissions.add(
        Permission.objects.get(codename="add_book", content_type__app_label="app")
    )
    assert [one["uri"] for one in wire.result("resources/list")["resources"]] == [URI]
    assert text(wire) == hours()


@pytest.mark.django_db
def test_no_template_serves_what_a_hidden_resource_is(wire: Wire, register: Any) -> None:
    """Whoever protects one page of a folder relies on it."""

    def any_page(page: str) -> str:
        """Any page."""
        return f"any {page}"

    register(any_page, uri="library://{page}", instances=lambda: [{"page": "opening-hours"}])
    register(hours, uri=URI, permission="app.add_book")
    wire.client.force_login(User.objects.create_user("ann"))
    assert wire.result("resources/list")["resources"] == []
    not_found(wire, URI)
    assert text(wire, "library://other") == "any other"


@pytest.mark.parametrize(
    "uri",
    [
        "library://%6Fpening-hours",
        "library://opening%2Dhours",
        "LIBRARY://opening-hour%73",
        "library://opening-hours?q=",
        "library://opening-hours?q=1",
        "library://%6fpening-hours?q=1",
        "library://opening-hours;v=1",
        "library://opening-hours#a",
        "library://a%2Cb",
        "library://a%2cb?q",
        "library://a,b",
    ],
)
@pytest.mark.django_db
def test_no_other_writing_of_a_hidden_uri_is_served_either(
    wire: Wire, register: Any, uri: str
) -> None:
    """Not with an escape, of reserved characters too, and not with a query after it."""

    def any_page(page: str, q: str = "", v: str = "", a: str = "") -> str:
        """Any page."""
        return f"any {page}"

    register(any_page, uri="library://{page}{;v}{?q}{#a}")
    register(hours, uri=URI, permission="app.add_book")
    register(hours, name="both", uri="library://a,b", permission="app.add_book")
    wire.client.force_login(User.objects.create_user("ann"))
    not_found(wire, uri)
    assert text(wire, "library://other?q=1") == "any other"


@pytest.mark.usefixtures("open_endpoint")
def test_whoever_may_read_it_reads_it_in_every_writing(wire: Wire, register: Any) -> None:
    register(hours, uri=URI)
    register(hours, name="both", uri="library://a,b")
    for uri in ("library://%6Fpening-hours", "library://opening%2Dhours", "library://a%2Cb"):
        assert text(wire, uri) == hours()


@pytest.mark.usefixtures("open_endpoint")
def test_a_template_that_writes_the_path_out_stands_beside_it(wire: Wire, register: Any) -> None:
    def every(q: str = "") -> str:
        """Every one."""
        return f"every {q}"

    register(hours, uri=URI)
    register(every, uri=f"{URI}{{?q}}")
    assert text(wire) == hours()
    assert text(wire, f"{URI}?q=1") == "every 1"


class BrokenBackend:
    def has_perm(self, user: Any, permission: str, obj: Any = None) -> bool:
        raise ValueError("no directory")


@pytest.mark.django_db
def test_a_permission_that_cannot_be_told_is_none(
    wire: Wire, register: Any, caplog: pytest.LogCaptureFixture
) -> None:
    register(hours, uri=URI, permission="app.add_book")
    wire.client.force_login(User.objects.create_user("ann"))
    backend = f"{__name__}.BrokenBackend"
    backends = ["django.contrib.auth.backends.ModelBackend", backend]
    with override_settings(AUTHENTICATION_BACKENDS=backends):
        not_found(wire, URI)
    assert "A permission rule of hours raised; the caller is refused." in caplog.text


@pytest.mark.django_db
def test_signing_in_could_open_it(wire: Wire, register: Any) -> None:
    def mine(user: CurrentUser) -> str:
        """My loans."""
        return f"loans of {user.username}"

    register(mine, uri=URI)
    register(hours, uri="library://staff", permission_classes=[IsAuthenticated])
    assert wire.result("resources/list")["resources"] == []
    for uri in (URI, "library://staff"):
        response = wire.modern("resources/read", {"uri": uri})
        assert error_of(response) == (401, -32600)
        assert response.headers["WWW-Authenticate"].startswith("Bearer")
    wire.client.force_login(User.objects.create_user("ann"))
    assert len(wire.result("resources/list")["resources"]) == 2
    assert text(wire) == "loans of ann"


@pytest.mark.usefixtures("open_endpoint")
def test_where_nobody_signs_in_it_is_not_found(wire: Wire, register: Any) -> None:
    def mine(user: CurrentUser) -> str:
        """My loans."""
        return "loans"

    register(mine, uri=URI)
    not_found(wire, URI)


# What goes wrong while it is read.


def failing(error: BaseException) -> Any:
    def broken() -> str:
        """Breaks."""
        raise error

    return broken


FAILURES = [
    (ToolError("The desk is closed."), "The desk is closed.", True),
    (serializers.ValidationError({"day": ["No such day."]}), "day: No such day.", True),
    (Http404("No hours."), "No hours.", True),
    (Book.DoesNotExist("No book."), "No book.", True),
    (ValueError("secret"), "secret", False),
    (SystemExit(3), "SystemExit: 3", False),
    (ExceptionGroup("several", [ValueError("a"), ValueError("b")]), "a\nb", False),
]


@pytest.mark.parametrize(("error", "told", "is_shown"), FAILURES)
def test_what_is_raised_is_an_internal_error(
    wire: Wire, register: Any, error: BaseException, told: str, is_shown: bool
) -> None:
    register(failing(error), uri=URI)
    with override_settings(MCP_DJANGO=NOBODY_SIGNS_IN):
        assert wire.error("resources/read", {"uri": URI}) == {"code": -32603, "message": told}
        legacy = wire.legacy("resources/read", {"uri": URI}).json()["error"]
        assert legacy == {"code": -32603, "message": told}
    with override_settings(MCP_DJANGO={**NOBODY_SIGNS_IN, "MASK_ERRORS": True}):
        masked = wire.error("resources/read", {"uri": URI})["message"]
        assert (masked == told) is is_shown
        assert is_shown or masked.startswith("The resource failed. The operator finds the reason")


@pytest.mark.usefixtures("open_endpoint")
def test_what_the_database_says_is_never_shown(
    wire: Wire, register: Any, caplog: pytest.LogCaptureFixture
) -> None:
    register(failing(IntegrityError("duplicate key secret")), uri=URI)
    message = wire.error("resources/read", {"uri": URI})["message"]
    assert "secret" not in message
    assert message.rsplit(" ", 1)[-1].rstrip(".") in caplog.text


@pytest.mark.usefixtures("open_endpoint")
def test_nothing_to_read_is_an_error_and_no_empty_answer(wire: Wire, register: Any) -> None:
    def nothing() -> Any:
        """Nothing."""
        return None

    def no_contents() -> list[ResourceContents]:
        """None."""
        return []

    for number, function in enumerate((nothing, no_contents)):
        register(function, uri=f"library://{number}")
        error = wire.error("resources/read", {"uri": f"library://{number}"})
        assert error["code"] == -32603
        assert f"{function.__name__} returned nothing" in error["message"]


@pytest.mark.usefixtures("open_endpoint")
def test_a_missing_tenant_is_told_in_words(wire: Wire, register: Any) -> None:
    def books(branch: Annotated[Branch, CurrentTenant]) -> str:
        """Books of the branch."""
        return branch.name

    def maybe(branch: Annotated[Branch, CurrentTenant] | None) -> str:
        """Of the branch, if there is one."""
        return str(branch)

    register(books, uri=URI)
    register(maybe, uri="library://maybe")
    assert len(wire.result("resources/list")["resources"]) == 2
    assert wire.error("resources/read", {"uri": URI}) == {
        "code": -32603,
        "message": "No tenant for this request",
    }
    assert text(wire, "library://maybe") == "None"


def test_a_result_that_is_too_long_is_not_cut(wire: Wire, register: Any) -> None:
    def long() -> str:
        """Long."""
        return "x" * 2000

    register(long, uri=URI)
    with override_settings(MCP_DJANGO={**NOBODY_SIGNS_IN, "MAX_RESULT_BYTES": 1000}):
        error = wire.error("resources/read", {"uri": URI})
    assert error["code"] == -32603
    assert "more than the 1,000 that this server sends" in error["message"]


@pytest.mark.usefixtures("open_endpoint")
@pytest.mark.parametrize("odd", [{"meta": {"a": object()}}, {"mime_type": "text/\ud800"}])
def test_what_cannot_be_written_is_an_error(
    wire: Wire, register: Any, caplog: pytest.LogCaptureFixture, odd: Any
) -> None:
    def contents_of_a_kind() -> ResourceContents:
        """Odd."""
        return ResourceContents(text="x", **odd)

    register(contents_of_a_kind, uri=URI)
    assert wire.error("resources/read", {"uri": URI})["code"] == -32603
    assert "The result cannot be sent" in caplog.text


@pytest.mark.usefixtures("open_endpoint")
def test_what_an_injected_function_raises_counts_as_raised_by_the_resource(
    wire: Wire, register: Any
) -> None:
    def closed() -> int:
        raise ToolError("Closed.")

    def desk(number: Annotated[int, Inject(closed)]) -> str:
        """A desk."""
        return str(number)

    register(desk, uri=URI)
    assert wire.error("resources/read", {"uri": URI}) == {"code": -32603, "message": "Closed."}


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("open_endpoint")
@pytest.mark.parametrize("asks", ["the setting", "the option"])
def test_what_a_failed_reading_wrote_is_undone(
    wire: Wire, register: Any, monkeypatch: pytest.MonkeyPatch, asks: str
) -> None:
    monkeypatch.setitem(connections.settings["default"], "ATOMIC_REQUESTS", asks == "the setting")
    options = {"atomic": True} if asks == "the option" else {}

    def counted(fails: bool) -> str:
        assert connection.in_atomic_block
        Branch.objects.create(name=f"visit {fails}")
        if fails:
            raise ToolError("No.")
        return "x" * 2000

    def good() -> str:
        """Good."""
        return counted(fails=False)

    def bad() -> str:
        """Bad."""
        return counted(fails=True)

    register(good, uri="library://good", **options)
    register(bad, uri="library://bad", **options)
    assert wire.error("resources/read", {"uri": "library://bad"})["message"] == "No."
    assert not Branch.objects.exists()
    assert text(wire, "library://good") == "x" * 2000
    assert Branch.objects.count() == 1
    Branch.objects.all().delete()
    with override_settings(MCP_DJANGO={**NOBODY_SIGNS_IN, "MAX_RESULT_BYTES": 1000}):
        wire.error("resources/read", {"uri": "library://good"})
    assert not Branch.objects.exists()  # what nobody gets to see did not happen


# How long it may be kept.


def hints(wire: Wire, **params: Any) -> tuple[int, str]:
    result = wire.result("resources/read", {"uri": URI, **params})
    return result["ttlMs"], result["cacheScope"]


def test_what_is_read_is_private_unless_somebody_says_otherwise(wire: Wire, register: Any) -> None:
    register(hours, uri=URI)
    assert hints(wire) == (0, "private")
    settings = {"TTL_MS": {"read": 7}, "CACHE_SCOPE": {"read": "public"}}
    with override_settings(MCP_DJANGO={**NOBODY_SIGNS_IN, **settings}, USE_I18N=False):
        assert hints(wire) == (7, "public")


def test_a_resource_says_it_of_itself(wire: Wire, register: Any) -> None:
    register(hours, uri=URI, ttl_ms=5000, cache_scope="public")
    assert hints(wire) == (5000, "public")
    register(hours, uri="library://private", name="private", cache_scope="private", ttl_ms=0)
    settings = {"TTL_MS": {"read": 7}, "CACHE_SCOPE": {"read": "public"}}
    with override_settings(MCP_DJANGO={**NOBODY_SIGNS_IN, **settings}):
        assert hints(wire) == (5000, "public")
        result = wire.result("resources/read", {"uri": "library://private"})
        assert (result["ttlMs"], result["cacheScope"]) == (0, "private")


def test_what_is_injected_may_differ_from_caller_to_caller(wire: Wire, register: Any) -> None:
    def of_anyone(user: CurrentUser | None) -> str:
        """Of anyone."""
        return str(user)

    def of_request(context: Context) -> str:
        """Of the request."""
        return str(context.user)

    def of_a_function(number: Annotated[int, Inject(lambda: 3)]) -> str:
        """Of a function that asks for nothing."""
        return str(number)

    settings = {"CACHE_SCOPE": {"read": "public"}}
    found = {}
    for function in (of_anyone, of_request, of_a_function):
        register(function, uri=f"library://{function.__name__}")
        with override_settings(MCP_DJANGO={**NOBODY_SIGNS_IN, **settings}, USE_I18N=False):
            result = wire.result("resources/read", {"uri": f"library://{function.__name__}"})
            found[function.__name__] = result["cacheScope"]
    assert found == {"of_anyone": "private", "of_request": "private", "of_a_function": "public"}


@pytest.mark.django_db
def test_what_serializers_see_may_differ_from_caller_to_caller(wire: Wire, register: Any) -> None:
    def branch(branch: Annotated[Branch, Lookup(lambda context: Branch.objects.all())]) -> str:
        """A branch."""
        return branch.name

    def book() -> Book:
        """A book."""
        return Book(title="Emma")

    north = Branch.objects.create(name="north")
    register(branch, uri="library://branches/{branch}")
    register(book, uri=URI, returns=Title)
    register(page, uri="library://pages/{number}")
    uris = [f"library://branches/{north.pk}", URI, "library://pages/7"]
    settings = {**NOBODY_SIGNS_IN, "CACHE_SCOPE": {"read": "public"}}
    with override_settings(MCP_DJANGO=settings, USE_I18N=False):
        found = [wire.result("resources/read", {"uri": uri})["cacheScope"] for uri in uris]
    assert found == ["private", "private", "public"]


def test_an_endpoint_that_not_everybody_may_use_is_private(wire: Wire, register: Any) -> None:
    register(hours, uri=URI, cache_scope="public", ttl_ms=5)

    class Always(AllowAny):
        pass

    with override_settings(MCP_DJANGO={"PERMISSION_CLASSES": [Always]}):
        assert hints(wire) == (5, "private")


def test_what_a_clients_answers_went_into_is_not_kept(wire: Wire, register: Any) -> None:
    register(hours, uri=URI, cache_scope="public", ttl_ms=5)
    assert hints(wire, inputResponses={}) == (0, "private")
    assert hints(wire, requestState="x") == (0, "private")


def test_annotations_may_be_given_as_an_object(wire: Wire, register: Any) -> None:
    register(hours, uri=URI, annotations=Annotations(priority=1.0))
    assert wire.result("resources/list")["resources"][0]["annotations"] == {"priority": 1.0}
