"""What a server answered, as a terminal shows it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from mcp_django.catalog.types import json_text
from mcp_django.test import ReadResult, RenderedPrompt, Result

Style = Callable[[str], str]


def of_call(result: Result) -> Iterator[str]:
    """The structured value as JSON, and every block that says more than it."""
    if result.structured is not None:
        yield json_text(result.structured, indent=2)
    for block in result.content:
        if block["type"] != "text":
            yield json_text(_without_data(block))
        elif result.structured is None or not _says_the_same(block["text"], result.structured):
            yield block["text"]


def of_read(result: ReadResult, heading: Style) -> Iterator[str]:
    """The text; where there are several contents, each below its URI."""
    for one in result.contents:
        if len(result.contents) > 1:
            yield heading(one["uri"])
        yield one["text"] if "text" in one else json_text(_without_data(one))


def of_prompt(result: RenderedPrompt, heading: Style) -> Iterator[str]:
    """The messages, each below the role that says it."""
    for message in result.messages:
        block = message["content"]
        yield heading(f"{message['role']}:")
        yield block["text"] if block["type"] == "text" else json_text(_without_data(block))


def _says_the_same(block_text: str, structured: Any) -> bool:
    try:
        return bool(json.loads(block_text) == structured)
    except ValueError:
        return False


def _without_data(value: Any) -> Any:
    """A block for a terminal: the length of its bytes in the place of them."""
    if not isinstance(value, Mapping):
        return value
    return {
        key: f"{len(part)} characters of base64" if key in ("data", "blob") else _without_data(part)
        for key, part in value.items()
    }
