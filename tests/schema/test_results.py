"""Results: text, blocks, ``ToolResult``, and what the value alone decides."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Coroutine, Generator, Iterable, Iterator
from datetime import date
from decimal import Decimal
from typing import (
    Annotated,
    Any,
    NewType,
)

import pytest
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext_lazy

from mcp_django.protocol.content import Block, EmbeddedResource, Image, ResourceLink, Text
from mcp_django.schema.errors import InvalidResult
from mcp_django.schema.results import ABSENT, Outcome, ToolResult, result_rule
from tests.schema.returned import (
    EMPTY,
    IMAGE,
    Film,
    Page,
    Plain,
    Receipt,
    Row,
    Size,
    Status,
    convert,
    texts,
)

# Text and blocks: no schema, no structured content.


@pytest.mark.parametrize(
    ("annotation", "value", "content"),
    [
        (None, None, ()),
        (str, "a <b> & c", (Text("a <b> & c"),)),
        (str, "a\x00\x1b[1mb\n\ud800", (Text("a[1mb\n\ufffd"),)),
        (SafeString, mark_safe("<i>"), (Text("<i>"),)),
        (str, Status.OPEN, (Text("open"),)),
        (str, gettext_lazy("Yes"), (Text("Yes"),)),
        (str | None, None, ()),
        (NewType("Slug", str), "x", (Text("x"),)),
        (Image, IMAGE, (IMAGE,)),
        (Image | None, None, ()),
        (Text | Image | str, "x", (Text("x"),)),
        (list[Image], [IMAGE, IMAGE], (IMAGE, IMAGE)),
        (list[Block], [], ()),
        (list[Text | Image] | None, [Text("x"), IMAGE], (Text("x"), IMAGE)),
        (list[str | Image], ["x", IMAGE], (Text("x"), IMAGE)),
        (tuple[Text, ...], (Text("x"),), (Text("x"),)),
        (Iterator[Text], iter([Text("x")]), (Text("x"),)),
        (Generator[Image, None, int], iter([IMAGE]), (IMAGE,)),
        (ResourceLink | EmbeddedResource, ResourceLink("a:b", "b"), (ResourceLink("a:b", "b"),)),
    ],
)
def test_text_and_blocks_are_content_alone(
    annotation: Any, value: Any, content: tuple[Block, ...]
) -> None:
    assert result_rule(annotation, name="tool").schema is None
    assert convert(annotation, value) == Outcome(content, ABSENT)


def test_what_is_neither_text_nor_blocks_is_refused_where_these_were_promised() -> None:
    with pytest.raises(InvalidResult, match=r"^result: expected text or content blocks, got int$"):
        convert(str, 5)
    with pytest.raises(InvalidResult, match="got list"):
        convert(list[Image], [IMAGE, 5])


# Judged by the value.


@pytest.mark.parametrize("annotation", [EMPTY, Any, object, Annotated[Any, "Whatever."]])
@pytest.mark.parametrize(
    ("value", "content", "structured"),
    [
        (None, (), ABSENT),
        ("x", (Text("x"),), ABSENT),
        (gettext_lazy("Yes"), (Text("Yes"),), ABSENT),
        (IMAGE, (IMAGE,), ABSENT),
        ([IMAGE, "x"], (IMAGE, Text("x")), ABSENT),
        (["x"], (Text('["x"]'),), ["x"]),
        ([], (Text("[]"),), []),
        (5, (Text("5"),), 5),
        (Plain.A, (Text('"a"'),), "a"),
        (Film("film", "x"), (Text('{"kind":"film","title":"x"}'),), {"kind": "film", "title": "x"}),
        (Status.OPEN, (Text("open"),), ABSENT),
        (
            {"a": Row("t", Decimal(1))},
            (Text('{"a":{"title":"t","price":"1"}}'),),
            {"a": {"title": "t", "price": "1"}},
        ),
        ({1: Size.LARGE, None: 1.5}, (Text('{"1":2,"null":1.5}'),), {"1": 2, "null": 1.5}),
        ({"s": {Plain.B, Plain.A}}, (Text('{"s":["a","b"]}'),), {"s": ["a", "b"]}),
        (
            {"s": {frozenset({2, 1}), frozenset({0})}},
            (Text('{"s":[[0],[1,2]]}'),),
            {"s": [[0], [1, 2]]},
        ),
    ],
)
def test_without_a_type_the_value_decides(
    annotation: Any, value: Any, content: tuple[Block, ...], structured: Any
) -> None:
    rule = result_rule(annotation, name="tool")

    assert rule.schema is None
    assert rule.convert(value) == Outcome(content, structured)


def test_a_generator_without_a_type_is_read() -> None:
    assert convert(Any, (n for n in (1, 2))).structured == [1, 2]
    assert convert(Any, (Text(t) for t in "ab")).content == (Text("a"), Text("b"))


# Awaitables.


@pytest.mark.parametrize(
    "annotation",
    [
        Awaitable[int],
        Coroutine[Any, Any, int],
        asyncio.Future[int],
        Awaitable[Coroutine[Any, Any, asyncio.Task[int]]],
        Annotated[Awaitable[Annotated[int, "x"]], "y"],
        int | Awaitable[int],
    ],
)
def test_an_awaitable_is_what_it_gives(annotation: Any) -> None:
    rule = result_rule(annotation, name="tool")

    assert rule.schema is not None
    assert rule.schema["type"] == "integer"
    assert rule.convert(3).structured == 3


def test_an_awaitable_of_text_is_text() -> None:
    assert convert(Awaitable[str | None], "x") == Outcome((Text("x"),))


# ToolResult.


def test_a_tool_result_is_as_built() -> None:
    result = ToolResult(["a", IMAGE], {"due": date(2026, 1, 2)}, meta={"example.com/k": {1}})

    outcome = convert(ToolResult, result)

    assert outcome == Outcome(
        (Text("a"), IMAGE), {"due": "2026-01-02"}, False, {"example.com/k": [1]}
    )
    assert outcome.encoded == b'{"due":"2026-01-02"}'


def test_structured_content_without_a_text_brings_its_json() -> None:
    assert texts(convert(ToolResult, ToolResult(structured=[1]))) == ["[1]"]
    assert convert(ToolResult, ToolResult()) == Outcome(())


def test_an_error_is_an_ordinary_answer() -> None:
    error = ToolResult.error("Input must not be blank", structured={"field": "title"})

    for annotation in (ToolResult, Receipt | ToolResult, str, int, Any):
        assert convert(annotation, error) == Outcome(
            (Text("Input must not be blank"),), {"field": "title"}, is_error=True
        )


def test_a_union_with_tool_result_has_the_schema_of_the_rest() -> None:
    rule = result_rule(Row | None | ToolResult, name="tool")

    assert rule.schema == result_rule(Row | None, name="tool").schema
    held = ToolResult("One.", Row("x", Decimal(1)))
    assert rule.convert(held).structured == {"title": "x", "price": "1"}
    assert rule.convert(ToolResult("None.")) == Outcome((Text("None."),), None)
    with pytest.raises(InvalidResult, match=r'^result: "price" is missing$'):
        rule.convert(ToolResult("One.", {"title": "x"}))


def test_a_schema_means_structured_content_or_an_error() -> None:
    with pytest.raises(InvalidResult, match="no structured content: expected object, got null"):
        convert(Row | ToolResult, ToolResult("Forgotten"))


def test_content_must_be_text_or_blocks() -> None:
    with pytest.raises(InvalidResult, match="content as text, a block, or a list"):
        convert(ToolResult, ToolResult([5]))  # type: ignore[list-item]


# What may block.


@pytest.mark.parametrize(
    ("annotation", "blocks"),
    [
        (int, False),
        (Receipt, False),
        (list[Receipt], False),
        (Any, False),
        (str, False),
        (Iterable[int], True),
        (Page[Iterator[int]], True),
        (Iterator[Text], True),
    ],
)
def test_a_generator_may_block(annotation: Any, blocks: bool) -> None:
    assert result_rule(annotation, name="tool").blocks is blocks


def test_absent_is_nothing_and_says_so() -> None:
    assert not ABSENT
    assert repr(ABSENT) == "ABSENT"
