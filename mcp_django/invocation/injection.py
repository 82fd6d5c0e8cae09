"""What functions and factories inject: made once a call, whoever asks for it."""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable, Generator, Hashable, Mapping
from contextvars import ContextVar
from dataclasses import dataclass
from functools import partial
from typing import Any

from asgiref.sync import iscoroutinefunction, sync_to_async

from mcp_django.features.base import Binder, Binding, Parameter
from mcp_django.features.declarations import origin_of_function, underlying
from mcp_django.features.errors import described
from mcp_django.features.handlers import EMPTY, Handler, HandlerParameter, read_handler
from mcp_django.features.services import Service, name_of, service_of
from mcp_django.invocation.context import Context
from mcp_django.schema.errors import Broken, DeclarationError, Unfilled

# The functions whose parameters are being bound: one that needs itself is refused.
_underway: ContextVar[tuple[Any, ...]] = ContextVar("mcp_django_underway", default=())


class Once:
    """An awaitable that may be awaited again: its work is done at the first time."""

    __slots__ = ("is_done", "value", "work")

    def __init__(self, work: Callable[[], Awaitable[Any]]) -> None:
        self.work = work
        self.value: Any = None
        self.is_done = False

    def __await__(self) -> Generator[Any, Any, Any]:
        # Parameters are filled one after the other, so nobody waits for half-done work.
        if not self.is_done:
            self.value = yield from self.work().__await__()
            self.is_done = True
        return self.value


@dataclass(frozen=True, slots=True)
class Injected:
    """A function and how its own parameters are filled, as a ``Binding`` resolves it.

    Gives the value at once where nothing has to be awaited. What blocks runs in the thread
    that asks, never on the event loop. ``key`` is what its value is kept by for the rest of
    the call; None keeps none.
    """

    function: Callable[..., Any]
    key: Hashable | None
    needs: tuple[Binding, ...]
    is_async: bool

    def __call__(self, context: Context, arguments: Mapping[str, Any]) -> Any:
        if self.key is None:
            return self._made(context, arguments)
        made = context.injected
        if self.key in made:
            known = made[self.key]
            return known.value if isinstance(known, Once) and known.is_done else known
        value = made[self.key] = self._made(context, arguments)
        return value

    def _made(self, context: Context, arguments: Mapping[str, Any]) -> Any:
        values = {need.name: need.resolve(context, arguments) for need in self.needs}
        if self.is_async or any(inspect.isawaitable(value) for value in values.values()):
            return Once(partial(_finished, self.function, values, self.is_async))
        value = self.function(**values)
        return Once(partial(_settled, value)) if inspect.isawaitable(value) else value


async def _finished(function: Callable[..., Any], values: Mapping[str, Any], is_async: bool) -> Any:
    """Await what the function needs, then call it: a blocking one in the call's own thread."""
    settled = {name: await _settled(value) for name, value in values.items()}
    call = function if is_async else sync_to_async(function)
    return await _settled(await call(**settled))


async def _settled(value: Any) -> Any:
    while inspect.isawaitable(value):
        value = await value
    return value


def binding_of_function(
    parameter: Parameter, function: Callable[..., Any], binder: Binder, *, is_kept: bool = True
) -> Binding:
    """``Inject(function)`` on a parameter: called once a call, if what it gives is kept."""
    underway = _underway.get()
    if function in underway:
        chain = " -> ".join(name_of(one) for one in (*underway, function))
        raise DeclarationError(
            f"What fills {parameter.name!r} needs itself: {chain}.", "Break the circle."
        )
    token = _underway.set((*underway, function))
    try:
        handler = _read(function)
        needs = _needs(handler, parameter.feature, binder)
    except DeclarationError as error:
        raise error.under(f"{name_of(function)}, which fills {parameter.name!r}") from error
    finally:
        _underway.reset(token)
    return Binding(
        parameter.name,
        Injected(function, _key(function) if is_kept else None, needs, handler.is_async),
        blocks=not handler.is_async or any(need.blocks for need in needs),
        is_shared=all(need.is_shared for need in needs),
        uses_user=any(need.uses_user for need in needs),
        requires_user=any(need.requires_user for need in needs),
        requires_tenant=any(need.requires_tenant for need in needs),
        uses_tenant=any(need.uses_tenant for need in needs),
    )


def _read(function: Any) -> Handler:
    if not callable(function):
        raise DeclarationError("It is not callable.", "Give Inject a function.")
    if inspect.isgeneratorfunction(underlying(function)):
        raise DeclarationError(
            "It is a generator, and nothing is cleaned up after a call.", "Return the value."
        )
    return read_handler(function, origin_of_function(function).namespace)


def _needs(handler: Handler, feature: str, binder: Binder) -> tuple[Binding, ...]:
    needs = (_need(parameter, feature, binder) for parameter in handler.parameters)
    return tuple(need for need in needs if need is not None)


def _need(parameter: HandlerParameter, feature: str, binder: Binder) -> Binding | None:
    binding = binder(parameter.asked(feature))
    if binding is None and parameter.default is EMPTY:
        raise Unfilled(
            f"Nobody fills its parameter {parameter.name!r}.",
            "Callers send nothing to it: inject that too, or give it a default.",
        )
    return binding


def _key(function: Any) -> Hashable:
    """The function itself, so that it is called once, whichever parameters ask for it."""
    try:
        hash(function)
    except TypeError:
        return id(function)
    return function  # type: ignore[no-any-return]


def binding_of_service(parameter: Parameter, service: Service) -> Binding:
    """A parameter of a type that is provided; what lives as long as the process is made now."""
    if service.scope == "process":
        try:
            service.value()
        except Exception as error:
            raise Broken(
                f"The factory of {name_of(service.provided)}, which fills {parameter.name!r}, "
                f"failed: {described(error)}.",
                'Mend it, or make the object once a call with scope="request".',
            ) from error
    return Binding(
        parameter.name,
        partial(_service, service.provided),
        blocks=service.scope == "request" and not iscoroutinefunction(service.factory),
        is_shared=service.scope == "process",
    )


def _service(provided: Any, context: Context, arguments: Mapping[str, Any]) -> Any:
    """Asked anew for each call, so that a test may provide another one."""
    service = service_of(provided)
    if service is None:
        raise LookupError(f"Nothing provides {name_of(provided)} any more.")
    if service.scope == "process":
        return service.value()
    factory = partial(service.factory, context)
    return Injected(factory, service, (), iscoroutinefunction(service.factory))(context, arguments)
