"""Batches: in 2025-03-26 alone, one answer for each request and each bad entry."""

from __future__ import annotations

from typing import Any

import orjson
import pytest
from django.test import override_settings

from mcp_django import Context, CurrentUser
from mcp_django.dispatch.dispatcher import LEGACY
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


def test_notifications_have_no_answer_whatever_they_hold(wire: Wire) -> None:
    bad = [
        {"jsonrpc": "2.0", "method": "initialize"},
        {"jsonrpc": "2.0", "method": "nope", "params": {"_meta": META}},
    ]
    assert [answer["id"] for answer in wire.send([*bad, ping(1)]).json()] == [1]
    assert wire.send(bad).status_code == 202


def test_each_entry_has_a_context_of_its_own(wire: Wire, register: Any) -> None:
    def told(context: Context) -> Any:
        """What this entry says of itself."""
        before, context.mark = getattr(context, "mark", None), "seen"  # type: ignore[attr-defined]
        return [context.meta.get("traceparent"), before, str(context.request.user)]

    register(told)
    calls = [
        {
            **ping(number),
            "method": "tools/call",
            "params": {"name": "told", "_meta": {"traceparent": f"trace {number}"}},
        }
        for number in (1, 2)
    ]
    calls.append({**ping(3), "method": "tools/call", "params": {"name": "told"}})
    texts = [answer["result"]["content"][0]["text"] for answer in wire.send(calls).json()]
    assert [orjson.loads(text) for text in texts] == [
        ["trace 1", None, "AnonymousUser"],
        ["trace 2", None, "AnonymousUser"],
        [None, None, "AnonymousUser"],
    ]


def test_a_bug_in_one_entry_is_that_entrys(
    wire: Wire, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(*args: Any) -> Any:
        raise RuntimeError("secret")

    monkeypatch.setattr("mcp_django.transports.batches.judged", broken)
    answers = wire.send([ping(1), 5]).json()
    assert [(answer.get("id"), answer["error"]["code"]) for answer in answers] == [
        (1, -32603),
        (None, -32600),
    ]
    assert "secret" in caplog.text


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


@pytest.fixture
def touched(register: Any) -> list[str]:
    """What the tool ``touch`` has done so far; ``mine`` is for whoever is signed in."""
    done: list[str] = []

    def touch() -> str:
        """Touch."""
        done.append("touched")
        return "ok"

    def mine(user: CurrentUser) -> str:
        """Mine."""
        return "x"

    register(touch)
    register(mine)
    return done


def called(name: str, id: Any) -> dict[str, Any]:  # noqa: A002
    return {**ping(id), "method": "tools/call", "params": {"name": name}}


def test_a_batch_that_is_refused_has_done_nothing(wire: Wire, touched: list[str]) -> None:
    with override_settings(MCP_DJANGO={}):
        response = wire.send([called("touch", 1), called("mine", 2)])
    assert error_of(response) == (401, -32600)
    assert touched == []


def test_an_entry_that_is_wrong_stops_no_other(wire: Wire, touched: list[str]) -> None:
    answers = wire.send([called("touch", 1), called("nope", 2), called("touch", 3)]).json()
    assert [(one["id"], one.get("error", {}).get("code")) for one in answers] == [
        (1, None),
        (2, -32602),
        (3, None),
    ]
    assert touched == ["touched", "touched"]


def test_what_fails_while_it_runs_is_that_entrys(
    wire: Wire, touched: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    listed = {**ping(1), "method": "tools/list", "params": {"cursor": "x"}}

    def unwritable(*args: Any) -> Any:
        yield from ()
        return {"at": object()}

    monkeypatch.setitem(LEGACY, "ping", unwritable)
    answers = wire.send([listed, ping(2), 5]).json()
    assert [(one.get("id"), one["error"]["code"]) for one in answers] == [
        (1, -32602),
        (2, -32603),
        (None, -32600),
    ]
