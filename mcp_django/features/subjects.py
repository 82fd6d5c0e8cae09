"""What a declaration is about: the function to call, its own name, what is written of it."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from asgiref.sync import AsyncToSync

from mcp_django.features.classes import (
    Tool,
    Toolset,
    class_of,
    docstring_of,
    options_of,
    refuse_without_self,
)
from mcp_django.features.declarations import Declaration, underlying
from mcp_django.features.instances import instance_of
from mcp_django.features.naming import kebab_case
from mcp_django.features.options import checked_text
from mcp_django.schema.docstrings import parse


@dataclass(frozen=True, slots=True)
class Subject:
    """What is called, the name it has of itself, and what is written about it."""

    call: Callable[..., Any]
    name: str
    docstrings: Sequence[str]  # the nearest first
    fallback: Mapping[str, Any] = field(default_factory=dict)  # names inside of its class


def options_given(declaration: Declaration) -> dict[str, Any]:
    """The options that the author gave: of the declaration, before those of its class."""
    cls = class_of(declaration.target)
    own = options_of(cls) if issubclass(cls, Tool) else {}
    return {**own, **declaration.options}


def subject_of(declaration: Declaration) -> Subject:
    """Make and set up what has to be; raises ``DeclarationError``."""
    target, cls = declaration.target, class_of(declaration.target)
    if issubclass(cls, Toolset):
        refuse_without_self(cls, declaration.method)
        call = getattr(instance_of(target), declaration.method)
        name = f"{declaration.prefix}.{kebab_case(declaration.method)}"
        return Subject(call, name, [call.__doc__ or ""], _members(cls))
    if issubclass(cls, Tool):
        refuse_without_self(cls, "call")
        call = instance_of(target).call
        docstrings = [*map(docstring_of, cls.__mro__), call.__doc__ or ""]
        return Subject(call, kebab_case(cls.__name__), docstrings, _members(cls))
    return _subject_of_function(target)


def _subject_of_function(target: Any) -> Subject:
    function = underlying(target)
    documented = function.__doc__ or ""
    if getattr(target, "__name__", None):
        return Subject(target, target.__name__, [target.__doc__ or documented])
    if isinstance(target, functools.partial | AsyncToSync):
        return Subject(target, function.__name__, [documented])
    cls = type(target)
    return Subject(target, kebab_case(cls.__name__), [docstring_of(cls), documented])


def described(subject: Subject, options: Mapping[str, Any]) -> tuple[str, Mapping[str, str]]:
    """The description, and those of arguments: the option, else the nearest docstring."""
    parsed = [parse(text) for text in subject.docstrings if text]
    arguments: dict[str, str] = {}
    for docstring in reversed(parsed):
        arguments |= docstring.arguments
    given = checked_text("description", options)
    if given is not None:
        return given, arguments
    return next((one.description for one in parsed if one.description), ""), arguments


def described_in_vain(declaration: Declaration, known: Iterable[str]) -> list[str]:
    """The names that the docstring describes as parameters and that are none.

    ``known`` are those of the arguments. The attributes of a class may be described as well.
    """
    subject = subject_of(declaration)
    owner = getattr(subject.call, "__self__", subject.call)
    parameters = inspect.signature(underlying(subject.call)).parameters
    said = (name.strip("*\\") for name in described(subject, {})[1])
    return [name for name in said if name not in {*known, *parameters, *dir(owner)}]


def _members(cls: type) -> dict[str, Any]:
    """The names inside of a class and its bases: an annotation may speak of them."""
    return {name: value for base in reversed(cls.__mro__) for name, value in vars(base).items()}
