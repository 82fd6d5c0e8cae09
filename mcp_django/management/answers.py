"""What a server answered, as a terminal shows it."""

from __future__ import annotations

import base64
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


def file_of(result: ReadResult) -> bytes:
    """The bytes of the only content, text as UTF-8; ``ValueError`` for none or several."""
    if len(result.contents) != 1:
        raise ValueError(f"It has {len(result.contents)} contents, and a file takes one.")
    (one,) = result.contents
    return result.data if "blob" in one else str(one["text"]).encode()


def _without_data(block: Mapping[str, Any]) -> dict[str, Any]:
    """A block for a terminal: how many bytes it has in the place of them."""
    shown = {**block}
    for key in ("data", "blob"):
        if key in shown:
            shown[key] = in_bytes(len(base64.b64decode(shown[key])))
    if "resource" in shown:  # embedded
        shown["resource"] = _without_data(shown["resource"])
    return shown


def in_bytes(number: int) -> str:
    """``1 byte``, ``3 bytes``."""
    return f"{number} byte" if number == 1 else f"{number} bytes"
