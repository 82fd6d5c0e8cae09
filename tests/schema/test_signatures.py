"""From type hints to fields: what a handler gets, what callers are told, what is refused."""

from __future__ import annotations

import dataclasses
import enum
import sys
import typing
import uuid
from collections.abc import Callable, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import InitVar, dataclass, field
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from typing import (
    Annotated,
    Any,
    Generic,
    Literal,
    NamedTuple,
    NewType,
    NotRequired,
    Optional,
    Protocol,
    Required,
    TypedDict,
    TypeVar,
)

import pytest
from django.db import models
from django.utils.translation import gettext_lazy
from rest_framework import serializers
from rest_framework.request import Request

from mcp_django.schema.errors import DeclarationError, InvalidArguments
from mcp_django.schema.results import result_rule
from mcp_django.schema.signatures import (
    Argument,
    Arguments,
    Lookup,
    ParamHeader,
    field_from_annotation,
    is_arguments_annotation,
    serializer_from_arguments,
)
from mcp_django.schema.validation import ArgumentsRule, arguments_rule
from tests.app.models import Book

T = TypeVar("T")
NONE = object()


class Status(enum.Enum):
    OPEN = "open"
    RETURNED = "returned"


class Shape(enum.Enum):
    DOT = (0, 0)
    LINE = (0, 1)


class Level(models.IntegerChoices):
    LOW = 1, "Not urgent"
    HIGH = 2, "Urgent"


class Wings(enum.Flag):
    LEFT = 1
    RIGHT = 2


class Nothing(enum.Enum):
    pass


@dataclass
class Point:
    """A place.

    Attributes:
        x: How far to the right.
    """

    x: int
    y: int = 0


@dataclass(frozen=True)
class Frozen:
    code: str


@dataclass
class Cart:
    owner: str
    items: list[str] = field(default_factory=list)
    total: int = field(init=False, default=0)


@dataclass
class Tree:
    name: str
    children: list[Tree] = field(default_factory=list)


@dataclass
class Cat:
    kind: Literal["cat"]
    name: str


@dataclass
class Dog:
    kind: Literal["dog"]
    name: str


@dataclass
class Circle:
    radius: float


@dataclass
class Square:
    side: float


@dataclass
class Page(Generic[T]):
    items: list[T]


@dataclass
class Range:
    low: int
    high: int

    def __post_init__(self) -> None:
        if self.low > self.high:
            raise ValueError("low is above high")


@dataclass
class WithInitVar:
    seed: InitVar[int]


@dataclass(init=False)
class WithoutInit:
    x: int


class Pair(NamedTuple):
    left: int
    right: str = "r"


class Movie(TypedDict, total=False):
    title: Required[str]
    year: int


class Partial(TypedDict):
    title: str
    year: NotRequired[int | None]


class Loaned(Movie):
    to: str
    until: NotRequired[date]


Dotted = TypedDict("Dotted", {"a.b": int})
LoanId = NewType("LoanId", int)
Days = Annotated[int, serializers.IntegerField(min_value=1, max_value=28)]


class Readable(Protocol):
    def read(self) -> str: ...


class Word(str):
    pass


class Plain:
    pass


class Address(serializers.Serializer):
    city = serializers.CharField()
    zip_code = serializers.CharField(required=False)


def no_books() -> models.QuerySet[Book]:
    raise NotImplementedError


class Needy(serializers.Serializer):
    def __init__(self, must: int, **kwargs: Any) -> None:
        super().__init__(**kwargs)


class Tome(Book):
    class Meta:
        proxy = True
        app_label = "app"


class Opaque(models.Model):  # noqa: DJ008
    id = models.DateField(primary_key=True)

    class Meta:
        app_label = "tests_schema"
        managed = False


class Coded(models.Model):  # noqa: DJ008
    code = models.CharField(primary_key=True)

    class Meta:
        app_label = "tests_schema"
        managed = False


class Identified(models.Model):  # noqa: DJ008
    id = models.UUIDField(primary_key=True)

    class Meta:
        app_label = "tests_schema"
        managed = False


class Atlas(Book):
    class Meta:
        app_label = "tests_schema"
        managed = False


class Ghost(models.Model):
    class Meta:
        app_label = "tests_schema"
        abstract = True


def rule(annotation: Any, default: Any = NONE, help_text: str = "") -> ArgumentsRule:
    given = () if default is NONE else (default,)
    argument = Argument("x", annotation, *given)
    argument = dataclasses.replace(argument, help_text=help_text)
    return arguments_rule(serializer_from_arguments("tool", [argument]), name="tool")


