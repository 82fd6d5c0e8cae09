"""Flows: one generator a call, and the driver that runs it in a thread.

A flow yields an awaitable, and is sent what it gives; or it yields ``BLOCKING``, which says
"from here on I may block". So every rule is written once, whoever drives it.

Two rules hold for whoever writes one: no savepoint, ``ContextVar`` token or lock is held
across a yield, and nothing is assumed about the thread on the other side of one.
"""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Awaitable, Generator
from types import GeneratorType
from typing import Any, Final, TypeVar

from asgiref.sync import async_to_sync

T = TypeVar("T")

Flow = Generator[Any, Any, T]


class _Blocking:
    def __repr__(self) -> str:
        return "BLOCKING"


BLOCKING: Final = _Blocking()


def settle(value: Any) -> Flow[Any]:
    """The value behind awaitables that are nested to any depth."""
    while is_awaitable(value):
        value = yield value
    return value


def is_awaitable(value: Any) -> bool:
    """Whether to await it. Its type is asked: a lazy object's own answer may block."""
    kind = type(value)
    return hasattr(kind, "__await__") or (kind is GeneratorType and inspect.isawaitable(value))


# What code may end itself with: that ends the call, never the thread that serves it.
ENDINGS = (asyncio.CancelledError, GeneratorExit, SystemExit)


def is_closing(error: BaseException) -> bool:
    """Whether the flow that catches this is being closed, which nobody's code raised.

    What closes a flow is thrown in where it stands, so no frame is behind its own.
    """
    traceback = error.__traceback__
    here_alone = traceback is None or traceback.tb_next is None
    return isinstance(error, GeneratorExit) and here_alone


async def _awaited(awaitable: Awaitable[Any]) -> tuple[Any, BaseException | None]:
    try:
        value = await awaitable
        while is_awaitable(value):  # here, for a task lives in the event loop that made it
            value = await value
        return value, None
    except (Exception, BaseExceptionGroup, *ENDINGS) as error:  # noqa: BLE001 - for the flow
        return None, error  # raised through an event loop, some of these would stop it


def run(flow: Flow[T]) -> T:
    """Drive a flow in this thread, which may block; awaitables get an event loop."""
    step = flow.send
    value: Any = None
    while True:
        try:
            asked = step(value)
        except StopIteration as stop:
            return stop.value  # type: ignore[no-any-return]
        step, value = flow.send, None
        if asked is BLOCKING:
            continue
        try:
            value, error = async_to_sync(_awaited)(asked)
        except BaseException as interrupt:  # noqa: BLE001 - the flow cleans up first
            value, error = None, interrupt
        if error is not None:
            step, value = flow.throw, _thrown(error)


def _thrown(error: BaseException) -> BaseException:
    """What a flow is told of it: by a ``GeneratorExit`` it would be closed.

    An event loop throws one that a thread has raised into its task, past ``_awaited``.
    """
    if not isinstance(error, GeneratorExit):
        return error
    told = RuntimeError("GeneratorExit")
    told.__cause__ = error
    return told
