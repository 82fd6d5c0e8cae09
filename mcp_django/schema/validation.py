"""From the arguments that a client sends to the values that a handler gets."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, get_origin

from rest_framework import serializers

from mcp_django.schema.arguments import Arguments, is_arguments_annotation
from mcp_django.schema.blocking import may_block, may_share
from mcp_django.schema.deriving.settling import refuse_defaults
from mcp_django.schema.deriving.structures import (
    StructSerializer,
    is_structure,
    members,
    structure_serializer,
)
from mcp_django.schema.errors import DeclarationError
from mcp_django.schema.jsonschema import arguments_schema
from mcp_django.schema.signatures import serializer_from_arguments
from mcp_django.schema.translation import NO_TEXTS, Texts, separated
from mcp_django.schema.trees import holds_itself, named, writable
from mcp_django.schema.validating.findings import Finding, invalid_arguments
from mcp_django.schema.validating.raw import RawValidator, checked
from mcp_django.schema.validating.refusing import flattened
from mcp_django.schema.validating.serializing import CallContext, FreshValidator, SharedValidator
from mcp_django.schema.writing import refuse_unwritable

__all__ = [
    "Arguments",
    "ArgumentsRule",
    "arguments_rule",
    "is_arguments_annotation",
    "raw_schema_rule",
]

_WRITABLE = "Give defaults, bounds and choices within 64 bits, and texts of whole characters."
Validate = Callable[[dict[str, Any], Mapping[str, Any]], dict[str, Any]]
Build = Callable[[Mapping[str, Any]], Any]


@dataclass(frozen=True, slots=True)
class ArgumentsRule:
    """What a feature takes, fixed at start-up.

    ``schema`` is the JSON Schema of the arguments, ``names`` are its properties in order.
    ``blocks``: validating may block the thread. ``build`` makes the dataclass or TypedDict
    of ``Arguments[S]`` out of validated values; None means that they stay a mapping.
    ``serializer`` is None where a raw schema says it all. ``texts`` are the titles and
    descriptions of ``schema`` that depend on the language; ``translation.translated`` says
    them again.
    """

    schema: dict[str, Any]
    names: tuple[str, ...]
    blocks: bool
    build: Build | None
    serializer: type[serializers.Serializer[Any]] | None
    run: Validate = field(repr=False, compare=False)
    texts: Texts = NO_TEXTS

    def validate(self, raw: dict[str, Any], context: Mapping[str, Any]) -> dict[str, Any]:
        """The values by argument name; raises ``InvalidArguments``. ``raw`` stays as it is.

        What ``validate()`` of a serializer adds to its attributes is there too.
        """
        return self.run(raw, context)


def arguments_rule(source: Any, *, name: str) -> ArgumentsRule:
    """The rule of a serializer (class or instance), a dict of fields, or a structure.

    A structure is a dataclass, TypedDict or NamedTuple, as S of ``Arguments[S]``. ``name``
    is the feature's. Raises ``DeclarationError``.
    """
    if is_structure(get_origin(source) or source):
        return _structure_rule(source, name)
    if isinstance(source, Mapping):
        source = _serializer_of_fields(source, name)
    return _serializer_rule(_maker(source), None)


def raw_schema_rule(schema: dict[str, Any]) -> ArgumentsRule:
    """The rule of a raw JSON Schema: shown to the letter, enforced, and nothing fetched."""
    try:
        plain, texts = separated(schema)
    except RecursionError:  # it holds itself, or nearly: what follows refuses it in words
        plain, texts = schema, NO_TEXTS
    plain = checked(plain)
    names = tuple(plain.get("properties", ()))
    return ArgumentsRule(plain, names, False, None, None, RawValidator(plain), texts)


def _serializer_rule(
    make: Callable[..., serializers.Serializer[Any]], build: Build | None
) -> ArgumentsRule:
    serializer = _example(make)
    schema, texts = separated(arguments_schema(serializer))
    refuse_defaults(serializer)
    refuse_unwritable("The schema of its arguments", schema, _WRITABLE)
    blocks = may_block(serializer)
    validate: Validate
    # What can't block has no code of the project's. What holds itself has fields made for
    # every way into the depth: kept for good, callers could fill the memory with them.
    if (not blocks or may_share(serializer)) and not holds_itself(serializer):
        validate = SharedValidator(serializer, schema, has_own_code=blocks)
    else:
        validate = FreshValidator(make, serializer, schema)
    names = tuple(writable(serializer))
    return ArgumentsRule(schema, names, blocks, build, type(serializer), validate, texts)


def _example(make: Callable[..., serializers.Serializer[Any]]) -> serializers.Serializer[Any]:
    try:
        serializer = make(context=CallContext())
    except TypeError as error:
        raise DeclarationError(
            f"Its serializer can't be made: {error}.", "Give an instance."
        ) from error
    try:
        _ = serializer.fields
    except KeyError as error:
        raise DeclarationError(
            f"{type(serializer).__name__} reads {error} of its context to make its fields, "
            "and there is none before the first call.",
            "Read it with self.context.get(), and give all fields where it is absent.",
        ) from error
    return serializer


def _maker(source: Any) -> Callable[..., serializers.Serializer[Any]]:
    """What makes the serializer of a call: ``make(data=…, context=…)``."""
    cls = source if isinstance(source, type) else type(source)
    if not issubclass(cls, serializers.Serializer):
        raise DeclarationError(
            f"The arguments are said by {named(source)}, which is no serializer.",
            "Give a Serializer class, or a dict of fields; several values of one kind are a "
            "ListField or a nested serializer with many=True inside of it.",
        )
    if not isinstance(source, type):
        same = {
            key: value for key, value in source._kwargs.items() if key not in ("data", "context")
        }
        return functools.partial(cls, *source._args, **same)
    return cls


def _serializer_of_fields(fields: Mapping[Any, Any], name: str) -> type[Any]:
    for key, value in fields.items():
        if not isinstance(key, str) or not isinstance(value, serializers.Field):
            raise DeclarationError(
                f"arguments= holds {key!r}: {named(value)}, which is no field.",
                'Write {"name": serializers.CharField()}.',
            )
    return type(name, (serializers.Serializer,), {"__doc__": "", **fields})


def _structure_rule(source: Any, name: str) -> ArgumentsRule:
    """The arguments are the members, and ``build`` makes the value out of them."""
    made = structure_serializer(source)
    build = functools.partial(_built, made)
    return _serializer_rule(serializer_from_arguments(name, members(source)), build)


def _built(made: type[StructSerializer], values: Mapping[str, Any]) -> Any:
    try:
        return made.make(dict(values))
    except serializers.ValidationError as error:
        refusals = [Finding(path, str(message)) for path, message in flattened(error.detail)]
        raise invalid_arguments(refusals) from error