def read(annotation: Any, value: Any, default: Any = NONE) -> Any:
    return rule(annotation, default).validate({"x": value}, {})["x"]


def schema(annotation: Any, default: Any = NONE, help_text: str = "") -> Any:
    return rule(annotation, default, help_text).schema["properties"]["x"]


@pytest.mark.parametrize(
    ("annotation", "sent", "expected"),
    [
        (int, 3, 3),
        (int, 3.0, 3),
        (int, 1e22, 10**22),
        (int, 10**30, 10**30),
        (float, 3, 3.0),
        (str, "  kept ", "  kept "),
        (str, "", ""),
        (bool, True, True),
        (Decimal, 1.1, Decimal("1.1")),
        (Decimal, "1.10", Decimal("1.10")),
        (date, "2026-07-28", date(2026, 7, 28)),
        (datetime, "2026-07-28T12:00:00Z", datetime(2026, 7, 28, 12, tzinfo=UTC)),
        (time, "14:30", time(14, 30)),
        (timedelta, "P1DT2H30M", timedelta(days=1, hours=2, minutes=30)),
        (timedelta, "-PT90S", timedelta(seconds=-90)),
        (timedelta, "P2W", timedelta(weeks=2)),
        (timedelta, "-P2W", timedelta(weeks=-2)),
        (timedelta, 90, timedelta(seconds=90)),
        (timedelta, 1.5, timedelta(seconds=1.5)),
        (uuid.UUID, str(uuid.UUID(int=7)), uuid.UUID(int=7)),
        (Literal["a", "b"], "a", "a"),
        (Literal["1", 1], 1, 1),
        (Literal["1", 1], "1", "1"),
        (Literal[1, True], True, True),
        (Literal[1, 2], 1.0, 1),
        (Literal["1", "2"], 2, "2"),
        (Literal["a"] | Literal["b"], "b", "b"),
        (Literal[Status.OPEN], "open", Status.OPEN),
        (Status, "returned", Status.RETURNED),
        (Shape, "LINE", Shape.LINE),
        (Level, 2, Level.HIGH),
        (list[int], [1, 2], [1, 2]),
        (list, [1, "a"], [1, "a"]),
        (list[Any], [None], [None]),
        (Sequence[int], [1], [1]),
        (Iterable[str], ["a"], ["a"]),
        (set[int], [1, 1, 2], {1, 2}),
        (frozenset[str], ["a"], frozenset({"a"})),
        (AbstractSet[str], ["a"], frozenset({"a"})),
        (set[tuple[int, int]], [[1, 2], [1, 2]], {(1, 2)}),
        (set[frozenset[int]], [[1], [1]], {frozenset({1})}),
        (set[Frozen], [{"code": "a"}], {Frozen("a")}),
        (set[int | str], [1, "1"], {1, "1"}),
        (tuple[int, ...], [1, 2, 3], (1, 2, 3)),
        (tuple, [1, "a"], (1, "a")),
        (tuple[int, str], [1, "a"], (1, "a")),
        (dict[str, int], {"a": 1}, {"a": 1}),
        (dict, {"a": [1]}, {"a": [1]}),
        (dict[str, Any], {"a": None}, {"a": None}),
        (Mapping[str, list[int]], {"a": [1]}, {"a": [1]}),
        (int | None, None, None),
        (Optional[str], "a", "a"),  # noqa: UP045
        (int | str, "5", "5"),
        (int | str, 5, 5),
        (int | list[int], "5.0", 5),
        (int | float, 5, 5),
        (int | float, 5.5, 5.5),
        (float | str, 5, 5.0),
        (int | str, 5.0, 5),
        (bool | float | Literal["a", 1], 0, 0.0),
        (bool | int, True, True),
        (bool | int, 1, 1),
        (str | list[int], [1], [1]),
        (str | list[str], 5, "5"),
        (int | None | str, None, None),
        (Literal["a"] | Literal[None], None, None),
        (Literal["auto"] | int, "auto", "auto"),
        (Status | Level, 1, Level.LOW),
        (Cat | Dog, {"kind": "dog", "name": "Rex"}, Dog("dog", "Rex")),
        (Circle | Square, {"side": 2}, Square(2.0)),
        (Point, {"x": 1}, Point(1, 0)),
        (Cart, {"owner": "Ann"}, Cart("Ann")),
        (Tree, {"name": "a", "children": [{"name": "b"}]}, Tree("a", [Tree("b")])),
        (Page[int], {"items": [1]}, Page([1])),
        (Pair, {"left": 1}, Pair(1, "r")),
        (Movie, {"title": "M"}, {"title": "M"}),
        (Loaned, {"title": "M", "to": "A", "year": 1}, {"title": "M", "to": "A", "year": 1}),
        (Address, {"city": "Ulm"}, {"city": "Ulm"}),
        (list[Address], [{"city": "Ulm"}], [{"city": "Ulm"}]),
        (LoanId, 7, 7),
        (Days, 28, 28),
        (Annotated[list[str], serializers.ListField(child=serializers.CharField())], ["a"], ["a"]),
        (Annotated[list[dict], Address(many=True)], [{"city": "Ulm"}], [{"city": "Ulm"}]),
        (Annotated[Any, serializers.JSONField()], {"any": [1]}, {"any": [1]}),
        (Annotated[str, serializers.RegexField(r"^\w+$")], "abc", "abc"),
        (tuple[Any, int], [None, 1], (None, 1)),
        (dict[str, tuple[int, Point | None]], {"a": [1, None]}, {"a": (1, None)}),
    ],
)
def test_what_arrives(annotation: Any, sent: Any, expected: Any) -> None:
    got = read(annotation, sent)
    assert got == expected
    assert type(got) is type(expected)


