"""Flows and the driver that runs them in a thread."""

from __future__ import annotations

import asyncio
from collections.abc import Generator
from contextvars import ContextVar
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.utils.functional import SimpleLazyObject

from mcp_django.invocation.flows import BLOCKING, run, settle

seen: ContextVar[str] = ContextVar("seen", default="")


async def value(of: Any) -> Any:
    await asyncio.sleep(0)
    return of


class Awaitable:
    def __await__(self) -> Generator[Any, Any, str]:
        yield from asyncio.sleep(0).__await__()
        return "awaited"


def test_a_flow_without_a_yield_is_just_called() -> None:
    def flow() -> Any:
        return 3
        yield

    assert run(flow()) == 3


def test_blocking_asks_for_nothing() -> None:
    def flow() -> Any:
        assert (yield BLOCKING) is None
        return "done"

    assert run(flow()) == "done"
    assert repr(BLOCKING) == "BLOCKING"


@pytest.mark.parametrize(
    ("given", "settled"),
    [
        (lambda: 1, 1),
        (lambda: value(2), 2),
        (lambda: value(value(value(3))), 3),
        (Awaitable, "awaited"),
        (lambda: value(Awaitable()), "awaited"),
    ],
)
def test_awaitables_are_peeled(given: Any, settled: Any) -> None:
    assert run(settle(given())) == settled


def test_a_nested_task_is_awaited_in_the_loop_that_made_it() -> None:
    async def started() -> Any:
        return asyncio.create_task(value(4))

    assert run(settle(started())) == 4


def test_a_lazy_object_is_not_asked_whether_it_is_awaitable() -> None:
    def asked() -> Any:
        raise AssertionError("asked")

    lazy = SimpleLazyObject(asked)
    assert run(settle(lazy)) is lazy
    assert run(settle(value(lazy))) is lazy


def test_what_an_awaitable_raises_arrives_in_the_flow() -> None:
    async def fails() -> None:
        raise LookupError("x")

    def flow() -> Any:
        try:
            yield fails()
        except LookupError:
            return (yield from settle(value("recovered")))

    assert run(flow()) == "recovered"


@pytest.mark.parametrize("error", [LookupError, KeyboardInterrupt, SystemExit])
def test_what_a_flow_raises_leaves_it(error: type[BaseException]) -> None:
    cleaned = []

    def flow() -> Any:
        try:
            yield BLOCKING
            raise error
        finally:
            cleaned.append(True)

    with pytest.raises(error):
        run(flow())
    assert cleaned == [True]


def test_context_variables_cross_both_ways() -> None:
    async def change() -> None:
        assert seen.get() == "flow"
        seen.set("awaitable")

    def flow() -> Any:
        seen.set("flow")
        yield change()
        return seen.get()

    assert run(flow()) == "awaitable"


def test_a_generator_exit_of_a_thread_does_not_close_the_flow() -> None:
    def ends() -> None:
        raise GeneratorExit

    async def calls() -> None:
        await sync_to_async(ends)()

    def flow() -> Any:
        try:
            yield calls()
        except RuntimeError as error:
            return str(error), type(error.__cause__)

    assert run(flow()) == ("GeneratorExit", GeneratorExit)
