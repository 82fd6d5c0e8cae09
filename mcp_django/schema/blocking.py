"""What a serializer may do while it validates: block a thread, or remember something.

Both are decided at start-up, and by allow-list: whatever is not known to be harmless isn't.
"""

from __future__ import annotations

import copy
import datetime
import functools
import inspect
import uuid
from dataclasses import is_dataclass
from typing import Any

from django.core import validators
from django.utils import timezone
from rest_framework import serializers
from rest_framework.fields import CreateOnlyDefault, CurrentUserDefault
from rest_framework.validators import ProhibitSurrogateCharactersValidator

from mcp_django.schema import fields as own
from mcp_django.schema.deriving.structures import StructSerializer
from mcp_django.schema.exact_choices import ExactChoiceField
from mcp_django.schema.trees import AnyField, walk
from mcp_django.schema.union_fields import UnionField

_FIELDS = frozenset(
    {
        serializers.BooleanField,
        serializers.CharField,
        serializers.ChoiceField,
        serializers.DateField,
        serializers.DateTimeField,
        serializers.DecimalField,
        serializers.DictField,
        serializers.DurationField,
        serializers.EmailField,
        serializers.FloatField,
        serializers.HStoreField,
        serializers.HiddenField,
        serializers.IPAddressField,
        serializers.IntegerField,
        # Of DRF 3.17 and newer.
        getattr(serializers, "BigIntegerField", serializers.IntegerField),
        serializers.JSONField,
        serializers.ListField,
        serializers.ListSerializer,
        serializers.MultipleChoiceField,
        serializers.ReadOnlyField,
        serializers.RegexField,
        serializers.SlugField,
        serializers.TimeField,
        serializers.URLField,
        serializers.UUIDField,
        type(serializers.ListField().child),  # what a list or dict of anything holds
        ExactChoiceField,
        own.ISODurationField,
        own.ItemsField,
        own.NumberField,
        own.SetField,
        own.StrictTimeField,
        own.TextUUIDField,
        own.TupleField,
        own.TupleListField,
        UnionField,
    }
)
_VALIDATORS = frozenset(
    {
        validators.DecimalValidator,
        validators.EmailValidator,
        validators.MaxLengthValidator,
        validators.MaxValueValidator,
        validators.MinLengthValidator,
        validators.MinValueValidator,
        validators.ProhibitNullCharactersValidator,
        validators.RegexValidator,
        validators.StepValueValidator,
        validators.URLValidator,
        ProhibitSurrogateCharactersValidator,
    }
)
_DEFAULTS = (
    *(dict, frozenset, list, set, str, tuple),
    *(datetime.date.today, datetime.datetime.now, timezone.now, timezone.localdate, uuid.uuid4),
)
# Methods in which a serializer or a field of the project's own may do anything.
_FIELD_METHODS = frozenset({"__init__", "__new__", "fields", "get_fields"})
_METHODS = _FIELD_METHODS | frozenset(
    {
        "get_default",
        "get_validators",
        "get_value",
        "run_child_validation",
        "run_validation",
        "run_validators",
        "set_value",
        "to_internal_value",
        "validate",
        "validate_empty_values",
        "validators",
    }
)


def may_block(serializer: AnyField) -> bool:
    """Whether validating may query, call out or sleep."""
    return any(_may_block(field) for field in walk(serializer))


def may_share(serializer: AnyField) -> bool:
    """Whether one instance may validate for all threads at once."""
    return not any(_may_remember(field) for field in walk(serializer))


def has_fields_of_its_own(field: AnyField) -> bool:
    """Whether a class of the project's decides per instance which fields there are."""
    return _overrides(field, _FIELD_METHODS)


def is_customised(field: AnyField) -> bool:
    """Whether a class of the project's overrides how the field validates."""
    return _overrides(field, _METHODS)


def _overrides(field: AnyField, methods: frozenset[str]) -> bool:
    return any(
        name in methods or (name.startswith("validate_") and methods is _METHODS)
        for cls in type(field).__mro__
        if not is_known(cls)
        for name in vars(cls)
    )


def is_known(cls: type) -> bool:
    """Whether a class is Django's, DRF's or ours."""
    module = f"{cls.__module__}."
    return module.startswith(("builtins.", "django.", "rest_framework.", "mcp_django.schema."))


def _may_block(field: AnyField) -> bool:
    if isinstance(field, serializers.Serializer):
        if is_customised(field) or _makes(field):
            return True
    elif type(field) not in _FIELDS:
        return True
    if isinstance(field, serializers.JSONField) and (field.encoder or field.decoder):
        return True
    return not _default_is_quick(field.default) or not all(map(_is_quick, field.validators))


def _makes(serializer: AnyField) -> bool:
    """Whether values are made of a class with code of its own."""
    struct = (
        getattr(serializer, "struct", None) if isinstance(serializer, StructSerializer) else None
    )
    return hasattr(struct, "__post_init__")


def _is_quick(validator: Any) -> bool:
    if inspect.isfunction(validator):
        return validator.__module__ == validators.__name__
    limit = getattr(validator, "limit_value", None)
    return type(validator) in _VALIDATORS and not callable(limit)


def _default_is_quick(default: Any) -> bool:
    if isinstance(default, CreateOnlyDefault):
        return _default_is_quick(default.default)
    return (
        not callable(default)
        or default is serializers.empty
        or isinstance(default, CurrentUserDefault)
        or default in _DEFAULTS
    )


def _may_remember(field: AnyField) -> bool:
    default = field.default
    return (
        is_customised(field)
        or not all(map(_has_no_state, field.validators))
        or (callable(default) and not _has_no_state(default))
    )


def _has_no_state(function: Any) -> bool:
    """A plain function or a class, or an instance of a class that is Django's or DRF's."""
    if isinstance(function, type):
        return True
    if inspect.isroutine(function):
        bound_to = getattr(function, "__self__", None)
        wants_field = getattr(function, "requires_context", False)  # and may read its data
        return not wants_field and (
            bound_to is None or inspect.ismodule(bound_to) or isinstance(bound_to, type)
        )
    return is_known(type(function))


def with_copied_defaults(serializer: AnyField) -> None:
    """Make every mutable default of a serializer that lives on anew for each call."""
    for field in walk(serializer):
        default: Any = field.default
        if callable(default):
            continue
        if isinstance(default, (dict, list, set)) or is_dataclass(default):
            field.default = functools.partial(copy.deepcopy, default)
