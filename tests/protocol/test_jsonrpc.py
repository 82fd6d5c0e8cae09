"""Bodies: read within limits, whatever they hold."""

from __future__ import annotations

import orjson
import pytest
from hypothesis import given
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
