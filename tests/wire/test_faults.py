"""What a client and its model are told when something fails."""

from __future__ import annotations

import asyncio
import logging
from dataclasses import dataclass
from typing import Any

import pytest
from django.core.exceptions import ObjectDoesNotExist, PermissionDenied, ValidationError
from django.db import DatabaseError, IntegrityError
from django.http import Http404
from django.test import override_settings
from rest_framework import exceptions, serializers

from mcp_django import Text, ToolError, ToolResult
from tests.app.models import Branch
from tests.wire.conftest import Wire, error_of

pytestmark = pytest.mark.usefixtures("open_endpoint")
LIMITED = {"AUTHENTICATION_CLASSES": [], "MAX_RESULT_BYTES": 1000}
MASKED = {"AUTHENTICATION_CLASSES": [], "MASK_ERRORS": True}


def raising(error: BaseException) -> Any:
    def failing() -> int:
        """Fails."""
        raise error

    return failing


def text_of(result: dict[str, Any]) -> str:
    return "\n".join(block["text"] for block in result["content"])


class OutOfStock(ToolError):
    """A project's own error, with a payload of its own."""

    @property
    def structured(self) -> Any:
        return {"in_stock": 0}

    @property
    def content(self) -> Any:
        return [Text("Try tomorrow.")]


@dataclass
class Reason:
    code: int


class ReasonSerializer(serializers.Serializer[Any]):
    code = serializers.IntegerField()


@pytest.mark.parametrize(
    ("error", "text"),
    [
        (ToolError("No such loan."), "No such loan."),
        (ToolError(), "ToolError"),
        (ValueError("bad"), "bad"),
        (KeyError("isbn"), "'isbn'"),
        (ValueError(), "ValueError"),
        (PermissionDenied(), "Permission denied."),
        (PermissionDenied("Librarians only."), "Librarians only."),
        (Http404(), "Not found."),
        (
            ObjectDoesNotExist("Loan matching query does not exist."),
            "Loan matching query does not exist.",
        ),
        (ValidationError("Too late."), "Too late."),
        (ValidationError(["One.", "Two."]), "One.\nTwo."),
        (ValidationError({"days": ["Too many."], "__all__": ["No."]}), "days: Too many.\nNo."),
        (exceptions.ValidationError({"lines": [{}, {"qty": ["Bad."]}]}), "lines.1.qty: Bad."),
        (exceptions.NotFound(), "Not found."),
        (exceptions.Throttled(wait=3), "Request was throttled. Expected available in 3 seconds."),
        (ExceptionGroup("many", [ValueError("only")]), "only"),
        (
            ExceptionGroup("many", [ValueError("one"), ExceptionGroup("in", [ToolError("two")])]),
            "two\none",
        ),
    ],
)
def test_the_words_of_what_a_tool_raises(
    wire: Wire, register: Any, error: BaseException, text: str
) -> None:
    register(raising(error))
    result = wire.call("failing")
    assert result["isError"] is True
    assert text_of(result) == text
    assert "structuredContent" not in result


@pytest.mark.parametrize("error", [DatabaseError("secret table"), IntegrityError("secret key")])
def test_a_databases_words_never_leave(
    wire: Wire, register: Any, error: Exception, caplog: pytest.LogCaptureFixture
) -> None:
    register(raising(error))
    text = text_of(wire.call("failing"))
    assert "secret" not in text
    reference = text.rstrip(".").rsplit(" ", 1)[-1]
    assert len(reference) == 12
    assert any(reference in record.getMessage() for record in caplog.records)


@pytest.mark.parametrize(
    ("error", "shown"),
    [
        (ValueError("secret"), False),
        (ToolError("shown"), True),
        (ValidationError("shown"), True),
        (exceptions.APIException("shown"), True),
        (PermissionDenied("shown"), True),
        (Http404("shown"), True),
        (Branch.DoesNotExist("shown"), True),
    ],
)
def test_masking(wire: Wire, register: Any, error: Exception, shown: bool) -> None:
    register(raising(error))
    with override_settings(MCP_DJANGO=MASKED):
        text = text_of(wire.call("failing"))
    assert ("shown" in text) is shown
    assert "secret" not in text


def test_an_unexpected_error_is_logged_with_its_traceback(
    wire: Wire, register: Any, caplog: pytest.LogCaptureFixture
) -> None:
    register(raising(ValueError("bad")))
    wire.call("failing")
    (record,) = [record for record in caplog.records if record.levelno == logging.ERROR]
    assert record.exc_info is not None


