"""Parameters that the server fills: who claims them, and what they become."""

from __future__ import annotations

import asyncio
import inspect
import threading
from collections.abc import Callable, Iterator
from typing import Annotated, Any, Optional

import pytest
from asgiref.sync import async_to_sync
from django.core.exceptions import ImproperlyConfigured
from django.core.handlers.wsgi import WSGIRequest
from django.http import HttpRequest
from django.test import RequestFactory
from typing_extensions import TypeAliasType

from mcp_django import Context, CurrentTenant, CurrentUser, Inject, ParameterResolver, provide
from mcp_django.features.base import Binding, Parameter
from mcp_django.features.records import ToolFeature
from mcp_django.features.registry import Registry
from mcp_django.features.services import withdraw
from mcp_django.invocation.flows import run, settle
from mcp_django.invocation.resolvers import make_binder
from mcp_django.protocol.versions import LATEST


class Member:
    """The user of some project."""

    is_authenticated = True


class Branch:
    """The tenant of some project."""


class Parser:
    """A service of some project."""


def made(function: Callable[..., Any], *resolvers: Any, **options: Any) -> ToolFeature:
    registry = Registry("test")
    registry.compile(make_binder(resolvers))
    registry.register(function, **options)
    (feature,) = registry.tools.values()
    return feature


def refused(function: Callable[..., Any], *resolvers: Any, **options: Any) -> str:
    with pytest.raises(ImproperlyConfigured) as caught:
        made(function, *resolvers, **options)
    return str(caught.value).partition(": ")[2]


@pytest.fixture
def call() -> Context:
    """One call, of a member at a branch."""
    call = Context(server=None, request=RequestFactory().get("/"), revision=LATEST)
    call.user = Member()
    call._tenant = Branch()
    return call


@pytest.fixture(autouse=True)
def _clean() -> Iterator[None]:
    yield
    withdraw(Parser)


def values(feature: ToolFeature, call: Context, **arguments: Any) -> dict[str, Any]:
    """What the parameters become, settled as the flow of a call settles them."""

    def flow() -> Any:
        found = {}
        for binding in feature.bindings:
            found[binding.name] = yield from settle(binding.resolve(call, arguments))
        return found

    return run(flow())  # type: ignore[no-any-return]


def only(feature: ToolFeature) -> Binding:
    (binding,) = feature.bindings
    return binding


def user_alone(user: CurrentUser) -> None: ...
def user_optional(user: CurrentUser | None = None) -> None: ...
def user_inside(user: Annotated[Member, CurrentUser]) -> None: ...
def user_made(user: Annotated[Member, CurrentUser()]) -> None: ...
def user_inside_optional(user: Annotated[Member, CurrentUser] | None) -> None: ...
def user_optional_inside(user: Annotated[Member | None, CurrentUser]) -> None: ...
def user_old(user: Optional[CurrentUser]) -> None: ...  # noqa: UP045
def tenant_alone(tenant: CurrentTenant) -> None: ...
def tenant_inside(tenant: Annotated[Branch, CurrentTenant]) -> None: ...
def tenant_optional(tenant: Annotated[Branch, CurrentTenant] | None) -> None: ...


@pytest.mark.parametrize(
    ("function", "required"),
    [
        (user_alone, True),
        (user_inside, True),
        (user_made, True),
        (user_optional, False),
        (user_inside_optional, False),
        (user_optional_inside, False),
        (user_old, False),
    ],
)
def test_the_user(function: Callable[..., Any], required: bool, call: Context) -> None:
    feature = made(function)
    assert feature.arguments.names == ()
    assert feature.requires_user is required
    assert only(feature).blocks is False
    assert only(feature).uses_tenant is False
    assert values(feature, call) == {"user": call.user}
    call.user = None
    assert values(feature, call) == {"user": None}


@pytest.mark.parametrize(
    ("function", "required"),
    [(tenant_alone, True), (tenant_inside, True), (tenant_optional, False)],
)
def test_the_tenant(function: Callable[..., Any], required: bool, call: Context) -> None:
    feature = made(function)
    binding = only(feature)
    assert (binding.requires_tenant, binding.uses_tenant) == (required, True)
    assert (binding.requires_user, binding.blocks) == (False, False)
    assert values(feature, call) == {"tenant": call.tenant}


