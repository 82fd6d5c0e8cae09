"""Tools as classes, and toolsets."""

from __future__ import annotations

import functools
import inspect
from abc import abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.db import OperationalError
from rest_framework import serializers

from mcp_django import Context, Tool, Toolset, provide, tool
from mcp_django.features.registry import Registry
from mcp_django.features.services import withdraw
from mcp_django.invocation.resolvers import make_binder
from mcp_django.protocol.definitions import ToolAnnotations
from tests.declaring import tool_in
from tests.features.conftest import Make, Refused


class Numbers(serializers.Serializer[Any]):
    a = serializers.IntegerField()
    b = serializers.IntegerField(default=1)


class AddNumbers(Tool):
    """Add two numbers.

    Args:
        a: The first one.
    """

    arguments = Numbers
    returns = int
    read_only = True
    tags = ["numbers"]

    def call(self, a: int, b: int, *, context: Context) -> Any:
        """Not read, for the class says it."""
        return a + b


def test_a_class_with_its_options_as_attributes(made: Make) -> None:
    feature = made(AddNumbers)
    assert feature.name == "add-numbers"
    assert feature.description == "Add two numbers."
    assert feature.arguments.schema["properties"]["a"]["description"] == "The first one."
    assert feature.annotations == ToolAnnotations(read_only=True)
    assert feature.tags == ("numbers",)
    assert feature.result.schema == {"type": "integer"}
    assert [binding.name for binding in feature.bindings] == ["context"]
    assert feature.handler(a=1, b=2, context=None) == 3
    assert feature.source.name == "AddNumbers"
    assert inspect.getsourcelines(AddNumbers)[1] == feature.source.line


def test_register_has_the_last_word_on_options(made: Make) -> None:
    assert made(AddNumbers, name="plus", read_only=False).annotations.read_only is False


def test_a_decorated_class_is_returned_unchanged_and_published() -> None:
    registry = Registry("test")

    class Double(Tool):
        read_only = True
        title = "Mine"

        async def call(self, number: int) -> int:
            """Double a number."""
            return number * 2

    assert tool_in(registry, Double, title="Doubled") is Double
    registry.compile(make_binder())
    feature = registry.tools["double"]
    assert feature.title == "Doubled"
    assert feature.annotations.read_only is True
    assert feature.description == "Double a number."
    assert feature.is_async is True


def test_name_and_title_are_not_inherited_other_options_are(made: Make) -> None:
    class Base(Tool):
        """The base."""

        name = "base"
        title = "Base"
        description = "Described by an attribute."
        tags = ("shared",)

        def call(self) -> None: ...

    class Silent(Base): ...

    class Documented(Base):
        """The nearest one counts."""

    class Undescribed(Tool):
        def call(self) -> None: ...

    assert made(Undescribed).description == ""

    first, second = made(Silent), made(Documented)
    assert (first.name, first.title) == ("silent", None)
    assert first.description == "Described by an attribute."
    assert second.description == "The nearest one counts."
    assert first.tags == second.tags == ("shared",)


def test_a_class_is_made_once_and_set_up_once(made: Make) -> None:
    calls: list[str] = []

    class Counting(Tool):
        def __init__(self) -> None:
            calls.append("init")

        def setup(self) -> None:
            calls.append("setup")

        def call(self) -> int:
            return id(self)

    one, other = made(Counting), made(Counting, name="again")
    assert calls == ["init", "setup"]
    assert one.handler() == other.handler()


def test_an_instance_is_set_up_once_and_needs_no_default_constructor(made: Make) -> None:
    class Weather(Tool):
        """Tell the weather."""

        def __init__(self, city: str) -> None:
            self.city = city
            self.set_up = 0

        def setup(self) -> None:
            self.set_up += 1

        def call(self) -> str:
            return f"{self.city} {self.set_up}"

    oslo = Weather("Oslo")
    assert made(oslo).handler() == "Oslo 1"
    assert made(oslo, name="again").handler() == "Oslo 1"
    assert made(Weather("Rome"), name="rome").handler() == "Rome 1"


def test_the_options_of_its_decorator_hold_for_an_instance() -> None:
    registry = Registry("test")

    @tool_in(registry, name="forecast", tags=["weather"])
    class Weather(Tool):
        def __init__(self, city: str) -> None:
            self.city = city

        def call(self) -> str:
            return self.city

    registry.register(Weather("Oslo"))
    registry.compile(make_binder())
    assert list(registry.tools) == ["forecast"]
    assert registry.tools["forecast"].tags == ("weather",)
    assert registry.tools["forecast"].handler() == "Oslo"