def test_an_expected_error_is_not(
    wire: Wire, register: Any, caplog: pytest.LogCaptureFixture
) -> None:
    register(raising(ToolError("No.")))
    wire.call("failing")
    assert [record for record in caplog.records if record.levelno >= logging.WARNING] == []


@pytest.mark.parametrize(
    "payload",
    [{"code": 4}, Reason(4), ReasonSerializer({"code": 4}), {"code": 4, "x": None} | {"x": None}],
)
def test_a_payload_for_programs(wire: Wire, register: Any, payload: Any) -> None:
    register(raising(ToolError("No.", structured=payload, content=[Text("More.")])))
    result = wire.call("failing")
    assert result["structuredContent"]["code"] == 4
    assert [block["text"] for block in result["content"]] == ["No.", "More."]


def test_a_subclass_brings_its_own(wire: Wire, register: Any) -> None:
    register(raising(OutOfStock("None left.")))
    result = wire.call("failing")
    assert result["structuredContent"] == {"in_stock": 0}
    assert text_of(result) == "None left.\nTry tomorrow."


@pytest.mark.parametrize("payload", [[1], "text", 7, object(), {1: object()}])
def test_a_payload_that_is_no_object_is_said_and_logged(
    wire: Wire, register: Any, payload: Any, caplog: pytest.LogCaptureFixture
) -> None:
    register(raising(ToolError("No.", structured=payload)))
    result = wire.call("failing")
    assert "structuredContent" not in result
    assert text_of(result).startswith(
        "No.\n(The error's structured payload or content could not be sent"
    )
    assert any(record.levelno == logging.ERROR for record in caplog.records)


def test_an_error_as_an_ordinary_answer(wire: Wire, register: Any) -> None:
    def picky() -> ToolResult:
        """Says no."""
        return ToolResult.error("Input must not be blank")

    register(picky)
    result = wire.call("picky")
    assert (result["isError"], text_of(result)) == (True, "Input must not be blank")


def test_a_result_that_its_schema_refuses_is_an_error(
    wire: Wire, register: Any, caplog: pytest.LogCaptureFixture
) -> None:
    def lying() -> int:
        """Lies."""
        return "three"  # type: ignore[return-value]

    register(lying)
    result = wire.call("lying")
    assert result["isError"] is True
    assert "structuredContent" not in result
    assert any("lying" in record.getMessage() for record in caplog.records)
    with override_settings(MCP_DJANGO=MASKED):
        assert "three" not in text_of(wire.call("lying"))


def test_a_result_over_the_limit_is_not_cut(wire: Wire, register: Any) -> None:
    def long(n: int) -> list[str]:
        """Long."""
        return ["é" * 10] * n

    register(long)
    with override_settings(MCP_DJANGO=LIMITED):
        assert wire.call("long", {"n": 3})["structuredContent"] == ["é" * 10] * 3
        result = wire.call("long", {"n": 100})
    assert result["isError"] is True
    assert "1,000" in text_of(result)
    assert "less" in text_of(result)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({}, ["days", "missing"]),
        ({"days": "many"}, ["days", "integer"]),
        ({"days": 1, "user": 3}, ["user", "days"]),
        ({"days": True}, ["days"]),
        ({"days": None}, ["days"]),
    ],
)
def test_arguments_that_do_not_validate(
    wire: Wire, register: Any, arguments: Any, words: list[str]
) -> None:
    def lend(days: int) -> int:
        """Lend."""
        return days

    register(lend)
    result = wire.call("lend", arguments)
    assert result["isError"] is True
    for word in words:
        assert word in text_of(result)


def test_an_unknown_tool(wire: Wire, register: Any) -> None:
    register(raising(ValueError()))
    response = wire.modern("tools/call", {"name": "nope"})
    assert error_of(response) == (200, -32602)
    assert response.json()["error"]["message"] == "Unknown tool: nope"


def test_awaitables_to_any_depth(wire: Wire, register: Any) -> None:
    async def inner() -> int:
        await asyncio.sleep(0)
        return 7

    async def middle() -> Any:
        return inner()

    def outer() -> Any:
        """Seven."""
        return middle()

    register(outer)
    assert wire.call("outer")["structuredContent"] == 7