MemberHere = TypeAliasType("MemberHere", Annotated[Member, CurrentUser])  # type: ignore[valid-type]


def test_a_type_alias(call: Context) -> None:
    def find(user: MemberHere, other: MemberHere | None, both: int | str | None = None) -> None: ...

    feature = made(find)
    assert feature.arguments.names == ("both",)
    assert [binding.requires_user for binding in feature.bindings] == [True, False]
    assert values(feature, call) == {"user": call.user, "other": call.user}


def test_the_context_and_the_request(call: Context) -> None:
    async def ask(
        context: Context,
        other: Context | None,
        request: HttpRequest,
        wsgi: WSGIRequest,
        text: str,
    ) -> None: ...

    feature = made(ask)
    assert feature.arguments.names == ("text",)
    assert feature.blocks is False
    assert values(feature, call) == {
        "context": call,
        "other": call,
        "request": call.request,
        "wsgi": call.request,
    }


def test_a_service_of_the_process_is_made_at_start_up(call: Context) -> None:
    made_at: list[str] = []

    def make() -> Parser:
        made_at.append("now")
        return Parser()

    async def parse(parser: Parser, again: Annotated[Parser, "how"], text: str) -> None: ...

    provide(Parser, make)
    feature = made(parse)
    assert made_at == ["now"]
    assert feature.blocks is False
    assert feature.arguments.names == ("text",)
    found = values(feature, call)
    assert found["parser"] is found["again"]
    assert made_at == ["now"]


def test_a_service_whose_factory_fails_stops_start_up() -> None:
    def make() -> Parser:
        raise ValueError("no grammar.")

    def parse(parser: Parser) -> None: ...

    provide(Parser, make)
    assert refused(parse) == (
        "parse: The factory of Parser, which fills 'parser', failed: ValueError: no grammar. Mend "
        'it, or make the object once a call with scope="request".'
    )


def test_a_service_of_the_request_is_made_once_a_call(call: Context) -> None:
    seen: list[Context] = []

    def make(context: Context) -> Parser:
        seen.append(context)
        return Parser()

    async def parse(one: Parser, two: Parser) -> None: ...

    provide(Parser, make, scope="request")
    feature = made(parse)
    assert feature.blocks is True
    found = values(feature, call)
    assert found["one"] is found["two"]
    assert seen == [call]


def test_an_async_factory_of_a_request(call: Context) -> None:
    count: list[int] = []

    async def make(context: Context) -> Parser:
        count.append(1)
        return Parser()

    async def parse(one: Parser, two: Parser) -> None: ...

    provide(Parser, make, scope="request")
    feature = made(parse)
    assert feature.blocks is False
    found = values(feature, call)
    assert isinstance(found["one"], Parser)
    assert found["one"] is found["two"]
    assert count == [1]


def test_another_service_may_be_provided_later(call: Context) -> None:
    def parse(parser: Parser) -> None: ...

    provide(Parser, Parser)
    feature = made(parse)
    other = Parser()
    provide(Parser, lambda: other)
    assert values(feature, call)["parser"] is other
    withdraw(Parser)
    with pytest.raises(LookupError, match=r"^Nothing provides Parser any more\.$"):
        values(feature, call)


class Naming(ParameterResolver):
    """Claims parameters of one name, and says what it was given."""

    def __init__(self, name: str = "where", answer: Any = None) -> None:
        self.name = name
        self.answer = answer
        self.asked: list[Parameter] = []

    def claims(self, parameter: Parameter) -> bool:
        self.asked.append(parameter)
        return parameter.name == self.name

    def resolve(self, parameter: Parameter, context: Context, arguments: Any) -> Any:
        return self.answer or (parameter.name, context.user, dict(arguments))


class AsyncNaming(Naming):
    async def resolve(  # type: ignore[override]
        self, parameter: Parameter, context: Context, arguments: Any
    ) -> Any:
        return parameter.name


def test_a_resolver_is_asked_once_and_told_all(call: Context) -> None:
    resolver = Naming()

    async def find(where: Annotated[str, "hint", 3], limit: int = 5) -> None: ...

    feature = made(find, resolver, name="finder")
    assert resolver.asked == [
        Parameter("where", str, ("hint", 3), inspect.Parameter.empty, "finder"),
        Parameter("limit", int, (), 5, "finder"),
    ]
    assert feature.arguments.names == ("limit",)
    assert feature.blocks is True
    assert values(feature, call, limit=3) == {"where": ("where", call.user, {"limit": 3})}
    assert len(resolver.asked) == 2


