"""What the tests of results return: values of every kind."""

from __future__ import annotations

import inspect
from collections import namedtuple
from dataclasses import dataclass, field
from datetime import date, timedelta, timezone
from decimal import Decimal
from enum import Enum, IntFlag
from typing import (
    Annotated,
    Any,
    Generic,
    Literal,
    NamedTuple,
    NotRequired,
    Required,
    TypedDict,
    TypeVar,
)

from django.db.models import IntegerChoices, TextChoices

from mcp_django.protocol.content import Image, Text
from mcp_django.schema.results import Outcome, result_rule

EMPTY = inspect.Signature.empty
IMAGE = Image(b"\x89PNG", "image/png")


def convert(annotation: Any, value: Any) -> Outcome:
    return result_rule(annotation, name="tool").convert(value)


def texts(outcome: Outcome) -> list[str]:
    return [block.text for block in outcome.content if isinstance(block, Text)]


class Status(TextChoices):
    OPEN = "open", "Still out"
    RETURNED = "returned"


class Size(IntegerChoices):
    SMALL = 1
    LARGE = 2


class Shelf(Enum):
    LOW = (0, 1)
    HIGH = (2, 3)


class Plain(Enum):
    A = "a"
    B = "b"


class Mode(IntFlag):
    READ = 1
    WRITE = 2


@dataclass
class Receipt:
    """What renewing gives.

    Attributes:
        due: The new day.
    """

    number: int
    due: date
    fine: Decimal = Decimal(0)
    note: str | None = None
    secret: str = field(default="", repr=False)


class Row(NamedTuple):
    title: str
    price: Decimal


class Base(TypedDict):
    id: int


class Partial(Base, total=False):
    title: Required[str]
    pages: int


class Whole(TypedDict):
    title: NotRequired[Annotated[str, "The title."]]
    pages: Annotated[NotRequired[int], "How long it is."]


@dataclass
class Node:
    name: str
    children: list[Node]
    parent: Node | None = None


T = TypeVar("T")


@dataclass
class Page(Generic[T]):
    items: list[T]
    total: int


@dataclass
class RowPage(Page[Row]):
    next: int | None


@dataclass
class Book:
    kind: Literal["book"]
    title: str


@dataclass
class Film:
    kind: Literal["film"]
    title: str


class Fixed(TypedDict):
    kind: Literal["fixed"]
    value: Decimal


class Counted(TypedDict):
    kind: Literal["counted"]
    value: int


class Other:
    @dataclass
    class Node:
        inner: list[Other.Node]


TZ = timezone(timedelta(hours=5, minutes=30))
UNTYPED = namedtuple("UNTYPED", "a b")
