"""Services: what is provided, once a process or once a call."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from typing import Any, NewType

import pytest

from mcp_django import provide
from mcp_django.features.changes import alone
from mcp_django.features.services import require, service_of, withdraw
from mcp_django.schema.errors import DeclarationError


class Clock:
    """A service."""


class Watch:
    """A service that needs another one."""

    def __init__(self, clock: Clock) -> None:
        self.clock = clock


@pytest.fixture(autouse=True)
def _clean() -> Iterator[None]:
    yield
    withdraw(Clock)
    withdraw(Watch)


def test_a_process_service_is_made_once_and_not_before_it_is_needed() -> None:
    made: list[Clock] = []

    def make() -> Clock:
        made.append(Clock())
        return made[-1]

    provide(Clock, make)
    assert not made
    assert require(Clock) is require(Clock) is made[0]
    assert len(made) == 1


def test_one_factory_may_need_another_service() -> None:
    provide(Clock, Clock)
    provide(Watch, lambda: Watch(require(Clock)))
    assert require(Watch).clock is require(Clock)


def test_threads_get_the_same_one() -> None:
    def make() -> Clock:
        time.sleep(0.01)
        return Clock()

    provide(Clock, make)
    found: list[Clock] = []
    threads = [threading.Thread(target=lambda: found.append(require(Clock))) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 8
    assert len(set(map(id, found))) == 1


def test_a_factory_that_fails_is_tried_again() -> None:
    answers: list[Any] = [ValueError("not yet"), Clock()]

    def make() -> Clock:
        answer = answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer  # type: ignore[no-any-return]

    provide(Clock, make)
    with pytest.raises(ValueError, match="not yet"):
        require(Clock)
    assert isinstance(require(Clock), Clock)


def test_the_second_one_of_a_type_takes_the_place_of_the_first() -> None:
    provide(Clock, Clock)
    clock = Clock()
    assert require(Clock) is not clock
    provide(Clock, lambda: clock)
    assert require(Clock) is clock


def test_what_nobody_provides() -> None:
    with pytest.raises(DeclarationError) as caught:
        require(Clock)
    assert str(caught.value) == (
        "Nothing provides Clock. Call provide(Clock, factory) in the ready() of an app that stands "
        "before mcp_django in INSTALLED_APPS."
    )


def test_a_request_service_cannot_be_required() -> None:
    provide(Clock, lambda context: Clock(), scope="request")
    with pytest.raises(DeclarationError) as caught:
        require(Clock)
    assert str(caught.value) == (
        "Clock is made anew for every call, so there is none yet. Take it as a parameter of the "
        "function that is called."
    )


async def later() -> Clock:
    return Clock()


@pytest.mark.parametrize(
    ("arguments", "options", "message"),
    [
        (
            (str, str),
            {},
            "provide() cannot offer str: callers send arguments of this type. Make a class of your "
            "own, or a typing.NewType.",
        ),
        (
            (Any, Clock),
            {},
            "provide() cannot offer Any: callers send arguments of this type. Make a class of your "
            "own, or a typing.NewType.",
        ),
        (
            (Clock, Clock()),
            {},
            "provide(Clock, …) takes a function that makes the object. Write lambda: before the "
            "object.",
        ),
        (
            (Clock, later),
            {},
            "provide(Clock, …): an async factory cannot be awaited at start-up. Make the object in "
            'a sync function, or once a call with scope="request".',
        ),
        (
            (Clock, Clock),
            {"scope": "session"},
            "provide() knows no scope 'session'. Use 'process' or 'request'.",
        ),
    ],
)
def test_what_cannot_be_provided(arguments: Any, options: Any, message: str) -> None:
    with pytest.raises((TypeError, ValueError)) as caught:
        provide(*arguments, **options)
    assert str(caught.value) == message
    assert service_of(Clock) is None


def test_a_new_type_may_be_provided() -> None:
    ApiKey = NewType("ApiKey", str)
    provide(ApiKey, lambda: "secret")
    assert require(ApiKey) == "secret"
    withdraw(ApiKey)


def test_an_annotation_without_hash_is_no_service() -> None:
    assert service_of([Clock]) is None


def test_two_threads_never_wait_for_each_other_while_one_registers() -> None:
    making, changing = threading.Event(), threading.Event()

    def make() -> Clock:
        making.set()
        with alone():  # as a factory that registers a feature
            return Clock()

    def change() -> None:
        with alone():  # as what registers a feature whose setup() requires the service
            changing.set()
            making.wait(0.2)
            require(Clock)

    def use() -> None:
        changing.wait(5)
        require(Clock)

    provide(Clock, make)
    threads = [threading.Thread(target=work, daemon=True) for work in (change, use)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(5)
    assert not any(thread.is_alive() for thread in threads)
