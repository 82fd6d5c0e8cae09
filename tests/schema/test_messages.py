"""What prompts return, as messages."""

from __future__ import annotations

import inspect
import io
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Generator, Iterable, Iterator, Sequence
from typing import Annotated, Any, BinaryIO, Literal, LiteralString, Never, NewType, TextIO

import pytest
from django.db.models import QuerySet, TextChoices
from django.test import override_settings
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext_lazy

from mcp_django.protocol.content import Block, EmbeddedResource, Image, ResourceLink, Text
from mcp_django.protocol.messages import PromptMessage, PromptResult
from mcp_django.protocol.versions import V2026_07_28
from mcp_django.schema.errors import DeclarationError, InvalidResult
from mcp_django.schema.returning.messages import messages_rule
from tests.app.models import Book
from tests.schema.returned import EMPTY, IMAGE, Receipt


class Level(TextChoices):
    CHILD = "child"


def convert(annotation: Any, value: Any) -> PromptResult:
    return messages_rule(annotation, name="reading_list").convert(value)


def sent(annotation: Any, value: Any) -> Any:
    return convert(annotation, value).to_wire(V2026_07_28)["messages"]


def said(text: str, role: str = "user") -> dict[str, Any]:
    return {"role": role, "content": {"type": "text", "text": text}}


@pytest.mark.parametrize(
    ("annotation", "value"),
    [
        (str, "a"),
        (EMPTY, "a"),
        (Any, "a"),
        (object, ["a"]),
        (SafeString, mark_safe("a")),
        (LiteralString, "a"),
        (Literal["a", "b"], "a"),
        (NewType("Slug", str), "a"),
        (Annotated[str, "The prompt."], "a"),
        (str | None, "a"),
        (Awaitable[str], "a"),
        (Text, Text("a")),
        (Block, Text("a")),
        (PromptMessage, PromptMessage("a")),
        (PromptResult, PromptResult("a")),
        (PromptResult, PromptResult([PromptMessage("a")])),
        (str | PromptMessage | PromptResult, "a"),
        (list, ["a"]),
        (list[str], ["a"]),
        (list[PromptMessage | str | Text], [PromptMessage("a")]),
        (tuple[str, ...], ("a",)),
        (tuple[PromptMessage], (PromptMessage("a"),)),
        (Sequence[str], deque(["a"])),
        (Iterable[str], {1: "a"}.values()),
        (Iterator[Text], iter([Text("a")])),
        (Generator[PromptMessage, int, int], (PromptMessage(text) for text in "a")),
    ],
)
def test_what_becomes_one_message_by_the_user(annotation: Any, value: Any) -> None:
    assert sent(annotation, value) == [said("a")]


def test_lazy_texts_and_choices_are_texts() -> None:
    assert sent(str, gettext_lazy("Yes")) == [said("Yes")]
    assert sent(Level, Level.CHILD) == [said("child")]


def test_several_messages_in_order_and_of_any_kind() -> None:
    value = ["a", PromptMessage("b", "assistant"), IMAGE, ResourceLink("a:b", "c")]

    assert [message["content"]["type"] for message in sent(EMPTY, value)] == [
        "text",
        "text",
        "image",
        "resource_link",
    ]
    assert sent(EMPTY, value)[1] == said("b", "assistant")


def test_a_whole_result_keeps_what_is_beside_its_messages() -> None:
    result = convert(EMPTY, PromptResult(["a"], "For children", {"example.com/levels": {1}}))

    assert result.to_wire(V2026_07_28) == {
        "description": "For children",
        "messages": [said("a")],
        "_meta": {"example.com/levels": [1]},
    }


