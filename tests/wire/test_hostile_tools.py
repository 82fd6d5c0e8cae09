"""Tools that end oddly: the client gets an answer, and the process goes on."""

from __future__ import annotations

import asyncio
from decimal import Decimal
from typing import Any

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.db import OperationalError, connections
from django.test import override_settings
from django.utils.functional import lazy

from mcp_django import ResourceLink, Text, ToolError, ToolResult, server
from tests.app.models import Branch
from tests.wire.conftest import Wire

pytestmark = pytest.mark.usefixtures("open_endpoint")
MASKED = {"AUTHENTICATION_CLASSES": [], "MASK_ERRORS": True}


def text_of(result: dict[str, Any]) -> str:
    return "\n".join(block["text"] for block in result["content"])


def failure(wire: Wire, register: Any, tool: Any, **options: Any) -> str:
    register(tool, name="odd", **options)
    result = wire.call("odd")
    assert result["isError"] is True
    assert "structuredContent" not in result
    return text_of(result)


ENDINGS = [
    (SystemExit(3), "SystemExit: 3"),
    (asyncio.CancelledError(), "CancelledError"),
    (GeneratorExit(), "GeneratorExit"),
    (
        BaseExceptionGroup("many", [asyncio.CancelledError(), ToolError("No.")]),
        "No.\nCancelledError",
    ),
]


@pytest.mark.parametrize(("error", "words"), ENDINGS)
def test_a_tool_ends_itself_and_not_the_process(
    wire: Wire, register: Any, error: BaseException, words: str
) -> None:
    def odd() -> int:
        """Odd."""
        raise error

    assert failure(wire, register, odd) == words


@pytest.mark.parametrize(("error", "words"), ENDINGS)
def test_an_async_tool_does_not_either(
    wire: Wire, register: Any, error: BaseException, words: str
) -> None:
    async def odd() -> int:
        """Odd."""
        await asyncio.sleep(0)
        raise error

    assert failure(wire, register, odd) == words


def test_a_cancelled_task_is_an_error_of_the_tool(wire: Wire, register: Any) -> None:
    async def odd() -> int:
        """Odd."""
        task = asyncio.create_task(asyncio.sleep(10))
        task.cancel()
        await task
        return 1

    assert failure(wire, register, odd) == "CancelledError"


@pytest.mark.parametrize(
    "error", [KeyboardInterrupt(), BaseExceptionGroup("many", [KeyboardInterrupt()])]
)
def test_an_interrupt_stops_the_process(wire: Wire, register: Any, error: BaseException) -> None:
    def odd() -> int:
        """Odd."""
        raise error

    async def odd_too() -> int:
        """Odd."""
        raise error

    register(odd)
    register(odd_too)
    for name in ("odd", "odd_too"):
        with pytest.raises((KeyboardInterrupt, BaseExceptionGroup)):
            wire.modern("tools/call", {"name": name})


class Speechless(Exception):
    def __str__(self) -> str:
        raise RuntimeError("nothing to say")


class SpeechlessToolError(ToolError):
    def __str__(self) -> str:
        return 7  # type: ignore[return-value]


@pytest.mark.parametrize(
    ("error", "words"),
    [(Speechless(), "Speechless"), (SpeechlessToolError(), "SpeechlessToolError")],
)
def test_an_exception_without_words(
    wire: Wire, register: Any, error: Exception, words: str
) -> None:
    def odd() -> int:
        """Odd."""
        raise error

    assert failure(wire, register, odd) == words


class Broken(ToolError):
    @property
    def structured(self) -> Any:
        raise OperationalError("password=hunter2")


class Worse(ToolError):
    @property
    def content(self) -> Any:
        raise OperationalError("password=hunter2")


@pytest.mark.parametrize("settings", [{"AUTHENTICATION_CLASSES": []}, MASKED])
@pytest.mark.parametrize("error", [Broken("No."), Worse("No.")])
def test_a_property_that_raises_leaks_nothing(
    wire: Wire, register: Any, error: Exception, settings: Any
) -> None:
    def odd() -> int:
        """Odd."""
        raise error

    with override_settings(MCP_DJANGO=settings):
        text = failure(wire, register, odd)
    assert text.startswith("No.\n(")
    assert "hunter2" not in text
    assert "reference" in text


class Fixed(ToolError):
    @property
    def structured(self) -> Any:
        return {"of": "the class"}


def test_what_is_given_goes_before_what_the_class_has(wire: Wire, register: Any) -> None:
    def odd(given: bool) -> int:
        """Odd."""
        raise Fixed("No.", structured={"of": "the call"}) if given else Fixed("No.")

    register(odd)
    assert wire.call("odd", {"given": True})["structuredContent"] == {"of": "the call"}
    assert wire.call("odd", {"given": False})["structuredContent"] == {"of": "the class"}


