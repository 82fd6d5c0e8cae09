"""The function that is called, as its signature says: parameters and result, resolved."""

from __future__ import annotations

import builtins
import functools
import inspect
import sys
import typing
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import SimpleNamespace, UnionType
from typing import Annotated, Any, Union, get_args, get_origin

from asgiref.sync import AsyncToSync, iscoroutinefunction

from mcp_django.features.base import Parameter
from mcp_django.features.declarations import underlying
from mcp_django.schema.annotations import alias_value, is_alias
from mcp_django.schema.errors import DeclarationError

EMPTY = inspect.Parameter.empty

# What an author most likely meant by a parameter of such a name.
_LIKELY = {
    "context": "Context",
    "ctx": "Context",
    "request": "HttpRequest",
    "user": "CurrentUser",
    "tenant": "CurrentTenant",
}


@dataclass(frozen=True, slots=True)
class HandlerParameter:
    """One parameter; ``annotation`` is resolved, ``Annotated`` and all, or ``EMPTY``."""

    name: str
    annotation: Any
    default: Any

    def asked(self, feature: str) -> Parameter:
        """The parameter as a resolver is asked about it."""
        plain, metadata = taken_apart(self.annotation)
        return Parameter(self.name, plain, metadata, self.default, feature)


@dataclass(frozen=True, slots=True)
class Handler:
    """A callable with a resolved signature. ``takes_any`` says that it has ``**kwargs``."""

    call: Callable[..., Any]
    parameters: tuple[HandlerParameter, ...]
    returns: Any
    is_async: bool
    takes_any: bool = False


def read_handler(
    call: Callable[..., Any],
    namespace: Mapping[str, Any] | None = None,
    fallback: Mapping[str, Any] | None = None,
) -> Handler:
    """Read a signature.

    ``namespace`` are names that the function could see beside those of its module,
    ``fallback`` those that count where nothing else has the name.
    """
    if inspect.isasyncgenfunction(underlying(call)):
        raise DeclarationError(
            "It is an async generator, whose values cannot be sent one by one.",
            "Collect them and return a list.",
        )
    try:
        signature = inspect.signature(underlying(call) if isinstance(call, AsyncToSync) else call)
    except (ValueError, TypeError) as error:
        raise DeclarationError(
            f"Its signature cannot be read: {error}.", "Wrap it in a function of your own."
        ) from error
    resolved = _resolved(signature, call, namespace or {}, fallback or {})
    filled = _filled_by_partial(call)
    parameters = []
    for parameter in signature.parameters.values():
        _refuse_positional(parameter)
        if parameter.kind is not parameter.VAR_KEYWORD and parameter.name not in filled:
            annotation = resolved.get(parameter.name, EMPTY)
            parameters.append(HandlerParameter(parameter.name, annotation, parameter.default))
    kinds = {parameter.kind for parameter in signature.parameters.values()}
    return Handler(
        call,
        tuple(parameters),
        resolved.get("return", EMPTY),
        is_async=is_async(call),
        takes_any=inspect.Parameter.VAR_KEYWORD in kinds,
    )


def is_async(call: Callable[..., Any]) -> bool:
    """Whether calling it gives a coroutine: ``async def``, or marked so by a decorator."""
    while isinstance(call, functools.partial):
        call = call.func
    return iscoroutinefunction(call) or iscoroutinefunction(type(call).__call__)


def unannotated(name: str) -> DeclarationError:
    """The refusal of a parameter without annotation."""
    fix = f"Write its type, such as {name}: str, or give arguments= a serializer."
    return DeclarationError(
        f"The parameter {name!r} has no annotation.",
        filled_by_server([name]) if meant_by(name) else fix,
    )


def filled_by_server(names: Sequence[str]) -> str:
    """The fix for parameters without annotation whose names say what is meant."""
    return f"Write {', '.join(map(meant_by, names))}, and the server fills it."


def meant_by(name: str) -> str:
    """``context: Context`` and the like: what an author most likely means by a name."""
    return f"{name}: {_LIKELY[name]}" if name in _LIKELY else ""


def taken_apart(annotation: Any) -> tuple[Any, tuple[Any, ...]]:
    """The type without ``Annotated``, and what stood in it, inside ``X | None`` too."""
    while is_alias(get_origin(annotation) or annotation):
        annotation = alias_value(annotation)
    if get_origin(annotation) is Annotated:
        inner, *metadata = get_args(annotation)
        plain, deeper = taken_apart(inner)
        return plain, (*deeper, *metadata)
    if get_origin(annotation) in (Union, UnionType):
        branches = [taken_apart(branch) for branch in get_args(annotation)]
        found = tuple(item for _, metadata in branches for item in metadata)
        if found:
            return Union[tuple(plain for plain, _ in branches)], found  # noqa: UP007
    return annotation, ()


def optional(annotation: Any) -> tuple[Any, bool]:
    """``X | None`` as X and True; anything else as it is and False."""
    if get_origin(annotation) in (Union, UnionType):
        branches = [branch for branch in get_args(annotation) if branch is not type(None)]
        if len(branches) == 1 and len(get_args(annotation)) == 2:
            return branches[0], True
    return annotation, False


def _refuse_positional(parameter: inspect.Parameter) -> None:
    if parameter.kind is parameter.VAR_POSITIONAL:
        raise DeclarationError(
            f"It takes *{parameter.name}, and arguments have names.",
            "Name each argument, or take one of type list[…]. If a decorator hides the "
            "signature, let it use functools.wraps.",
        )
    if parameter.kind is parameter.POSITIONAL_ONLY:
        raise DeclarationError(
            f"The parameter {parameter.name!r} is positional-only, and arguments have names.",
            "Remove the / from the signature.",
        )


def _filled_by_partial(call: Any) -> set[str]:
    """What ``functools.partial`` has filled already: a caller must not overwrite it."""
    filled: set[str] = set()
    while isinstance(call, functools.partial):
        filled.update(call.keywords)
        call = call.func
    return filled


def _resolved(
    signature: inspect.Signature,
    call: Any,
    namespace: Mapping[str, Any],
    fallback: Mapping[str, Any],
) -> dict[str, Any]:
    """The annotations of a signature, by parameter and ``return``, without forward references."""
    raw = {
        parameter.name: parameter.annotation
        for parameter in signature.parameters.values()
        if parameter.annotation is not EMPTY
    }
    if signature.return_annotation is not signature.empty:
        raw["return"] = signature.return_annotation
    function = underlying(call)
    names = {
        **fallback,
        **vars(builtins),
        **_globals(function),
        **namespace,
        **{one.__name__: one for one in getattr(function, "__type_params__", ())},
    }
    return {name: _resolve(name, annotation, names) for name, annotation in raw.items()}


def _globals(function: Any) -> Mapping[str, Any]:
    """The names of the module that a function or a class was written in."""
    module = sys.modules.get(getattr(function, "__module__", None) or "")
    found: Mapping[str, Any] = getattr(function, "__globals__", None) or vars(module or object)
    return found


def _resolve(name: str, annotation: Any, names: dict[str, Any]) -> Any:
    holder = SimpleNamespace(__annotations__={name: annotation})
    try:
        return typing.get_type_hints(holder, names, names, include_extras=True)[name]
    except Exception as error:
        where = "The type of the result" if name == "return" else f"The type of {name!r}"
        raise DeclarationError(
            f"{where}, {annotation!r}, cannot be resolved: {error}.",
            "Import or define the name at the top level of the module, not only under "
            "`if TYPE_CHECKING:`.",
        ) from error
