"""The registry: order, duplicates, what comes after start-up, and several threads."""

from __future__ import annotations

import logging
import threading
from contextlib import suppress
from types import SimpleNamespace
from typing import Any

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.db import OperationalError
from rest_framework import serializers

from mcp_django import Tool, Toolset, tool
from mcp_django.features.errors import AlreadyRegistered, NotRegistered
from mcp_django.features.publishing import declared_by_itself
from mcp_django.features.registry import Registry
from mcp_django.invocation.resolvers import make_binder
from tests.declaring import tool_in


def one() -> int:
    """One."""
    return 1


def two() -> int:
    """Two."""
    return 2


def test_nothing_is_compiled_before_start_up() -> None:
    registry = Registry("test")
    registry.register(one)
    assert not registry.tools
    assert registry.version == 0
    registry.compile(make_binder())
    assert list(registry.tools) == ["one"]
    assert registry.version == 1


def test_afterwards_register_compiles_at_once(registry: Registry) -> None:
    assert registry.register(one) is one
    version = registry.version
    tool_in(registry, two)
    assert list(registry.tools) == ["one", "two"]
    assert registry.version > version


def test_compiling_again_changes_nothing(registry: Registry) -> None:
    registry.register(one)
    record, version = registry.tools["one"], registry.version
    registry.compile(make_binder())
    assert registry.tools["one"] is record
    assert registry.version == version


def test_the_order_is_that_of_the_source_whatever_is_mixed() -> None:
    registry = Registry("test")

    @tool_in(registry)
    def first() -> None: ...

    @tool_in(registry)
    class Second(Tool):
        def call(self) -> None: ...

    class Third(Toolset):
        @tool
        def a(self) -> None: ...

        @tool
        def b(self) -> None: ...

    @tool_in(registry)
    def fifth() -> None: ...

    registry.register(Third)
    registry.compile(make_binder())
    assert list(registry.tools) == ["first", "second", "fifth", "third.a", "third.b"]


def test_a_name_that_is_taken_names_both_places(registry: Registry) -> None:
    registry.register(one)
    with pytest.raises(AlreadyRegistered) as caught:
        registry.register(two, name="one")
    lines = one.__code__.co_firstlineno, two.__code__.co_firstlineno
    assert str(caught.value) == (
        f"{__file__}:{lines[1]}: two: The name 'one' is taken by {__file__}:{lines[0]}: one. "
        "Give one of the two another name with name=."
    )
    assert isinstance(caught.value, ImproperlyConfigured)
    assert registry.tools["one"].handler is one


def test_registering_the_same_twice(registry: Registry) -> None:
    registry.register(one)
    with pytest.raises(AlreadyRegistered) as caught:
        registry.register(one)
    place = f"{__file__}:{one.__code__.co_firstlineno}: one"
    assert str(caught.value) == (
        f"{place}: The name 'one' is taken by {place}: it is registered twice. Leave one out, or "
        "give it another name with name=."
    )


def test_a_refused_registration_leaves_nothing_behind(registry: Registry) -> None:
    with pytest.raises(ImproperlyConfigured):
        registry.register(one, name="two words")
    registry.register(two)
    registry.compile(make_binder())
    assert list(registry.tools) == ["two"]


def test_a_mistake_at_start_up_leaves_the_registry_as_it_was() -> None:
    registry = Registry("test")
    registry.register(one)
    registry.register(two, name="two words")
    for _ in range(2):
        with pytest.raises(ImproperlyConfigured, match="'two words' is not a valid name"):
            registry.compile(make_binder())
        assert not registry.tools


def test_unregister(registry: Registry) -> None:
    registry.register(one)
    version = registry.version
    registry.unregister("one")
    assert not registry.tools
    assert registry.version > version
    with pytest.raises(NotRegistered, match=r"^The server 'test' has no feature 'one'\.$"):
        registry.unregister("one")
    registry.register(one)
    assert list(registry.tools) == ["one"]


def test_isolated_undoes_everything(registry: Registry) -> None:
    registry.register(one)
    version = registry.version
    with registry.isolated():
        registry.unregister("one")
        registry.register(two)
    assert list(registry.tools) == ["one"]
    assert registry.version > version + 2  # whoever keeps lists must make them anew