@pytest.mark.parametrize(
    ("annotation", "sent"),
    [
        (int, True),
        (int, 1.5),
        (int, "many"),
        (float, True),
        (float, "nan"),
        (float, "many"),
        (float, 10**400),
        (float, [1]),
        (str, True),
        (str, ["a"]),
        (Decimal, True),
        (Decimal, ""),
        (time, "10:00:00+02:00"),
        (time, "10:00Z"),
        (time, "late"),
        (timedelta, "P1Y"),
        (timedelta, True),
        (timedelta, 1e300),
        (timedelta, "soon"),
        (timedelta, []),
        (Literal["a"], "b"),
        (Literal["True"], True),
        (Literal[1], True),
        (Literal["a"], ["a"]),
        (Status, "OPEN"),
        (Shape, "SQUARE"),
        (tuple[int, str], [1]),
        (tuple[int, str], "ab"),
        (tuple[int, str], ["a", 1.5]),
        (set[int], ["a"]),
        (int | list[int], {"a": 1}),
        (Cat | Dog, {"kind": "cow", "name": "Elsa"}),
        (Circle | Square, {"edge": 2}),
        (Point, {"x": 1, "z": 1}),
        (Point, None),
        (Movie, {"year": 1931}),
        (Days, 29),
        (dict[str, int], {"a": "b"}),
    ],
)
def test_what_is_refused_of_callers(annotation: Any, sent: Any) -> None:
    with pytest.raises(InvalidArguments):
        read(annotation, sent)


@pytest.mark.parametrize(
    ("annotation", "expected"),
    [
        (int, {"type": "integer"}),
        (int | None, {"type": ["integer", "null"]}),
        (bool, {"type": "boolean"}),
        (Status, {"type": "string", "enum": ["open", "returned"]}),
        (Shape, {"type": "string", "enum": ["DOT", "LINE"]}),
        (
            Level,
            {
                "type": "integer",
                "oneOf": [
                    {"const": 1, "title": "Not urgent"},
                    {"const": 2, "title": "Urgent"},
                ],
            },
        ),
        (Literal["1", 1, True], {"type": ["boolean", "integer", "string"], "enum": ["1", 1, True]}),
        (set[int], {"type": "array", "items": {"type": "integer"}, "uniqueItems": True}),
        (tuple[int, ...], {"type": "array", "items": {"type": "integer"}}),
        (
            tuple[int, bool],
            {
                "type": "array",
                "prefixItems": [{"type": "integer"}, {"type": "boolean"}],
                "items": False,
                "minItems": 2,
                "maxItems": 2,
            },
        ),
        (
            int | bool | list[int],
            {
                "anyOf": [
                    {"type": "integer"},
                    {"type": "boolean"},
                    {"type": "array", "items": {"type": "integer"}},
                ],
            },
        ),
        (
            Pair,
            {
                "type": "object",
                "properties": {
                    "left": {"type": "integer"},
                    "right": {"type": "string", "default": "r"},
                },
                "required": ["left"],
                "additionalProperties": False,
            },
        ),
        (Days, {"type": "integer", "minimum": 1, "maximum": 28}),
        (Book, {"type": "integer"}),
        (list[Book], {"type": "array", "items": {"type": "integer"}}),
    ],
)
def test_what_callers_are_told(annotation: Any, expected: Any) -> None:
    assert schema(annotation) == expected


