"""What is no contents of a resource, and what to return instead."""

from __future__ import annotations

import io
import typing
from collections.abc import Iterator
from pathlib import PurePath
from typing import Any, get_args, get_origin

from django.db.models import Field, FileField, Manager, Model, QuerySet
from django.db.models.fields.files import FieldFile
from django.db.models.query import RawQuerySet
from rest_framework import serializers

from mcp_django.protocol.content import Block
from mcp_django.protocol.contents import ResourceContents
from mcp_django.protocol.messages import PromptMessage, PromptResult
from mcp_django.protocol.mime_types import has_known_charset, is_mime_type
from mcp_django.schema.annotations import spelled
from mcp_django.schema.errors import DeclarationError
from mcp_django.schema.outcomes import ToolResult
from mcp_django.schema.returning.presentation import alternatives, is_array, is_lazy, is_text

_ROWS = (Model, Manager, QuerySet, RawQuerySet)
_OTHERS = (Block, ToolResult, PromptMessage, PromptResult)
_FOR_ROWS = "say what to show of it with returns= and a serializer"
_FOR_PATHS = "return path.read_text() or path.read_bytes(), or the file that path.open('rb') gives"
_FOR_OTHERS = (
    "that is for tools and prompts; a resource returns str, bytes, a file, ResourceContents, "
    "or what becomes JSON"
)
_FOR_PIECES = 'return one text, such as "".join(...), or a list'
_FOR_MIXED = "make each of its items ResourceContents"


def check_mime_type(mime_type: object) -> None:
    """Refuse a declared MIME type that no client could read."""
    if not isinstance(mime_type, str) or not is_mime_type(mime_type):
        raise DeclarationError(
            f"mime_type={mime_type!r} is no MIME type.", 'Write one such as "text/markdown".'
        )
    if not has_known_charset(mime_type):
        raise DeclarationError(
            f"mime_type={mime_type!r} names a charset that Python does not know.",
            "Correct it, or leave it out for UTF-8.",
        )


def check_return_type(annotation: Any) -> None:
    """Refuse what becomes JSON nowhere, in words of resources."""
    cls = get_origin(annotation) or annotation
    if not isinstance(cls, type):
        return
    instead = _instead_of_class(cls) or _instead_of_items(annotation)
    if instead is not None:
        raise DeclarationError(
            f"A resource cannot return {spelled(annotation)}.",
            f"{instead[0].upper()}{instead[1:]}.",
        )


def _instead_of_class(cls: type) -> str | None:
    if issubclass(cls, _ROWS):
        return _FOR_ROWS
    if issubclass(cls, PurePath):
        return _FOR_PATHS
    if issubclass(cls, Field | serializers.FileField):
        return _instead_of_field(cls)
    return _FOR_OTHERS if issubclass(cls, _OTHERS) else None


def _instead_of_field(cls: type) -> str:
    """Of a model's or a serializer's field; ``FileField`` is easily taken for ``FieldFile``."""
    if not issubclass(cls, FileField | serializers.FileField):
        return "annotate what the value of the field is, such as str"
    value = getattr(cls, "attr_class", FieldFile)
    return (
        f"annotate {value.__module__}.{value.__name__}, which the value of the field is, or "
        "django.core.files.File"
    )


def _instead_of_items(annotation: Any) -> str | None:
    """Of lists and the like, by what they hold."""
    if not is_array(annotation):
        return None
    items = [item for argument in get_args(annotation)[:1] for item in alternatives(argument)]
    if is_lazy(annotation) and any(is_text(item) for item in items):
        return _FOR_PIECES
    classes = [item for item in items if isinstance(item, type)]
    if any(issubclass(item, ResourceContents) for item in classes):
        return _FOR_MIXED if len(items) > 1 else "return a list of ResourceContents"
    found = [_instead_of_class(item) for item in classes]
    return next((instead for instead in found if instead is not None), None)


def is_text_file(annotation: Any) -> bool:
    """A file that gives text, as far as its type says."""
    cls = get_origin(annotation) or annotation
    return issubclass(cls, io.TextIOBase | typing.TextIO) or (
        cls is typing.IO and get_args(annotation) == (str,)
    )


def is_row(value: Any) -> bool:
    """A model's instance, or several: to be shown by a serializer alone."""
    return isinstance(value, _ROWS)


def problem_with(value: Any, *, judged: bool) -> str | None:
    """What is wrong with a value that no resource can return, None where nothing is.

    ``judged``: no type says what the value means, so that rows and generators mean nothing.
    """
    kind = type(value).__name__
    if isinstance(value, PurePath):
        return f"{kind}: {_FOR_PATHS}."
    if isinstance(value, _OTHERS) or _is_made_of_blocks(value):
        return f"{kind}: {_FOR_OTHERS}."
    if judged and is_row(value):
        return f"{kind}: {_FOR_ROWS}."
    if judged and isinstance(value, Iterator):
        return f"{kind}: {_FOR_PIECES}."
    return None


def _is_made_of_blocks(value: Any) -> bool:
    return isinstance(value, list | tuple) and any(isinstance(item, _OTHERS) for item in value)