def test_a_setup_may_register_more(registry: Registry) -> None:
    class Maker(Tool):
        def setup(self) -> None:
            registry.register(one)

        def call(self) -> None: ...

    registry.register(Maker)
    assert set(registry.tools) == {"maker", "one"}


def test_what_the_projects_own_code_raises_is_located(registry: Registry) -> None:
    def tags() -> Any:
        yield 1 / 0

    with pytest.raises(ImproperlyConfigured) as caught:
        registry.register(one, tags=tags())
    assert str(caught.value) == (
        f"{__file__}:{one.__code__.co_firstlineno}: one: Nothing can be made of it: "
        "ZeroDivisionError: division by zero. Mend what that names."
    )


def test_a_query_at_start_up_is_named_as_such(registry: Registry) -> None:
    class Odd(serializers.Serializer[Any]):
        def get_fields(self) -> Any:
            raise OperationalError("no such table: branch")

    with pytest.raises(ImproperlyConfigured) as caught:
        registry.register(one, arguments=Odd)
    assert "OperationalError: no such table: branch" in str(caught.value)
    assert str(caught.value).endswith(
        " Query inside the function: at start-up the tables need not exist yet."
    )


def test_tools_are_read_only(registry: Registry) -> None:
    with pytest.raises(TypeError):
        registry.tools["x"] = None  # type: ignore[index]


def test_each_feature_and_their_number_are_logged(caplog: pytest.LogCaptureFixture) -> None:
    registry = Registry("test")
    registry.register(one)
    registry.register(two)
    with caplog.at_level(logging.INFO, "mcp_django"):
        registry.compile(make_binder())
    line = one.__code__.co_firstlineno
    assert caplog.messages[0] == f"MCP server test: tool one from {__file__}:{line}: one"
    assert len(caplog.messages) == 3
    assert caplog.messages[-1] == "MCP server test: 2 tools."


