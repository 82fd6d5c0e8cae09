"""An ``ExceptionGroup`` of resources, templates and prompts: nothing of it is lost."""

from __future__ import annotations

from typing import Any

import pytest
from django.core.exceptions import ObjectDoesNotExist
from django.http import Http404
from django.test import override_settings

from mcp_django import ToolError
from tests.wire.conftest import Wire

pytestmark = pytest.mark.usefixtures("open_endpoint")
URI = "library://books/{isbn}"


def raising(*errors: Exception) -> Any:
    def book(isbn: str) -> str:
        """A book."""
        raise ExceptionGroup("unhandled errors in a TaskGroup", errors)

    return book


def read(wire: Wire, register: Any, *errors: Exception) -> dict[str, Any]:
    register(raising(*errors), uri=URI)
    return wire.error("resources/read", {"uri": "library://books/1"})


@pytest.mark.parametrize("missing", [Http404(), ObjectDoesNotExist()])
def test_one_that_is_not_there_is_not_found(
    wire: Wire, register: Any, missing: Exception, caplog: pytest.LogCaptureFixture
) -> None:
    error = read(wire, register, missing)
    assert (error["code"], error["message"]) == (-32602, "Resource not found: library://books/1")
    assert caplog.records == []


def test_a_bug_beside_it_is_told_and_in_the_log(
    wire: Wire, register: Any, caplog: pytest.LogCaptureFixture
) -> None:
    error = read(wire, register, Http404(), RuntimeError("a bug"))
    assert (error["code"], error["message"]) == (-32603, "Not found.\na bug")
    assert "RuntimeError: a bug" in caplog.text


def test_what_was_written_for_callers_comes_first(wire: Wire, register: Any) -> None:
    error = read(wire, register, RuntimeError("a bug"), Http404("Gone."), ToolError("Closed."))
    assert error["message"] == "Closed.\na bug\nGone."


def test_a_bug_is_masked_by_itself(
    wire: Wire, register: Any, caplog: pytest.LogCaptureFixture
) -> None:
    with override_settings(MCP_DJANGO={"AUTHENTICATION_CLASSES": [], "MASK_ERRORS": True}):
        error = read(wire, register, RuntimeError("a bug"), ToolError("Closed."))
    first, second = error["message"].splitlines()
    assert first == "Closed."
    assert second.startswith("The resource failed. The operator finds the reason under reference")
    assert "RuntimeError: a bug" in caplog.text


def test_of_a_prompt_too(wire: Wire, register: Any, caplog: pytest.LogCaptureFixture) -> None:
    register(raising(Http404(), RuntimeError("a bug")), name="wish", kind="prompt")
    error = wire.error("prompts/get", {"name": "wish", "arguments": {"isbn": "1"}})
    assert error == {"code": -32603, "message": "Not found.\na bug"}
    assert "RuntimeError: a bug" in caplog.text


def test_of_what_completes_an_argument_too(wire: Wire, register: Any) -> None:
    async def isbns() -> list[str]:
        raise ExceptionGroup("TaskGroup", [RuntimeError("a bug"), ToolError("Closed.")])

    register(raising(), name="wish", kind="prompt", completers={"isbn": isbns})
    params = {
        "ref": {"type": "ref/prompt", "name": "wish"},
        "argument": {"name": "isbn", "value": ""},
    }
    assert wire.error("completion/complete", params)["message"] == "Closed.\na bug"
