"""The frozen records that everything above reads: one for each feature."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from django.utils.functional import Promise

from mcp_django.protocol.content import Icon
from mcp_django.schema.validation import Arguments, ArgumentsRule


@dataclass(frozen=True, slots=True)
class Source:
    """Where a feature is declared: file, line (from 1) and the name of the function."""

    path: str
    line: int
    name: str
    module: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.name}"


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter of a handler, as a ``ParameterResolver`` is asked about it.

    ``annotation`` is the resolved type without ``Annotated``; what stood inside
    ``Annotated`` is ``metadata``. ``default`` is ``inspect.Parameter.empty`` if none.
    ``feature`` is the name of the tool, resource or prompt.
    """

    name: str
    annotation: Any
    metadata: tuple[Any, ...] = ()
    default: Any = inspect.Parameter.empty
    feature: str = ""


@dataclass(frozen=True, slots=True)
class Binding:
    """How one injected parameter gets its value.

    ``resolve(context, arguments)`` returns the value or an awaitable of it. ``arguments``
    is the mapping of validated arguments. ``is_shared``: what it gives is the same for every
    caller, as far as is known here.
    """

    name: str
    resolve: Callable[[Any, Mapping[str, Any]], Any]
    blocks: bool = True
    is_shared: bool = False
    uses_user: bool = False
    requires_user: bool = False  # an anonymous caller is refused with 401
    requires_tenant: bool = False  # a request without a tenant is refused
    uses_tenant: bool = False  # the tenant is looked up before the handler runs


class Binder(Protocol):
    """Asked once for each parameter of a handler, at start-up."""

    def __call__(self, parameter: Parameter) -> Binding | None:
        """How the server fills a parameter; None means that it is an argument."""
        raise NotImplementedError

    def preferring(self, resolvers: Sequence[Any]) -> Binder:
        """The same, but these resolvers are asked first."""
        raise NotImplementedError

    def calling(
        self, function: Callable[..., Any], parameter: Parameter, *, given: Sequence[str] = ()
    ) -> Binding:
        """How a function fills a parameter: its own parameters are filled in the same way.

        Those named ``given`` get the argument of their name.
        """
        raise NotImplementedError


@dataclass(frozen=True, slots=True)
class Enabled:
    """``enabled=``: whether a feature is there at all, asked anew for each request."""

    function: Callable[..., Any]
    takes_context: bool

    def __call__(self, context: Any) -> bool:
        answer = self.function(context) if self.takes_context else self.function()
        if inspect.isawaitable(answer):  # which would count as True, whatever it gives
            close = getattr(answer, "close", None)
            if close is not None:
                close()
            raise TypeError("enabled= returned an awaitable, and lists await nothing")
        return bool(answer)


@dataclass(frozen=True, slots=True)
class Feature:
    """What tools, resources, resource templates and prompts have in common.

    ``whole_parameter`` says how validated arguments reach the handler: None, each as
    the parameter of its name; else the whole mapping as that one parameter.
    ``taken`` are the arguments that the handler has parameters for, where validation may
    give more (hidden fields, what ``validate()`` adds); None where it takes all there are.
    """

    name: str
    title: str | Promise | None  # as declared: may be a lazy translation
    description: str | Promise
    source: Source
    app_label: str  # of the app whose module declares it, "" outside of any app
    handler: Callable[..., Any]
    bindings: tuple[Binding, ...]
    is_async: bool  # declared by ``async def``
    blocks: bool  # may block the thread: all that is not known not to
    atomic: tuple[str, ...]  # the databases in a transaction of which each call runs
    arguments: ArgumentsRule
    whole_parameter: str | None = None
    taken: frozenset[str] | None = None
    permissions: tuple[str, ...] = ()  # "app.codename", all of them needed
    permission_classes: tuple[Any, ...] = ()  # DRF's, given the feature as ``view``
    enabled: Enabled | None = None
    icons: tuple[Icon, ...] = ()
    meta: Mapping[str, Any] = field(default_factory=dict)
    tags: tuple[str, ...] = ()
    # Known once made: parameters are filled with the same values for every caller, or with
    # the user; signing in is needed, for a parameter or a permission asks for the user; the
    # tenant is looked up before the handler runs, and must be there.
    is_shared: bool = field(init=False)
    uses_user: bool = field(init=False)
    requires_user: bool = field(init=False)
    uses_tenant: bool = field(init=False)
    requires_tenant: bool = field(init=False)

    kind = "feature"

    def __post_init__(self) -> None:
        known = {
            "is_shared": all(binding.is_shared for binding in self.bindings),
            "uses_user": any(binding.uses_user for binding in self.bindings),
            "requires_user": bool(self.permissions) or any(b.requires_user for b in self.bindings),
            "uses_tenant": any(binding.uses_tenant for binding in self.bindings),
            "requires_tenant": any(binding.requires_tenant for binding in self.bindings),
        }
        for name, value in known.items():
            object.__setattr__(self, name, value)

    @property
    def key(self) -> str:
        """What it is asked for by: the name, the URI, or the URI template."""
        return self.name

    @property
    def noun(self) -> str:
        """Its kind in words."""
        return self.kind.replace("_", " ")

    def handler_arguments(
        self, arguments: dict[str, Any], raw: Mapping[str, Any]
    ) -> dict[str, Any]:
        """Validated arguments as the keyword arguments of the handler."""
        if self.whole_parameter is None:
            if self.taken is None:
                return dict(arguments)
            return {name: arguments[name] for name in self.taken if name in arguments}
        build = self.arguments.build
        whole = build(arguments) if build else Arguments(arguments, raw)
        return {self.whole_parameter: whole}
