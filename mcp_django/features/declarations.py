"""What a project wrote down, before anything is made of it: targets, options, places.

Nothing is checked here, for a module is still being imported when this runs: names that
stand further down in it do not exist yet.
"""

from __future__ import annotations

import functools
import inspect
import itertools
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import FrameType
from typing import Any

from asgiref.sync import AsyncToSync

from mcp_django.features.base import Source
from mcp_django.features.errors import Misuse
from mcp_django.features.kinds import Kind

# Counts every declaration, so that functions and classes of a module keep their order.
_orders = itertools.count(1)


def next_order() -> int:
    """The number of a declaration that comes after all others."""
    return next(_orders)


@dataclass(frozen=True, slots=True, eq=False)
class Origin:
    """Where and when something was declared.

    ``namespace`` holds the names that a function or class inside a function could see:
    its annotations may speak of them.
    """

    source: Source
    order: int = field(default_factory=next_order)
    namespace: Mapping[str, Any] = field(default_factory=dict)


@dataclass(slots=True, eq=False)
class DecoratedMethod:
    """``@tool`` and the like on a method: its class must turn out to be a ``Toolset``."""

    kind: Kind
    options: dict[str, Any]
    origin: Origin
    claimed: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Declaration:
    """One feature to be.

    ``target`` is a function or another callable, or a ``Component``, as a class or as an
    instance; ``method`` the attribute of a ``Toolset`` that is meant, and ``prefix`` what its
    name begins with. ``options`` are those given by hand. ``module`` is the one that
    declares it, which need not be the one where the target was written.
    """

    kind: Kind
    target: Any
    options: Mapping[str, Any]
    origin: Origin
    module: str
    order: tuple[int, int]
    method: str = ""
    prefix: str = ""
    by_hand: bool = False  # by register(), not by a decorator
    found: bool = False  # by discovery, undecorated

    @property
    def source(self) -> Source:
        return self.origin.source


def declared_function(kind: Kind, target: Any, options: Mapping[str, Any]) -> Declaration:
    """The declaration of a function, or of another callable."""
    refuse_view(target)
    origin = origin_of_function(target)
    return Declaration(
        kind, target, options, origin, declaring_module(origin.source.module), (origin.order, 0)
    )


def refuse_view(target: Any) -> None:
    """What ``as_view()`` or DRF's ``@api_view`` made takes a request and gives a response."""
    # Both leave their class on it; ``cls`` is the name that DRF's view sets give it.
    made_of = getattr(target, "view_class", getattr(target, "cls", None))
    if inspect.isfunction(target) and inspect.isclass(made_of):
        raise Misuse(
            f"{made_of.__name__} is a view of Django's or DRF's, which takes a request, not "
            "arguments. Decorate a function that the view calls."
        )


def declaring_module(written_in: str) -> str:
    """The module that declares something right now: that of its source, if it is running."""
    if _frame(lambda frame: frame.f_globals.get("__name__") == written_in):
        return written_in
    caller = _frame(lambda frame: not _is_ours(frame))
    return str(caller.f_globals.get("__name__", "")) if caller else written_in


def _is_ours(frame: FrameType) -> bool:
    module = str(frame.f_globals.get("__name__", ""))
    return module.partition(".")[0] == __name__.partition(".")[0]


def _position(frame: FrameType | None) -> tuple[str, int]:
    """The file and line that a frame is at."""
    return (frame.f_code.co_filename, frame.f_lineno) if frame else ("<unknown>", 0)


def calling_source(name: str) -> Source:
    """The place outside of this package where something of this name is being made."""
    frame = _frame(lambda frame: not _is_ours(frame))
    path, line = _position(frame)
    module = str(frame.f_globals.get("__name__", "")) if frame else ""
    return Source(path, line, name, module)


def underlying(target: Any) -> Any:
    """The function as it was written: without partials, decorators and bound instances."""
    given, seen = target, {}
    while True:
        if id(target) in seen:
            raise Misuse(
                f"{getattr(given, '__name__', 'It')} wraps itself: its __wrapped__ leads back to "
                "it. Let functools.wraps() set that, on the wrapper."
            )
        seen[id(target)] = target  # kept, or another may get its id
        if isinstance(target, functools.partial):
            target = target.func
        elif isinstance(target, staticmethod | classmethod) or inspect.ismethod(target):
            target = target.__func__
        elif isinstance(target, AsyncToSync):  # has no __wrapped__, unlike its counterpart
            target = target.awaitable
        elif hasattr(target, "__wrapped__"):
            target = target.__wrapped__
        elif inspect.isroutine(target) or inspect.isclass(target):
            return target
        else:
            target = type(target).__call__


def origin_of_function(target: Any) -> Origin:
    """Where a function, or what stands for one, was written."""
    function = underlying(target)
    code = getattr(function, "__code__", None)
    module = getattr(function, "__module__", None) or ""
    qualname = getattr(function, "__qualname__", None) or type(target).__qualname__
    if code is not None:
        path, line = code.co_filename, code.co_firstlineno
    else:  # written in C: the place where it is declared says more
        path, line = _position(_frame(lambda frame: not _is_ours(frame)))
    return Origin(
        Source(path, line, short_qualname(qualname), module),
        namespace=_local_names(qualname, module),
    )


def origin_of_class(cls: type) -> Origin:
    """Where a class is being made: asked while its ``class`` statement runs."""
    frame = _frame(lambda frame: frame.f_globals.get("__name__") == cls.__module__)
    path, line = _position(frame)
    return Origin(
        Source(path, line, short_qualname(cls.__qualname__), cls.__module__),
        namespace=_local_names(cls.__qualname__, cls.__module__),
    )


def short_qualname(qualname: str) -> str:
    """``MathTool.add`` of ``factory.<locals>.MathTool.add``."""
    return qualname.rpartition("<locals>.")[2]


def is_method(function: Any) -> bool:
    """Whether it was written in the body of a class, and is not bound to an instance."""
    if isinstance(function, staticmethod | classmethod):
        return True
    is_bound = getattr(function, "__self__", None) is not None
    return not is_bound and "." in short_qualname(getattr(function, "__qualname__", ""))


def _local_names(qualname: str, module: str) -> dict[str, Any]:
    """The names of the function inside of which something is defined right now."""
    outer = qualname.rpartition(".<locals>.")[0]
    if not outer:
        return {}
    frame = _frame(
        lambda frame: (
            frame.f_code.co_qualname == outer and frame.f_globals.get("__name__") == module
        )
    )
    return dict(frame.f_locals) if frame else {}


def _frame(wanted: Callable[[FrameType], bool]) -> FrameType | None:
    frame: FrameType | None = sys._getframe(2)
    while frame is not None and not wanted(frame):
        frame = frame.f_back
    return frame
