"""Values that JSON or the schema refuses, and those that need care."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from typing import (
    Any,
)

import pytest
from django.http import HttpResponse
from django.utils.functional import SimpleLazyObject

from mcp_django.schema.errors import InvalidResult
from mcp_django.schema.results import ToolResult, to_json
from tests.schema.returned import (
    IMAGE,
    Book,
    Partial,
    Plain,
    Receipt,
    Row,
    convert,
    texts,
)

OTHERWISE = "return JSON's own types, a dataclass, or give it returns="
NONE_THERE = "None can say that there is none"
LEFT_OUT = "return a content block: Image, Audio or EmbeddedResource"
RAISED = "raise an exception, do not return it"
RESPONSE = "return the data, not a response around it"
ALONE = "a content block stands alone, in a list of blocks, or in ToolResult(content=...)"


@pytest.mark.parametrize(
    ("annotation", "value", "message"),
    [
        (int, "5", 'result: expected integer, got "5"'),
        (int, True, "result: expected integer, got true"),
        (date, "tomorrow", 'result: it is not a "date", got "tomorrow"'),
        (dict[str, list[int]], {"a b": [1, None]}, 'result["a b"][1]: expected integer, got null'),
        (Plain, "c", 'result: expected "a" or "b", got "c"'),
        (Row, {"title": "x"}, 'result: "price" is missing'),
        (tuple[int], [1, 2], "result[1]: nothing is expected here, got 2"),
        (
            list[Book | int],
            [{"kind": "x", "title": "y"}],
            'result[0]: an object fits no alternative: result[0].kind: expected "book", got "x"; '
            "expected integer, got an object",
        ),
        (bool | str, 2**70, f"result: expected boolean or string, got {2**70}"),
    ],
)
def test_what_the_schema_refuses_is_told_with_its_place(
    annotation: Any, value: Any, message: str
) -> None:
    with pytest.raises(InvalidResult) as caught:
        convert(annotation, value)

    assert message in str(caught.value).splitlines()


@pytest.mark.parametrize(
    ("annotation", "value", "path", "problem"),
    [
        (float, float("nan"), "result", f"nan has no JSON form; {NONE_THERE}"),
        (list[float], [1, float("-inf")], "result[1]", f"-inf has no JSON form; {NONE_THERE}"),
        (dict, {"a": [b"x"]}, "result.a[0]", f"bytes has no JSON form: {LEFT_OUT}"),
        (Any, {"a": IMAGE}, "result.a", f"Image has no JSON form: {ALONE}"),
        (Any, [ToolResult()], "result[0]", "ToolResult has no JSON form: return it by itself"),
        (Any, ValueError("x"), "result", f"ValueError has no JSON form: {RAISED}"),
        (dict, {"a": HttpResponse()}, "result.a", f"HttpResponse has no JSON form: {RESPONSE}"),
        (
            str,
            ValueError("x"),
            "result",
            f"expected text or content blocks, got ValueError: {RAISED}",
        ),
        (str, 5, "result", "expected text or content blocks, got int"),
        (Any, Decimal("NaN"), "result", "the decimal NaN cannot be written out in JSON"),
        (
            Any,
            Decimal("1E+999999"),
            "result",
            "the decimal 1E+999999 cannot be written out in JSON",
        ),
        (Any, {(1, 2): 3}, "result", "the key (1, 2) has no JSON form; use strings"),
        (Any, {1: 3, "1": 4}, "result", "two of its keys are the same text in JSON"),
        (Any, 1j, "result", f"complex has no JSON form: {OTHERWISE}"),
        (Any, SimpleLazyObject(dict), "result", f"SimpleLazyObject has no JSON form: {OTHERWISE}"),
        (
            Receipt,
            Receipt(1, date(2026, 1, 2), Decimal("inf")),
            "result.fine",
            "the decimal Infinity cannot be written out in JSON",
        ),
        (
            tuple[int, Decimal],
            (1, Decimal("inf")),
            "result[1]",
            "the decimal Infinity cannot be written out in JSON",
        ),
        (
            Partial,
            {"id": 1, "title": {"x": 1j}},
            "result.title.x",
            f"complex has no JSON form: {OTHERWISE}",
        ),
        (Partial, {"id": 1, "other": 1j}, "result.other", f"complex has no JSON form: {OTHERWISE}"),
        (list[int], 1j, "result", f"complex has no JSON form: {OTHERWISE}"),
        (dict[str, int], 1j, "result", f"complex has no JSON form: {OTHERWISE}"),
        (Receipt, 1j, "result", f"complex has no JSON form: {OTHERWISE}"),
        (Partial, 1j, "result", f"complex has no JSON form: {OTHERWISE}"),
        (tuple[int], 1j, "result", f"complex has no JSON form: {OTHERWISE}"),
    ],
)
def test_what_json_lacks_is_told_with_its_place(
    annotation: Any, value: Any, path: str, problem: str
) -> None:
    with pytest.raises(InvalidResult) as caught:
        convert(annotation, value)

    assert str(caught.value) == f"{path}: {problem}"


def test_several_problems_are_told_at_once_but_not_all() -> None:
    with pytest.raises(InvalidResult) as caught:
        convert(list[int], ["a", "b", "c" * 100, "d"])

    assert str(caught.value).splitlines() == [
        'result[0]: expected integer, got "a"',
        'result[1]: expected integer, got "b"',
        f'result[2]: expected integer, got "{"c" * 58}…',
        "(and more)",
    ]


def test_a_value_that_holds_itself_is_refused() -> None:
    loop: list[Any] = []
    loop.append(loop)

    for make in (lambda: convert(list, loop), lambda: to_json(loop)):
        with pytest.raises(InvalidResult, match="nested too deeply, or holds itself"):
            make()


def test_depth_beyond_orjson_is_no_crash() -> None:
    deep: Any = 1
    for _ in range(300):
        deep = [deep]

    assert texts(convert(Any, deep)) == ["[" * 300 + "1" + "]" * 300]


def test_integers_beyond_64_bits_keep_their_digits() -> None:
    outcome = convert(dict[str, int], {"n": 2**64, "é": -(2**70)})

    assert texts(outcome) == [f'{{"n":{2**64},"é":{-(2**70)}}}']
    assert outcome.structured == {"n": 2**64, "é": -(2**70)}
    with pytest.raises(InvalidResult, match="cannot be written as JSON"):
        convert(int, 10**5000)


def test_structured_strings_are_cleaned_too() -> None:
    outcome = convert(Any, {"a\x00": ["\x1bred\x7f", "\ud800", "ok\n\u0085"]})

    assert outcome.structured == {"a": ["red", "\ufffd", "ok\n"]}
    assert texts(outcome) == ['{"a":["red","\ufffd","ok\\n"]}']
    assert convert(list[str], ["del\x7f", "\u0085\u00a0"]).structured == ["del", "\u00a0"]