def test_many_threads_register_at_once(registry: Registry) -> None:
    def work(number: int) -> None:
        for index in range(10):
            registry.register(one, name=f"tool-{number}-{index}")

    threads = [threading.Thread(target=work, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(registry.tools) == 80


def test_a_setup_may_register_elsewhere_while_another_thread_registers() -> None:
    """One holds its own registry and waits for the other's, and so does the other: no more."""
    first, second = Registry("first"), Registry("second")
    meet = threading.Barrier(2)
    for registry in (first, second):
        registry.compile(make_binder())

    def maker(name: str, other: Registry) -> type[Tool]:
        def setup(self: Tool) -> None:
            with suppress(threading.BrokenBarrierError):  # where one has to wait for the other
                meet.wait(0.2)
            other.register(one, name=f"of-{name}")

        def call(self: Tool) -> None: ...

        return type(name, (Tool,), {"setup": setup, "call": call, "__module__": __name__})

    work = [(first, maker("Left", second)), (second, maker("Right", first))]
    threads = [
        threading.Thread(target=registry.register, args=(cls,), daemon=True)
        for registry, cls in work
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(10)
    assert not any(thread.is_alive() for thread in threads)
    assert set(first.tools) == {"left", "of-Right"}
    assert set(second.tools) == {"right", "of-Left"}


def test_who_is_told_of_another_registry_is_told_when_nobody_waits(registry: Registry) -> None:
    """Of what a ``setup()`` registers elsewhere, once the registration it belongs to is over."""
    other = Registry("other")
    other.compile(make_binder())
    told: list[tuple[frozenset[str], bool]] = []

    def listen(kinds: frozenset[str]) -> None:
        thread = threading.Thread(target=registry.register, args=(two,), daemon=True)
        thread.start()
        thread.join(10)
        told.append((kinds, thread.is_alive()))

    other.on_change = listen

    class Maker(Tool):
        def setup(self) -> None:
            other.register(one)

        def call(self) -> None: ...

    registry.register(Maker)
    assert told == [({"tool"}, False)]
    assert set(registry.tools) == {"maker", "two"}


def test_what_a_failed_registration_left_elsewhere_is_told(registry: Registry) -> None:
    other = Registry("other")
    other.compile(make_binder())
    told: list[frozenset[str]] = []
    other.on_change = told.append

    class Maker(Tool):
        def setup(self) -> None:
            other.register(one)
            raise ValueError("no")

        def call(self) -> None: ...

    with pytest.raises(ImproperlyConfigured):
        registry.register(Maker)
    assert list(other.tools) == ["one"]
    assert told == [{"tool"}]


def test_clear_forgets_everything() -> None:
    registry = Registry("test")

    class Base(Tool):
        abstract = True

    for _ in range(2):
        assert registry.is_new(Base)
        assert not registry.is_new(Base)
        tool_in(registry, Base)
        tool_in(registry, one)
        registry.compile(make_binder())
        assert [declaration.target for declaration in registry.left_out] == [Base]
        assert list(registry.tools) == ["one"]
        registry.clear()
        assert registry.left_out == []
        assert not registry.features
        assert not registry.is_compiled


def test_a_run_time_declaration_is_on_all_its_servers_or_on_none() -> None:
    first, second, told = Registry("first"), Registry("second"), []
    for registry in (first, second):
        registry.compile(make_binder())
        registry.on_change = told.append
    second.register(two, name="one")
    told.clear()
    several: list[Any] = [SimpleNamespace(registry=first), SimpleNamespace(registry=second)]
    with pytest.raises(AlreadyRegistered):
        tool(server=several)(one)
    assert not first.tools
    assert second.tools["one"].handler is two
    assert told == []
    second.unregister("one")
    tool(server=several)(one)
    assert list(first.tools) == list(second.tools) == ["one"]
    assert told == [{"tool"}] * 3


def test_what_is_left_out_or_waits_is_withdrawn_too() -> None:
    first, second = Registry("first"), Registry("second")
    second.compile(make_binder())
    several: list[Any] = [SimpleNamespace(registry=first), SimpleNamespace(registry=second)]
    second.register(two, name="one")
    with pytest.raises(AlreadyRegistered):
        tool(server=several)(one)  # the first one is still to start
    first.compile(make_binder())
    assert not first.tools


def test_resources_of_one_uri_in_two_writings_are_refused(registry: Registry) -> None:
    registry.register(one, uri="library://a,b")
    with pytest.raises(AlreadyRegistered, match="The URI 'library://%61%2Cb' is taken by"):
        registry.register(two, uri="library://%61%2Cb")
    assert list(registry.resources) == ["library://a,b"]


def test_what_a_uri_means(registry: Registry) -> None:
    def page(page: str, q: str = "") -> str:
        return page + q

    registry.register(page, uri="library://{page}{?q}", name="page")
    registry.register(one, uri="library://hours")

    def means(uri: str) -> tuple[str, Any] | None:
        found = registry.readable_at(uri)
        return None if found is None else (found[0].name, found[1])

    assert means("library://hours") == means("library://hour%73") == ("one", {})
    assert means("library://other?q=1") == ("page", {"page": "other", "q": "1"})
    for nothing in ("library://hours?q=1", "library://a/b", "no uri", ""):
        assert means(nothing) is None
        assert list(registry.matching(nothing)) == []


def test_an_instance_takes_the_place_of_its_class() -> None:
    registry, other = Registry("test"), Registry("other")

    @tool_in(registry, name="weather")
    class Weather(Tool):
        def __init__(self, city: str) -> None:
            self.city = city

        def call(self) -> str:
            return self.city

    other.register(Weather("Oslo"))
    registry.compile(make_binder())
    other.compile(make_binder())
    assert not registry.tools
    assert other.tools["weather"].handler() == "Oslo"


def test_a_class_registered_by_hand_is_not_published_by_itself_too(registry: Registry) -> None:
    class Weather(Tool):
        def call(self) -> None: ...

    registry.register(Weather)
    for declaration in declared_by_itself(Weather):  # as discovery finds it
        registry.declare(declaration)
    assert list(registry.tools) == ["weather"]


@pytest.mark.parametrize("options", [{}, {"nmae": "x"}])
def test_register_refuses_what_it_does_not_know(registry: Registry, options: Any) -> None:
    target = one if options else 3
    with pytest.raises(TypeError, match=r"^register\(\) (takes|has no option 'nmae')"):
        registry.register(target, **options)
