"""Tools as classes, and toolsets: made once, set up once, then called for ever."""

from __future__ import annotations

import inspect
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar, TypeVar

from mcp_django.features import services
from mcp_django.features.declarations import (
    OPTION_NAMES,
    DecoratedMethod,
    Origin,
    origin_of_class,
)
from mcp_django.schema.errors import DeclarationError

T = TypeVar("T")

# Attributes that we leave on what is decorated, which is returned unchanged otherwise.
METHOD_MARK = "__mcp_tool__"
CLASS_MARK = "__mcp_options__"
_ORIGIN = "__mcp_origin__"


class Component:
    """What ``Tool`` and ``Toolset`` have in common."""

    abstract: ClassVar[bool] = False  # True on a base class, which is then not published

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        setattr(cls, _ORIGIN, origin_of_class(cls))

    def setup(self) -> None:
        """Called once, at start-up, when all services are known: keep here what lasts."""

    def require(self, service: type[T]) -> T:
        """The service of this type that ``provide()`` offered, one for the whole process."""
        return services.require(service)


class Tool(Component):
    """A tool as a class, with a method ``call``, sync or async.

    Its options are class attributes of the names that ``@tool`` takes, or stand in
    ``@tool(...)``. One instance serves all calls, of every thread.
    """

    name: ClassVar[str | None]
    title: ClassVar[Any]
    description: ClassVar[Any]
    arguments: ClassVar[Any]
    input_schema: ClassVar[Mapping[str, Any] | None]
    returns: ClassVar[Any]
    read_only: ClassVar[bool | None]
    destructive: ClassVar[bool | None]
    idempotent: ClassVar[bool | None]
    open_world: ClassVar[bool | None]
    icons: ClassVar[Any]
    meta: ClassVar[Mapping[str, Any] | None]
    tags: ClassVar[Sequence[str]]
    headers: ClassVar[Mapping[str, str] | None]
    permission: ClassVar[str | Sequence[str] | None]
    permission_classes: ClassVar[Sequence[Any]]
    resolvers: ClassVar[Sequence[Any]]
    atomic: ClassVar[bool | None]
    server: ClassVar[Any]


class Toolset(Component):
    """Tools that belong together: its methods that are decorated with ``@tool``.

    ``name`` is what their names begin with, by default the class in kebab case.
    """

    name: ClassVar[str | None]

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        for _, mark in _marks(cls):
            mark.claimed = True


def is_abstract(cls: type) -> bool:
    """Whether the class is there to be derived from."""
    if cls in (Tool, Toolset) or vars(cls).get("abstract") or inspect.isabstract(cls):
        return True
    return issubclass(cls, Tool) and not has_call(cls)


def has_call(cls: type) -> bool:
    """Whether the class says what is called."""
    call = getattr(cls, "call", None)
    # Without ABCMeta an abstract method is a mark and nothing more.
    return callable(call) and not getattr(call, "__isabstractmethod__", False)


def refuse_abstract(cls: type) -> None:
    """Say why a class that is registered by hand cannot be a tool."""
    if not is_abstract(cls):
        return
    why = "is a base class"
    if vars(cls).get("abstract"):
        why = "is marked abstract = True"
    elif issubclass(cls, Tool) and not has_call(cls):
        why = "has no method call()"
    raise DeclarationError(
        f"{cls.__qualname__} {why}.", "Register a class that can be called, or an instance of it."
    )


def options_of(cls: type) -> dict[str, Any]:
    """The options that are attributes of a class, inherited ones too.

    A name and a title belong to one tool, so they are not inherited; nor is what stands in
    the decorator of a base class.
    """
    own = {name: vars(cls).get(name) for name in ("name", "title")}
    inherited = {name: getattr(cls, name, None) for name in OPTION_NAMES if name not in own}
    inherited["description"] = _description(cls)
    given = {**own, **inherited}
    return {name: value for name, value in given.items() if value is not None}


def _description(cls: type) -> Any:
    """The nearest description, unless a docstring is nearer."""
    for base in cls.__mro__:
        given = vars(base).get("description")
        if given is not None or docstring_of(base):
            return given
    return None


def docstring_of(cls: type) -> str:
    """The docstring that its author wrote, if any: not what ``@dataclass`` makes up."""
    if cls in (Component, Tool, Toolset) or cls.__module__ in ("builtins", "abc", "typing"):
        return ""
    text = vars(cls).get("__doc__") or ""
    return "" if text.startswith(f"{cls.__name__}(") else text


def origin_of(cls: type) -> Origin:
    """Where the class was written."""
    origin: Origin | None = vars(cls).get(_ORIGIN)
    if origin is None:  # its own __init_subclass__ did not call ours
        origin = origin_of_class(cls)
        setattr(cls, _ORIGIN, origin)
    return origin


def decorated_methods(cls: type) -> list[tuple[str, DecoratedMethod]]:
    """The methods of a toolset that are tools, inherited ones first, then as they stand.

    A method that is overridden is one only if it is decorated again.
    """
    found = []
    for name, mark in _marks(cls):
        current = inspect.getattr_static(cls, name)
        if mark in marks_of(current) and (name, mark) not in found:
            found.append((name, mark))
    return sorted(found, key=lambda item: item[1].origin.order)


def _marks(cls: type) -> Iterator[tuple[str, DecoratedMethod]]:
    for base in cls.__mro__:
        for name, value in list(vars(base).items()):
            for mark in marks_of(value):
                yield name, mark


def marks_of(value: Any) -> tuple[DecoratedMethod, ...]:
    """What ``@tool`` noted on a member of a class."""
    if isinstance(value, staticmethod | classmethod):
        value = value.__func__
    if not inspect.isroutine(value):
        return ()
    marks: tuple[DecoratedMethod, ...] = getattr(value, METHOD_MARK, ())
    return marks
