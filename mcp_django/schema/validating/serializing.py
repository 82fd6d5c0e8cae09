"""Validating by a serializer: one that serves all calls, or a new one for each."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Mapping
from contextvars import ContextVar
from typing import Any, TypeAlias

import jsonschema_rs
from django.core.exceptions import ValidationError as DjangoValidationError
from rest_framework import serializers
from rest_framework.fields import SkipField, empty

from mcp_django.schema.blocking import has_fields_of_its_own, with_copied_defaults
from mcp_django.schema.conversion import to_json
from mcp_django.schema.effort import Effort
from mcp_django.schema.trees import AnyField, holds_itself, walk
from mcp_django.schema.validating.decoding import Decoder, ObjectDecoder
from mcp_django.schema.validating.findings import Finding, invalid_arguments
from mcp_django.schema.validating.refusing import of_serializer
from mcp_django.schema.validating.violations import of_schema

Made: TypeAlias = serializers.Serializer[Any]
Make: TypeAlias = Callable[..., Made]

_context: ContextVar[Mapping[str, Any]] = ContextVar("mcp_django_serializer_context")


class CallContext(Mapping[str, Any]):
    """The serializer context of the call that is being validated in this thread or task."""

    def __getitem__(self, key: str) -> Any:
        return _context.get({})[key]

    def __iter__(self) -> Iterator[str]:
        return iter(_context.get({}))

    def __len__(self) -> int:
        return len(_context.get({}))


class SerializerValidator:
    """Decodes, refuses what is unknown, validates, and tells what is wrong.

    ``schema`` is the one that callers are shown.
    """

    def __init__(self, schema: dict[str, Any]) -> None:
        self.schema = schema

    def __call__(self, raw: dict[str, Any], context: Mapping[str, Any]) -> dict[str, Any]:
        raise NotImplementedError

    def decoder(self, serializer: Made) -> Decoder:
        """The decoder for the fields of a serializer."""
        raise NotImplementedError

    def run(self, serializer: Made, raw: dict[str, Any]) -> dict[str, Any]:
        """Validate by this serializer, whatever it overrides."""
        findings: list[Finding] = []
        data = self.decoder(serializer)(raw, (), findings)
        try:
            if not findings:
                return by_name(serializer, self.validated(serializer, data))
            # Refused already: the project's validate() is spared, the fields are not.
            serializer.to_internal_value(data)
        except (serializers.ValidationError, DjangoValidationError) as error:
            detail = serializers.as_serializer_error(error)
            findings += of_serializer(detail, serializer, data, self.schema, self._of_schema)
        raise invalid_arguments(findings)

    def validated(self, serializer: Made, data: dict[str, Any]) -> Any:
        """The attributes, as DRF validates them."""
        return serializer.run_validation(data)

    def _of_schema(self, data: Any) -> list[Finding]:
        if self._validator is None or not self._effort.is_small(data):
            return []
        return of_schema(self._validator, data, self.schema)

    @functools.cached_property
    def _effort(self) -> Effort:
        return Effort(self.schema)

    @functools.cached_property
    def _validator(self) -> jsonschema_rs.Validator | None:
        # Made when a call is first refused: it costs more than all the rest of a rule.
        schema = to_json(self.schema)
        try:
            return jsonschema_rs.Draft202012Validator(schema, validate_formats=True, offline=True)
        except jsonschema_rs.ValidationError:  # an author's own pattern, say
            return None


class SharedValidator(SerializerValidator):
    """One serializer for all calls and threads, made with a ``CallContext``.

    ``has_own_code``: it may run code of the project's, which must not run twice.
    """

    def __init__(self, serializer: Made, schema: dict[str, Any], *, has_own_code: bool) -> None:
        super().__init__(schema)
        self.serializer = serializer
        with_copied_defaults(serializer)
        self._decoder = ObjectDecoder(serializer)
        self._steps = None if has_own_code else _steps(serializer, self._decoder)
        self._names = frozenset(self._decoder.members)
        self._reads_context = any(map(_reads_context, walk(serializer)))

    def decoder(self, serializer: Made) -> Decoder:
        return self._decoder

    def __call__(self, raw: dict[str, Any], context: Mapping[str, Any]) -> dict[str, Any]:
        # Where nobody reads the context, it is not set: that takes as long as two fields.
        if not self._reads_context and (values := self._quickly(raw)) is not None:
            return values
        token = _context.set(context)
        try:
            if self._reads_context and (values := self._quickly(raw)) is not None:
                return values
            return self.run(self.serializer, raw)
        finally:
            _context.reset(token)

    def _quickly(self, raw: dict[str, Any]) -> dict[str, Any] | None:
        """What ``run`` gives, field by field; None where something is to be refused."""
        names, steps = self._names, self._steps
        if steps is None:
            return None
        for name in raw:
            if name not in names:
                return None
        findings: list[Finding] = []
        values = {}
        for name, kind, validators, decode, run in steps:
            value = raw.get(name, empty)
            try:
                if type(value) is kind and _LEAST < value < _MOST:
                    for validator in validators:  # all that DRF would do with it
                        validator(value)
                    values[name] = value
                    continue
                if decode is not None and value is not empty:
                    value = decode(value, (name,), findings)
                values[name] = run(value)
            except SkipField:
                continue
            except (serializers.ValidationError, DjangoValidationError):
                return None
        return None if findings else values


def _reads_context(field: AnyField) -> bool:
    """Whether a field looks at the serializer's context, where none has code of the project's.

    Then its validators are Django's, which are given the value alone.
    """
    return getattr(field.default, "requires_context", False)


# A field's name; the type whose values it leaves as they are, but for its validators, and
# these; its decoder and its validation.
Step: TypeAlias = tuple[str, Any, tuple[Any, ...], Decoder | None, Callable[[Any], Any]]

_LEFT_AS_THEY_ARE = {
    serializers.BooleanField: bool,
    serializers.FloatField: float,
    serializers.IntegerField: int,
}


def _steps(serializer: Made, decoder: ObjectDecoder) -> tuple[Step, ...] | None:
    """The fields one by one, where nothing but they can tell of values."""
    fields = serializer.fields
    if serializer.validators or any(field.source == "*" for field in fields.values()):
        return None
    return tuple(
        _step(name, field, decoder.members.get(name))
        for name, field in fields.items()
        if not field.read_only
    )


# Beyond, DRF may refuse to write an integer down.
_LEAST, _MOST = -(2**64), 2**64


def _step(name: str, field: AnyField, decode: Decoder | None) -> Step:
    kind = _LEFT_AS_THEY_ARE.get(type(field))
    return name, kind, tuple(field.validators), decode, field.run_validation


class FreshValidator(SerializerValidator):
    """A new serializer for each call: it may keep on itself whatever it likes.

    ``make(**kwargs)`` gives it; ``example`` is one of them.
    """

    def __init__(self, make: Make, example: Made, schema: dict[str, Any]) -> None:
        super().__init__(schema)
        self._make = make
        # Made anew where the fields may be those of one call alone.
        changes = any(has_fields_of_its_own(field) for field in walk(example))
        changes = changes or holds_itself(example)
        self._decoder = None if changes else ObjectDecoder(example)

    def decoder(self, serializer: Made) -> Decoder:
        return self._decoder or ObjectDecoder(serializer)

    def __call__(self, raw: dict[str, Any], context: Mapping[str, Any]) -> dict[str, Any]:
        return self.run(self._make(data=raw, context=context), raw)

    def validated(self, serializer: Made, data: dict[str, Any]) -> Any:
        serializer.initial_data = data
        serializer.is_valid(raise_exception=True)
        return serializer.validated_data


def by_name(serializer: Made, attributes: Any) -> dict[str, Any]:
    """Validated attributes, which DRF keys by ``source``, by the names of the fields.

    What ``validate()`` added keeps its own key, and so does what ``source="*"`` merged.
    """
    if not isinstance(attributes, Mapping):
        raise TypeError(
            f"validate() of {type(serializer).__name__} returned a "
            f"{type(attributes).__name__}, not the attributes."
        )
    fields = [field for field in serializer.fields.values() if not field.read_only]
    if all(field.source == field.field_name for field in fields):
        return dict(attributes)
    values = {}
    for field in fields:
        if field.source_attrs and (found := _at(field.source_attrs, attributes)) is not empty:
            values[field.field_name] = found
    sources = {field.source_attrs[0] for field in fields if field.source_attrs}
    rest = {key: value for key, value in attributes.items() if key not in sources}
    return {**rest, **values}


def _at(source: list[str], attributes: Any) -> Any:
    for key in source:
        if not isinstance(attributes, Mapping) or key not in attributes:
            return empty
        attributes = attributes[key]
    return attributes