def test_an_async_resolver_does_not_block(call: Context) -> None:
    async def find(where: str) -> None: ...

    feature = made(find, AsyncNaming())
    assert feature.blocks is False
    assert values(feature, call) == {"where": "where"}


def test_the_nearest_resolver_is_asked_first_and_all_before_what_is_built_in(
    call: Context,
) -> None:
    def find(user: CurrentUser, where: str) -> None: ...

    ours = Naming("where", "tool")
    feature = made(find, Naming("where", "server"), Naming("user", "server"), resolvers=[ours])
    assert values(feature, call) == {"user": "server", "where": "tool"}
    assert feature.requires_user is False


def test_resolvers_as_classes_and_import_paths(call: Context) -> None:
    def find(where: str) -> None: ...

    path = f"{__name__}.{Naming.__qualname__}"
    for resolver in (Naming, path):
        assert values(made(find, resolver), call)["where"][0] == "where"
        assert values(made(find, resolvers=[resolver]), call)["where"][0] == "where"


class NeedsMore(Naming):
    def __init__(self, more: int) -> None: ...


class Failing(Naming):
    def claims(self, parameter: Parameter) -> bool:
        raise ValueError("what is that?")


@pytest.mark.parametrize(
    ("resolver", "message"),
    [
        (
            "nowhere.Resolver",
            "The resolver 'nowhere.Resolver' cannot be imported: No module named 'nowhere'. "
            "Correct the path.",
        ),
        (
            NeedsMore,
            f"The resolver {NeedsMore!r} cannot be made: NeedsMore.__init__() missing 1 required "
            "positional argument: 'more'. Give an instance, or let its constructor need nothing.",
        ),
        (
            3,
            "The resolver 3 has no method claims(). Derive its class from "
            "mcp_django.ParameterResolver.",
        ),
    ],
)
def test_resolvers_that_cannot_be_used(resolver: Any, message: str) -> None:
    def find(where: str) -> None: ...

    assert refused(find, resolvers=[resolver]) == f"find: {message}"
    with pytest.raises(ImproperlyConfigured) as caught:
        make_binder([resolver])
    assert str(caught.value) == message


def test_a_resolver_that_fails_on_a_parameter() -> None:
    def find(where: list[str]) -> None: ...

    assert refused(find, Failing()) == (
        "find: Failing.claims() failed on the parameter 'where': "
        "ValueError('what is that?'). It is asked about every parameter: let "
        "it return False for those that it does not know."
    )


def test_the_base_class_leaves_both_methods_open() -> None:
    resolver = ParameterResolver()
    with pytest.raises(NotImplementedError):
        resolver.claims(Parameter("a", int))
    with pytest.raises(NotImplementedError):
        resolver.resolve(Parameter("a", int), None, {})  # type: ignore[arg-type]


def caller_or_none(user: CurrentUser = None) -> None: ...
def tenant_or_none(branch: CurrentTenant = None) -> None: ...
def member_or_none(
    user: Annotated[Member, CurrentUser] = None,  # type: ignore[assignment]
) -> None: ...


@pytest.mark.parametrize(
    ("function", "name", "marker", "fix"),
    [
        (caller_or_none, "user", "CurrentUser", "CurrentUser | None"),
        (tenant_or_none, "branch", "CurrentTenant", "CurrentTenant | None"),
        (member_or_none, "user", "CurrentUser", "Annotated[Member | None, CurrentUser]"),
    ],
)
def test_a_default_that_lets_nobody_in(
    function: Callable[..., Any], name: str, marker: str, fix: str
) -> None:
    assert refused(function) == (
        f"{function.__name__}: The parameter {name!r} has the default None, which is never used: "
        f"{marker} refuses a call without one. Write {fix}."
    )


def test_none_as_the_default_of_what_may_be_none(call: Context) -> None:
    def find(
        user: CurrentUser | None = None,
        member: Annotated[Member | None, CurrentUser] = None,
        tenant: Annotated[Branch, CurrentTenant] | None = None,
    ) -> None: ...

    feature = made(find)
    assert (feature.requires_user, feature.requires_tenant) == (False, False)