def test_a_task_that_an_async_tool_returns(wire: Wire, register: Any) -> None:
    async def inner() -> int:
        await asyncio.sleep(0)
        return 7

    async def outer() -> Any:
        """Seven."""
        return asyncio.create_task(inner())

    register(outer)
    assert wire.call("outer")["structuredContent"] == 7


def test_an_async_tool_and_its_errors(wire: Wire, register: Any) -> None:
    async def slow(n: int) -> int:
        """Slow."""
        await asyncio.sleep(0)
        if n < 0:
            raise ToolError("Negative.")
        return n

    register(slow)
    assert wire.call("slow", {"n": 3})["structuredContent"] == 3
    assert text_of(wire.call("slow", {"n": -3})) == "Negative."


def test_a_task_group_that_fails(wire: Wire, register: Any) -> None:
    async def part(error: Exception | None) -> None:
        if error:
            raise error

    async def grouped() -> int:
        """Many."""
        async with asyncio.TaskGroup() as group:
            group.create_task(part(ToolError("No.")))
            group.create_task(part(None))
        return 1

    register(grouped)
    assert text_of(wire.call("grouped")) == "No."


def test_a_bug_of_ours_is_an_internal_error(
    wire: Wire, register: Any, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(*args: Any) -> Any:
        raise RuntimeError("secret")

    monkeypatch.setattr("mcp_django.dispatch.methods.tools.call", broken)

    def fine() -> int:
        """Fine."""
        return 1

    register(fine)
    response = wire.modern("tools/call", {"name": "fine"})
    assert error_of(response) == (200, -32603)
    message = response.json()["error"]["message"]
    assert "secret" not in message
    reference = message.rstrip(".").rsplit(" ", 1)[-1]
    assert any(reference in record.getMessage() for record in caplog.records)


def test_a_bug_before_the_method_is_known(wire: Wire, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*args: Any) -> Any:
        raise RuntimeError("secret")

    monkeypatch.setattr("mcp_django.transports.http.Context", broken)
    response = wire.modern("tools/list", id="q")
    assert error_of(response) == (500, -32603)
    assert response.json()["id"] == "q"


class TestTransactions:
    """Under ``ATOMIC_REQUESTS`` a failed tool's work is undone, though HTTP says 200."""

    pytestmark = pytest.mark.django_db(transaction=True)

    @pytest.fixture(autouse=True)
    def _atomic_requests(self, monkeypatch: pytest.MonkeyPatch) -> None:
        from django.db import connections

        monkeypatch.setitem(connections.settings["default"], "ATOMIC_REQUESTS", True)

    def test_an_error_rolls_back_and_success_commits(self, wire: Wire, register: Any) -> None:
        def found(name: str, how: str) -> ToolResult:
            """Found a branch."""
            Branch.objects.create(name=name)
            if how == "raise":
                raise ToolError("No.")
            return ToolResult("x", is_error=how == "return")

        register(found)
        assert wire.call("found", {"name": "a", "how": "raise"})["isError"]
        assert wire.call("found", {"name": "b", "how": "return"})["isError"]
        assert "isError" not in wire.call("found", {"name": "c", "how": "fine"})
        assert [branch.name for branch in Branch.objects.all()] == ["c"]

    def test_a_result_that_fails_its_schema_rolls_back(self, wire: Wire, register: Any) -> None:
        def found() -> int:
            """Found a branch."""
            Branch.objects.create(name="a")
            return "x"  # type: ignore[return-value]

        register(found)
        assert wire.call("found")["isError"]
        assert not Branch.objects.exists()

    def test_without_atomic_requests_a_tool_may_ask_for_it(
        self, wire: Wire, register: Any, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        from django.db import connections

        monkeypatch.setitem(connections.settings["default"], "ATOMIC_REQUESTS", False)

        def found(name: str) -> int:
            """Found a branch."""
            Branch.objects.create(name=name)
            raise ToolError("No.")

        register(found, name="plain")
        register(found, name="whole", atomic=True)
        wire.call("plain", {"name": "a"})
        wire.call("whole", {"name": "b"})
        assert [branch.name for branch in Branch.objects.all()] == ["a"]

    def test_a_tool_may_opt_out(self, wire: Wire, register: Any) -> None:
        def found() -> int:
            """Found a branch."""
            Branch.objects.create(name="a")
            raise ToolError("No.")

        register(found, atomic=False)
        assert wire.call("found")["isError"]
        assert Branch.objects.exists()
