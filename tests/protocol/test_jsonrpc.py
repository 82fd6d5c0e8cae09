"""Bodies: read within limits, whatever they hold."""

from __future__ import annotations

import json

import orjson
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from mcp_django.protocol.errors import MCPError
from mcp_django.protocol.jsonrpc import Message, error_body, message, parse, readable_id

values = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)


def depth(value: object) -> int:
    children = value.values() if isinstance(value, dict) else value
    if not isinstance(value, dict | list):
        return 0
    return 1 + max(map(depth, children), default=0)  # type: ignore[arg-type]


def members(value: object) -> int:
    if not isinstance(value, dict | list):
        return 0
    children = list(value.values() if isinstance(value, dict) else value)
    return len(children) + sum(map(members, children))


@given(values, st.integers(1, 5), st.integers(1, 20))
def test_the_limits_are_exact(value: object, max_depth: int, max_members: int) -> None:
    within = depth(value) <= max_depth and members(value) <= max_members
    body = orjson.dumps(value)
    if within:
        assert parse(body, max_depth, max_members) == value
    else:
        with pytest.raises(MCPError) as refused:
            parse(body, max_depth, max_members)
        assert (refused.value.code, refused.value.status) == (-32600, 400)


@given(st.integers(-(10**60), 10**60), st.text(max_size=7))
@example(2**64 - 1, "")
@example(2**64, "")
@example(-(2**63) - 1, "")
def test_integers_are_exact(number: int, before: str) -> None:
    body = json.dumps({before: [number, 1.5, before]}).encode()
    assert parse(body, 9, 9) == {before: [number, 1.5, before]}
    assert type(parse(body, 9, 9)[before][0]) is int


def test_digits_that_are_no_integer_are_left_alone() -> None:
    assert parse(b'["12345678901234567890", 0.12345678901234567890]', 9, 9) == [
        "12345678901234567890",
        0.12345678901234568,
    ]
    assert parse(b"9" * 400, 9, 9) == int("9" * 400)  # too much for a float


@pytest.mark.parametrize(
    ("body", "code"),
    [
        (b"[1e400]", -32600),
        (b"[-1e400]", -32600),
        (b"9" * 5000, -32600),
        (b"[" * 1100 + b"]" * 1100, -32600),
        (b"[" * 3000 + b"]" * 3000, -32600),
        (b'{"a":' * 3000 + b"1" + b"}" * 3000, -32600),
        (b"[" * 200_000 + b"]" * 200_000, -32600),
        (b"[1e400, NaN]", -32700),
        (b"[1e400", -32700),
        (b"[-Infinity]", -32700),
        (b'["\\ud800"]', -32700),
        (b"\xff\xfe[\x001\x00]\x00", -32700),
        (b"\xef\xbb\xbf1", -32700),
        (b"01", -32700),
    ],
)
def test_beyond_a_limit_is_not_malformed(body: bytes, code: int) -> None:
    with pytest.raises(MCPError) as refused:
        parse(body, 64, 10_000)
    assert (refused.value.code, refused.value.status) == (code, 400)


def test_brackets_in_a_lone_string_are_not_depth() -> None:
    assert parse(b'"[[[,,,"', 2, 2) == "[[[,,,"


@pytest.mark.parametrize("found", [2**64, -(2**63) - 1])
def test_an_id_that_cannot_be_written_is_refused_and_not_echoed(found: int) -> None:
    with pytest.raises(MCPError):
        message({"jsonrpc": "2.0", "id": found, "method": "ping"})
    assert readable_id({"id": found}) is None


@given(values)
def test_any_json_is_a_message_or_an_invalid_request(value: object) -> None:
    refused = None
    try:
        read = message(value)
    except MCPError as error:
        refused = error
    if refused is None:
        assert isinstance(read, Message)
    else:
        assert (refused.code, refused.status) == (-32600, 400)


@pytest.mark.parametrize(
    ("value", "found"),
    [({"id": 1}, 1), ({"id": "x"}, "x"), ({"id": None}, None), ({"id": True}, None), ([], None)],
)
def test_the_id_that_can_be_read(value: object, found: object) -> None:
    assert readable_id(value) == found


def test_an_error_without_an_id_has_none() -> None:
    error = MCPError(-32700, "Bad.", data={"x": 1})
    assert orjson.loads(error_body(None, error)) == {
        "jsonrpc": "2.0",
        "error": {"code": -32700, "message": "Bad.", "data": {"x": 1}},
    }
    assert str(error) == "Bad. (-32700)"