def test_inject_without_a_function() -> None:
    def find(parser: Annotated[Parser, Inject]) -> None: ...

    assert refused(find) == (
        "find: Inject stands on 'parser' without a function. Write Inject(function)."
    )


def test_the_author_sees_what_the_code_of_a_resolver_raised() -> None:
    def find(where: list[str]) -> None: ...

    with pytest.raises(ImproperlyConfigured) as caught:
        made(find, Failing())
    assert isinstance(caught.value.__cause__, ValueError)
    with pytest.raises(ImproperlyConfigured) as caught:
        make_binder([NeedsMore])
    assert isinstance(caught.value.__cause__, TypeError)
    with pytest.raises(ImproperlyConfigured) as caught:
        make_binder([3])
    assert (caught.value.__cause__, caught.value.__suppress_context__) == (None, True)


def test_what_is_injected_is_never_an_argument() -> None:
    def find(text: str, user: CurrentUser, branch: Annotated[Branch, CurrentTenant]) -> None: ...

    schema = made(find).arguments.schema
    assert list(schema["properties"]) == ["text"]
    assert schema["additionalProperties"] is False


# Inject(function)


def test_a_function_is_called_once_a_call_however_often_it_is_asked_for(call: Context) -> None:
    calls: list[int] = []

    def number() -> int:
        calls.append(1)
        return 40 + len(calls)

    def doubled(number: Annotated[int, Inject(number)]) -> int:
        return number * 2

    async def find(
        one: Annotated[int, Inject(number)],
        two: Annotated[int, Inject(number)] | None,
        three: Annotated[int, Inject(doubled)],
        text: str,
    ) -> None: ...

    feature = made(find)
    assert feature.arguments.names == ("text",)
    assert feature.blocks is True
    assert values(feature, call) == {"one": 41, "two": 41, "three": 82}
    assert calls == [1]
    call.injected.clear()  # as in the next call
    assert values(feature, call)["one"] == 42


def test_its_own_parameters_are_filled_by_the_same_rules(call: Context) -> None:
    def who(
        user: CurrentUser,
        branch: Annotated[Branch, CurrentTenant],
        context: Context,
        request: HttpRequest,
        where: str,
        limit: int = 7,
    ) -> Any:
        return user, branch, context, request, where, limit

    def find(who: Annotated[Any, Inject(who)]) -> None: ...

    feature = made(find, resolvers=[Naming("where", "here")])
    binding = only(feature)
    assert (binding.requires_user, binding.requires_tenant, binding.uses_tenant) == (
        True,
        True,
        True,
    )
    assert values(feature, call)["who"] == (
        call.user,
        call.tenant,
        call,
        call.request,
        "here",
        7,
    )


def test_what_is_optional_there_is_optional_here() -> None:
    def who(user: CurrentUser | None, branch: Annotated[Branch, CurrentTenant] | None) -> None: ...
    def find(who: Annotated[Any, Inject(who)]) -> None: ...

    binding = only(made(find))
    assert (binding.requires_user, binding.requires_tenant, binding.uses_tenant) == (
        False,
        False,
        True,
    )


def test_async_functions_and_what_they_need(call: Context) -> None:
    calls: list[str] = []

    async def first() -> int:
        calls.append("first")
        await asyncio.sleep(0)
        return 1

    async def second(first: Annotated[int, Inject(first)]) -> int:
        calls.append("second")
        return first + 1

    async def third(
        first: Annotated[int, Inject(first)], second: Annotated[int, Inject(second)]
    ) -> int:
        calls.append("third")
        return first + second

    async def find(a: Annotated[int, Inject(third)], b: Annotated[int, Inject(first)]) -> None: ...

    feature = made(find)
    assert feature.blocks is False
    assert values(feature, call) == {"a": 3, "b": 1}
    assert calls == ["first", "second", "third"]


def test_what_blocks_runs_in_the_thread_of_the_call(call: Context) -> None:
    """Where it needs something async first, or something async needs it."""
    threads: dict[str, str] = {}

    def seen(name: str) -> str:
        threads[name] = threading.current_thread().name
        return name

    async def first() -> str:
        return seen("first")

    def blocking(first: Annotated[str, Inject(first)]) -> str:
        return seen("blocking")

    def quick() -> str:
        return seen("quick")

    async def last(
        blocking: Annotated[str, Inject(blocking)], quick: Annotated[str, Inject(quick)]
    ) -> str:
        return seen("last")

    async def find(last: Annotated[str, Inject(last)]) -> None: ...

    feature = made(find)
    assert feature.blocks is True
    assert values(feature, call) == {"last": "last"}
    here = threading.current_thread().name
    assert threads["blocking"] == threads["quick"] == here


