"""Calls as flows: when they say that they may block, and what becomes of one that is closed."""

from __future__ import annotations

import asyncio
import io
from collections.abc import Iterator, Mapping
from typing import Any

import pytest
from django.test import RequestFactory

from mcp_django import Image, ToolError, server
from mcp_django.dispatch.methods.completions import judged_complete
from mcp_django.dispatch.methods.lists import list_resources
from mcp_django.dispatch.methods.prompts import judged_get
from mcp_django.dispatch.methods.resources import judged_read
from mcp_django.dispatch.methods.tools import judged_call
from mcp_django.invocation.context import Context
from mcp_django.invocation.flows import BLOCKING, Flow, run
from mcp_django.protocol.versions import LATEST


@pytest.fixture(autouse=True)
def _own_features() -> Iterator[None]:
    with server.registry.isolated():
        yield


def context() -> Context:
    return Context(server, RequestFactory().post("/mcp"), LATEST)


def flow_of(judge: Any, params: Mapping[str, Any]) -> Flow[dict[str, Any]]:
    flow: Flow[dict[str, Any]] = run(judge(params, context()))
    return flow


class Photo(io.BytesIO):
    """A file that notes what is done with it."""

    def __init__(self, done: list[Any]) -> None:
        super().__init__(b"\x89PNG")
        self.done = done

    def read(self, size: int | None = -1, /) -> bytes:
        self.done.append("read")
        return super().read(size)


def driven(flow: Flow[dict[str, Any]], done: list[Any]) -> dict[str, Any]:
    """Run a flow whose awaitables give at once, noting where it says that it may block."""
    asked, send, value = None, flow.send, None
    while True:
        try:
            asked = send(value)
        except StopIteration as stop:
            result: dict[str, Any] = stop.value
            return result
        if asked is BLOCKING:
            done.append(BLOCKING)
            send, value = flow.send, None
            continue
        try:
            value, send = asyncio.run(asked), flow.send
        except Exception as error:  # noqa: BLE001 - for the flow
            value, send = error, flow.throw  # type: ignore[assignment]


def test_a_file_that_an_error_holds_is_read_where_the_call_may_block() -> None:
    done: list[Any] = []

    async def broken() -> str:
        """Broken."""
        raise ToolError("Broken.", content=[Image(Photo(done), "image/png")])

    server.register(broken)
    assert not server.registry.tools["broken"].blocks
    result = driven(flow_of(judged_call, {"name": "broken"}), done)
    assert result["isError"] is True
    assert done[0] is BLOCKING
    assert "read" in done


def test_what_went_well_does_not_block() -> None:
    async def fine() -> str:
        """Fine."""
        return "fine"

    server.register(fine)
    done: list[Any] = []
    driven(flow_of(judged_call, {"name": "fine"}), done)
    assert done == []


async def never() -> str:
    """Never there."""
    raise AssertionError("awaited")


async def of_topic(topic: str) -> str:
    """Of a topic."""
    return topic


async def topics() -> list[str]:
    raise AssertionError("awaited")


CALLS: dict[str, tuple[dict[str, Any], Any, dict[str, Any]]] = {
    "tools/call": ({}, judged_call, {"name": "never"}),
    "prompts/get": ({"kind": "prompt"}, judged_get, {"name": "never"}),
    "resources/read": ({"uri": "library://x"}, judged_read, {"uri": "library://x"}),
}


def closed(flow: Flow[Any]) -> None:
    """Run it to what it awaits, and close it there."""
    asked = next(flow)
    while asked is BLOCKING:
        asked = next(flow)
    if asyncio.iscoroutine(asked):
        asked.close()  # nobody will await it
    flow.close()


@pytest.mark.parametrize("method", CALLS)
def test_a_call_that_is_closed_ends_in_silence(
    method: str, caplog: pytest.LogCaptureFixture
) -> None:
    options, judge, params = CALLS[method]
    server.register(never, **options)
    closed(flow_of(judge, params))
    assert caplog.records == []


def test_a_completion_that_is_closed_does_too(caplog: pytest.LogCaptureFixture) -> None:
    server.register(of_topic, kind="prompt", completers={"topic": topics})
    params = {
        "ref": {"type": "ref/prompt", "name": "of_topic"},
        "argument": {"name": "topic", "value": ""},
    }
    closed(flow_of(judged_complete, params))
    assert caplog.records == []


def test_a_list_that_is_closed_does_too(caplog: pytest.LogCaptureFixture) -> None:
    server.register(of_topic, uri="library://{topic}", instances=topics)
    closed(list_resources({}, context()))
    assert caplog.records == []


def test_whoever_ends_a_call_by_hand_is_answered() -> None:
    def ending() -> str:
        """Ends itself."""
        raise GeneratorExit

    server.register(ending)
    result = run(flow_of(judged_call, {"name": "ending"}))
    assert result["isError"] is True