def test_a_dataclass_that_holds_itself_is_a_definition() -> None:
    found = rule(Tree).schema
    assert found["properties"]["x"] == {"$ref": "#/$defs/Tree"}
    assert found["$defs"]["Tree"]["properties"]["children"]["items"] == {"$ref": "#/$defs/Tree"}


def test_members_take_their_help_from_the_docstring() -> None:
    found = schema(Point)
    assert found["properties"]["x"]["description"] == "How far to the right."
    assert found["description"] == "A place."


def test_an_optional_argument_has_the_schema_of_its_type_alone() -> None:
    made = rule(int | None, None)
    assert made.schema["properties"]["x"] == {"type": "integer"}
    assert "required" not in made.schema
    assert made.validate({"x": None}, {}) == {"x": None}
    assert made.validate({}, {}) == {"x": None}


def test_a_default_of_another_kind_keeps_null_in_the_schema() -> None:
    assert schema(int | None, 5) == {"type": ["integer", "null"], "default": 5}


@pytest.mark.parametrize(
    ("annotation", "default", "shown"),
    [
        (int, 14, 14),
        (Status, Status.OPEN, "open"),
        (Shape, Shape.DOT, "DOT"),
        (Level, Level.LOW, 1),
        (date, date(2026, 7, 28), "2026-07-28"),
        (time, time(9), "09:00:00"),
        (timedelta, timedelta(hours=1), "P0DT01H00M00S"),
        (Decimal, Decimal("1.50"), "1.50"),
        (Sequence[int], (), []),
        (tuple[int, str], (1, "a"), [1, "a"]),
        (set[str], frozenset({"b", "a"}), ["a", "b"]),
        (int | str, "5", "5"),
        (int | bool, True, True),
        (Point, Point(1, 2), {"x": 1, "y": 2}),
        (datetime, datetime(2026, 7, 28, 12), "2026-07-28T12:00:00Z"),
        (Partial, {"title": "M"}, {"title": "M"}),
    ],
)
def test_defaults_are_shown_as_a_caller_would_send_them(
    annotation: Any, default: Any, shown: Any, settings: Any
) -> None:
    settings.TIME_ZONE = "UTC"
    made = rule(annotation, default)
    assert made.schema["properties"]["x"]["default"] == shown
    assert made.validate({}, {}) == {"x": default}


def test_a_set_of_what_has_no_order_is_shown_all_the_same() -> None:
    assert sorted(schema(set[int | str], {1, "a"})["default"], key=str) == [1, "a"]


@pytest.mark.parametrize(
    ("annotation", "default"),
    [
        (int, "five"),
        (int, 5.5),
        (int, True),
        (bool, 1),
        (str, 5),
        (int, None),
        (Literal["a"], "b"),
        (Status, "opened"),
        (Days, 29),
        (list[int], ["a"]),
        (date, "2026-07-28"),
        (Decimal, "cheap"),
        (int | list[int], "a"),
        (Annotated[int, serializers.ChoiceField([1, 2])], 3),
        (tuple[int, str], (1,)),
        (Book, 3),
        (dict[str, int], {"a": "b"}),
        (int, lambda: 3),
        (list, list),
    ],
)
def test_a_default_that_its_field_refuses(annotation: Any, default: Any) -> None:
    with pytest.raises(DeclarationError, match="default"):
        rule(annotation, default)


def test_a_default_inside_of_a_dataclass_is_checked_too() -> None:
    @dataclass
    class Order:
        count: int = "many"  # type: ignore[assignment]

    with pytest.raises(DeclarationError, match=r"The default of count, 'many'"):
        rule(Order)


def test_a_default_that_only_the_project_could_judge_passes() -> None:
    def judge(value: int) -> None:
        raise AssertionError("nothing is asked at start-up")

    given = serializers.IntegerField(validators=[judge])
    assert rule(Annotated[int, given], 5).validate({}, {}) == {"x": 5}


def test_a_default_that_never_equals_its_copy_is_fine() -> None:
    @dataclass(eq=False)
    class Odd:
        x: int

    assert rule(Odd, Odd(1)).validate({}, {})["x"].x == 1


def test_a_mutable_default_is_made_anew_for_each_call() -> None:
    made = rule(list[str], ["a"])
    made.validate({}, {})["x"].append("b")
    assert made.validate({}, {}) == {"x": ["a"]}


def test_a_dataclass_that_is_the_default_is_made_anew_for_each_call() -> None:
    made = rule(Point, Point(1))
    made.validate({}, {})["x"].y = 5
    assert made.validate({}, {}) == {"x": Point(1)}


