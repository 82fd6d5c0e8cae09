"""What all kinds share: decorators, toolsets, ``register`` and ``unregister``."""

from __future__ import annotations

import threading
from types import SimpleNamespace
from typing import Any

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.db import connections

from mcp_django import Prompt, Resource, Tool, Toolset, prompt, resource, tool
from mcp_django.features.errors import InvalidFeature, Misuse, NotRegistered
from mcp_django.features.kinds import OPTION_NAMES
from mcp_django.features.registry import Registry
from mcp_django.invocation.resolvers import make_binder
from tests.features.conftest import Project, Refused

URI = "library://hours"
BOOKS = "library://books/{isbn}"


def text() -> str:
    """Text."""
    return "text"


def book(isbn: str) -> str:
    """A book."""
    return isbn


def keys(registry: Registry) -> dict[str, list[str]]:
    """What is there, by kind of record."""
    found: dict[str, list[str]] = {}
    for feature in registry.features:
        found.setdefault(feature.kind, []).append(feature.key)
    return found


# Decorators.


@pytest.mark.parametrize(
    "decorator", [tool, prompt, resource(URI)], ids=["tool", "prompt", "resource"]
)
@pytest.mark.parametrize("target", [3, None.__class__, "text"])
def test_what_cannot_be_decorated(decorator: Any, target: Any) -> None:
    with pytest.raises(TypeError) as caught:
        decorator(target)
    assert "stands on the class" in str(caught.value) or "takes a function or a class" in str(
        caught.value
    )


def test_an_unknown_option_is_named_with_the_likely_one() -> None:
    with pytest.raises(Misuse, match=r"^@prompt has no option 'nmae'\. Did you mean 'name'\?$"):
        prompt(nmae="x")  # type: ignore[call-overload]
    with pytest.raises(Misuse, match=r"^@resource has no option 'mimetype'\. Did you mean 'mime_"):
        resource(URI, mimetype="x")  # type: ignore[call-arg]
    with pytest.raises(Misuse, match=r"^@prompt has no option 'zzz'\. It has name, title, desc"):
        prompt(zzz=1)  # type: ignore[call-overload]


def test_an_option_of_other_kinds_is_said_to_be_theirs(registry: Registry) -> None:
    told = r"^@prompt has no option 'read_only'; @tool has\. Leave it out\.$"
    with pytest.raises(Misuse, match=told):
        prompt(read_only=True)  # type: ignore[call-overload]
    with pytest.raises(Misuse, match=r"^@tool has no option 'completers'; @resource and @prompt h"):
        tool(completers={})  # type: ignore[call-overload]

    class Shelf(Toolset):
        @tool
        def find(self) -> str:
            """Find."""
            return ""

    with pytest.raises(Misuse, match=r"^register\(\) takes no uri for the Toolset "):
        registry.register(Shelf, uri=URI, title=None)
    with pytest.raises(Misuse, match=r"^register\(\) has no option 'nmae'\. Did you mean 'name'"):
        registry.register(Shelf, nmae="x")


def test_every_option_is_an_attribute_of_the_class() -> None:
    for kind, base in (("tool", Tool), ("resource", Resource), ("prompt", Prompt)):
        hints = {name for one in base.__mro__ for name in getattr(one, "__annotations__", ())}
        assert set(OPTION_NAMES[kind]) <= hints, kind  # type: ignore[index]


def test_several_decorators_on_one_function(registry: Registry) -> None:
    of_test: Any = SimpleNamespace(registry=registry)

    @tool(server=of_test)
    @prompt(server=of_test)
    @resource(URI, server=of_test)
    def hours() -> str:
        """Hours."""
        return "always"

    assert keys(registry) == {"tool": ["hours"], "prompt": ["hours"], "resource": [URI]}
    assert hours() == "always"


def test_several_decorators_on_one_method(registry: Registry) -> None:
    class Desk(Toolset):
        @tool
        @prompt
        @resource(URI)
        def hours(self) -> str:
            """Hours."""
            return "always"

    registry.register(Desk)
    assert keys(registry) == {"tool": ["desk.hours"], "prompt": ["desk.hours"], "resource": [URI]}


def test_a_toolset_keeps_the_order_of_its_methods_whatever_their_kind(registry: Registry) -> None:
    class Desk(Toolset):
        name = "front"

        @prompt
        def greet(self) -> str:
            """Greet."""
            return "Hello."

        @tool
        def open_it(self) -> None:
            """Open."""

        @resource(BOOKS, name="book")
        def book(self, isbn: str) -> str:
            """A book."""
            return isbn

        @resource(URI)
        def hours(self) -> str:
            """Hours."""
            return "always"

        @tool(name="shut")
        def close_it(self) -> None:
            """Close."""

    registry.register(Desk)
    assert [feature.name for feature in registry.features] == [
        "front.greet",
        "front.open-it",
        "book",
        "front.hours",
        "shut",
    ]


