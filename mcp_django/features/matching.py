"""The parameters of a handler held against the fields that are to fill them."""

from __future__ import annotations

import copy
import enum
import functools
import inspect
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rest_framework.fields import empty
from rest_framework.serializers import BaseSerializer, HiddenField

from mcp_django.features.handlers import EMPTY, HandlerParameter, filled_by_server, meant_by
from mcp_django.schema.blocking import is_customised
from mcp_django.schema.errors import DeclarationError, Unfilled
from mcp_django.schema.validation import ArgumentsRule

INJECT_IT = (
    "if the server is to fill it, provide() its type, write Annotated[…, Inject(function)], "
    "or claim it with a ParameterResolver"
)


class Presence(enum.Enum):
    """Whether a valid call has a value for a field."""

    REQUIRED = enum.auto()
    BY_DEFAULT = enum.auto()  # the field's own stands in
    OPTIONAL = enum.auto()
    HIDDEN = enum.auto()  # nobody sends it; a handler need not take it


@dataclass(frozen=True, slots=True)
class Filling:
    """What fills a parameter, as far as the field tells."""

    presence: Presence
    default: Any = empty


def serializer_of(rule: ArgumentsRule, source: Any) -> Any:
    """A serializer that validates as the rule does; ``source`` is what the author gave.

    One that is made already is taken: another one would cost a third of a start-up.
    """
    if isinstance(source, BaseSerializer):
        return source
    return getattr(rule.run, "serializer", None) or (rule.serializer and rule.serializer())


def fillings_of_fields(serializer: Any) -> dict[str, Filling]:
    """What the fields of a serializer give, by name."""
    return {
        name: Filling(Presence.OPTIONAL) if serializer.partial else _filling(field)
        for name, field in serializer.fields.items()
        if not field.read_only
    }


def may_give_more(serializer: Any) -> bool:
    """Whether validating may give values beside those that are sent."""
    return is_customised(serializer) or any(
        field.source == "*" or isinstance(field, HiddenField)
        for field in serializer.fields.values()
    )


def _filling(field: Any) -> Filling:
    if isinstance(field, HiddenField):
        return Filling(Presence.HIDDEN)
    if field.default is not empty:
        default = field.default
        if isinstance(default, functools.partial) and default.func is copy.deepcopy:
            (default,) = default.args  # a list, say, which each call gets a copy of
        return Filling(Presence.BY_DEFAULT, default)
    return Filling(Presence.REQUIRED if field.required else Presence.OPTIONAL)


def fillings_of_schema(rule: ArgumentsRule) -> dict[str, Filling]:
    """What a raw schema gives: its ``default`` is a word to clients, and fills nothing."""
    required = rule.schema.get("required", ())
    return {
        name: Filling(Presence.REQUIRED if name in required else Presence.OPTIONAL)
        for name in rule.names
    }


def match_parameters(
    parameters: Sequence[HandlerParameter],
    fillings: Mapping[str, Filling],
    source: str,
    takes_any: bool,
) -> None:
    """Refuse a parameter without a field, a field without a parameter, and idle defaults."""
    by_name = {parameter.name: parameter for parameter in parameters}
    unknown = [name for name in by_name if name not in fillings]
    if unknown:
        bare = [name for name in unknown if by_name[name].annotation is EMPTY and meant_by(name)]
        raise Unfilled(
            f"{named('parameter', unknown)} {be(unknown)} no field of {source}.",
            filled_by_server(bare)
            if bare
            else f"Add the field or remove the parameter; {INJECT_IT}.",
        )
    missing = [
        name
        for name, filling in fillings.items()
        if name not in by_name and filling.presence is not Presence.HIDDEN
    ]
    if missing and not takes_any:
        raise DeclarationError(
            f"{named('field', missing)} of {source} {have(missing)} no parameter.",
            f"Add {', '.join(missing)} to the signature, or **kwargs, or take all in one "
            "parameter called arguments.",
        )
    for name, parameter in by_name.items():
        _match_default(parameter, fillings[name], source)


def _match_default(parameter: HandlerParameter, filling: Filling, source: str) -> None:
    """A parameter's default stands in for a field that may be absent, and for no other."""
    name, has_default = parameter.name, parameter.default is not EMPTY
    if filling.presence is Presence.OPTIONAL and not has_default:
        raise DeclarationError(
            f"The field {name!r} of {source} may be absent, and the parameter has no default.",
            "Give the parameter or the field a default, or make the field required.",
        )
    if filling.presence is Presence.REQUIRED and has_default:
        raise DeclarationError(
            f"The parameter {name!r} has a default that is never used, for the field of "
            f"{source} is required.",
            "Remove the default, or write required=False on the field.",
        )
    differs = has_default and not _same(parameter.default, filling.default)
    if filling.presence is Presence.BY_DEFAULT and differs:
        raise DeclarationError(
            f"The parameter {name!r} has the default {parameter.default!r}, but the field of "
            f"{source} has {filling.default!r}, which is used.",
            "Keep that of the field alone.",
        )


def _same(one: Any, other: Any) -> bool:
    return one is other or (type(one) is type(other) and bool(one == other))


def named(noun: str, names: Sequence[str]) -> str:
    """``The fields 'a', 'b'``."""
    listed = ", ".join(repr(name) for name in names)
    return f"The {noun}{'s' if len(names) > 1 else ''} {listed}"


def be(names: Sequence[str]) -> str:
    """The verb for one or several."""
    return "are" if len(names) > 1 else "is"


def have(names: Sequence[str]) -> str:
    """The verb for one or several."""
    return "have" if len(names) > 1 else "has"


def spelled_source(source: Any) -> str:
    """What an author gave for arguments, in a few words."""
    if isinstance(source, Mapping):
        return "arguments="
    cls = source if inspect.isclass(source) else type(source)
    return cls.__qualname__.rpartition("<locals>.")[2]