def test_a_default_factory_is_called_for_each_value() -> None:
    made = rule(Cart)
    made.validate({"x": {"owner": "Ann"}}, {})["x"].items.append("b")
    assert made.validate({"x": {"owner": "Ann"}}, {})["x"] == Cart("Ann")


def test_what_a_dataclass_refuses_is_invalid() -> None:
    with pytest.raises(InvalidArguments, match=r"^x: low is above high$"):
        read(Range, {"low": 2, "high": 1})


@pytest.mark.parametrize(
    ("annotation", "docstring", "expected"),
    [
        (int, "", None),
        (int, "From the docstring.", "From the docstring."),
        (Annotated[int, "From the hint."], "From the docstring.", "From the hint."),
        (Annotated[int, gettext_lazy("Lazy.")], "", "Lazy."),
        (
            Annotated[int, "Hint.", serializers.IntegerField(help_text="From the field.")],
            "From the docstring.",
            "From the field.",
        ),
    ],
)
def test_where_the_description_comes_from(annotation: Any, docstring: str, expected: Any) -> None:
    assert schema(annotation, help_text=docstring).get("description") == expected


def test_a_given_field_takes_the_default_and_the_null_of_the_signature() -> None:
    given = serializers.IntegerField(min_value=1)
    made = rule(Annotated[int | None, given], None)
    assert made.validate({}, {}) == {"x": None}
    assert given.required
    assert not given.allow_null


def test_a_given_field_may_have_a_default_of_its_own() -> None:
    made = rule(Annotated[int, serializers.IntegerField(default=3)])
    assert made.validate({}, {}) == {"x": 3}


def test_positional_options_of_a_given_field_are_kept() -> None:
    made = rule(Annotated[Decimal, serializers.DecimalField(4, 2)], Decimal("1.25"))
    assert made.validate({"x": "10.50"}, {}) == {"x": Decimal("10.50")}
    with pytest.raises(InvalidArguments):
        made.validate({"x": "100.50"}, {})


def test_a_compiled_pattern_of_a_given_field_is_kept() -> None:
    import re

    given = serializers.RegexField(re.compile(r"^a+$"))
    assert read(Annotated[str, given], "aa") == "aa"


