"""Reading type hints: what stands behind the wrappers, and inside classes."""

from __future__ import annotations

import typing
from collections.abc import Awaitable, Coroutine, Mapping
from dataclasses import fields, is_dataclass
from types import NoneType, UnionType
from typing import Annotated, Any, NewType, TypeVar, Union, get_args, get_origin

from mcp_django.schema.errors import DeclarationError

_QUALIFIERS = frozenset({"Required", "NotRequired", "ReadOnly", "Final"})


def spelled(annotation: Any) -> str:
    """A type hint as its author would write it."""
    if annotation is NoneType:
        return "None"
    if isinstance(annotation, type) and not get_args(annotation):
        return annotation.__qualname__
    return str(annotation).replace("typing.", "").replace("collections.abc.", "")


def is_union(annotation: Any) -> bool:
    """``A | B``, ``Union[A, B]`` or ``Optional[A]``."""
    return get_origin(annotation) in (Union, UnionType)


def is_alias(annotation: Any) -> bool:
    """Made by a ``type`` statement or by ``TypeAliasType``."""
    # By name: there is a backport, and asking for __value__ would resolve it.
    return type(annotation).__name__ == "TypeAliasType"


def unwrapped(annotation: Any) -> tuple[Any, tuple[Any, ...]]:
    """The hint without ``Annotated``, ``NewType`` and qualifiers, and what Annotated held."""
    metadata: tuple[Any, ...] = ()
    while True:
        if isinstance(annotation, NewType):
            annotation = annotation.__supertype__
        elif get_origin(annotation) is Annotated:
            metadata = (*annotation.__metadata__, *metadata)
            annotation = annotation.__origin__
        elif qualifier(annotation):
            annotation = get_args(annotation)[0]
        else:
            return (NoneType if annotation is None else annotation), metadata


def qualifier(annotation: Any) -> str | None:
    """``Required``, ``NotRequired``, ``ReadOnly`` or ``Final``, where one stands outside."""
    name = getattr(get_origin(annotation), "_name", None)
    return name if name in _QUALIFIERS and get_args(annotation) else None


def alias_value(annotation: Any) -> Any:
    """What a type alias stands for, its parameters filled in."""
    alias = get_origin(annotation) or annotation
    try:
        value = alias.__value__
    except NameError as error:
        raise unresolved(alias, error) from error
    return substituted(value, dict(zip(alias.__type_params__, get_args(annotation), strict=False)))


def awaited(annotation: Any) -> Any:
    """What is left once everything that can be awaited has been, to any depth."""
    annotation, metadata = unwrapped(annotation)
    origin = get_origin(annotation) or annotation
    if is_union(annotation):
        members: Any = tuple(awaited(member) for member in get_args(annotation))
        annotation = Union[members]  # noqa: UP007 - of a tuple known at run time only
    elif isinstance(origin, type) and issubclass(origin, Awaitable):
        arguments = get_args(annotation)
        if not arguments:
            raise DeclarationError(
                f"{spelled(annotation)} does not say of what.",
                "Write the type of the awaited value: Awaitable[int], Coroutine[Any, Any, int].",
            )
        return awaited(arguments[2 if issubclass(origin, Coroutine) else 0])
    return Annotated[(annotation, *metadata)] if metadata else annotation


def substituted(hint: Any, bindings: Mapping[Any, Any]) -> Any:
    """A hint with its type variables replaced by what they are bound to."""
    if isinstance(hint, TypeVar):
        return bindings.get(hint, hint)
    parameters = getattr(hint, "__parameters__", ())
    if not bindings or not parameters or isinstance(hint, type):
        return hint
    return hint[tuple(bindings.get(parameter, parameter) for parameter in parameters)]


def _bindings(annotation: Any) -> dict[Any, Any]:
    """The type variables of a generic class and of its bases, and what each is bound to."""
    origin = get_origin(annotation) or annotation
    own = dict(zip(getattr(origin, "__parameters__", ()), get_args(annotation), strict=False))
    found = dict(own)
    for base in getattr(origin, "__orig_bases__", ()):
        if get_args(base) and get_origin(base) not in (typing.Generic, typing.Protocol):
            found.update(_bindings(substituted(base, own)))
    return found


def hints_of(annotation: Any) -> dict[str, Any]:
    """The hints of a class's attributes, resolved, generic ones filled in."""
    cls = get_origin(annotation) or annotation
    try:
        hints = typing.get_type_hints(cls, include_extras=True)
    except NameError as error:
        raise unresolved(cls, error) from error
    bindings = _bindings(annotation)
    return {name: substituted(hint, bindings) for name, hint in hints.items()}


def unresolved(owner: Any, error: NameError) -> DeclarationError:
    """The refusal of a name that stands for nothing."""
    return DeclarationError(
        f"A type hint of {spelled(owner)} cannot be resolved: {error}.",
        "Define or import that name at the top of the module, not under TYPE_CHECKING.",
    )


def is_typed_dict(annotation: Any) -> bool:
    """A TypedDict of ``typing`` or of ``typing_extensions``."""
    return (
        isinstance(annotation, type)
        and issubclass(annotation, dict)
        and hasattr(annotation, "__total__")
    )


def members_of(annotation: Any) -> tuple[dict[str, Any], list[str]]:
    """The attributes or keys of a dataclass, NamedTuple or TypedDict, and which are required.

    Where annotations are strings, ``__required_keys__`` knows ``total=`` alone: what the
    resolved hints say goes before it.
    """
    cls = get_origin(annotation) or annotation
    hints = hints_of(annotation)
    if is_dataclass(cls):
        names = [field.name for field in fields(cls)]
    elif is_typed_dict(cls):
        required = [
            name for name in hints if _is_required(hints[name], name in cls.__required_keys__)
        ]
        return hints, required
    else:
        names = list(cls._fields)
    return {name: hints.get(name, Any) for name in names}, names


def _is_required(hint: Any, otherwise: bool) -> bool:
    while (found := qualifier(hint)) or get_origin(hint) is Annotated:
        if found in ("Required", "NotRequired"):
            return found == "Required"
        hint = get_args(hint)[0]
    return otherwise


def own_docstring(cls: type) -> str | None:
    """What the author wrote: not inherited, and not what ``dataclass`` writes by itself."""
    doc: str | None = cls.__dict__.get("__doc__")
    return None if doc is None or doc.startswith(f"{cls.__name__}(") else doc