def test_a_constructor_that_needs_arguments(refused: Refused) -> None:
    class Weather(Tool):
        def __init__(self, client: Any, *, city: str, unit: str = "C") -> None: ...

        def call(self) -> None: ...

    assert refused(Weather) == (
        "Weather: Its constructor needs client, city. Fetch what it works with in setup(), with "
        "self.require(…), or register an instance: server.register(Weather(…))."
    )


def test_a_class_that_cannot_be_made(refused: Refused) -> None:
    class Broken(Tool):
        def __init__(self) -> None:
            raise ValueError("no luck.")

        def call(self) -> None: ...

    assert refused(Broken) == (
        "Broken: The class cannot be made: ValueError: no luck. Mend its __init__()."
    )


def test_a_setup_that_fails_or_is_async(refused: Refused) -> None:
    class Querying(Tool):
        def setup(self) -> None:
            raise OperationalError("no such table: app_book")

        def call(self) -> None: ...

    class Failing(Tool):
        def setup(self) -> None:
            raise KeyError("grammar")

        def call(self) -> None: ...

    class Later(Tool):
        async def setup(self) -> None:  # type: ignore[override]
            ...

        def call(self) -> None: ...

    assert refused(Querying) == (
        "Querying: setup() failed: OperationalError: no such table: app_book. Query inside the "
        "function: at start-up the tables need not exist yet."
    )
    assert refused(Failing) == (
        "Failing: setup() failed: KeyError: 'grammar'. Mend it; what needs the database or a "
        "request belongs into the call."
    )
    assert refused(Later) == (
        "Later: setup() is async, and start-up awaits nothing. Write a plain def setup(self)."
    )


def test_what_the_code_of_an_author_raised_is_the_cause(registry: Registry) -> None:
    class Failing(Tool):
        def setup(self) -> None:
            raise KeyError("grammar")

        def call(self) -> None: ...

    class Unmakeable(Tool):
        def __init__(self) -> None:
            raise KeyError("grammar")

        def call(self) -> None: ...

    for cls in (Failing, Unmakeable):
        with pytest.raises(ImproperlyConfigured) as caught:
            registry.register(cls)
        assert isinstance(caught.value.__cause__, KeyError)


def nothing() -> None: ...


def test_methods_without_self(refused: Refused, registry: Registry) -> None:
    def selfless(method: Any) -> str:
        return refused(type("Find", (Tool,), {"__module__": __name__, "call": method}))

    def of_a_number(number: int) -> None: ...
    def by_keyword(*, number: int) -> None: ...

    message = (
        "Find: call() has no self, so it would get the instance as its first argument. Write "
        "def call(self, …)."
    )
    assert [selfless(of_a_number), selfless(by_keyword), selfless(nothing)] == [message] * 3

    class Books(Toolset):
        @tool
        def find(number: int) -> None: ...  # type: ignore[misc]  # noqa: N805

    assert refused(Books).startswith("Books.find: find() has no self, ")


def test_methods_with_another_name_for_self(registry: Registry) -> None:
    class Find(Tool):
        def call(this, number: int) -> None: ...  # noqa: N805

    class Seek(Tool):
        def call(self: Seek, number: int) -> None: ...

    class Rank(Tool):
        call = staticmethod(nothing)

    class Open(Tool):
        @functools.wraps(nothing)
        def call(*args: Any) -> None: ...

        del call.__wrapped__

    for cls in (Find, Seek, Rank):
        registry.register(cls)
    assert list(registry.tools) == ["find", "seek", "rank"]
    with pytest.raises(ImproperlyConfigured, match=r"It takes \*args"):
        registry.register(Open)


def test_a_toolset_without_tools_cannot_be_registered(refused: Refused) -> None:
    class Books(Toolset):
        def find(self) -> None: ...

    assert refused(Books) == (
        f"Books: {Books.__qualname__} has no method that is decorated with @tool, @resource or "
        "@prompt. Decorate those that are to be features."
    )


def test_a_property_is_no_tool() -> None:
    with pytest.raises(TypeError) as caught:
        tool(property(nothing))  # type: ignore[arg-type]
    assert str(caught.value) == (
        "@tool takes a function or a class, not a property. Make it a method: without @property."
    )
    with pytest.raises(TypeError) as caught:
        tool(3)
    assert str(caught.value) == (
        "@tool takes a function or a class, not 3. Decorate a function, a method or a class."
    )