UNMAPPABLE: list[tuple[Any, str]] = [
    (bytes, "Bytes can't cross JSON"),
    (Annotated[Any, serializers.FileField()], "Bytes can't cross JSON"),
    (complex, "no complex numbers"),
    (Callable[[], int], "can't cross JSON"),
    (type[int], "can't cross JSON"),
    (Readable, "Readable has no JSON form"),
    (T, "stands for no type"),
    (Any, "JSONField"),
    (object, "JSONField"),
    (None, "can only be null"),
    (Wings, "Flag"),
    (Nothing, "has no members"),
    (Word, "subclass of str"),
    (models.QuerySet, "primary keys"),
    (Plain, r"Plain has no JSON form\..*Annotated\[Plain, serializers\.CharField\(\)\]\."),
    (dict[int, str], "keys that are no str"),
    (set, "doesn't say what it holds"),
    (set[Any], "doesn't say what it holds"),
    (set[dict[str, int]], "made of lists or objects"),
    (set[Point], "made of lists or objects"),
    (set[set[int]], "made of lists or objects"),
    (tuple[()], "no tuple"),
    (tuple[int, str, ...], "no tuple"),  # type: ignore[misc]
    (date | str, "date | str is ambiguous"),
    (Decimal | float, "ambiguous"),
    (list[int] | tuple[int, ...], "ambiguous"),
    (Point | dict, "ambiguous"),
    (list[int] | set[int], "ambiguous"),
    (Status | Literal["open"], "ambiguous"),
    (Book | int, "ambiguous"),
    (timedelta | int, "ambiguous"),
    (Literal[b"a"], "no value for"),  # type: ignore[valid-type]
    (Literal[None], "no value for"),
    (WithInitVar, "InitVar"),
    (WithoutInit, "without a generated __init__"),
    (Dotted, "'a.b'"),
    (Annotated[int, serializers.IntegerField], r"Write IntegerField\(\)"),
    (Annotated[int, serializers.CharField()], "says int, and its CharField reads string"),
    (Annotated[str, serializers.IntegerField()], "says str, and its IntegerField reads integer"),
    (Annotated[str, serializers.ChoiceField([1, 2])], "its ChoiceField reads integer"),
    (Annotated[list[int], serializers.IntegerField()], r"says list\[int\], and its IntegerField"),
    (Annotated[dict, Address(many=True)], r"says dict, and its Address\(many=True\) reads array"),
    (
        Annotated[int, serializers.IntegerField(), serializers.FloatField()],
        "two fields, IntegerField and FloatField",
    ),
    (Annotated[int, serializers.IntegerField(read_only=True)], "read-only"),
    (Annotated[int, serializers.IntegerField(required=False)], "required=False"),
    (Annotated[int, Lookup(lambda context: None)], "no model"),
    (Needy, "can't be made without arguments"),
    (Opaque, "primary key of Opaque"),
    (Ghost, "abstract"),
    (list[Callable[[], int]], "can't cross JSON"),
    (typing.Hashable, "Hashable has no JSON form"),
    (typing.ClassVar[int], "has no JSON form"),
    (
        serializers.IntegerField(),
        r"The field IntegerField stands in place of a type. Put it in Annotated: "
        r"Annotated\[int, IntegerField\(\)\]\.",
    ),
    (serializers.CharField, r"Annotated\[str, CharField\(\)\]\.$"),
    (serializers.JSONField, r"Annotated\[Any, JSONField\(\)\]\.$"),
    (
        Needy(must=3),
        r"An instance of Needy stands in place of a type. Write the class, Needy; or "
        r"Annotated\[dict, Needy\(...\)\]\.",
    ),
    (
        Request,
        "^Request is DRF's, and the server's requests are Django's. Write HttpRequest, or "
        "Context.$",
    ),
    (
        Annotated[Book, Lookup],
        r"^Lookup stands in Annotated without a function. Write Lookup\(function\), where "
        r"function\(context\) returns a queryset.$",
    ),
    (
        Annotated[str, ParamHeader],
        r"^ParamHeader stands in Annotated without a name. Write ParamHeader\(\"Region\"\), say.$",
    ),
    (
        Annotated[Book, Lookup(Book.objects.all())],  # type: ignore[arg-type]
        "^The Lookup of Book holds a QuerySet, not a function. Write a function of the context "
        "that returns it: it is called for each call.$",
    ),
    (
        Annotated[Book, Lookup(no_books)],
        r"^The Lookup of Book is called with the context alone, and no_books\(\) cannot be. "
        r"Write def no_books\(context\).$",
    ),
]


@pytest.mark.parametrize(("annotation", "message"), UNMAPPABLE)
def test_what_is_refused_of_authors(annotation: Any, message: str) -> None:
    with pytest.raises(DeclarationError, match=message) as caught:
        field_from_annotation(annotation)
    assert caught.value.fix.endswith(".")


def test_an_asynchronous_lookup_is_refused() -> None:
    async def loans(context: Any) -> Any: ...

    with pytest.raises(DeclarationError, match="async"):
        field_from_annotation(Annotated[Book, Lookup(loans)])


def test_a_lookup_whose_signature_cannot_be_read_is_tried() -> None:
    class Odd:
        __signature__ = "none"

        def __call__(self, context: Any) -> Any: ...

    field: Any = field_from_annotation(Annotated[Book, Lookup(Odd())])
    assert isinstance(field.lookup, Odd)


def test_a_lookup_on_what_a_list_holds() -> None:
    def fix(annotation: Any) -> str:
        with pytest.raises(DeclarationError) as caught:
            field_from_annotation(Annotated[annotation, Lookup(lambda context: None)])
        return caught.value.fix

    assert fix(int) == "Put it on a model class: Annotated[Loan, Lookup(loans)]."
    assert fix(list[Book]) == "Put it on a model class: list[Annotated[Loan, Lookup(loans)]]."


def test_dataclasses_without_a_difference_are_ambiguous() -> None:
    @dataclass
    class A:
        x: int
        y: int = 0

    @dataclass
    class B:
        x: int

    with pytest.raises(DeclarationError, match="differ in a required field"):
        field_from_annotation(A | B)


def test_the_member_that_has_no_field_is_named() -> None:
    @dataclass
    class Upload:
        data: bytes

    with pytest.raises(DeclarationError, match=r"Its argument 'x': .*Upload\.data: Bytes"):
        rule(Upload)


def test_a_name_that_stands_for_nothing() -> None:
    @dataclass
    class Local:
        other: Missing  # type: ignore[name-defined]  # noqa: F821

    with pytest.raises(DeclarationError, match="Missing"):
        field_from_annotation(Local)