@pytest.mark.parametrize("content", ["More.", Text("More."), ["More."], [Text("More.")]])
def test_content_of_an_error_is_texts_and_blocks(wire: Wire, register: Any, content: Any) -> None:
    def odd() -> int:
        """Odd."""
        raise ToolError("No.", content=content)

    assert failure(wire, register, odd) == "No.\nMore."


def test_content_that_is_neither_is_said(wire: Wire, register: Any) -> None:
    def odd() -> int:
        """Odd."""
        raise ToolError("No.", content=[object()])  # type: ignore[list-item]

    assert "made of texts and content blocks" in failure(wire, register, odd)


def test_integers_beyond_64_bits_have_all_their_digits(wire: Wire, register: Any) -> None:
    def odd() -> int:
        """Odd."""
        raise ToolError("No.", structured={"n": 2**70})

    register(odd)
    response = wire.modern("tools/call", {"name": "odd"})
    assert str(2**70).encode() in response.content


UNSENDABLE = [
    Text("x", meta={"a": object()}),
    Text("x", meta={"a": 2**80}),
    Text("x", meta={"a": Decimal(1)}),
    [Text("x"), Text("y", meta={"a": {1: object()}})],
]


@pytest.mark.parametrize("block", UNSENDABLE)
def test_a_block_that_cannot_be_written(wire: Wire, register: Any, block: Any) -> None:
    def odd() -> Any:
        """Odd."""
        return block

    assert "cannot be sent" in failure(wire, register, odd)


@pytest.mark.parametrize("meta", [{"a": 2**80}, {"a": object()}, [1]])
def test_meta_that_cannot_be_written(wire: Wire, register: Any, meta: Any) -> None:
    def odd() -> ToolResult:
        """Odd."""
        return ToolResult("x", meta=meta)

    assert failure(wire, register, odd)


def test_a_uri_that_has_no_utf_8(wire: Wire, register: Any) -> None:
    def odd() -> Any:
        """Odd."""
        return ResourceLink("file:///a\ud800", "a")

    register(odd)
    assert wire.modern("tools/call", {"name": "odd"}).json()["result"]


@pytest.mark.django_db(transaction=True)
class TestTransactions:
    """What cannot be sent is an error, and an error's work is undone."""

    @pytest.fixture(autouse=True)
    def _atomic_requests(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setitem(connections.settings["default"], "ATOMIC_REQUESTS", True)

    @pytest.mark.parametrize(
        "returned", [lambda: "x" * 2_000_000, lambda: Text("x", meta={"a": object()})]
    )
    def test_what_cannot_be_sent(self, wire: Wire, register: Any, returned: Any) -> None:
        def odd() -> Any:
            """Odd."""
            Branch.objects.create(name="a")
            return returned()

        failure(wire, register, odd)
        assert not Branch.objects.exists()

    @pytest.mark.filterwarnings("ignore:coroutine")
    def test_an_awaitable_is_not_awaited_outside_of_it(self, wire: Wire, register: Any) -> None:
        async def later() -> str:
            raise ToolError("too late")

        def odd() -> Any:
            """Odd."""
            Branch.objects.create(name="a")
            return later()

        assert "atomic=False" in failure(wire, register, odd)
        assert not Branch.objects.exists()


@pytest.mark.parametrize("options", [{"title": "a\ud800"}, {"meta": {"example.com/a": 2**80}}])
def test_a_definition_that_cannot_be_written_is_refused_when_it_is_registered(
    options: dict[str, Any],
) -> None:
    def odd() -> str:
        """Odd."""
        return "x"

    with server.registry.isolated(), pytest.raises(ImproperlyConfigured, match=r"odd: .+"):
        server.register(odd, **options)


def test_a_lazy_text_that_queries_tells_nothing_of_the_database(wire: Wire, register: Any) -> None:
    def queried() -> str:
        raise OperationalError("secret table")

    def odd() -> ToolResult:
        """Odd."""
        return ToolResult([Text(lazy(queried, str)())])

    words = failure(wire, register, odd)
    assert "secret" not in words
    assert words.startswith("The tool failed. The operator finds the reason under reference ")


def test_a_lazy_text_that_raises_is_as_if_the_tool_had(wire: Wire, register: Any) -> None:
    def refused() -> str:
        raise ToolError("Not for you.")

    def odd() -> ToolResult:
        """Odd."""
        return ToolResult([Text(lazy(refused, str)())])

    assert failure(wire, register, odd) == "Not for you."
