"""``MAX_RESULT_BYTES``: all that an answer says of the author's counts."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import override_settings

from mcp_django import PromptResult, ToolResult
from tests.wire.conftest import Wire

LIMITED = {"AUTHENTICATION_CLASSES": [], "MAX_RESULT_BYTES": 1000}


@pytest.fixture(autouse=True)
def _limited() -> Any:
    with override_settings(MCP_DJANGO=LIMITED):
        yield


@pytest.mark.parametrize("is_error", [False, True])
def test_the_meta_of_a_tools_result_counts(wire: Wire, register: Any, is_error: bool) -> None:
    def noted(size: int) -> ToolResult:
        """Noted."""
        return ToolResult("x", meta={"example.com/note": "y" * size}, is_error=is_error)

    register(noted)
    result = wire.call("noted", {"size": 800})
    assert result["_meta"]["example.com/note"] == "y" * 800
    result = wire.call("noted", {"size": 1000})
    assert result["isError"] is True
    assert "example.com/note" not in result["_meta"]
    assert "bytes, more than the 1,000 that this server sends." in result["content"][0]["text"]


def test_text_and_meta_count_together(wire: Wire, register: Any) -> None:
    def noted() -> ToolResult:
        """Noted."""
        return ToolResult("x" * 600, meta={"example.com/note": "y" * 600})

    register(noted)
    assert wire.call("noted")["isError"] is True


@pytest.mark.parametrize("beside", ["description", "meta"])
def test_what_stands_beside_the_messages_of_a_prompt_counts(
    wire: Wire, register: Any, beside: str
) -> None:
    def said(size: str) -> PromptResult:
        """Said."""
        note = "y" * int(size)
        more: dict[str, Any] = {"description": note, "meta": {"example.com/note": note}}
        return PromptResult("x", **{beside: more[beside]})

    register(said, kind="prompt")
    assert "messages" in wire.result("prompts/get", {"name": "said", "arguments": {"size": "800"}})
    error = wire.error("prompts/get", {"name": "said", "arguments": {"size": "1000"}})
    assert error["code"] == -32603
    assert "more than the 1,000 that this server sends." in error["message"]


def test_too_long_completions_are_told_also_where_errors_are_masked(
    wire: Wire, register: Any
) -> None:
    def wish(topic: str) -> str:
        """Wish for something."""
        return topic

    register(wish, kind="prompt", completers={"topic": lambda: ["x" * 1001]})
    params = {
        "ref": {"type": "ref/prompt", "name": "wish"},
        "argument": {"name": "topic", "value": ""},
    }
    with override_settings(MCP_DJANGO={**LIMITED, "MASK_ERRORS": True}):
        assert wire.error("completion/complete", params)["message"] == (
            "The completions have 1,001 bytes, more than the 1,000 that this server sends."
        )