def test_a_sync_function_may_return_an_awaitable(call: Context) -> None:
    async def later() -> Any:
        async def inner() -> int:
            return 3

        return inner()

    def number() -> Any:
        return later()

    def find(one: Annotated[int, Inject(number)], two: Annotated[int, Inject(number)]) -> None: ...

    feature = made(find)
    assert values(feature, call) == {"one": 3, "two": 3}


def test_on_an_event_loop(call: Context) -> None:
    async def number() -> int:
        return 3

    async def find(
        one: Annotated[int, Inject(number)], two: Annotated[int, Inject(number)]
    ) -> None: ...

    bindings = made(find).bindings

    async def resolve() -> list[int]:
        first, second = (binding.resolve(call, {}) for binding in bindings)
        assert bindings[0].resolve(call, {}) is first  # it can be awaited more than once
        return [await first, await second, await first, bindings[1].resolve(call, {})]

    assert async_to_sync(resolve)() == [3, 3, 3, 3]


def test_a_class_or_a_bound_method_as_the_function(call: Context) -> None:
    class Request:
        def __init__(self, context: Context) -> None:
            self.context = context

    class Shop:
        def __init__(self) -> None:
            self.calls = 0

        def till(self) -> int:
            self.calls += 1
            return self.calls

    shop = Shop()

    def sell(
        request: Annotated[Request, Inject(Request)],
        one: Annotated[int, Inject(shop.till)],
        two: Annotated[int, Inject(shop.till)],
    ) -> None: ...

    found = values(made(sell), call)
    assert found["request"].context is call
    assert (found["one"], found["two"]) == (1, 1)


class Unhashable:
    """Compares, and so has no hash."""

    def __eq__(self, other: object) -> bool:
        return self is other

    def __call__(self) -> int:
        return 5


def test_a_callable_without_hash(call: Context) -> None:
    target = Unhashable()

    def find(a: Annotated[int, Inject(target)], b: Annotated[int, Inject(target)]) -> None: ...

    assert values(made(find), call) == {"a": 5, "b": 5}


def needs_number(number: int) -> None: ...
def generates() -> Any:
    yield 1


def unresolved(x: Nowhere) -> None: ...  # type: ignore[name-defined]  # noqa: F821


@pytest.mark.parametrize(
    ("function", "message"),
    [
        (
            needs_number,
            "needs_number, which fills 'x': Nobody fills its parameter 'number'. Callers send "
            "nothing to it: inject that too, or give it a default.",
        ),
        (
            generates,
            "generates, which fills 'x': It is a generator, and nothing is cleaned up after a "
            "call. Return the value.",
        ),
        (3, "3, which fills 'x': It is not callable. Give Inject a function."),
        (
            unresolved,
            "unresolved, which fills 'x': The type of 'x', 'Nowhere', cannot be resolved: name "
            "'Nowhere' is not defined. Import or define the name at the top level of the module, "
            "not only under `if TYPE_CHECKING:`.",
        ),
    ],
)
def test_functions_that_cannot_be_injected(function: Any, message: str) -> None:
    def find(x: Annotated[int, Inject(function)]) -> None: ...

    assert refused(find) == f"find: {message}"


def test_a_circle() -> None:
    marks: dict[str, Any] = {}

    def first(second: Any) -> None: ...
    def second(first: Any) -> None: ...

    first.__annotations__["second"] = Annotated[Any, Inject(second)]
    second.__annotations__["first"] = Annotated[Any, Inject(first)]
    marks["x"] = Annotated[Any, Inject(first)]

    def find(x: Any) -> None: ...

    find.__annotations__["x"] = marks["x"]
    assert refused(find) == (
        "find: test_a_circle.<locals>.first, which fills 'x': test_a_circle.<locals>.second, which "
        "fills 'second': What fills 'first' needs itself: test_a_circle.<locals>.first -> "
        "test_a_circle.<locals>.second -> test_a_circle.<locals>.first. Break the circle."
    )
