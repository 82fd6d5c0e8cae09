"""What each Python value is in JSON's own types, decided by the value alone."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set, ValuesView
from dataclasses import fields, is_dataclass
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from enum import Enum, Flag
from functools import lru_cache
from typing import Any
from uuid import UUID

from django.core.files.base import File
from django.db.models import Manager, Model, QuerySet
from django.http.response import HttpResponseBase
from django.utils import timezone
from django.utils.duration import duration_iso_string
from django.utils.functional import Promise
from rest_framework.serializers import BaseSerializer

from mcp_django.protocol.content import Block
from mcp_django.protocol.contents import ResourceContents
from mcp_django.protocol.messages import PromptMessage, PromptResult
from mcp_django.schema.errors import InvalidResult
from mcp_django.schema.outcomes import ToolResult
from mcp_django.schema.returning.encoding import encode
from mcp_django.schema.trees import has_scalar_values

Convert = Callable[[Any], Any]

RAISE_IT = "raise an exception, do not return it"
TOO_DEEP = "it is nested too deeply, or holds itself"
_AS_THEY_ARE = frozenset({str, int, bool, type(None)})
_SCALARS = (str, int, float, bool, type(None))


def to_native(value: Any) -> Any:
    """The value in JSON's own types; raises ``InvalidResult`` that says where it has none.

    Strings come back as they are: ``encode`` cleans them.
    """
    kind = type(value)
    if kind in _AS_THEY_ARE:
        return value
    return _converter(kind)(value)  # type: ignore[arg-type]  # typeshed: a class is hashable


def array_of(convert: Convert) -> Convert:
    """A converter of iterables, item by item."""

    def array(value: Iterable[Any]) -> list[Any]:
        items: list[Any] = []
        append = items.append
        try:
            for item in value:
                append(convert(item))
        except InvalidResult as error:
            raise error.under(len(items)) from error.__cause__
        return items

    return array


def object_of(convert: Convert) -> Convert:
    """A converter of mappings; keys that are not strings become what JSON would write."""

    def members(value: Mapping[Any, Any]) -> dict[str, Any]:
        converted: dict[str, Any] = {}
        for key, item in value.items():
            name = key if type(key) is str else _key(key)
            try:
                converted[name] = convert(item)
            except InvalidResult as error:
                raise error.under(name) from error.__cause__
        if len(converted) != len(value):
            raise InvalidResult("two of its keys are the same text in JSON")
        return converted

    return members


def attributes_of(converts: Mapping[str, Convert]) -> Convert:
    """A converter of objects that become a JSON object of these attributes."""
    pairs = tuple(converts.items())

    def attributes(value: Any) -> dict[str, Any]:
        converted: dict[str, Any] = {}
        for name, convert in pairs:
            try:
                converted[name] = convert(getattr(value, name))
            except InvalidResult as error:
                raise error.under(name) from error.__cause__
        return converted

    return attributes


def set_of(convert: Convert) -> Convert:
    """A converter of sets, in an order that does not change from run to run."""
    array = array_of(convert)

    def ordered(value: Iterable[Any]) -> list[Any]:
        members = list(value)
        # "Smaller" means "subset" between sets, which orders nothing.
        if not any(isinstance(member, Set) for member in members):
            try:
                return array(sorted(members))  # type: ignore[no-any-return]
            except TypeError:
                pass
        return sorted(array(members), key=lambda item: encode(item)[1])

    return ordered


def decimal_text(value: Decimal) -> str:
    """The digits, never an exponent: ``0.00000010``."""
    text = str(value)
    if not value.is_finite() or len(text.partition("E")[2]) > 5:
        raise InvalidResult(f"the decimal {text} cannot be written out in JSON")
    return format(value, "f") if "E" in text else text


def float_number(value: float) -> float:
    """A number; JSON has neither infinity nor NaN."""
    if not math.isfinite(value):
        raise InvalidResult(f"{float(value)} has no JSON form; None can say that there is none")
    return float(value)


def datetime_text(value: datetime) -> str:
    """ISO 8601 with an offset, as RFC 3339 asks for: a naive one is in the current time zone."""
    if timezone.is_naive(value):
        value = timezone.make_aware(value)
    offset = value.utcoffset()
    if offset is not None and offset % timedelta(minutes=1):
        # Local mean time, say: RFC 3339 has no seconds in offsets.
        try:
            value = value.astimezone(UTC)
        except OverflowError as error:
            raise InvalidResult(f"{value!r} has no RFC 3339 form") from error
    return value.isoformat()


def is_named_tuple(kind: type) -> bool:
    """Made by ``NamedTuple`` or ``namedtuple``."""
    return issubclass(kind, tuple) and hasattr(kind, "_fields")


def _enum(kind: type[Enum]) -> Convert:
    if issubclass(kind, Flag) or has_scalar_values(kind):
        return lambda member: to_native(member.value)
    return lambda member: member.name


def _serializer(serializer: BaseSerializer[Any]) -> Any:
    return to_native(serializer.data)


def _key(key: Any) -> str:
    """What JSON writes for a key: ``1`` is ``"1"``, ``None`` is ``"null"``."""
    native = to_native(key)
    if isinstance(native, str):
        return native
    if isinstance(native, _SCALARS):
        return json.dumps(native)
    raise InvalidResult(f"the key {key!r} has no JSON form; use strings")


_CONVERTERS: tuple[tuple[type | tuple[type, ...], Convert], ...] = (
    (str, str.__str__),  # of a subclass, SafeString say, the plain str
    (int, int.__int__),
    (float, float_number),
    (Decimal, decimal_text),
    (datetime, datetime_text),
    ((date, time), lambda value: value.isoformat()),
    (timedelta, duration_iso_string),
    (UUID, str),
    (Promise, str),
    (BaseSerializer, _serializer),
    (Mapping, object_of(to_native)),
    (Set, set_of(to_native)),
)
_ITERABLES = (Sequence, Iterator, ValuesView, QuerySet)

_INSTEAD: tuple[tuple[type | tuple[type, ...], str], ...] = (
    ((Model, Manager), "give it returns= with a serializer"),
    ((bytes, bytearray, memoryview), "return a content block: Image, Audio or EmbeddedResource"),
    (Block, "a content block stands alone, in a list of blocks, or in ToolResult(content=...)"),
    (ToolResult, "return it by itself"),
    (
        (ResourceContents, PromptMessage, PromptResult),
        "that is for resources and prompts: return data, a content block or ToolResult",
    ),
    (File, "return Image(file), Audio(file) or EmbeddedResource(uri, data=file)"),
    (HttpResponseBase, "return the data, not a response around it"),
    (BaseException, RAISE_IT),
)


@lru_cache(maxsize=1024)
def _converter(kind: type) -> Convert:
    """How instances of this class become JSON; found once for each class."""
    for refused, instead in _INSTEAD:
        if issubclass(kind, refused):
            return _refusal(kind, instead)
    if issubclass(kind, Enum):
        return _enum(kind)
    if is_named_tuple(kind):
        return attributes_of(dict.fromkeys(kind._fields, to_native))  # type: ignore[attr-defined]
    if is_dataclass(kind):
        return attributes_of({field.name: to_native for field in fields(kind)})
    for accepted, convert in _CONVERTERS:
        if issubclass(kind, accepted):
            return convert
    if issubclass(kind, _ITERABLES):
        return array_of(to_native)
    return _refusal(kind, "return JSON's own types, a dataclass, or give it returns=")


def _refusal(kind: type, instead: str) -> Convert:
    def refuse(value: Any) -> Any:
        raise InvalidResult(f"{kind.__qualname__} has no JSON form: {instead}")

    return refuse


def to_json(value: Any) -> Any:
    """The value in JSON's own types, its strings cleaned; raises ``InvalidResult``."""
    try:
        return encode(to_native(value))[0]
    except RecursionError as error:
        raise InvalidResult(TOO_DEEP) from error
