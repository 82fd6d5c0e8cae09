"""Files that a result holds are closed, also where something else in it cannot be sent."""

from __future__ import annotations

import inspect
import io
from typing import Any

import pytest

from mcp_django.protocol.content import Image
from mcp_django.protocol.contents import ResourceContents
from mcp_django.protocol.messages import PromptMessage, PromptResult
from mcp_django.schema.errors import InvalidResult
from mcp_django.schema.results import ToolResult, result_rule
from mcp_django.schema.returning.contents import contents_rule
from mcp_django.schema.returning.messages import messages_rule

EMPTY = inspect.Signature.empty


@pytest.fixture
def photo() -> io.BytesIO:
    return io.BytesIO(b"\x89PNG")


def refused_and_closed(convert: Any, value: Any, photo: io.BytesIO) -> None:
    with pytest.raises(InvalidResult):
        convert(value)
    assert photo.closed


@pytest.mark.parametrize("other", [5, None, {"a": 1}, [1, 2]])
def test_of_a_tool(photo: io.BytesIO, other: Any) -> None:
    convert = result_rule(list[Image], name="f").convert
    refused_and_closed(convert, [Image(photo, "image/png"), other], photo)


@pytest.mark.parametrize("other", [5, {"a": 1}])
def test_of_a_result_by_hand(photo: io.BytesIO, other: Any) -> None:
    convert = result_rule(ToolResult, name="f").convert
    refused_and_closed(convert, ToolResult([Image(photo, "image/png"), other]), photo)


@pytest.mark.parametrize("by_hand", [False, True])
@pytest.mark.parametrize("other", [5, {"a": 1}, None])
def test_of_a_prompt(photo: io.BytesIO, other: Any, by_hand: bool) -> None:
    convert = messages_rule(EMPTY, name="f").convert
    image = Image(photo, "image/png")
    refused_and_closed(convert, [PromptMessage(image) if by_hand else image, other], photo)


def test_of_a_prompt_whose_meta_cannot_be_sent(photo: io.BytesIO) -> None:
    convert = messages_rule(EMPTY, name="f").convert
    result = PromptResult(Image(photo, "image/png"), meta={"example.com/a": object()})
    refused_and_closed(convert, result, photo)


def test_of_a_resource(photo: io.BytesIO) -> None:
    convert = contents_rule(EMPTY, mime_type=None, uri="a://b", name="f").convert
    refused_and_closed(convert, [ResourceContents(data=photo), 5], photo)
