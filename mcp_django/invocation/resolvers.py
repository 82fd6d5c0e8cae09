"""Parameters that the server fills: who claims one, and what it becomes.

Asked once for each parameter, at start-up: the tool's resolvers, then the server's, then
the project's, then the types that are known here. What nobody claims is an argument.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from asgiref.sync import iscoroutinefunction
from django.core.exceptions import ImproperlyConfigured
from django.http import HttpRequest
from django.utils.module_loading import import_string

from mcp_django.features.base import Binder, Binding, Parameter
from mcp_django.features.handlers import optional
from mcp_django.features.services import service_of
from mcp_django.invocation.context import Context
from mcp_django.invocation.injection import binding_of_function, binding_of_service
from mcp_django.invocation.markers import CurrentTenant, CurrentUser, Inject
from mcp_django.schema.errors import Broken, DeclarationError, cause_to_show

__all__ = ["CurrentTenant", "CurrentUser", "Inject", "ParameterResolver", "make_binder"]


class ParameterResolver:
    """Fills parameters that a project knows how to fill. Subclasses define both methods.

    ``claims`` is asked once for each parameter, at start-up; ``resolve`` is called for each
    call, and may be async. What it raises is treated as if the tool had raised it.
    """

    def claims(self, parameter: Parameter) -> bool:
        """Whether this resolver fills the parameter, so that no caller ever sends it."""
        raise NotImplementedError

    def resolve(self, parameter: Parameter, context: Context, arguments: Mapping[str, Any]) -> Any:
        """The value, for this call; ``arguments`` are the validated ones."""
        raise NotImplementedError


@dataclass(frozen=True, slots=True)
class _Binder:
    """Asks resolvers in turn, then what is built in. ``given`` are named by us."""

    resolvers: tuple[ParameterResolver, ...]
    given: frozenset[str] = frozenset()

    def __call__(self, parameter: Parameter) -> Binding | None:
        if parameter.name in self.given:
            the_argument = partial(_the_argument, parameter.name)
            return Binding(parameter.name, the_argument, blocks=False, is_shared=True)
        for resolver in self.resolvers:
            if _claims(resolver, parameter):
                return Binding(
                    parameter.name,
                    partial(resolver.resolve, parameter),
                    blocks=not iscoroutinefunction(resolver.resolve),
                )
        return _built_in(parameter, self)

    def calling(
        self, function: Callable[..., Any], parameter: Parameter, *, given: Sequence[str] = ()
    ) -> Binding:
        binder = replace(self, given=frozenset(given))
        # Several features may name one function, and each is to have all that it gives.
        return binding_of_function(parameter, function, binder, is_kept=False)

    def preferring(self, resolvers: Sequence[Any]) -> Binder:
        if not resolvers:
            return self
        return replace(self, resolvers=(*map(_loaded, resolvers), *self.resolvers))


def make_binder(resolvers: Sequence[Any] = ()) -> Binder:
    """What binds parameters: these resolvers (instances, classes, import paths), then ours."""
    try:
        return _Binder(tuple(map(_loaded, resolvers)))
    except DeclarationError as error:
        raise ImproperlyConfigured(str(error)) from cause_to_show(error)


def _loaded(resolver: Any) -> ParameterResolver:
    named = resolver
    if isinstance(resolver, str):
        try:
            resolver = import_string(resolver)
        except ImportError as error:
            raise Broken(
                f"The resolver {named!r} cannot be imported: {error}.", "Correct the path."
            ) from error
    if isinstance(resolver, type):
        try:
            resolver = resolver()
        except Exception as error:
            raise Broken(
                f"The resolver {named!r} cannot be made: {error}.",
                "Give an instance, or let its constructor need nothing.",
            ) from error
    for method in ("claims", "resolve"):
        if not callable(getattr(resolver, method, None)):
            raise DeclarationError(
                f"The resolver {named!r} has no method {method}().",
                "Derive its class from mcp_django.ParameterResolver.",
            )
    return resolver  # type: ignore[no-any-return]


def _claims(resolver: ParameterResolver, parameter: Parameter) -> bool:
    try:
        return bool(resolver.claims(parameter))
    except Exception as error:
        raise Broken(
            f"{type(resolver).__qualname__}.claims() failed on the parameter "
            f"{parameter.name!r}: {error!r}.",
            "It is asked about every parameter: let it return False for those that it does "
            "not know.",
        ) from error


def _built_in(parameter: Parameter, binder: Binder) -> Binding | None:
    """What is injected by its type or by a marker in ``Annotated``."""
    plain, may_be_none = optional(parameter.annotation)
    for marker in (*parameter.metadata, plain):
        if _is(marker, CurrentUser):
            _refuse_idle_none(parameter, "CurrentUser", plain, may_be_none)
            return _user(parameter.name, required=not may_be_none)
        if _is(marker, CurrentTenant):
            _refuse_idle_none(parameter, "CurrentTenant", plain, may_be_none)
            return _tenant(parameter.name, required=not may_be_none)
        if marker is Inject:
            raise DeclarationError(
                f"Inject stands on {parameter.name!r} without a function.",
                "Write Inject(function).",
            )
        if isinstance(marker, Inject):
            return binding_of_function(parameter, marker.function, binder)
    service = service_of(plain)
    if service is not None:
        return binding_of_service(parameter, service)
    if isinstance(plain, type) and issubclass(plain, Context):
        return Binding(parameter.name, _the_context, blocks=False)
    if isinstance(plain, type) and issubclass(plain, HttpRequest):
        return Binding(parameter.name, _the_request, blocks=False)
    return None


def _refuse_idle_none(parameter: Parameter, marker: str, plain: Any, may_be_none: bool) -> None:
    """``user: CurrentUser = None`` looks as if it let anonymous callers in."""
    if parameter.default is not None or may_be_none:
        return
    name = getattr(plain, "__name__", str(plain))
    wanted = f"{marker} | None"
    if name != marker:
        wanted = f"Annotated[{name} | None, {marker}]"
    raise DeclarationError(
        f"The parameter {parameter.name!r} has the default None, which is never used: "
        f"{marker} refuses a call without one.",
        f"Write {wanted}.",
    )


def _is(marker: Any, kind: Any) -> bool:
    """Whether it is this marker, or, as some write it, an instance of it."""
    return marker is kind or type(marker) is kind


def _user(name: str, *, required: bool) -> Binding:
    return Binding(name, _the_user, blocks=False, uses_user=True, requires_user=required)


def _tenant(name: str, *, required: bool) -> Binding:
    return Binding(name, _the_tenant, blocks=False, requires_tenant=required, uses_tenant=True)


# The caller and the tenant are known by the time a handler's parameters are filled.


def _the_argument(name: str, context: Context, arguments: Mapping[str, Any]) -> Any:
    return arguments[name]


def _the_user(context: Context, arguments: Mapping[str, Any]) -> Any:
    return context.user


def _the_tenant(context: Context, arguments: Mapping[str, Any]) -> Any:
    return context.tenant


def _the_context(context: Context, arguments: Mapping[str, Any]) -> Context:
    return context


def _the_request(context: Context, arguments: Mapping[str, Any]) -> HttpRequest:
    return context.request
