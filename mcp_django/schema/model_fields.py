"""A field for a model class: the caller sends a primary key, the handler gets the row."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, NoReturn

from django.core.exceptions import ObjectDoesNotExist
from django.db import models
from django.http import Http404
from rest_framework import serializers

from mcp_django.schema.errors import DeclarationError
from mcp_django.schema.fields import Render, Schema, TextUUIDField
from mcp_django.schema.trees import AnyField, kinds_of

MAX_KEY = 2**63  # a database holds no integer beyond, and some fail when asked for one


@dataclass(frozen=True, slots=True)
class Lookup:
    """Where the rows of a model argument may come from: ``Annotated[Loan, Lookup(f)]``.

    ``f(context)`` gives a queryset or a manager, at each call. A row outside of it is
    answered as one that does not exist.
    """

    queryset: Callable[[Any], Any]


class ModelField(serializers.Field[Any, Any, Any, Any]):
    """The row of a model, by primary key.

    Rows come from ``lookup(context)``, else from the model's default manager; the
    context is the call's own (``"mcp"`` in the serializer's context).
    """

    default_error_messages = {"does_not_exist": "There is no {name} {pk}."}

    def __init__(
        self,
        *,
        model: type[models.Model],
        key: AnyField,
        lookup: Callable[[Any], Any] | None = None,
        **kwargs: Any,
    ) -> None:
        self.model = model
        self.key = key
        self.lookup = lookup
        super().__init__(**kwargs)
        self.key.bind(field_name="", parent=self)  # type: ignore[arg-type]

    @property
    def json_kinds(self) -> frozenset[str]:
        return kinds_of(self.key)

    def rows(self, keys: Iterable[Any]) -> dict[Any, models.Model]:
        """Those of the rows that the caller may name, by primary key, in one query."""
        wanted = [key for key in keys if not isinstance(key, int) or -MAX_KEY <= key < MAX_KEY]
        try:
            source = self.lookup(self.context.get("mcp")) if self.lookup else self._all()
        except (ObjectDoesNotExist, Http404):
            return {}
        queryset = source.all() if isinstance(source, models.manager.BaseManager) else source
        if not _gives(queryset, self.model):
            raise TypeError(
                f"The Lookup of {self.model.__name__} gives {_named(queryset)}: let it return a "
                f"queryset of {self.model.__name__}."
            )
        return {row.pk: row for row in queryset.filter(pk__in=wanted)}

    def _all(self) -> models.Manager[Any]:
        return self.model._default_manager

    def to_internal_value(self, data: Any) -> models.Model:
        key = self.key.run_validation(data)
        return self._found(self.rows([key]), key)

    def run_many(self, items: Sequence[Any]) -> list[models.Model | None]:
        """The rows of a whole list, in one query and in the order sent."""
        keys = _each(items, lambda item: self._key_or_null(item))
        rows = self.rows({key for key in keys if key is not None})
        return _each(keys, lambda key: None if key is None else self._found(rows, key))

    def _key_or_null(self, item: Any) -> Any:
        return None if item is None and self.allow_null else self.key.run_validation(item)

    def _found(self, rows: dict[Any, models.Model], key: Any) -> models.Model:
        row = rows.get(key)
        if row is None:  # a row may be false, by a __len__ of its own
            self._missing(key)
        return row

    def _missing(self, key: Any) -> NoReturn:
        # The same words whether the row is hidden from the caller or was never there.
        text = str(key)
        shown = text if len(text) <= 60 else f"{text[:60]}…"
        self.fail("does_not_exist", name=self.model._meta.verbose_name, pk=shown)

    def to_representation(self, value: models.Model) -> Any:
        return self.key.to_representation(value.pk)

    def json_schema(self, render: Render) -> Schema:
        return render(self.key)


def _gives(queryset: Any, model: type[models.Model]) -> bool:
    """Whether it is a queryset of this model, of one derived from it, or of its proxy."""
    if not isinstance(queryset, models.QuerySet):
        return False
    given: Any = queryset.model
    return issubclass(given, model) or given._meta.concrete_model is model._meta.concrete_model


def _named(queryset: Any) -> str:
    is_queryset = isinstance(queryset, models.QuerySet)
    return f"rows of {queryset.model.__name__}" if is_queryset else f"a {type(queryset).__name__}"


def _each(items: Sequence[Any], function: Callable[[Any], Any]) -> list[Any]:
    """The function of every item; all refusals together, by index."""
    values: list[Any] = []
    errors: dict[Any, Any] = {}
    for index, item in enumerate(items):
        try:
            values.append(function(item))
        except serializers.ValidationError as error:
            errors[index] = error.detail
    if errors:
        raise serializers.ValidationError(errors)
    return values


def model_field(model: type[models.Model], lookup: Lookup | None) -> ModelField:
    """The field for a model class; ``DeclarationError`` where its key can't cross JSON."""
    if model._meta.abstract:
        raise DeclarationError(
            f"{model.__name__} is abstract, so it has no rows.", "Take a concrete model."
        )
    if lookup is not None:
        _refuse_uncallable(f"The Lookup of {model.__name__}", lookup.queryset)
    function = lookup.queryset if lookup else None
    return ModelField(model=model, key=_key_field(model), lookup=function)


def _refuse_uncallable(subject: str, function: Any) -> None:
    """What can't be called as ``function(context)`` would fail at each call."""
    if not callable(function):
        raise DeclarationError(
            f"{subject} holds a {type(function).__name__}, not a function.",
            "Write a function of the context that returns it: it is called for each call.",
        )
    if inspect.iscoroutinefunction(function):
        raise DeclarationError(
            f"{subject} is async, and rows are looked up synchronously.",
            "Write the function with def; it returns a queryset, which is lazy.",
        )
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):  # written in C, say: the call will tell
        return
    try:
        signature.bind(None)
    except TypeError as error:
        name = getattr(function, "__name__", type(function).__name__)
        signature = signature.replace(return_annotation=signature.empty)
        raise DeclarationError(
            f"{subject} is called with the context alone, and {name}{signature} cannot be.",
            f"Write def {name}(context).",
        ) from error


def _key_field(model: type[models.Model]) -> AnyField:
    field: Any = model._meta.pk
    while getattr(field, "remote_field", None):  # the parent link of an inherited model
        field = field.target_field
    if isinstance(field, models.UUIDField):
        return TextUUIDField()
    if isinstance(field, models.IntegerField):
        return serializers.IntegerField()
    if isinstance(field, (models.CharField, models.TextField)):
        return serializers.CharField(trim_whitespace=False, allow_blank=True)
    raise DeclarationError(
        f"The primary key of {model.__name__} ({type(field).__name__}) can't be an argument.",
        "Take the value that names the row, and look the row up in the tool.",
    )
