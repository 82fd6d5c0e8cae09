"""Features as classes, and toolsets: made once, set up once, then called for ever."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar, TypeVar

from mcp_django.features import services
from mcp_django.features.declarations import Origin, origin_of_class
from mcp_django.features.marks import marks_in

T = TypeVar("T")

_ORIGIN = "__mcp_origin__"


class Component:
    """What ``Tool``, ``Resource``, ``Prompt`` and ``Toolset`` have in common."""

    abstract: ClassVar[bool] = False  # True on a base class, which is then not published
    name: ClassVar[str | None]
    server: ClassVar[Any]  # an MCPServer, or several; else the default one

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        setattr(cls, _ORIGIN, origin_of_class(cls))

    def setup(self) -> None:
        """Called once, at start-up, when all services are known: keep here what lasts."""

    def require(self, service: type[T]) -> T:
        """The service of this type that ``provide()`` offered, one for the whole process."""
        return services.require(service)


class FeatureClass(Component):
    """One feature as a class. One instance serves all calls, of every thread.

    Its options are class attributes of the names that the decorator takes, or stand in the
    decorator.
    """

    title: ClassVar[Any]
    description: ClassVar[Any]
    icons: ClassVar[Any]
    meta: ClassVar[Mapping[str, Any] | None]
    tags: ClassVar[Sequence[str]]
    permission: ClassVar[str | Sequence[str] | None]
    permission_classes: ClassVar[Sequence[Any]]
    enabled: ClassVar[Callable[..., bool] | None]
    resolvers: ClassVar[Sequence[Any]]
    atomic: ClassVar[bool | None]


class Tool(FeatureClass):
    """A tool as a class, with a method ``call``, sync or async."""

    arguments: ClassVar[Any]
    input_schema: ClassVar[Mapping[str, Any] | None]
    returns: ClassVar[Any]
    read_only: ClassVar[bool | None]
    destructive: ClassVar[bool | None]
    idempotent: ClassVar[bool | None]
    open_world: ClassVar[bool | None]
    headers: ClassVar[Mapping[str, str] | None]


class Resource(FeatureClass):
    """A resource as a class, with a method ``read``, sync or async.

    ``uri`` is what it declares, with variables in braces that of a template; the URI that a
    client asked for is ``context.uri``.
    """

    uri: ClassVar[str]
    mime_type: ClassVar[str | None]
    size: ClassVar[int | None]
    annotations: ClassVar[Any]
    returns: ClassVar[Any]
    arguments: ClassVar[Any]
    instances: ClassVar[Any]
    completers: ClassVar[Mapping[str, Any] | None]
    ttl_ms: ClassVar[int | None]
    cache_scope: ClassVar[str | None]


class Prompt(FeatureClass):
    """A prompt as a class, with a method ``render``, sync or async."""

    arguments: ClassVar[Any]
    template: ClassVar[str | None]
    completers: ClassVar[Mapping[str, Any] | None]


class Toolset(Component):
    """Features that belong together: its methods that are decorated.

    ``name`` is what their names begin with, by default the class in kebab case.
    """

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        for _, method in marks_in(cls):
            method.claimed = True


ROOTS = (Component, FeatureClass, Tool, Resource, Prompt, Toolset)


def origin_of(cls: type) -> Origin:
    """Where the class was written."""
    origin: Origin | None = vars(cls).get(_ORIGIN)
    if origin is None:  # its own __init_subclass__ did not call ours
        origin = origin_of_class(cls)
        setattr(cls, _ORIGIN, origin)
    return origin
