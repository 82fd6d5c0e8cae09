"""Tools as classes, and toolsets: made once, set up once, then called for ever."""

from __future__ import annotations

import difflib
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


class Toolset(Component):
    """Tools that belong together: its methods that are decorated with ``@tool``.

    ``name`` is what their names begin with, by default the class in kebab case.
    """

    name: ClassVar[str | None]

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        for _, mark in _marks(cls):
            mark.claimed = True


def class_of(target: Any) -> type:
    """The class itself, or that of an instance."""
    return target if inspect.isclass(target) else type(target)


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


def publishes_nothing(cls: type) -> str:
    """Why a class that looks like a tool or a toolset publishes nothing, if so.

    One that others derive from is there for them.
    """
    if vars(cls).get("abstract") or cls.__subclasses__():
        return ""
    if issubclass(cls, Tool):
        return "" if callable(getattr(cls, "call", None)) else "has no method call()"
    return "" if decorated_methods(cls) else "has no method that is decorated with @tool"


def refuse_without_self(cls: type, method: str) -> None:
    """``def call(x: int)`` would get the instance as x."""
    function = inspect.getattr_static(cls, method)
    if not inspect.isfunction(function):
        return
    first = next(iter(inspect.signature(function).parameters.values()), None)
    if first is not None and (
        first.name == "self"
        or first.kind is first.VAR_POSITIONAL
        or (first.annotation is first.empty and first.kind is not first.KEYWORD_ONLY)
    ):
        return
    raise DeclarationError(
        f"{method}() has no self, so it would get the instance as its first argument.",
        f"Write def {method}(self, …).",
    )


def strange_attributes(cls: type) -> Iterator[tuple[str, str]]:
    """Attributes that no option is read from, with the one that they may be meant to be."""
    names = {
        name
        for base in cls.__mro__
        if issubclass(base, Component) and base not in (Component, Tool, Toolset)
        for name, value in vars(base).items()
        if not name.startswith("_") and not hasattr(value, "__get__")
    }
    own = OPTION_NAMES if issubclass(cls, Tool) else ("name",)
    for name in sorted(names - {*own, "abstract"}):
        meant = difflib.get_close_matches(_folded(name), _FOLDED_OPTIONS, 1, cutoff=0.82)
        if meant:
            yield name, _FOLDED_OPTIONS[meant[0]]


def _folded(name: str) -> str:
    """``readOnlyHint``, as the protocol has it, and ``readonly`` are the same word."""
    return name.lower().replace("_", "").removesuffix("hint")


_FOLDED_OPTIONS = {_folded(name): name for name in OPTION_NAMES}


def refuse_abstract(cls: type) -> None:
    """Say why a class that is registered by hand cannot be a tool."""
    if not is_abstract(cls):
        if issubclass(cls, Toolset) and not decorated_methods(cls):
            raise DeclarationError(
                f"{cls.__qualname__} has no method that is decorated with @tool.",
                "Decorate those that are to be tools.",
            )
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
