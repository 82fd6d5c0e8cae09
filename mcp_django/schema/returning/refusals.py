"""Return annotations that have no JSON form, and what to write instead."""

from __future__ import annotations

import concurrent.futures
from collections.abc import AsyncIterable, Awaitable
from typing import Any, ForwardRef, ParamSpec, TypeVar, get_origin

from django.core.files.base import File
from django.db.models import Field as ModelField
from django.db.models import FileField, Manager, Model, QuerySet
from django.db.models.query import RawQuerySet
from django.http.response import HttpResponseBase
from rest_framework.serializers import Field

from mcp_django.protocol.content import Block
from mcp_django.protocol.contents import ResourceContents
from mcp_django.protocol.messages import PromptMessage, PromptResult
from mcp_django.schema.annotations import spelled
from mcp_django.schema.errors import DeclarationError
from mcp_django.schema.outcomes import ToolResult

_INSTEAD: tuple[tuple[Any, str], ...] = (
    (
        (Model, Manager, QuerySet, RawQuerySet),
        "Say what to show of it: give it returns= with a serializer, "
        "such as returns=LoanSerializer(many=True).",
    ),
    (
        (bytes, bytearray, memoryview),
        "Return a content block instead: Image(data, mime_type), Audio(data, mime_type) or "
        "EmbeddedResource(uri, data=data).",
    ),
    (
        concurrent.futures.Future,
        "It cannot be awaited: return its result(), or make the tool async and await "
        "asyncio.wrap_future(future).",
    ),
    (AsyncIterable, "Collect its items in a list and return that: list[X]."),
    (Awaitable, "Await it inside the tool; only the whole result may be awaitable."),
    (HttpResponseBase, "Return the data itself: the endpoint writes the response."),
    (
        (Block, ToolResult),
        "Blocks stand alone or in a list, not beside or inside other data: return a "
        "ToolResult(content=[...], structured=...) and give it returns=.",
    ),
    (
        (ResourceContents, PromptMessage, PromptResult),
        "That is for resources and prompts: return data, a content block or ToolResult.",
    ),
    (File, "Return a content block: Image(file), Audio(file) or EmbeddedResource(uri, data=file)."),
    (
        FileField,
        "That is the field of a model: return its value as a content block, Image(file), "
        "Audio(file) or EmbeddedResource(uri, data=file), and annotate that.",
    ),
    (ModelField, "That is the field of a model: annotate what its value is, such as str."),
    (Field, "Annotate what the tool returns, and give the serializer as returns=."),
)


def is_refused(cls: type) -> bool:
    """No value of this class can be a part of a result, whatever else the class is."""
    return any(issubclass(cls, refused) for refused, _instead in _INSTEAD)


def refusal(annotation: Any) -> DeclarationError:
    """Why a return annotation can't be had, and the fix."""
    what = spelled(annotation)
    origin = get_origin(annotation) or annotation
    if isinstance(annotation, str | ForwardRef):
        return DeclarationError(
            f"{what} is a name that stands for nothing yet.",
            "Define or import that name at the top of the module, not under TYPE_CHECKING.",
        )
    if isinstance(annotation, TypeVar | ParamSpec):
        return DeclarationError(
            f"{what} is a type variable, which stands for no type here.",
            "Write the type itself.",
        )
    if isinstance(origin, type):
        for refused, instead in _INSTEAD:
            if issubclass(origin, refused):
                return DeclarationError(f"{what} has no JSON form.", instead)
    return DeclarationError(
        f"No schema can be derived from {what}.",
        "Return a dataclass, a TypedDict or JSON's own types, or give it returns= with "
        "a serializer.",
    )
