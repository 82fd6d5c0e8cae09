"""What a declaration is about: the function to call, its own name, what is written of it."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from asgiref.sync import AsyncToSync

from mcp_django.features.class_rules import refuse_without_self
from mcp_django.features.classes import (
    class_of,
    docstring_of,
    kind_of,
    method_of,
    options_of,
    takes_self,
)
from mcp_django.features.components import Toolset
from mcp_django.features.declarations import Declaration, underlying
from mcp_django.features.instances import instance_of
from mcp_django.features.naming import kebab_case
from mcp_django.features.options import checked_text
from mcp_django.features.texts import filled
from mcp_django.schema.docstrings import parse
from mcp_django.schema.translation import Text


@dataclass(frozen=True, slots=True)
class Subject:
    """What is called, the name it has of itself, and what is written about it."""

    call: Callable[..., Any]
    name: str
    docstrings: Sequence[str]  # the nearest first
    fallback: Mapping[str, Any] = field(default_factory=dict)  # names inside of its class


def options_given(declaration: Declaration) -> dict[str, Any]:
    """The options that the author gave: of the declaration, before those of its class."""
    kind = kind_of(class_of(declaration.target))
    if kind is None:
        return dict(declaration.options)
    own = options_of(class_of(declaration.target), kind)
    # A function among them may be a method, of the instance that is called.
    instance = instance_of(declaration.target)
    bound = {name: getattr(instance, name) for name, one in own.items() if takes_self(one)}
    return {**own, **bound, **declaration.options}


def subject_of(declaration: Declaration) -> Subject:
    """Make and set up what has to be; raises ``DeclarationError``."""
    target, cls = declaration.target, class_of(declaration.target)
    if issubclass(cls, Toolset):
        refuse_without_self(cls, declaration.method)
        call = getattr(instance_of(target), declaration.method)
        name = f"{declaration.prefix}.{kebab_case(declaration.method)}"
        return Subject(call, name, [call.__doc__ or ""], _members(cls))
    kind = kind_of(cls)
    if kind is not None:
        method = method_of(kind)
        refuse_without_self(cls, method)
        call = getattr(instance_of(target), method)
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


def described(subject: Subject, options: Mapping[str, Any]) -> tuple[Text, Mapping[str, str]]:
    """The description, and those of arguments: the option, else the nearest docstring."""
    arguments = _arguments_described(subject)
    given = checked_text("description", options)
    if given is not None:
        return given, arguments
    written = (parse(text).description for text in subject.docstrings if text)
    return filled(next(filter(None, written), "")), arguments


def _arguments_described(subject: Subject) -> dict[str, str]:
    """What docstrings say of arguments, by name; the nearest has the last word."""
    arguments: dict[str, str] = {}
    for text in reversed(subject.docstrings):
        arguments |= parse(text).arguments
    return arguments


def described_in_vain(declaration: Declaration, known: Iterable[str]) -> list[str]:
    """The names that the docstring describes as parameters and that are none.

    ``known`` are those of the arguments. The attributes of a class may be described as well.
    """
    subject = subject_of(declaration)
    owner = getattr(subject.call, "__self__", subject.call)
    parameters = inspect.signature(underlying(subject.call)).parameters
    said = (name.strip("*\\") for name in _arguments_described(subject))
    return [name for name in said if name not in {*known, *parameters, *dir(owner)}]


def _members(cls: type) -> dict[str, Any]:
    """The names inside of a class and its bases: an annotation may speak of them."""
    return {name: value for base in reversed(cls.__mro__) for name, value in vars(base).items()}
