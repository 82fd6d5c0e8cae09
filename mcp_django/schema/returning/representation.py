"""What a tool returns, as its ``returns=`` serializer shows it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextvars import ContextVar
from types import MappingProxyType
from typing import Any

from django.db.models import Manager, QuerySet
from rest_framework import serializers
from rest_framework.utils.serializer_helpers import ReturnDict, ReturnList

from mcp_django.schema.conversion import to_native
from mcp_django.schema.errors import InvalidResult
from mcp_django.schema.trees import AnyField, walk

Serializer = serializers.BaseSerializer[Any]
Context = Mapping[str, Any]
Represent = Callable[[Any, Context], Any]

_ABOUT_INPUT = ("create", "update", "validate")  # methods that a result never meets,
_ABOUT_INPUT_OF = "validate_"  # and those of one field
_NEVER_QUERY = (
    serializers.BooleanField,
    serializers.CharField,
    serializers.EmailField,
    serializers.RegexField,
    serializers.SlugField,
    serializers.URLField,
    serializers.UUIDField,
    serializers.IPAddressField,
    serializers.IntegerField,
    serializers.FloatField,
    serializers.DecimalField,
    serializers.DateTimeField,
    serializers.DateField,
    serializers.TimeField,
    serializers.DurationField,
    serializers.ChoiceField,
    serializers.MultipleChoiceField,
    serializers.ListField,
    serializers.DictField,
    serializers.JSONField,
    serializers.HiddenField,
)


def represent_by(serializer: Serializer) -> Represent:
    """A function from what a tool returns to JSON-native data.

    One serializer serves all calls where nothing in it could keep a call's state, and its
    ``context`` is then the context of the call under way; else each call gets its own.
    """
    if all(_is_plain(field) for field in walk(serializer)):
        shared = with_context(serializer, _CallContext(own_context(serializer)))
        list(walk(shared))  # makes the fields, before threads share them
        return _shared(shared)

    def represent(value: Any, context: Context) -> Any:
        fresh = with_context(serializer, {**own_context(serializer), **context})
        return _represented(fresh, value)

    return represent


def _shared(serializer: Serializer) -> Represent:
    members = _members(serializer)

    def represent(value: Any, context: Context) -> Any:
        if members is not None and type(value) is dict:
            quick = _of_dict(members, value)
            if quick is not None:
                return quick
        token = _context.set(context)
        try:
            return _represented(serializer, value)
        finally:
            _context.reset(token)

    return represent


# A field's name, the type whose values it shows as they are, and how it shows others.
Members = tuple[tuple[str, type | None, Callable[[Any], Any]], ...]

_SHOWN_AS_THEY_ARE = {
    serializers.BooleanField: bool,
    serializers.CharField: str,
    serializers.IntegerField: int,
}


def _members(serializer: Serializer) -> Members | None:
    """The fields one by one, where each shows the value of its own name and no more."""
    fields: Mapping[str, AnyField] | None = getattr(serializer, "fields", None)
    if fields is None or any(
        type(field) not in _NEVER_QUERY or field.source != name for name, field in fields.items()
    ):
        return None
    return tuple(
        (name, _SHOWN_AS_THEY_ARE.get(type(field)), field.to_representation)
        for name, field in fields.items()
        if not field.write_only
    )


def _of_dict(members: Members, value: dict[Any, Any]) -> dict[str, Any] | None:
    """What DRF makes of a dict, at a fifth of its price; None where DRF is to decide.

    It decides on members that are missing, and on values that it would call.
    """
    shown: dict[str, Any] = {}
    for name, kind, represent in members:
        item = value.get(name, represent)
        if type(item) is kind:
            shown[name] = item
        elif callable(item):
            return None
        else:
            shown[name] = None if item is None else to_native(represent(item))
    return shown


def _represented(serializer: Serializer, value: Any) -> Any:
    if isinstance(value, serializers.BaseSerializer):
        return to_native(value.data)
    if isinstance(value, ReturnDict | ReturnList):  # a serializer's .data
        return to_native(value)
    try:
        return to_native(serializer.to_representation(value))
    except (AttributeError, KeyError, TypeError) as error:
        if problem := _mismatch(serializer, value):
            raise InvalidResult(problem) from error
        raise


def _mismatch(serializer: Serializer, value: Any) -> str | None:
    """One object where a list was declared, or the other way round; or nothing."""
    several = isinstance(value, list | tuple | set | frozenset | QuerySet | Manager | Iterator)
    many = isinstance(serializer, serializers.ListSerializer)
    name = type(getattr(serializer, "child", serializer)).__name__
    if value is None:
        fix = "return []" if many else "raise ToolError or Http404 where there is none"
        return f"expected {'a list' if many else 'an object'} for {name}, got None; {fix}"
    if several and not many:
        return f"expected one object for {name}, got several; returns={name}(many=True) takes them"
    if many and not several:
        got = f"expected a list for {name}, got {type(value).__name__}"
        return f"{got}; returns={name}() takes one object"
    return None


# The context of the call under way, for serializers that serve all calls.
_context: ContextVar[Context] = ContextVar(
    "mcp_django_result_context", default=MappingProxyType({})
)


class _CallContext(Mapping[str, Any]):
    """The call's context over the one that the author gave the serializer."""

    def __init__(self, own: Context) -> None:
        self._own = own

    def __getitem__(self, key: str) -> Any:
        given = _context.get()
        return given[key] if key in given else self._own[key]

    def __iter__(self) -> Iterator[str]:
        return iter({**self._own, **_context.get()})

    def __len__(self) -> int:
        return len({**self._own, **_context.get()})


def own_context(serializer: Serializer) -> Context:
    """What the author gave as ``context=``."""
    context: Context = getattr(serializer, "_context", {})
    return context


def with_context(serializer: Serializer, context: Context) -> Serializer:
    """The same serializer, made anew as DRF's own ``deepcopy`` does, with this context."""
    recipe: Any = serializer  # the stubs do not know what DRF keeps for copies
    arguments = {**recipe._kwargs, "context": context}
    child = getattr(serializer, "child", None)
    if isinstance(serializer, serializers.ListSerializer) and child is not None:
        arguments["child"] = with_context(child, context)
    made: Serializer = type(serializer)(*recipe._args, **arguments)
    return made


def _is_plain(field: AnyField) -> bool:
    """Nothing of the project's own runs or keeps state while this field is represented."""
    cls = type(field)
    if not isinstance(field, serializers.BaseSerializer):
        return cls.__module__.startswith(("rest_framework.", "mcp_django.schema."))
    return not any(
        _is_code(name, member)
        for base in cls.__mro__
        if base is not object and not base.__module__.startswith("rest_framework.")
        for name, member in vars(base).items()
    )


def _is_code(name: str, member: Any) -> bool:
    """A method, property or the like that runs when a result is represented."""
    if isinstance(member, type) or name in _ABOUT_INPUT or name.startswith(_ABOUT_INPUT_OF):
        return False
    if name.startswith("__") and name not in ("__init__", "__new__", "__getattr__"):
        return False
    return callable(member) or hasattr(type(member), "__get__")


def may_query(serializer: Serializer) -> bool:
    """Representing may touch the database, as far as can be known from the serializer.

    An allow-list: one plain serializer of DRF's own fields without relations, each with
    the attribute of its name.
    """
    if isinstance(serializer, serializers.ModelSerializer) or not _is_plain(serializer):
        return True
    fields: Mapping[str, AnyField] = getattr(serializer, "fields", None) or {}
    return not fields or not all(
        field.source == name and all(type(inner) in _NEVER_QUERY for inner in walk(field))
        for name, field in fields.items()
    )