def test_a_setup_that_registers_a_mistake_elsewhere(registry: Registry) -> None:
    def add(a, b) -> None: ...  # type: ignore[no-untyped-def]

    other = Registry("other")
    other.compile(make_binder())

    class Registering(Tool):
        def setup(self) -> None:
            other.register(add)

        def call(self) -> None: ...

    with pytest.raises(ImproperlyConfigured) as caught:
        registry.register(Registering)
    place = f"{__file__}:{add.__code__.co_firstlineno}: add"
    assert str(caught.value).startswith(f"{place}: The parameter 'a' has no annotation.")


class Parser:
    """A service."""


def test_a_constructor_whose_signature_cannot_be_read(made: Make) -> None:
    class Odd(Tool):
        __signature__ = "none"

        def call(self) -> int:
            return 1

    assert made(Odd).handler() == 1


def test_require_in_a_constructor(refused: Refused) -> None:
    class Parsing(Tool):
        def __init__(self) -> None:
            self.parser = self.require(Parser)

        def call(self) -> None: ...

    assert refused(Parsing).startswith("Parsing: Nothing provides Parser. ")


def test_require_in_setup(made: Make, refused: Refused) -> None:
    class Parsing(Tool):
        def setup(self) -> None:
            self.parser = self.require(Parser)

        def call(self) -> Any:
            return self.parser

    assert refused(Parsing) == (
        "Parsing: Nothing provides Parser. Call provide(Parser, factory) in the ready() of an app "
        "that stands before mcp_django in INSTALLED_APPS."
    )
    parser = Parser()
    provide(Parser, lambda: parser)
    try:
        assert made(Parsing).handler() is parser
    finally:
        withdraw(Parser)


def test_abstract_classes_are_not_published_even_if_decorated() -> None:
    registry = Registry("test")

    @tool_in(registry)
    class WithoutCall(Tool): ...

    @tool_in(registry)
    class Marked(Tool):
        abstract = True

        def call(self) -> None: ...

    @tool_in(registry)
    class Abstract(Tool):
        @abstractmethod
        def call(self) -> None: ...

    @tool_in(registry)
    class Concrete(Marked): ...

    registry.compile(make_binder())
    assert list(registry.tools) == ["concrete"]


@pytest.mark.parametrize(
    ("body", "why"),
    [
        ({}, "has no method call()"),
        ({"abstract": True, "call": print}, "is marked abstract = True"),
    ],
)
def test_an_abstract_class_cannot_be_registered(
    refused: Refused, body: dict[str, Any], why: str
) -> None:
    Base = type("Base", (Tool,), {"__module__": __name__, **body})
    message = refused(Base)
    assert message == (
        f"Base: Base {why}. Register a class that can be called, or an instance of it."
    )


def test_a_base_class_of_ours_cannot_be_registered(refused: Refused) -> None:
    assert refused(Toolset).startswith("Toolset: Toolset is a base class. ")


def test_a_class_that_is_no_tool() -> None:
    registry = Registry("test")

    class Plain:
        def call(self) -> None: ...

    with pytest.raises(TypeError) as caught:
        tool_in(registry, Plain)
    assert str(caught.value) == (
        "@tool stands on the class test_a_class_that_is_no_tool.<locals>.Plain, which is no Tool. "
        "Derive it from mcp_django.Tool and give it call(); or derive it from mcp_django.Toolset "
        "and decorate its methods instead."
    )
    with pytest.raises(TypeError, match=r"^register\(\) takes a function, a Tool, Resource or Pr"):
        registry.register(Plain)


def test_what_dataclass_writes_as_a_docstring_is_no_description(made: Make) -> None:
    @dataclass
    class Shelf(Tool):
        number: int = 3

        def call(self) -> int:
            """Tell the number."""
            return self.number

    assert made(Shelf).description == "Tell the number."


def test_types_inside_of_a_class_may_be_named_in_its_signatures(made: Make) -> None:
    class Search(Tool):
        class Query(serializers.Serializer[Any]):
            text = serializers.CharField()

        def str(self) -> None:
            """Must not stand in the way of the type."""

        def call(self, query: Query, title: str) -> None: ...

    schema = made(Search).arguments.schema
    assert schema["properties"]["title"]["type"] == "string"
    assert schema["properties"]["query"]["required"] == ["text"]


class MathTool(Toolset):
    """Tools that count."""

    def setup(self) -> None:
        self.base = 10

    @tool
    def add(self, a: int, b: int) -> int:
        """Add two numbers.

        Args:
            a: The first one.
        """
        return self.base + a + b

    def helper(self) -> None: ...

    @tool(name="half", read_only=True)
    async def divide_by_two(self, number: float) -> float:
        return number / 2

    @tool
    @staticmethod
    def minus_one(number: int) -> int:
        return number - 1

    @classmethod
    @tool
    def who_am_i(cls) -> str:
        return cls.__name__

    @tool
    @functools.lru_cache  # noqa: B019
    def slow(self, number: int) -> int:
        return number