@pytest.mark.skipif(sys.version_info < (3, 12), reason="the type statement")
def test_type_aliases_are_looked_through() -> None:
    names: dict[str, Any] = {"Annotated": Annotated, "Days": Days}
    exec("type Term = Annotated[Days, 'How long.']\ntype Both[A, B] = dict[str, A] | B", names)
    assert schema(names["Term"])["description"] == "How long."
    assert read(names["Both"][int, str], {"a": 1}) == {"a": 1}
    with pytest.raises(InvalidArguments):
        read(names["Term"], 29)


class TypeAliasType:
    """What a ``type`` statement makes, on every Python: of something with itself in it."""

    __type_params__ = ()

    def __init__(self, value: Callable[[Any], Any]) -> None:
        self.make = value

    @property
    def __value__(self) -> Any:
        return self.make(self)


@pytest.mark.parametrize("value", [lambda itself: itself, lambda itself: list[itself]])
def test_an_alias_that_holds_itself(value: Any) -> None:
    with pytest.raises(DeclarationError, match="without end"):
        field_from_annotation(TypeAliasType(value))


def test_names_that_serializers_use_themselves() -> None:
    names = ["data", "errors", "fields", "context", "validate", "validate_data", "Meta", "instance"]
    made = serializer_from_arguments("tool", [Argument(name, int) for name in names])
    sent = {name: index for index, name in enumerate(names)}
    assert arguments_rule(made, name="tool").validate(sent, {}) == sent


def test_arguments_annotations() -> None:
    assert is_arguments_annotation(Arguments[Point]) is Point
    assert is_arguments_annotation(Arguments) is Any
    assert is_arguments_annotation(int) is None
    assert is_arguments_annotation(list[int]) is None