def test_a_decorator_on_a_method_of_another_class(registry: Registry) -> None:
    other = Registry("other")

    class Plain:
        @prompt(server=SimpleNamespace(registry=other))
        def greet(self) -> str:
            return "Hello."

    with pytest.raises(InvalidFeature, match=r"Plain\.greet: @prompt stands on a method of a clas"):
        other.compile(make_binder())


def test_a_method_of_a_resource_needs_self(refused: Refused) -> None:
    class Hours(Resource):
        uri = URI

        def read(isbn: str) -> str:  # noqa: N805
            return isbn

    class Greet(Prompt):
        def render(name: str) -> str:  # noqa: N805
            return name

    assert "read() has no self" in refused(Hours)
    assert "render() has no self" in refused(Greet)


def test_classes_without_their_method_are_base_classes(refused: Refused) -> None:
    class Page(Resource):
        uri = URI

    class Letter(Prompt):
        abstract = True

        def render(self) -> str:
            return "x"

    assert "Page has no method read()" in refused(Page)
    assert "Letter is marked abstract = True" in refused(Letter)
    for base in (Tool, Resource, Prompt, Toolset):
        assert "is a base class" in refused(base)


def test_what_an_author_wrote_of_a_class_is_found(project: Project) -> None:
    from mcp_django.features import registry as registries

    project.write(
        "shop/mcp_tools.py",
        '''
        from mcp_django import Prompt, Resource, Tool, Toolset, prompt, resource, tool

        class Page(Resource):
            abstract = True
            mime_type = "text/markdown"

        class Hours(Page):
            """Hours."""
            uri = "shop://hours"
            def read(self) -> str:
                return "always"

        class Greet(Prompt):
            """Greet."""
            def render(self) -> str:
                return "Hello."

        class Desk(Toolset):
            @resource("shop://items/{number}")
            def item(self, number: int) -> str:
                """An item."""
                return str(number)

        @prompt
        def part() -> str:
            """Part."""
            return "Bye."
        ''',
    )
    project.start("shop")
    assert keys(registries.default) == {
        "resource": ["shop://hours"],
        "prompt": ["greet", "part"],
        "resource_template": ["shop://items/{number}"],
    }
    assert registries.default.resources["shop://hours"].contents.mime_type == "text/markdown"


# register() and unregister().


def test_register_takes_functions_of_every_kind(registry: Registry) -> None:
    registry.register(text)
    registry.register(text, kind="prompt")
    registry.register(text, uri=URI)
    registry.register(book, uri=BOOKS, kind="resource")
    assert keys(registry) == {
        "tool": ["text"],
        "prompt": ["text"],
        "resource": [URI],
        "resource_template": [BOOKS],
    }


def test_register_takes_classes_and_instances_of_every_kind(registry: Registry) -> None:
    class Hours(Resource):
        """Hours."""

        uri = URI

        def __init__(self, hours: str = "always") -> None:
            self.hours = hours

        def read(self) -> str:
            return self.hours

    class Greet(Prompt):
        """Greet."""

        def render(self) -> str:
            return "Hello."

    assert registry.register(Hours) is Hours
    registry.register(Hours("never"), uri="library://other", name="other")
    registry.register(Greet(), title="Greet", kind="prompt")
    assert keys(registry) == {"resource": [URI, "library://other"], "prompt": ["greet"]}
    assert registry.resources["library://other"].handler() == "never"
    assert registry.prompts["greet"].title == "Greet"


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (
            {"server": None},
            "register() takes no server=: call it on the server that is to have it.",
        ),
        ({"kind": "tools"}, "register() knows no kind 'tools'. It is one of tool, resource, prom"),
        ({"kind": "resource_template"}, "register() knows no kind 'resource_template'."),
        (
            {"uri": URI, "read_only": True},
            "register() of a resource has no option 'read_only'; of a tool it has. Leave it out, "
            "or register a tool: without uri= and kind= a function is one.",
        ),
        (
            {"mime_type": "text/plain"},
            "register() of a tool has no option 'mime_type'; of a resource it has. Leave it out, "
            "or register a resource: a function with uri= is one.",
        ),
        (
            {"uri": URI, "kind": "tool"},
            "register() has uri=, which makes a resource, and kind='tool'. Leave one out.",
        ),
        (
            {"zzz": 1},
            "register() has no option 'zzz'. It has name, title, description, icons, meta, tags, "
            "permission, permission_classes, enabled, resolvers, atomic, arguments, ",
        ),
        ({"serve": 1}, "register() has no option 'serve'. It has "),
    ],
)
def test_what_register_does_not_take(registry: Registry, options: Any, told: str) -> None:
    with pytest.raises(Misuse) as caught:
        registry.register(text, **options)
    assert str(caught.value).startswith(told)
    assert not registry.features


