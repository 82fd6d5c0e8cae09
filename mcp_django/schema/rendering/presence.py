"""What a result surely has: which members are always there, which may be null or blank."""

from __future__ import annotations

from typing import Any

from django.core.exceptions import FieldDoesNotExist
from django.db import models
from rest_framework import serializers
from rest_framework.fields import empty


def always_given(field: Any) -> bool:
    """Whether the field is in every result: DRF leaves out what it can't find and may."""
    if field.required or field.default is not empty or field.allow_null:
        return True
    if not field.source_attrs:  # the object itself
        return True
    is_of_model = isinstance(field.parent, serializers.ModelSerializer)
    return bool(field.read_only and is_of_model and len(field.source_attrs) == 1)


def may_be_null(field: Any) -> bool:
    """Whether what the field reads from a model can be null, whatever the field says."""
    columns = _columns(field)
    # The other end of a one-to-one relation may be missing: DRF then gives null.
    if any(isinstance(column, models.OneToOneRel) for column in columns):
        return True
    return bool(columns) and isinstance(columns[-1], models.Field) and columns[-1].null


def may_be_blank(field: Any) -> bool:
    """Whether the column that the field reads can be an empty text."""
    columns = _columns(field)
    return bool(columns) and isinstance(columns[-1], models.Field) and columns[-1].blank


def _columns(field: Any) -> list[Any]:
    """The model fields along the source; none where the source leaves them."""
    model = getattr(getattr(getattr(field, "parent", None), "Meta", None), "model", None)
    columns: list[Any] = []
    for name in getattr(field, "source_attrs", None) or ():
        if model is None:
            return []
        try:
            columns.append(model._meta.get_field(name))
        except FieldDoesNotExist:
            return []
        model = columns[-1].related_model
    return columns
