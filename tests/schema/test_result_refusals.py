"""Return types that stop start-up, each with the way to mend it."""

from __future__ import annotations

import concurrent.futures
import contextlib
import datetime
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Coroutine
from dataclasses import dataclass
from enum import Enum
from typing import Annotated, Any, Generic, Literal, ParamSpec, Self, TypedDict, TypeVar
from uuid import UUID

import pytest
from django.db import models
from django.db.models import Manager, QuerySet
from django.http import JsonResponse
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from mcp_django.protocol.content import Image, Text
from mcp_django.schema.errors import DeclarationError
from mcp_django.schema.results import ToolResult, result_rule
from tests.app.models import Book
from tests.schema.returned import Status

T = TypeVar("T")
P = ParamSpec("P")


@dataclass
class Holder(Generic[T]):
    value: T


@dataclass
class Endless(Generic[T]):
    value: Endless[list[T]]


@dataclass
class Unresolved:
    value: Missing  # type: ignore[name-defined]  # noqa: F821 - that is the point


@dataclass
class A:
    x: int


@dataclass
class B:
    x: int
    y: int = 0


@dataclass
class Twin:
    x: int


class C(TypedDict, total=False):
    x: int


class Empty(Enum):
    pass


@pytest.mark.parametrize(
    ("annotation", "problem", "fix"),
    [
        (Awaitable, "Awaitable does not say of what", "Awaitable[int]"),
        (Coroutine, "Coroutine does not say of what", "Coroutine[Any, Any, int]"),
        (T, "T is a type variable", "Write the type itself"),
        (list[T], "T is a type variable", "Write the type itself"),
        (Holder, "Holder.value: ~T is a type variable", "Write the type itself"),
        (list["Missing"], "Missing is a name", "top of the module"),  # type: ignore[name-defined]  # noqa: F821
        ("Missing", "Missing is a name", "top of the module"),
        (Unresolved, "cannot be resolved: name 'Missing'", "top of the module"),
        (Book, "Book has no JSON form", "returns= with a serializer"),
        (QuerySet, "QuerySet has no JSON form", "returns= with a serializer"),
        (QuerySet[Book], "has no JSON form", "returns= with a serializer"),
        (Manager, "Manager has no JSON form", "returns= with a serializer"),
        (list[Book], "list[tests.app.models.Book]: Book has no JSON form", "returns="),
        (Book | None, "Book has no JSON form", "returns="),
        (dict[str, Book], "Book has no JSON form", "returns="),
        (Holder[Book], "Holder.value: Book has no JSON form", "returns="),
        (bytes, "bytes has no JSON form", "Image(data, mime_type)"),
        (list[bytearray], "bytearray has no JSON form", "EmbeddedResource(uri, data=data)"),
        (Literal[2**64], "integer beyond 64 bits", "smaller numbers"),
        (Literal[b"x"], "holds a value that JSON lacks", "strings, numbers"),
        (concurrent.futures.Future, "Future has no JSON form", "asyncio.wrap_future"),
        (concurrent.futures.Future[int], "has no JSON form", "asyncio.wrap_future"),
        (AsyncIterator[int], "has no JSON form", "list[X]"),
        (AsyncGenerator[int, None], "has no JSON form", "list[X]"),
        (list[Awaitable[int]], "has no JSON form", "Await it inside the tool"),
        (Callable[[], int], "No schema can be derived", "dataclass"),
        (Callable[P, int], "No schema can be derived", "dataclass"),
        (Self, "No schema can be derived from Self", "dataclass"),
        (type[int], "No schema can be derived", "dataclass"),
        (complex, "No schema can be derived from complex", "dataclass"),
        (contextlib.ExitStack, "No schema can be derived from ExitStack", "dataclass"),
        (JsonResponse, "JsonResponse has no JSON form", "Return the data itself"),
        (list[ToolResult], "ToolResult has no JSON form", "ToolResult(content="),
        (dict[str, Image], "Image has no JSON form", "ToolResult(content="),
        (Image | int, "Image has no JSON form", "ToolResult(content="),
        (list[Text | int], "Text has no JSON form", "ToolResult(content="),
        (models.FileField, "FileField has no JSON form", "Image(file), Audio(file) or Embedded"),
        (list[models.ImageField], "ImageField has no JSON form", "field of a model: return its"),
        (models.CharField, "CharField has no JSON form", "annotate what its value is, such as str"),
        (list[serializers.CharField], "CharField has no JSON form", "returns="),
        (dict[int, str], "keys that are no str", "dict[str, ...]"),
        (dict[Any, str], "keys that are no str", "dict[str, ...]"),
        (dict[Empty, str], "keys that are no str", "dict[str, ...]"),
        (Empty, "Empty has no members", "some"),
        (Endless[int], "holds itself without end", "type that ends"),
    ],
)
def test_a_return_type_without_a_schema_is_refused(annotation: Any, problem: str, fix: str) -> None:
    with pytest.raises(DeclarationError) as caught:
        result_rule(annotation, name="tool")

    assert problem in caught.value.problem
    assert fix in caught.value.fix


