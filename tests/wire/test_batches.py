"""Batches: in 2025-03-26 alone, one answer for each request and each bad entry."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import override_settings

from tests.wire.conftest import META, Wire, error_of

pytestmark = pytest.mark.usefixtures("open_endpoint")

NOTE = {"jsonrpc": "2.0", "method": "notifications/initialized"}


def ping(id: Any) -> dict[str, Any]:  # noqa: A002
    return {"jsonrpc": "2.0", "id": id, "method": "ping"}


@pytest.mark.parametrize("version", ["2025-03-26", None])
def test_each_entry_is_answered_in_order(wire: Wire, version: str | None) -> None:
    bad = [{"jsonrpc": "2.0", "id": 3, "method": 7}, 5, []]
    initialize = {**ping(4), "method": "initialize", "params": {"protocolVersion": "2025-03-26"}}
    modern = {**ping(6), "params": {"_meta": META}}
    entries = [ping("a"), NOTE, *bad, initialize, {**ping(5), "method": "nope"}, modern]
    answers = wire.send(entries, MCP_Protocol_Version=version).json()
    assert answers[0] == {"jsonrpc": "2.0", "id": "a", "result": {}}
    told = [(answer.get("id"), answer["error"]["code"]) for answer in answers[1:]]
    assert told == [
        (3, -32600),
        (None, -32600),
        (None, -32600),
        (4, -32600),
        (5, -32601),
        (6, -32600),
    ]
    assert all("id" not in answer for answer in answers[2:4])


def test_only_notifications_and_responses_are_202(wire: Wire) -> None:
    response = wire.send([NOTE, {"jsonrpc": "2.0", "id": 1, "result": {}}])
    assert (response.status_code, response.content) == (202, b"")


@pytest.mark.parametrize("version", ["2026-07-28", "2025-11-25", "2025-06-18"])
def test_other_revisions_have_none(wire: Wire, version: str) -> None:
    assert error_of(wire.send([ping(1)], MCP_Protocol_Version=version)) == (400, -32600)


def test_an_empty_batch_is_one_error(wire: Wire) -> None:
    assert error_of(wire.send([])) == (400, -32600)


def test_the_number_is_bounded(wire: Wire) -> None:
    with override_settings(MCP_DJANGO={"AUTHENTICATION_CLASSES": [], "MAX_BATCH": 2}):
        assert wire.send([ping(1), ping(2)]).status_code == 200
        assert error_of(wire.send([ping(1), ping(2), ping(3)])) == (400, -32600)


def test_an_entry_that_needs_sign_in_refuses_the_batch(wire: Wire, register: Any) -> None:
    from mcp_django import CurrentUser

    def mine(user: CurrentUser) -> str:
        """Mine."""
        return "x"

    register(mine)
    call = {**ping(2), "method": "tools/call", "params": {"name": "mine"}}
    with override_settings(MCP_DJANGO={}):
        response = wire.send([ping(1), call])
    assert error_of(response) == (401, -32600)
