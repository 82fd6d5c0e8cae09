"""Code of a project that ends itself, outside of a handler too: the worker goes on."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Callable, Generator
from pathlib import Path
from typing import Annotated, Any

import orjson
import pytest
from asgiref.sync import sync_to_async
from django.core.exceptions import PermissionDenied, ValidationError
from django.http import Http404
from django.test import RequestFactory, override_settings
from django.utils.functional import lazy
from rest_framework.authentication import BaseAuthentication
from rest_framework.exceptions import APIException
from rest_framework.permissions import BasePermission

from mcp_django import Context, CurrentTenant, ToolError, server
from mcp_django.transports.http import respond
from mcp_django.views import DjangoExchange
from tests.wire.conftest import META, MODERN, Wire

OPEN: dict[str, Any] = {"AUTHENTICATION_CLASSES": []}
ERRORS: list[BaseException] = [
    SystemExit(3),
    asyncio.CancelledError(),
    GeneratorExit(),
    BaseExceptionGroup("many", [asyncio.CancelledError(), GeneratorExit()]),
]
INTERRUPTS: list[BaseException] = [
    KeyboardInterrupt(),
    BaseExceptionGroup("many", [SystemExit(), KeyboardInterrupt()]),
]
ends = pytest.mark.parametrize("error", ERRORS, ids=lambda error: type(error).__name__)
interrupts = pytest.mark.parametrize("error", INTERRUPTS, ids=["alone", "in a group"])
USES = [
    ("tools/call", {"name": "greet"}),
    ("resources/read", {"uri": "a://greeting"}),
    ("resources/read", {"uri": "b://1"}),
    ("prompts/get", {"name": "greet"}),
    (
        "completion/complete",
        {
            "ref": {"type": "ref/prompt", "name": "greet"},
            "argument": {"name": "whom", "value": ""},
        },
    ),
]
LISTS = {
    "tools/list": "tools",
    "resources/list": "resources",
    "resources/templates/list": "resourceTemplates",
    "prompts/list": "prompts",
}


def raising(error: BaseException) -> Callable[..., Any]:
    def raises(*given: Any) -> Any:
        raise error.with_traceback(None)

    return raises


def handler(error: BaseException) -> Callable[[], str]:
    def odd() -> str:
        """Odd."""
        raise error.with_traceback(None)

    return odd


def greet(whom: str = "you") -> str:
    """Greet."""
    return f"Hello {whom}"


def greeting() -> str:
    """Greet."""
    return "Hello"


def page(number: str) -> str:
    """Page."""
    return number


@pytest.fixture
def features(register: Any) -> Callable[..., None]:
    """Registers one feature of each kind, all with these options."""

    def features(**options: Any) -> None:
        register(greet, **options)
        register(greeting, uri="a://greeting", **options)
        register(page, uri="b://{number}", instances=lambda: [{"number": "1"}], **options)
        register(greet, kind="prompt", completers={"whom": ["you"]}, **options)

    return features


def all_hidden(wire: Wire) -> None:
    for method, params in USES:
        response = wire.modern(method, params)
        assert response.status_code == 200
        assert response.json()["error"]["code"] == -32602
    for method, members in LISTS.items():
        assert wire.result(method)[members] == []


@ends
@pytest.mark.usefixtures("open_endpoint")
def test_enabled_hides(
    wire: Wire, features: Any, error: BaseException, caplog: pytest.LogCaptureFixture
) -> None:
    features(enabled=raising(error))
    all_hidden(wire)
    assert "enabled= raised; the tool greet is hidden" in caplog.text
    answer = wire.client.get("/mcp", headers={"accept": "text/html"})
    assert answer.status_code == 405
    assert "a://greeting" not in answer.content.decode()


@ends
@pytest.mark.usefixtures("open_endpoint")
def test_a_permission_rule_denies(
    wire: Wire, features: Any, error: BaseException, caplog: pytest.LogCaptureFixture
) -> None:
    class Ends(BasePermission):
        has_permission = raising(error)

    features(permission_classes=[Ends])
    all_hidden(wire)
    assert "A permission rule of greet raised; the caller is refused." in caplog.text


class Signed:
    is_authenticated = True
    is_active = True
    pk = 1


@ends
def test_so_does_one_of_the_endpoint_or_an_authorization_backend(
    wire: Wire, features: Any, error: BaseException
) -> None:
    class Ends(BasePermission):
        has_permission = raising(error)

    class Signs(BaseAuthentication):
        def authenticate(self, request: Any) -> Any:
            user: Any = Signed()
            user.has_perms = raising(error)
            return user, None

    features(permission="app.view_book")
    with override_settings(MCP_DJANGO={"AUTHENTICATION_CLASSES": [Signs]}):
        all_hidden(wire)
    with override_settings(MCP_DJANGO={**OPEN, "PERMISSION_CLASSES": [Ends]}):
        assert wire.modern("tools/list").status_code == 403


@ends
@pytest.mark.parametrize("is_async", [False, True])
def test_an_authentication_class_is_a_failure_of_the_server(
    wire: Wire,
    register: Any,
    error: BaseException,
    is_async: bool,
    caplog: pytest.LogCaptureFixture,
) -> None:
    async def later(request: Any) -> Any:
        raise error.with_traceback(None)

    def authenticate(self: Any, request: Any) -> Any:
        return later(request) if is_async else raising(error)()

    signs = type("Signs", (BaseAuthentication,), {"authenticate": authenticate})
    register(greet)
    batch = [{"jsonrpc": "2.0", "id": 1, "method": "tools/list"}]
    with override_settings(MCP_DJANGO={"AUTHENTICATION_CLASSES": [signs]}):
        for response in (
            wire.modern("tools/list"),
            wire.legacy("tools/list"),
            wire.send(batch, MCP_Protocol_Version="2025-03-26"),
        ):
            assert response.status_code == 500
            assert "reference" in response.json()["error"]["message"]
        answer = wire.client.get("/mcp", headers={"accept": "text/html"})
        assert answer.status_code == 405
    assert "Failed while judging a request" in caplog.text
    assert "Signing in failed for a reader" in caplog.text


@ends
def test_a_tenant_function_is_told_of_by_what_needs_it(
    wire: Wire, register: Any, error: BaseException
) -> None:
    def instances(context: Context) -> list[dict[str, str]]:
        return [{"number": str(context.tenant)}]

    def mine(tenant: Annotated[Any, CurrentTenant]) -> str:
        """Mine."""
        return str(tenant)

    def ours(tenant: Annotated[Any, CurrentTenant]) -> list[dict[str, str]]:
        return [{"number": str(tenant)}]

    register(page, uri="b://{number}", instances=instances)
    register(mine)
    with override_settings(MCP_DJANGO={**OPEN, "TENANT": raising(error)}):
        assert wire.call("mine")["isError"] is True
        assert wire.error("resources/list")["code"] == -32603
        server.unregister("b://{number}")
        register(page, uri="b://{number}", instances=ours)
        told = wire.error("resources/list")
    assert told["code"] == -32603
    assert told["message"].startswith("The list of b://{number} failed: ")


class Speechless(Exception):
    def __str__(self) -> str:
        raise SystemExit(3)


class Nowhere(Http404):
    __str__ = Speechless.__str__


class Denied(PermissionDenied):
    def __str__(self) -> str:
        raise ValueError("no words")


class Lost(ToolError):
    __str__ = Speechless.__str__


class Undetailed(APIException):
    detail = property(Speechless.__str__)

    def __init__(self) -> None:
        """Nothing is kept."""


def _ending() -> str:
    raise SystemExit(3)


WORDLESS = [
    (Speechless(), "Speechless"),
    (Lost(), "Lost"),
    (Nowhere(), "Not found."),
    (Denied(), "Permission denied."),
    (Undetailed(), "Undetailed"),
    (ValidationError(lazy(_ending, str)()), "ValidationError"),
]


@pytest.mark.parametrize(("error", "words"), WORDLESS)
@pytest.mark.usefixtures("open_endpoint")
def test_an_exception_whose_words_end_the_process(
    wire: Wire, register: Any, error: Exception, words: str
) -> None:
    register(handler(error), name="odd")
    register(handler(error), name="odd", kind="prompt")
    result = wire.call("odd")
    assert result["isError"] is True
    assert result["content"] == [{"type": "text", "text": words}]
    assert wire.error("prompts/get", {"name": "odd"}) == {"code": -32603, "message": words}


@pytest.mark.parametrize(("error", "status"), [(Nowhere(), 404), (Denied(), 403)])
def test_so_of_an_authentication_class(wire: Wire, error: Exception, status: int) -> None:
    signs = type("Signs", (BaseAuthentication,), {"authenticate": raising(error)})
    with override_settings(MCP_DJANGO={"AUTHENTICATION_CLASSES": [signs]}):
        assert wire.modern("tools/list").status_code == status


@pytest.mark.usefixtures("open_endpoint")
def test_a_payload_that_ends_the_process(wire: Wire, register: Any) -> None:
    class Odd(ToolError):
        structured = property(raising(SystemExit(3)))

    register(handler(Odd("No.")), name="odd")
    result = wire.call("odd")
    assert result["isError"] is True
    assert result["content"][0]["text"].startswith("No.\n(The error's structured payload")


@ends
@pytest.mark.parametrize("is_async", [False, True])
@pytest.mark.usefixtures("open_endpoint")
def test_a_completer(wire: Wire, register: Any, error: BaseException, is_async: bool) -> None:
    async def later() -> list[str]:
        raise error.with_traceback(None)

    def now() -> list[str]:
        raise error.with_traceback(None)

    register(greet, kind="prompt", completers={"whom": later if is_async else now})
    told = wire.error(*USES[-1])
    assert told["code"] == -32603
    assert told["message"]


@ends
@pytest.mark.usefixtures("open_endpoint")
def test_what_an_async_handler_calls_in_a_thread(
    wire: Wire, register: Any, error: BaseException
) -> None:
    async def odd() -> str:
        """Odd."""
        return str(await sync_to_async(raising(error))())

    register(odd)
    result = wire.call("odd")
    assert result["isError"] is True


@ends
@pytest.mark.usefixtures("open_endpoint")
def test_a_title_that_ends_while_it_is_listed_is_an_internal_error(
    wire: Wire, register: Any, error: BaseException
) -> None:
    texts = iter(["Fine."] * 50)

    def title() -> str:
        if next(texts, None) is None:
            raise error.with_traceback(None)
        return "Fine."

    register(greet, title=lazy(title, str)())
    for _ in texts:
        pass
    told = wire.error("tools/list")
    assert told["code"] == -32603
    assert "reference" in told["message"]
    batch = [{"jsonrpc": "2.0", "id": 1, "method": "tools/list"}]
    answers = wire.send(batch, MCP_Protocol_Version="2025-03-26").json()
    assert answers[0]["error"]["code"] == -32603


@interrupts
def test_an_interrupt_stops_the_process(
    wire: Wire, features: Any, register: Any, error: BaseException
) -> None:
    stopped = pytest.raises((KeyboardInterrupt, BaseExceptionGroup))
    signs = type("Signs", (BaseAuthentication,), {"authenticate": raising(error)})
    rule = type("Rule", (BasePermission,), {"has_permission": raising(error)})
    mute = type("Mute", (Exception,), {"__str__": raising(error)})
    features(enabled=raising(error))
    register(handler(mute()), name="mute")
    register(handler(Http404(mute())), name="missing")
    undetailed = type("Undetailed", (Undetailed,), {"detail": property(raising(error))})
    register(handler(undetailed()), name="detail")
    register(handler(ValidationError(lazy(raising(error), str)())), name="fields")
    odd = type("Odd", (ToolError,), {"structured": property(raising(error))})
    register(handler(odd()), name="payload")
    register(greet, name="ruled", permission_classes=[rule])
    with override_settings(MCP_DJANGO=OPEN):
        for name in ("greet", "ruled", "mute", "missing", "detail", "fields", "payload"):
            with stopped:
                wire.modern("tools/call", {"name": name})
    with override_settings(MCP_DJANGO={"AUTHENTICATION_CLASSES": [signs]}):
        with stopped:
            wire.modern("tools/list")
        with stopped:
            wire.client.get("/mcp", headers={"accept": "text/html"})


@interrupts
def test_and_so_does_one_of_an_authorization_backend(
    wire: Wire, register: Any, error: BaseException
) -> None:
    class Signs(BaseAuthentication):
        def authenticate(self, request: Any) -> Any:
            user: Any = Signed()
            user.has_perms = raising(error)
            return user, None

    register(greet, permission="app.view_book")
    with (
        override_settings(MCP_DJANGO={"AUTHENTICATION_CLASSES": [Signs]}),
        pytest.raises((KeyboardInterrupt, BaseExceptionGroup)),
    ):
        wire.modern("tools/list")


def _flow(body: Any, **headers: str) -> Generator[Any, Any, Any]:
    request = RequestFactory().post(
        "/mcp", orjson.dumps(body), content_type="application/json", headers=headers
    )
    return respond(server, DjangoExchange(request))


def _closed_at_each_stop(start: Callable[[], Generator[Any, Any, Any]]) -> int:
    """How often the flow stops; closed at each of them, it has nothing more to say."""
    stops = 0
    while True:
        flow = start()
        value = None
        for number in range(stops + 1):
            try:
                asked = flow.send(value)
            except StopIteration:
                return stops
            value = None
            if inspect.iscoroutine(asked):
                asked.close()
                value = "Hello" if number < stops else None
        flow.close()  # RuntimeError where the flow went on
        stops += 1


@pytest.mark.usefixtures("open_endpoint")
def test_a_flow_that_is_closed_ends_without_an_answer(
    register: Any, caplog: pytest.LogCaptureFixture
) -> None:
    async def later() -> str:
        """Later."""
        return "Hello"

    register(later, enabled=lambda context: True)
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "later"}}
    modern: Any = {**message, "params": {"name": "later", "_meta": META}}
    headers = {
        "MCP-Protocol-Version": MODERN,
        "Mcp-Method": "tools/call",
        "Mcp-Name": "later",
        "Accept": "application/json, text/event-stream",
    }
    batch = {"MCP-Protocol-Version": "2025-03-26", "Accept": headers["Accept"]}
    assert _closed_at_each_stop(lambda: _flow(modern, **headers)) > 1
    assert _closed_at_each_stop(lambda: _flow([message], **batch)) > 1
    assert caplog.records == []


@ends
@pytest.mark.parametrize("is_async", [False, True])
@pytest.mark.usefixtures("open_endpoint")
def test_a_template_of_a_prompt(
    wire: Wire, register: Any, error: BaseException, is_async: bool, tmp_path: Path, settings: Any
) -> None:
    (tmp_path / "odd.txt").write_text("{{ odd }}")
    backend = "django.template.backends.django.DjangoTemplates"
    settings.TEMPLATES = [{"BACKEND": backend, "DIRS": [tmp_path]}]
    odd = type("Odd", (), {"__str__": raising(error)})

    async def later() -> dict[str, Any]:
        """Odd."""
        return {"odd": odd()}

    def now() -> dict[str, Any]:
        """Odd."""
        return {"odd": odd()}

    register(later if is_async else now, name="odd", kind="prompt", template="odd.txt")
    told = wire.error("prompts/get", {"name": "odd"})
    assert told["code"] == -32603
    assert told["message"]
