"""The messages of prompts, as each revision has them on the wire."""

from __future__ import annotations

from typing import Any

import pytest
from django.utils.translation import gettext_lazy

from mcp_django.protocol.content import Image, ResourceLink, Text
from mcp_django.protocol.messages import PromptMessage, PromptResult
from mcp_django.protocol.versions import V2025_03_26, V2026_07_28


def test_a_message_on_the_wire() -> None:
    asked = PromptMessage("What is <b>?\x00")
    answered = PromptMessage(Image(b"\x89PNG", "image/png"), role="assistant")

    assert asked.to_wire(V2026_07_28) == {
        "role": "user",
        "content": {"type": "text", "text": "What is <b>?"},
    }
    assert answered.to_wire(V2026_07_28) == {
        "role": "assistant",
        "content": {"type": "image", "data": "iVBORw==", "mimeType": "image/png"},
    }


def test_a_block_is_as_the_revision_knows_it() -> None:
    message = PromptMessage(ResourceLink("a:b", "b"))

    assert message.to_wire(V2025_03_26)["content"] == {"type": "text", "text": "b: a:b"}


def test_a_result_on_the_wire() -> None:
    result = PromptResult(
        ["a", Text("b"), PromptMessage("c", "assistant")], gettext_lazy("Yes"), {"example.com/a": 1}
    )
    texts = [("user", "a"), ("user", "b"), ("assistant", "c")]
    messages = [{"role": role, "content": {"type": "text", "text": t}} for role, t in texts]

    assert result.to_wire(V2026_07_28) == {
        "description": "Yes",
        "messages": messages,
        "_meta": {"example.com/a": 1},
    }
    assert result.to_wire(V2025_03_26)["_meta"] == {"example.com/a": 1}  # of a result, not a block


@pytest.mark.parametrize("one", ["a", Text("a"), PromptMessage("a"), gettext_lazy("a")])
def test_one_message_needs_no_list(one: Any) -> None:
    assert PromptResult(one).to_wire(V2026_07_28) == {
        "messages": [{"role": "user", "content": {"type": "text", "text": "a"}}]
    }


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: PromptMessage("x", "system"), "role is 'system'. A message is by 'user' or"),  # type: ignore[arg-type]
        (lambda: PromptMessage(["x"]), "write one message per block"),  # type: ignore[arg-type]
        (lambda: PromptMessage(5), "content as a text or a block, not int"),  # type: ignore[arg-type]
        (lambda: PromptMessage(None), "content as a text or a block, not NoneType"),  # type: ignore[arg-type]
    ],
)
def test_a_mistake_is_told_where_a_message_is_made(make: Any, words: str) -> None:
    with pytest.raises((TypeError, ValueError), match=words):
        make()
