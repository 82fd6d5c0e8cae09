"""Objects that a project offers to its features: made once a process, or once a call."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal, TypeVar, cast

from asgiref.sync import iscoroutinefunction

from mcp_django.features.changes import alone
from mcp_django.features.errors import Misuse
from mcp_django.schema.errors import DeclarationError, Unfilled

T = TypeVar("T")
Scope = Literal["process", "request"]

_UNMADE: Any = object()

# A parameter of such a type is an argument: a service of it would take them all away.
_ARGUMENT_TYPES = (str, int, float, bool, bytes, list, dict, tuple, set, frozenset, object, Any)


@dataclass(slots=True, eq=False)
class Service:
    """How to come by an object of one type."""

    provided: Any
    factory: Callable[..., Any]
    scope: Scope = "process"
    _value: Any = _UNMADE

    def value(self) -> Any:
        """The one object of this process, made at the first use.

        A factory may require other services, or register a feature, and a ``setup()`` may
        require this one: with a lock for each, two threads could wait for each other.
        """
        if self._value is _UNMADE:
            with alone():
                if self._value is _UNMADE:
                    self._value = self.factory()
        return self._value


_services: dict[Any, Service] = {}


def provide(provided: Any, factory: Callable[..., Any], scope: Scope = "process") -> None:
    """Offer an object to every parameter of this type, and to ``require``.

    With ``scope="process"`` ``factory()`` is called once, at start-up at the latest; with
    ``scope="request"`` ``factory(context)`` is called once a call and may be async. Belongs in
    the ``ready()`` of an app that stands before ``mcp_django``. A second one of the same
    type takes the place of the first.
    """
    if provided in _ARGUMENT_TYPES:
        raise Misuse(
            f"provide() cannot offer {name_of(provided)}: callers send arguments of this type. "
            "Make a class of your own, or a typing.NewType."
        )
    if scope not in ("process", "request"):
        raise Misuse(f"provide() knows no scope {scope!r}. Use 'process' or 'request'.")
    if not callable(factory):
        raise Misuse(
            f"provide({name_of(provided)}, …) takes a function that makes the object. "
            "Write lambda: before the object."
        )
    if scope == "process" and iscoroutinefunction(factory):
        raise Misuse(
            f"provide({name_of(provided)}, …): an async factory cannot be awaited at start-up. "
            'Make the object in a sync function, or once a call with scope="request".'
        )
    _services[provided] = Service(provided, factory, scope)


def withdraw(provided: Any) -> None:
    """Offer nothing of this type any more: for tests."""
    _services.pop(provided, None)


def service_of(provided: Any) -> Service | None:
    """What is offered for this type, if anything."""
    try:
        return _services.get(provided)
    except TypeError:  # an annotation that cannot be hashed is nobody's type
        return None


def require(provided: type[T]) -> T:
    """The object of this type that lives as long as the process."""
    service = service_of(provided)
    if service is None:
        raise Unfilled(
            f"Nothing provides {name_of(provided)}.",
            f"Call provide({name_of(provided)}, factory) in the ready() of an app that stands "
            "before mcp_django in INSTALLED_APPS.",
        )
    if service.scope == "request":
        raise DeclarationError(
            f"{name_of(provided)} is made anew for every call, so there is none yet.",
            "Take it as a parameter of the function that is called.",
        )
    return cast("T", service.value())


def name_of(provided: Any) -> str:
    """A type as an author writes it."""
    return getattr(provided, "__qualname__", None) or str(provided)