def test_the_files_of_messages_are_read() -> None:
    def picture(size: int) -> Image:
        return Image(io.BytesIO(b"x" * size), "image/png")

    value = ["Look:", picture(3), PromptMessage(picture(3), "assistant")]

    assert [message["content"].get("data") for message in sent(EMPTY, value)] == [
        None,
        "eHh4",
        "eHh4",
    ]
    with override_settings(MCP_DJANGO={"MAX_RESULT_BYTES": 1000}):
        with pytest.raises(InvalidResult, match="The file has 751 bytes, more than the 750"):
            convert(EMPTY, picture(751))
        with pytest.raises(InvalidResult, match="The files of this result are together more"):
            convert(EMPTY, [picture(600), picture(600)])


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (None, r"^reading_list returned nothing\. A prompt returns a text"),
        ([], "^reading_list returned nothing"),
        (PromptResult([]), "^reading_list returned nothing"),
        ({"role": "user", "content": "a"}, r"returned dict: a message is PromptMessage\(content"),
        (["a", {"role": "user"}], r"^result\[1\]: a message is PromptMessage\(content, role\)"),
        (["a", None], r"^result\[1\]: a message is no NoneType; it is a text"),
        ([["a"]], r"^result\[0\]: a message is no list; it is a text"),
        (5, "^reading_list returned int: a prompt returns a text, a content block"),
        (b"a", "^reading_list returned bytes: "),
        ({"a"}, "^reading_list returned set: "),
        (io.StringIO("a\nb"), "^reading_list returned StringIO: "),
        (Book.objects.all(), "^reading_list returned QuerySet: "),
        (Receipt(1, None), "^reading_list returned Receipt: "),  # type: ignore[arg-type]
    ],
)
def test_what_is_no_message(value: Any, words: str) -> None:
    with pytest.raises(InvalidResult, match=words):
        convert(EMPTY, value)


def test_an_async_generator_is_no_list() -> None:
    async def messages() -> AsyncIterator[str]:
        yield "a"

    with pytest.raises(InvalidResult, match="returned an async generator: return a list"):
        convert(EMPTY, messages())


@pytest.mark.parametrize(
    ("annotation", "words"),
    [
        (None, r"reading_list returns nothing, and a prompt gives messages\. Return a text"),
        (Never, "returns nothing"),
        (int, r"^No message comes from int\. Return a text, a content block, PromptMessage"),
        (dict, r"^No message comes from dict\. Write PromptMessage\(content, role\)\.$"),
        (dict[str, str], r"dict\[str, str\]\. Write PromptMessage"),
        (list[dict[str, str]], r"^No message comes from list\[dict\[str, str\]\]"),
        (str | int, "from int"),
        (bytes, "from bytes"),
        (Book, "from Book"),
        (Receipt, "from Receipt"),
        (BinaryIO, "from BinaryIO"),
        (TextIO, "from TextIO"),
        (QuerySet, "from QuerySet"),
        (bytearray, "from bytearray"),
        (set[str], r"from set\[str\]"),
        (Literal["a", 5], r"from Literal\['a', 5\]"),
        (list[int], r"from list\[int\]"),
        (AsyncIterator[str], "from AsyncIterator"),
        (inspect.Signature, "from Signature"),
        (Awaitable, "does not say of what"),
    ],
)
def test_types_that_no_message_comes_from(annotation: Any, words: str) -> None:
    with pytest.raises(DeclarationError, match=words):
        messages_rule(annotation, name="reading_list")


@pytest.mark.parametrize(
    ("annotation", "blocks"),
    [
        (str, False),
        (LiteralString, False),
        (Literal["a"], False),
        (list[str], False),
        (list[Text | ResourceLink | str] | None, False),
        (tuple[str, ...], False),
        (Iterator[str], True),
        (list, True),
        (Any, True),
        (EMPTY, True),
        (Image, True),
        (list[EmbeddedResource], True),
        (PromptMessage, True),
        (PromptResult, True),
    ],
)
def test_what_may_hold_a_file_may_block(annotation: Any, blocks: bool) -> None:
    assert messages_rule(annotation, name="reading_list").blocks is blocks