def registered(target: Any, **options: Any) -> Registry:
    registry = Registry("test")
    registry.compile(make_binder())
    registry.register(target, **options)
    return registry


def test_methods_of_a_toolset() -> None:
    tools = registered(MathTool).tools
    assert list(tools) == [
        "math-tool.add",
        "half",
        "math-tool.minus-one",
        "math-tool.who-am-i",
        "math-tool.slow",
    ]
    add = tools["math-tool.add"]
    assert add.handler(a=1, b=2) == 13
    assert add.description == "Add two numbers."
    assert add.arguments.schema["properties"]["a"]["description"] == "The first one."
    assert add.source.name == "MathTool.add"
    assert add.source.line == MathTool.add.__code__.co_firstlineno
    assert tools["half"].is_async is True
    assert tools["half"].annotations.read_only is True
    assert tools["math-tool.minus-one"].handler(number=3) == 2
    assert tools["math-tool.who-am-i"].handler() == "MathTool"
    assert MathTool().add.__func__ is MathTool.add


def test_a_toolset_may_have_another_prefix() -> None:
    class North(MathTool):
        name = "north"

    assert "north.add" in registered(North).tools
    assert "south.add" in registered(MathTool(), name="south").tools


def test_a_toolset_takes_no_other_options() -> None:
    with pytest.raises(TypeError) as caught:
        registered(MathTool, tags=["a"])
    assert str(caught.value) == (
        "register() takes no tags for the Toolset MathTool. Give it to the decorators of its "
        "methods."
    )


def test_a_toolset_itself_is_not_decorated() -> None:
    with pytest.raises(TypeError) as caught:
        tool(MathTool)
    assert str(caught.value) == (
        "@tool stands on the Toolset MathTool. Decorate its methods instead."
    )


def test_methods_are_inherited_and_overriding_one_takes_it_away() -> None:
    class Mixin:
        @tool
        def hello(self) -> str:
            return "hello"

    class Base(Mixin, Toolset):
        abstract = True

        @tool
        def one(self) -> int:
            return 1

        @tool
        def two(self) -> int:
            return 2

        @tool
        def three(self) -> int:
            return 3

    class Derived(Base):
        def two(self) -> int:
            return 22

        @tool(name="trois")
        def three(self) -> int:
            return 33

        @tool
        def four(self) -> int:
            return 4

    tools = registered(Derived).tools
    assert list(tools) == ["derived.hello", "derived.one", "trois", "derived.four"]
    assert tools["trois"].handler() == 33


def test_a_decorator_over_tool_is_called_if_it_uses_wraps() -> None:
    def twice(function: Callable[..., int]) -> Callable[..., int]:
        @functools.wraps(function)
        def wrapper(*args: Any, **kwargs: Any) -> int:
            return function(*args, **kwargs) * 2

        return wrapper

    class Numbers(Toolset):
        @twice
        @tool
        def three(self) -> int:
            return 3

    assert registered(Numbers).tools["numbers.three"].handler() == 6


def test_a_decorated_method_of_another_class_stops_start_up() -> None:
    registry = Registry("test")

    class Plain:
        @tool_in(registry)
        def add(self, a: int) -> int:
            return a

    with pytest.raises(ImproperlyConfigured) as caught:
        registry.compile(make_binder())
    line = Plain.add.__code__.co_firstlineno
    assert str(caught.value) == (
        f"{__file__}:{line}: Plain.add: @tool stands on a method of a class that is no Toolset, or "
        "another decorator hides it. Derive the class from mcp_django.Toolset, and let @tool be "
        "the topmost decorator."
    )


def test_a_decorated_method_of_a_toolset_stops_nothing() -> None:
    registry = Registry("test")

    class Fine(Toolset):
        @tool_in(registry)
        def add(self, a: int) -> int:
            return a

    registry.compile(make_binder())
    assert not registry.tools  # nobody has found or registered the class
    registry.register(Fine)
    assert list(registry.tools) == ["fine.add"]


def test_a_class_whose_own_init_subclass_does_not_call_ours(made: Make) -> None:
    class Silent(Tool):
        def __init_subclass__(cls) -> None: ...

        def call(self) -> None: ...

    class Late(Silent): ...

    assert made(Late).source.name == "Late"
