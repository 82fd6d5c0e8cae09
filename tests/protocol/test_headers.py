"""Header values: their base64 form, and what a client accepts."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcp_django.protocol.headers import acceptance, accepts, decode, encode, is_header_name


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("us-west1", "us-west1"),
        ("Hello, 世界", "=?base64?SGVsbG8sIOS4lueVjA==?="),
        (" padded ", "=?base64?IHBhZGRlZCA=?="),
        ("line1\nline2", "=?base64?bGluZTEKbGluZTI=?="),
        ("=?base64?literal?=", "=?base64?PT9iYXNlNjQ/bGl0ZXJhbD89?="),
        ("", ""),
    ],
)
def test_the_examples_of_the_specification(text: str, value: str) -> None:
    assert encode(text) == value
    assert decode(value) == text


@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_every_text_survives(text: str) -> None:
    value = encode(text)
    assert value.isascii()
    assert decode(f" {value}\t") == text


@pytest.mark.parametrize("value", ["=?base64?!?=", "=?base64?/w==?=", "é", "a\x00b", "a\x7fb"])
def test_a_malformed_value_is_none(value: str) -> None:
    assert decode(value) is None


def test_the_markers_mind_their_case() -> None:
    assert decode("=?BASE64?YQ==?=") == "=?BASE64?YQ==?="


@pytest.mark.parametrize(
    ("accept", "json", "stream"),
    [
        (None, 1.0, 1.0),
        ("", 1.0, 1.0),
        ("*/*", 1.0, 1.0),
        ("application/json", 1.0, 0.0),
        ("application/json;q=0.5, text/*", 0.5, 1.0),
        ("application/json; Q=0, */*", 0.0, 1.0),
        ("APPLICATION/JSON", 1.0, 0.0),
        ("text/html;q=nonsense", 0.0, 0.0),
        ("application/json;q=7", 1.0, 0.0),
        ("application/json;q=nan", 0.0, 0.0),
        ("application/json;q=inf, */*;q=.5", 0.0, 0.5),
        ("application/json;q=1_0", 0.0, 0.0),
        ("application/json;q= 0.5 ", 0.5, 0.0),
        ("application/json-seq, application/jsonfoo", 0.0, 0.0),
        ("application/json;charset=utf-8;q=0.3", 0.3, 0.0),
        (",,", 1.0, 1.0),
    ],
)
def test_accept(accept: str | None, json: float, stream: float) -> None:
    ranges = acceptance(accept)
    assert accepts(ranges, "application/json") == json
    assert accepts(ranges, "text/event-stream") == stream


def test_header_names() -> None:
    assert is_header_name("Dry-Run2")
    assert not any(is_header_name(name) for name in ("", "a b", "a_b", "é", "a:b", "a\n"))
