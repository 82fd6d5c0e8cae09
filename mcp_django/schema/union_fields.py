"""A field for ``A | B``: the JSON type of a value says which of them it is."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from itertools import combinations
from typing import Any

from rest_framework import serializers

from mcp_django.schema.errors import DeclarationError
from mcp_django.schema.fields import Render, Schema
from mcp_django.schema.trees import AnyField, kind_of, kinds_of, writable

# What a field may raise when it is asked to write a value of another type.
_NOT_ITS_VALUE = (
    ArithmeticError,
    AttributeError,
    LookupError,
    TypeError,
    ValueError,
    serializers.ValidationError,
)


class UnionField(serializers.Field[Any, Any, Any, Any]):
    """The first branch whose JSON type fits exactly; else any that takes the value, in order.

    ``names`` are the hints of the branches, as messages name them.
    """

    default_error_messages = {"no_branch": "This value is none of: {names}."}

    def __init__(
        self, *, branches: Sequence[AnyField], names: Sequence[str] = (), **kwargs: Any
    ) -> None:
        self.branches = list(branches)
        self.names = list(names)
        super().__init__(**kwargs)
        for branch in self.branches:
            branch.bind(field_name="", parent=self)  # type: ignore[arg-type]

    @property
    def json_kinds(self) -> frozenset[str]:
        return frozenset().union(*(kinds_of(branch) for branch in self.branches))

    def branch(self, value: Any) -> AnyField | None:
        """The one branch that a JSON value is meant for, if it shows."""
        fitting = _of_kind(self.branches, value)
        if len(fitting) < 2:
            return fitting[0] if fitting else None
        if kind_of(value) == "object":
            return max(fitting, key=lambda branch: _likeness(branch, value))
        return next((branch for branch in fitting if _accepts(branch, value)), fitting[0])

    def to_internal_value(self, data: Any) -> Any:
        branch = self.branch(data)
        if branch is not None:
            return branch.run_validation(data)
        lenient = next((branch for branch in self.branches if _accepts(branch, data)), None)
        if lenient is None:
            self.fail("no_branch", names=", ".join(self.names))
        return lenient.run_validation(data)

    def to_representation(self, value: Any) -> Any:
        for branch in self.branches:
            try:
                shown = branch.to_representation(value)
                read = branch.run_validation(shown)
            except _NOT_ITS_VALUE:
                continue
            # The right branch reads back what it has written.
            if read == value and isinstance(read, bool) == isinstance(value, bool):
                return shown
        return value

    def json_schema(self, render: Render) -> Schema:
        return {"anyOf": [render(branch) for branch in self.branches]}


def _of_kind(branches: Sequence[AnyField], value: Any) -> list[AnyField]:
    """The branches for a value's JSON type; those that fit exactly come first."""
    kind = kind_of(value)
    looser = {"integer": "number", "number": "integer"}.get(kind)
    if kind == "number" and not value.is_integer():
        looser = None
    exact = [branch for branch in branches if kind in kinds_of(branch)]
    others = [branch for branch in branches if looser in kinds_of(branch) and branch not in exact]
    return [*exact, *others]


def _accepts(branch: AnyField, value: Any) -> bool:
    with contextlib.suppress(serializers.ValidationError):
        branch.run_validation(value)
        return True
    return False


def _likeness(branch: AnyField, value: dict[str, Any]) -> tuple[int, int, int]:
    """How much an object looks like this branch: by discriminators, then by its keys."""
    fields = writable(branch)  # type: ignore[arg-type]
    told = [
        (name, constants)
        for name, field in fields.items()
        if (constants := getattr(field, "constants", None)) and name in value
    ]
    right = sum(_accepts(fields[name], value[name]) for name, _constants in told)
    missing = sum(field.required and name not in value for name, field in fields.items())
    return right - (len(told) - right), -len(value.keys() - fields.keys()), -missing


def refuse_overlaps(branches: Sequence[AnyField], names: Sequence[str]) -> None:
    """Raise ``DeclarationError`` for two branches that JSON can't tell apart."""
    for (one, name), (other, other_name) in combinations(zip(branches, names, strict=True), 2):
        shared = kinds_of(one) & kinds_of(other)
        if shared and not _told_apart(one, other, shared):
            raise DeclarationError(
                f"{name} | {other_name} is ambiguous: JSON has one type for both "
                f"({', '.join(sorted(shared))}).",
                "Take one of the two, or dataclasses that differ in a required field or in "
                "a Literal field of the same name.",
            )


def _told_apart(one: AnyField, other: AnyField, shared: frozenset[str]) -> bool:
    constants = getattr(one, "constants", None), getattr(other, "constants", None)
    if constants[0] and constants[1]:
        return not constants[0] & constants[1]
    if shared != {"object"}:
        return False
    if not isinstance(one, serializers.Serializer) or not isinstance(other, serializers.Serializer):
        return False
    mine, theirs = writable(one), writable(other)
    if _has_more(mine, theirs) or _has_more(theirs, mine):
        return True
    return any(
        mine[name].required
        and theirs[name].required
        and _told_apart(mine[name], theirs[name], frozenset({"string"}))
        for name in mine.keys() & theirs.keys()
    )


def _has_more(one: dict[str, AnyField], other: dict[str, AnyField]) -> bool:
    """Whether one has a required field that the other doesn't know, and so refuses."""
    return any(field.required and name not in other for name, field in one.items())