@pytest.mark.django_db
class TestModels:
    def test_a_key_becomes_its_row(self, branch: Any) -> None:
        book = Book.objects.create(title="Emma", branch=branch)
        assert read(Book, book.pk) == book
        assert read(Book, str(book.pk)) == book
        assert read(Book, float(book.pk)) == book
        assert field_from_annotation(Book).to_representation(book) == book.pk

    @pytest.mark.parametrize("key", [1.5, True, "one", None, [1]])
    def test_what_is_no_key(self, key: Any) -> None:
        with pytest.raises(InvalidArguments, match="Expected an integer"):
            read(Book, key)

    @pytest.mark.parametrize("key", [999_999, 2**63, -(2**70)])
    def test_a_key_without_a_row(self, key: int) -> None:
        with pytest.raises(InvalidArguments, match=rf"^x: There is no book {key}\.$"):
            read(Book, key)

    def test_a_row_outside_of_the_lookup_is_as_one_that_there_is_not(self, branch: Any) -> None:
        book = Book.objects.create(title="Emma", branch=branch, pages=10)
        hint = Annotated[Book, Lookup(lambda context: Book.objects.filter(pages__gt=context))]
        made = rule(hint)
        assert made.validate({"x": book.pk}, {"mcp": 9}) == {"x": book}
        with pytest.raises(InvalidArguments) as outside:
            made.validate({"x": book.pk}, {"mcp": 10})
        book_pk, _ = book.pk, book.delete()
        with pytest.raises(InvalidArguments) as missing:
            made.validate({"x": book_pk}, {"mcp": 9})
        assert outside.value.text == missing.value.text

    def test_a_lookup_may_find_nothing_at_all(self) -> None:
        def none(context: Any) -> Any:
            raise Book.DoesNotExist

        with pytest.raises(InvalidArguments, match="There is no book 1"):
            read(Annotated[Book, Lookup(none)], 1)

    def test_a_lookup_may_give_a_proxy_or_what_it_stands_for(self, branch: Any) -> None:
        book = Book.objects.create(title="A", branch=branch)
        assert read(Annotated[Book, Lookup(lambda context: Tome.objects)], book.pk) == book
        assert read(Annotated[Tome, Lookup(lambda context: Book.objects.all())], book.pk) == book

    def test_a_lookup_that_gives_something_else_is_an_error(self, branch: Any) -> None:
        with pytest.raises(TypeError) as caught:
            read(Annotated[Book, Lookup(lambda context: type(branch).objects.all())], branch.pk)
        assert str(caught.value) == (
            "The Lookup of Book gives rows of Branch: let it return a queryset of Book."
        )
        with pytest.raises(TypeError, match=r"^The Lookup of Book gives a list: let it return"):
            read(Annotated[Book, Lookup(lambda context: [])], 1)

    def test_a_lookup_may_give_a_manager(self, branch: Any) -> None:
        book = Book.objects.create(title="Emma", branch=branch)
        assert read(Annotated[Book, Lookup(lambda context: branch.books)], book.pk) == book

    @pytest.mark.parametrize(
        ("annotation", "make"),
        [(list[Book], list), (tuple[Book, ...], tuple), (set[Book], set)],
    )
    def test_a_list_of_keys_takes_one_query(
        self, annotation: Any, make: Any, branch: Any, django_assert_num_queries: Any
    ) -> None:
        books = [Book.objects.create(title=str(n), branch=branch) for n in range(3)]
        keys = [book.pk for book in reversed(books)]
        made = rule(annotation)
        with django_assert_num_queries(1):
            got = made.validate({"x": keys}, {})["x"]
        assert got == make(reversed(books))

    def test_a_row_may_be_false(self, branch: Any, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(Book, "__len__", lambda self: 0, raising=False)
        book = Book.objects.create(title="Emma", branch=branch)
        assert read(Book, book.pk) == book
        assert read(list[Book], [book.pk]) == [book]

    def test_every_wrong_item_of_a_list_is_named(self, branch: Any) -> None:
        book = Book.objects.create(title="Emma", branch=branch)
        with pytest.raises(InvalidArguments) as caught:
            read(list[Book], [book.pk, 777, 778])
        assert caught.value.errors == {
            "x.1": ["There is no book 777."],
            "x.2": ["There is no book 778."],
        }
        with pytest.raises(InvalidArguments, match=r"x\.1: .*is not an integer"):
            read(list[Book], [book.pk, "no"])

    def test_null_items_are_kept_where_they_are_allowed(self, branch: Any) -> None:
        book = Book.objects.create(title="Emma", branch=branch)
        assert read(list[Book | None], [None, book.pk]) == [None, book]
        assert read(tuple[Book | None, int], [None, 1]) == (None, 1)

    def test_keys_of_other_types(self) -> None:
        assert schema(Coded)["type"] == "string"
        assert schema(Identified) == {"type": "string", "format": "uuid"}
        assert schema(Atlas) == {"type": "integer"}


@pytest.fixture
def branch(db: Any) -> Any:
    from tests.app.models import Branch

    return Branch.objects.create(name="North")


class Odd(serializers.CharField):
    def to_internal_value(self, data: Any) -> Any:
        return len(data)


@pytest.mark.parametrize(
    ("annotation", "sent", "got"),
    [
        (Annotated[int, Odd()], "abc", 3),
        (Annotated[int, serializers.FloatField()], 1.0, 1.0),
        (Annotated[float, serializers.IntegerField()], 1, 1),
        (Annotated[float, serializers.DecimalField(3, 1)], "1.5", Decimal("1.5")),
        (Annotated[bool, serializers.ChoiceField([True])], True, True),
        (Annotated[date, serializers.CharField()], "soon", "soon"),
    ],
)
def test_a_field_may_read_what_the_type_says(annotation: Any, sent: Any, got: Any) -> None:
    assert read(annotation, sent) == got


@pytest.mark.parametrize("sent", [True, 1, 1.0, None, [], "true", "1"])
def test_a_uuid_is_a_text(sent: Any) -> None:
    with pytest.raises(InvalidArguments, match=r"^x: "):
        read(uuid.UUID, sent)
    assert uuid.UUID(int=1) == read(uuid.UUID, str(uuid.UUID(int=1)))


class Empty(enum.Enum):
    NOTHING = None
    SOME = "b"


class Endless(enum.Enum):
    INF = float("inf")


class Texts(enum.Enum):
    A = gettext_lazy("a")


@pytest.mark.parametrize(
    ("cls", "names"), [(Empty, ["NOTHING", "SOME"]), (Endless, ["INF"]), (Texts, ["A"])]
)
def test_an_enum_is_sent_as_it_is_given(cls: type[enum.Enum], names: list[str]) -> None:
    asked = rule(cls).schema["properties"]["x"]
    given = result_rule(cls, name="tool").schema
    assert asked == {"type": "string", "enum": names}
    assert given is not None
    assert given.get("enum", [given.get("const")]) == names
    assert read(cls, names[0]) is next(iter(cls))
    outcome = result_rule(cls, name="tool").convert(next(iter(cls)))
    assert outcome.structured == names[0]


def test_a_default_that_json_cannot_hold() -> None:
    with pytest.raises(DeclarationError) as caught:
        rule(int, 2**70)
    assert caught.value.problem == (
        "The schema of its arguments.properties.x.default is an integer beyond 64 bits."
    )