@pytest.mark.parametrize(
    "annotation",
    [
        datetime.date | str,
        UUID | str,
        list[int] | list[str],
        list[int] | tuple[str, str],
        dict[str, int] | dict[str, str],
        dict[str, Any] | A,
        A | C,
        A | Twin,
        Literal["a", "b"] | Literal["b", "c"],
        Literal["a"] | str,
        int | str | datetime.date,
        Annotated[Any, "Whatever."] | int,
    ],
)
def test_a_union_that_json_cannot_tell_apart_is_refused(annotation: Any) -> None:
    with pytest.raises(DeclarationError, match="In JSON nothing tells"):
        result_rule(annotation, name="tool")


@pytest.mark.parametrize(
    "annotation",
    [
        int | str | None,
        int | float,
        bool | int,
        datetime.date | int,
        list[int] | dict[str, int],
        A | B,  # only B always has y
        A | list[A],
        Literal["a"] | Literal["b"],
        Literal[1] | bool,
        Status | Literal["lost"],
        Any | int,
    ],
)
def test_a_union_that_json_can_tell_apart_is_fine(annotation: Any) -> None:
    result_rule(annotation, name="tool")


def test_an_alias_of_an_unknown_name_is_refused() -> None:
    class TypeAliasType:
        """As a ``type`` statement makes it, which asks for its value late."""

        __name__ = "Later"
        __type_params__ = ()

        @property
        def __value__(self) -> Any:
            return Missing  # type: ignore[name-defined]  # noqa: F821 - that is the point

    with pytest.raises(DeclarationError, match="cannot be resolved: name 'Missing'"):
        result_rule(TypeAliasType(), name="tool")


def test_an_impossible_pattern_of_the_author_is_refused() -> None:
    class Matching(serializers.Serializer[Any]):
        code = serializers.SerializerMethodField()

        @extend_schema_field({"type": "string", "pattern": "("})
        def get_code(self, value: Any) -> str:
            raise NotImplementedError

    with pytest.raises(DeclarationError, match="no valid JSON Schema") as caught:
        result_rule(Any, Matching, name="tool")

    assert "extend_schema_field" in caught.value.fix


@pytest.mark.parametrize(
    ("returns", "fix"),
    [
        ({"a": serializers.IntegerField()}, "Write a Serializer class with these fields"),
        (serializers.IntegerField(), "a type such as list[int]"),
        (serializers.IntegerField, "a type such as list[int]"),
        (Book, "Write a ModelSerializer"),
        (Book(), "Write a ModelSerializer"),
    ],
)
def test_returns_takes_a_serializer_or_a_type(returns: Any, fix: str) -> None:
    with pytest.raises(DeclarationError, match="returns= of find_loans is") as caught:
        result_rule(Any, returns, name="find_loans")

    assert fix in caught.value.fix
