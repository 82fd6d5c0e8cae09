"""What stands around a type in a hint, and what it adds to the field of the type."""

from __future__ import annotations

import copy
import re
from types import NoneType
from typing import Any, Union, get_args, get_origin

from django.utils.functional import Promise
from rest_framework import serializers
from rest_framework.fields import empty

from mcp_django.schema.annotations import alias_value, is_alias, is_union, spelled, unwrapped
from mcp_django.schema.arguments import ParamHeader
from mcp_django.schema.deriving.structures import EMPTY, Argument
from mcp_django.schema.deriving.unmappable import unmappable
from mcp_django.schema.errors import DeclarationError
from mcp_django.schema.keywords import UNSPOKEN_NULL
from mcp_django.schema.model_fields import Lookup
from mcp_django.schema.trees import AnyField, kinds_of, named

_MOST = 100  # aliases, NewTypes and Annotateds around each other


def peeled(annotation: Any) -> tuple[Any, tuple[Any, ...], bool]:
    """The hint itself, what ``Annotated`` said of it, and whether None is fine."""
    metadata: tuple[Any, ...] = ()
    optional = False
    for _layer in range(_MOST):
        hint, extras = unwrapped(annotation)
        metadata = (*extras, *metadata)
        if is_alias(get_origin(hint) or hint):
            annotation = alias_value(hint)
            continue
        if not is_union(hint):
            return hint, metadata, optional
        arguments = [member for member in get_args(hint) if member is not NoneType]
        optional = optional or len(arguments) < len(get_args(hint))
        annotation = Union[tuple(arguments)]  # noqa: UP007 - known at run time only
        if len(arguments) > 1:
            return annotation, metadata, optional
    raise RecursionError  # as where the alias of an alias is found inside of itself


def refuse_unmade(metadata: tuple[Any, ...]) -> None:
    """``Annotated[Loan, Lookup]``: the class alone says nothing, and would be passed over."""
    if any(extra is Lookup for extra in metadata):
        raise DeclarationError(
            "Lookup stands in Annotated without a function.",
            "Write Lookup(function), where function(context) returns a queryset.",
        )
    if any(extra is ParamHeader for extra in metadata):
        raise DeclarationError(
            "ParamHeader stands in Annotated without a name.", 'Write ParamHeader("Region"), say.'
        )


def given_field(metadata: tuple[Any, ...]) -> AnyField | None:
    """The field that ``Annotated`` holds."""
    given: AnyField | None = None
    for extra in metadata:
        if isinstance(extra, type) and issubclass(extra, serializers.Field):
            raise DeclarationError(
                f"Annotated holds the class {extra.__name__}, not a field.",
                f"Write {extra.__name__}().",
            )
        if isinstance(extra, serializers.Field):
            if given is not None:
                raise DeclarationError(
                    f"Annotated holds two fields, {named(given)} and {named(extra)}.",
                    "Keep the one that is meant.",
                )
            given = extra
    if given is not None and given.read_only:
        raise DeclarationError(
            "The field of this argument is read-only, so nobody could give it.",
            "Leave read_only=True out.",
        )
    if isinstance(given, serializers.FileField):
        raise unmappable(bytes)
    return given


def refuse_contradiction(hint: Any, given: AnyField) -> None:
    """Refuse ``Annotated[int, CharField()]``: the tool would get a str where it says int."""
    wanted = _KINDS.get(get_origin(hint) or hint)
    if wanted is None or not type(given).__module__.startswith("rest_framework."):
        return  # a field of the project's may make anything of what is sent
    if not wanted & kinds_of(given):
        raise DeclarationError(
            f"Annotated says {spelled(hint)}, and its {named(given)} reads "
            f"{' or '.join(sorted(kinds_of(given)))}.",
            f"Give a field for {spelled(hint)}, or write the type that this one gives.",
        )


_NUMBERS = frozenset({"integer", "number"})
_KINDS: dict[Any, frozenset[str]] = {
    bool: frozenset({"boolean"}),
    int: _NUMBERS,
    float: _NUMBERS,
    str: frozenset({"string"}),
    list: frozenset({"array"}),
    dict: frozenset({"object"}),
}


def options_of(
    argument: Argument, field: AnyField, metadata: tuple[Any, ...], optional: bool
) -> dict[str, Any]:
    """What the hint, the default and the help text add to a field."""
    options: dict[str, Any] = {}
    if optional and not field.allow_null:
        options["allow_null"] = True
    if argument.default is not EMPTY:
        if callable(argument.default) and not argument.is_factory:
            raise DeclarationError(
                f"The default {argument.default!r} is callable, so it would be called.",
                "Give a value; one that has to be made for each call is made in the tool.",
            )
        options["default"] = argument.default
        if argument.default is None:
            options["style"] = {**field.style, UNSPOKEN_NULL: True}
    elif not argument.required:
        options["required"] = False
    elif not field.required and field.default is empty:
        raise DeclarationError(
            "The field of this argument has required=False, and there is no default.",
            "Give the parameter a default.",
        )
    texts = [extra for extra in metadata if isinstance(extra, (str, Promise))]
    text = texts[-1] if texts else argument.help_text
    if text and not field.help_text:
        options["help_text"] = text
    return options


def rebuilt(field: AnyField, **options: Any) -> AnyField:
    """A copy of a field, made anew as DRF copies fields, with other options."""
    made: Any = field  # how it was made is kept by DRF, and unknown to its stubs
    same = ("validators", "regex")  # as in DRF: these are taken for immutable
    kwargs = {
        name: value if name in same else copy.deepcopy(value)
        for name, value in made._kwargs.items()
    }
    if "default" in options:
        kwargs.pop("required", None)
    arguments = [
        value if isinstance(value, re.Pattern) else copy.deepcopy(value) for value in made._args
    ]
    return type(field)(*arguments, **{**kwargs, **options})
