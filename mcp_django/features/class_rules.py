"""What is wrong with a class that is to be a feature, and what looks as if it were."""

from __future__ import annotations

import difflib
import inspect
from collections.abc import Iterator, Mapping

from mcp_django.features.classes import has_method, is_abstract, kind_of, method_of
from mcp_django.features.components import ROOTS, Component, Toolset
from mcp_django.features.kinds import OPTION_NAMES
from mcp_django.features.marks import decorated_methods
from mcp_django.schema.errors import DeclarationError

_OF_TOOLSET = ("name", "server")


def publishes_nothing(cls: type) -> str:
    """Why a class that looks like a feature or a toolset publishes nothing, if so.

    One that others derive from is there for them.
    """
    if vars(cls).get("abstract") or cls.__subclasses__():
        return ""
    kind = kind_of(cls)
    if kind is None:
        return (
            ""
            if decorated_methods(cls)
            else "has no method that is decorated with @tool, @resource or @prompt"
        )
    method = method_of(kind)
    return "" if callable(getattr(cls, method, None)) else f"has no method {method}()"


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


def refuse_abstract(cls: type) -> None:
    """Say why a class that is registered by hand cannot be a feature."""
    if not is_abstract(cls):
        if issubclass(cls, Toolset) and not decorated_methods(cls):
            raise DeclarationError(
                f"{cls.__qualname__} has no method that is decorated with @tool, @resource or "
                "@prompt.",
                "Decorate those that are to be features.",
            )
        return
    kind, why = kind_of(cls), "is a base class"
    if vars(cls).get("abstract"):
        why = "is marked abstract = True"
    elif kind is not None and cls not in ROOTS and not has_method(cls, kind):
        why = f"has no method {method_of(kind)}()"
    raise DeclarationError(
        f"{cls.__qualname__} {why}.", "Register a class that can be called, or an instance of it."
    )


def strange_attributes(cls: type) -> Iterator[tuple[str, str]]:
    """Attributes that no option is read from, with the one that they may be meant to be."""
    names = {
        name
        for base in cls.__mro__
        if issubclass(base, Component) and base not in ROOTS
        for name, value in vars(base).items()
        if not name.startswith("_") and not hasattr(value, "__get__")
    }
    kind = kind_of(cls)
    options = _folded_options(OPTION_NAMES[kind or "tool"])
    own = OPTION_NAMES[kind] if kind else _OF_TOOLSET
    for name in sorted(names - {*own, "abstract"}):
        meant = difflib.get_close_matches(_folded(name), options, 1, cutoff=0.82)
        if meant:
            yield name, options[meant[0]]


def _folded(name: str) -> str:
    """``readOnlyHint``, as the protocol has it, and ``readonly`` are the same word."""
    return name.lower().replace("_", "").removesuffix("hint")


def _folded_options(names: tuple[str, ...]) -> Mapping[str, str]:
    return {_folded(name): name for name in names}