def test_a_class_has_its_own_kind(registry: Registry) -> None:
    class Greet(Prompt):
        """Greet."""

        def render(self) -> str:
            return "Hello."

    class Desk(Toolset):
        @tool
        def open_it(self) -> None:
            """Open."""

    with pytest.raises(Misuse) as caught:
        registry.register(Greet, kind="tool")
    assert str(caught.value) == (
        f"{Greet.__qualname__} is a Prompt, so it cannot be registered as a tool."
    )
    with pytest.raises(Misuse, match=r"Desk is a Toolset, so it cannot be registered as a tool\.$"):
        registry.register(Desk, kind="tool")
    assert not registry.features


@pytest.mark.parametrize("options", [{}, {"kind": "prompt"}, {"uri": URI}])
def test_no_transaction_spans_what_an_async_function_awaits(
    refused: Refused, registry: Registry, monkeypatch: pytest.MonkeyPatch, options: Any
) -> None:
    async def later() -> str:
        """Later."""
        return "x"

    assert "later: It is async, and no transaction can span what it awaits" in refused(
        later, atomic=True, **options
    )
    monkeypatch.setitem(connections.settings["default"], "ATOMIC_REQUESTS", True)
    assert "has ATOMIC_REQUESTS. Say atomic=False, or write it with def." in refused(
        later, **options
    )
    registry.register(later, atomic=False, **options)
    (feature,) = registry.features
    assert feature.atomic == ()


def test_unregister_by_name_uri_and_template(registry: Registry) -> None:
    test_register_takes_functions_of_every_kind(registry)
    registry.unregister(BOOKS)
    registry.unregister(URI, kind="resource")
    registry.unregister("text", kind="tool")
    registry.unregister("text")
    assert not registry.features
    with pytest.raises(NotRegistered, match=r"^The server 'test' has no feature 'text'\.$"):
        registry.unregister("text")


def test_what_was_unregistered_may_come_again(registry: Registry) -> None:
    registry.register(text, uri=URI)
    registry.register(text, uri="library://other", name="other")
    registry.unregister(URI)
    registry.register(text, uri=URI)
    assert list(registry.resources) == ["library://other", URI]


def test_a_refused_one_leaves_nothing_behind(registry: Registry) -> None:
    def unwritable() -> str:
        return "x"

    told: list[Any] = []
    registry.on_change = told.append

    def judge(feature: Any) -> None:
        raise ImproperlyConfigured("never")

    registry.judge = judge
    with pytest.raises(ImproperlyConfigured, match="never"):
        registry.register(unwritable)
    assert not registry.features
    assert told == []


def test_whoever_wants_to_know_is_told_the_kinds(registry: Registry) -> None:
    told: list[frozenset[str]] = []
    registry.on_change = told.append
    registry.register(text)
    registry.register(book, uri=BOOKS)
    registry.unregister("text")
    assert told == [{"tool"}, {"resource_template"}, {"tool"}]


def test_nobody_is_told_of_start_up() -> None:
    registry = Registry("test")
    told: list[frozenset[str]] = []
    registry.on_change = told.append
    registry.register(text)
    registry.compile(make_binder())
    registry.clear()
    assert told == []


def test_a_setup_may_register_more_of_another_kind(registry: Registry) -> None:
    told: list[frozenset[str]] = []
    registry.on_change = told.append

    class Maker(Tool):
        """Make."""

        def setup(self) -> None:
            registry.register(book, uri=BOOKS)

        def call(self) -> None: ...

    registry.register(Maker)
    assert keys(registry) == {"tool": ["maker"], "resource_template": [BOOKS]}
    assert told == [{"tool", "resource_template"}]


def test_starting_twice_leaves_nothing_out_twice() -> None:
    registry = Registry("test")
    of_test: Any = SimpleNamespace(registry=registry)

    @tool(server=of_test)
    class Base(Tool):
        abstract = True

    registry.register(text, name="two words")
    for _ in range(2):
        with pytest.raises(ImproperlyConfigured):
            registry.compile(make_binder())
    assert registry.left_out == []
    registry.clear()
    tool(server=of_test)(Base)
    registry.compile(make_binder())
    registry.compile(make_binder())
    assert [declaration.target for declaration in registry.left_out] == [Base]


def test_readers_see_whole_states_only(registry: Registry) -> None:
    """A tool and its resource come and go together with none seen without its index."""
    failures: list[str] = []
    stop = threading.Event()

    def read() -> None:
        while not stop.is_set():
            for uri in list(registry.templates):
                found = [feature for feature, _ in registry.matching(uri.replace("{isbn}", "1"))]
                if not found and uri in registry.templates:
                    failures.append(uri)

    threads = [threading.Thread(target=read) for _ in range(3)]
    for thread in threads:
        thread.start()
    for number in range(60):
        registry.register(book, name=f"b{number}", uri=f"library://{number}/{{isbn}}")
    for number in range(60):
        registry.unregister(f"library://{number}/{{isbn}}")
    stop.set()
    for thread in threads:
        thread.join()
    assert failures == []
    assert not registry.templates
