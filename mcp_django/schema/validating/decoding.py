"""Reading what clients write: numbers as strings, JSON inside of strings.

A decoder turns a value into what its field wants to see, and notes what no field would:
unknown members. It never changes what it is given, and where a string is wanted it never
looks into one.
"""

from __future__ import annotations

import functools
import json
import math
import re
from collections.abc import Callable, Collection
from typing import Any, NoReturn, TypeAlias

from rest_framework import serializers
from rest_framework.settings import api_settings

from mcp_django.conf import settings
from mcp_django.protocol.measuring import measured
from mcp_django.schema.fields import TupleField, has_offset
from mcp_django.schema.model_fields import ModelField
from mcp_django.schema.trees import AnyField, kind_of, kinds_of, writable
from mcp_django.schema.union_fields import UnionField
from mcp_django.schema.validating.findings import Finding, Path, unknown_member

Decoder: TypeAlias = Callable[[Any, Path, list[Finding]], Any]


def decoder_of(field: AnyField) -> Decoder | None:
    """The decoder of a field; None where every value is taken as it is."""
    if isinstance(field, serializers.Serializer):
        return ObjectDecoder(field)
    return next((make(field) for cls, make in _MAKERS if isinstance(field, cls)), None)


def _whole_number(value: Any, path: Path, findings: list[Finding]) -> Any:
    # DRF reads digits in strings itself. 1e22 would reach it as text that it can't read, and
    # 5.0 has a decimal place to it, where a schema sees none.
    return int(value) if type(value) is float and value.is_integer() else value


# No field takes NUL. The others are white space to Python's str.strip() and to no schema.
_NUL = re.compile("\0")
_ODD_SPACE = re.compile("[\0\x1c-\x1f\x85]")


def _text_decoder(field: serializers.CharField) -> Decoder:
    """Text with U+FFFD in place of characters that a field would stumble over."""
    odd = _ODD_SPACE if field.trim_whitespace else _NUL

    def decode(value: Any, path: Path, findings: list[Finding]) -> Any:
        if type(value) is not str or value.isprintable():  # nearly always, and fast
            return value
        return odd.sub("\ufffd", value)

    return decode


def _choice_decoder(field: serializers.ChoiceField) -> Decoder | None:
    kinds = kinds_of(field)
    known = field.choice_strings_to_values

    def decode(value: Any, path: Path, findings: list[Finding]) -> Any:
        if type(value) is float and value.is_integer() and str(value) not in known:
            return int(value)
        if type(value) is str and value not in known:
            return from_text(value, kinds)
        return value

    return decode


def _time_decoder(field: serializers.TimeField) -> Decoder | None:
    formats = getattr(field, "input_formats", api_settings.TIME_INPUT_FORMATS)
    if type(field) is not serializers.TimeField or list(formats) != ["iso-8601"]:
        return None  # ours refuses an offset itself, the project's may want one

    def decode(value: Any, path: Path, findings: list[Finding]) -> Any:
        if has_offset(value):
            findings.append(Finding(path, "A time of day has no offset.", "a time such as 14:30"))
            return "00:00"
        return value

    return decode


class ListDecoder:
    """A list, also as JSON text, and its items."""

    def __init__(self, child: Decoder | None) -> None:
        self.child = child

    def __call__(self, value: Any, path: Path, findings: list[Finding]) -> Any:
        value = from_text(value, ("array",))
        child = self.child
        if child is None or type(value) is not list:
            return value
        return [child(item, (*path, index), findings) for index, item in enumerate(value)]


class TupleDecoder:
    """A list of fixed length, also as JSON text."""

    def __init__(self, fields: list[AnyField]) -> None:
        self.children = [decoder_of(field) for field in fields]

    def __call__(self, value: Any, path: Path, findings: list[Finding]) -> Any:
        value = from_text(value, ("array",))
        if type(value) is not list or len(value) != len(self.children):
            return value
        return [
            child(item, (*path, index), findings) if child else item
            for index, (child, item) in enumerate(zip(self.children, value, strict=True))
        ]


