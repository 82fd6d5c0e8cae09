"""The registry: order, duplicates, what comes after start-up, and several threads."""

from __future__ import annotations

import logging
import threading
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
