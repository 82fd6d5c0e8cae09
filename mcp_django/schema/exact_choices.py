"""A field for Literal and Enum, and the ways from them to it."""

from __future__ import annotations

import enum
from collections.abc import Mapping, Sequence
from typing import Any, get_args

from rest_framework import serializers

from mcp_django.schema.deriving.unmappable import unmappable
from mcp_django.schema.fields import Render, Schema
from mcp_django.schema.rendering.descriptions import as_text
from mcp_django.schema.trees import AnyField, has_scalar_values, kind_of


class ExactChoiceField(serializers.ChoiceField):
    """One of fixed values, told apart by JSON type: ``1``, ``"1"`` and ``true`` differ.

    ``members`` are pairs of what JSON holds and what the handler gets; ``labels`` are
    titles of the choices, where they have any.
    """

    def __init__(
        self,
        members: Sequence[tuple[Any, Any]],
        labels: Mapping[Any, Any] | None = None,
        **kwargs: Any,
    ) -> None:
        self.members = list(members)
        self.labels = dict(labels or {})
        super().__init__(choices=[wire for wire, _member in self.members], **kwargs)
        self._by_wire = {_exact(wire): member for wire, member in self.members}
        # A number that came as text, or a text that came as a number.
        self._by_text: dict[str, Any] = {}
        for wire, member in self.members:
            if not isinstance(wire, bool):
                self._by_text.setdefault(str(wire), member)

    @property
    def json_kinds(self) -> frozenset[str]:
        return frozenset(kind_of(wire) for wire, _member in self.members)

    @property
    def constants(self) -> frozenset[Any]:
        """The values, in a form that keeps JSON's types apart."""
        return frozenset(self._by_wire)

    def to_internal_value(self, data: Any) -> Any:
        if not isinstance(data, (str, int, float)):
            self.fail("invalid_choice", input=data)
        if (key := _exact(data)) in self._by_wire:
            return self._by_wire[key]
        if isinstance(data, bool) or str(data) not in self._by_text:
            self.fail("invalid_choice", input=data)
        return self._by_text[str(data)]

    def to_representation(self, value: Any) -> Any:
        for wire, member in self.members:
            if member is value or (type(member) is type(value) and member == value):
                return wire
        return value

    def json_schema(self, render: Render) -> Schema:
        kinds = sorted(self.json_kinds)
        schema: Schema = {"type": kinds[0] if len(kinds) == 1 else kinds}
        wires = [wire for wire, _member in self.members]
        if any(str(self.labels.get(wire, wire)) != str(wire) for wire in wires):
            schema["oneOf"] = [
                {"const": wire, "title": as_text(self.labels.get(wire, wire))} for wire in wires
            ]
        else:
            schema["enum"] = wires
        return schema


def _exact(value: Any) -> tuple[bool, Any]:
    # Python holds 1 == True; JSON does not, and holds 1 == 1.0, as Python does.
    return isinstance(value, bool), value


def literal_field(hint: Any) -> AnyField:
    """The field of a ``Literal``; members of enumerations may stand in it."""
    members: list[tuple[Any, Any]] = []
    for value in get_args(hint):
        if value is None:
            continue
        wire = value.value if isinstance(value, enum.Enum) else value
        if not isinstance(wire, (str, int)):
            raise unmappable(hint)
        members.append((wire, value))
    if not members:
        raise unmappable(hint)
    return ExactChoiceField(members, allow_null=None in get_args(hint))


def enum_field(cls: type[enum.Enum]) -> AnyField:
    """The field of an Enum: by value; by name where the values are no scalars."""
    members = list(cls)
    if not members or issubclass(cls, enum.Flag):
        raise unmappable(cls)
    by_value = has_scalar_values(cls)
    pairs = [(member.value if by_value else member.name, member) for member in members]
    labels = {wire: label for wire, member in pairs if (label := getattr(member, "label", None))}
    return ExactChoiceField(pairs, labels=labels if hasattr(cls, "labels") else None)