class DictDecoder:
    """An object whose members all have the same field, also as JSON text."""

    def __init__(self, child: Decoder | None) -> None:
        self.child = child

    def __call__(self, value: Any, path: Path, findings: list[Finding]) -> Any:
        value = from_text(value, ("object",))
        child = self.child
        if child is None or type(value) is not dict:
            return value
        return {name: child(item, (*path, name), findings) for name, item in value.items()}


class ObjectDecoder:
    """An object with members of its own, also as JSON text; no others are let in."""

    def __init__(self, serializer: serializers.Serializer[Any]) -> None:
        self._serializer = serializer

    @functools.cached_property
    def members(self) -> dict[str, Decoder | None]:
        """The decoder of each member that there is, made when a value first is so deep."""
        fields = writable(self._serializer)
        return {name: decoder_of(field) for name, field in fields.items()}

    def __call__(self, value: Any, path: Path, findings: list[Finding]) -> Any:
        value = from_text(value, ("object",))
        if type(value) is not dict:
            return value
        decoded = {}
        for name, item in value.items():
            if name not in self.members:
                findings.append(unknown_member((*path, name), self.members))
                continue
            decode = self.members[name]
            decoded[name] = decode(item, (*path, name), findings) if decode else item
        return decoded


class UnionDecoder:
    """One of several: text is looked into unless one of them wants text."""

    def __init__(self, field: UnionField) -> None:
        self._field = field
        self._kinds = field.json_kinds
        self._decoders: dict[int, Decoder | None] = {}

    def __call__(self, value: Any, path: Path, findings: list[Finding]) -> Any:
        value = from_text(value, self._kinds)
        branch = self._field.branch(value)
        if branch is None:
            return value
        place = self._field.branches.index(branch)
        if place not in self._decoders:
            self._decoders[place] = decoder_of(branch)
        decode = self._decoders[place]
        return decode(value, path, findings) if decode else value


def from_text(value: Any, kinds: Collection[str]) -> Any:
    """The JSON inside a string, if it is of a kind that is wanted; else the value itself."""
    if type(value) is not str or "string" in kinds:
        return value
    try:
        read = json.loads(value, parse_constant=_not_json, parse_float=_finite)
    except (ValueError, RecursionError):
        return value
    kind = kind_of(read)
    if kind == "number" and "number" not in kinds and "integer" in kinds and read.is_integer():
        return int(read)
    fits = kind in kinds or (kind == "integer" and "number" in kinds)
    return read if fits and _is_small(read) else value


def _not_json(name: str) -> NoReturn:
    raise ValueError(name)


def _finite(text: str) -> float:
    value = float(text)
    if not math.isfinite(value):
        raise ValueError(text)
    return value


def _is_small(value: Any) -> bool:
    """Whether text was no way around the limits on depth and number of members."""
    depth, members = measured(value, enough=settings.MAX_MEMBERS)
    return depth <= settings.MAX_DEPTH and members <= settings.MAX_MEMBERS


# The first class that fits decides.
_MAKERS: tuple[tuple[type[Any], Callable[[Any], Decoder | None]], ...] = (
    (UnionField, lambda field: UnionDecoder(field)),
    (TupleField, lambda field: TupleDecoder(field.children)),
    (ModelField, lambda field: decoder_of(field.key)),
    (serializers.IntegerField, lambda field: _whole_number),
    (serializers.DecimalField, lambda field: _whole_number),
    (serializers.CharField, lambda field: _text_decoder(field)),
    (serializers.MultipleChoiceField, lambda field: ListDecoder(_choice_decoder(field))),
    (serializers.ChoiceField, lambda field: _choice_decoder(field)),
    (serializers.ListField, lambda field: ListDecoder(decoder_of(field.child))),
    (
        serializers.ListSerializer,
        lambda field: ListDecoder(decoder_of(field.child)),
    ),
    (serializers.DictField, lambda field: DictDecoder(decoder_of(field.child))),
    (serializers.ManyRelatedField, lambda field: ListDecoder(None)),
    (serializers.TimeField, lambda field: _time_decoder(field)),
)
