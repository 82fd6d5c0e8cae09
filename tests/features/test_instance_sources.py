"""``instances=``: what is refused beforehand, since its rows would lack a variable."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.db import models
from django.db.models import F, Prefetch, Value
from django.db.models.query import ModelIterable
from django.db.models.signals import post_init
from django.test.utils import isolate_apps

from tests.app.models import Book, Branch
from tests.features.conftest import Refused

Record = Callable[..., Any]

BOOKS = "library://books/{isbn}"
FUNCTION = "or write a function that returns the values of the variables, one mapping a resource."


def book(isbn: str) -> str:
    """One book."""
    return isbn


def shelf(branch_id: int, isbn: str, page: int = 1) -> str:
    """A page of a book of a branch."""
    return isbn


def lacks(model: str, fix: str) -> str:
    return (
        f"book: The variable 'isbn' of '{BOOKS}' has no value in the rows of {model} that "
        f"instances= gives. {fix}, {FUNCTION}"
    )


ANNOTATE = "Annotate the queryset with 'isbn', give Book a property of that name"


@pytest.mark.parametrize(
    ("rows", "fix"),
    [
        (Book.objects, ANNOTATE),
        (Book.objects.order_by("title"), ANNOTATE),
        (Book.objects.alias(isbn=F("title")), ANNOTATE),
        (Book.objects.values("title"), "Add 'isbn' to values()"),
        (Book.objects.values(), "Add 'isbn' to values()"),
        (Book.objects.values_list("title", named=True), "Add 'isbn' to values()"),
    ],
)
def test_rows_without_a_variable(refused: Refused, rows: Any, fix: str) -> None:
    assert refused(book, uri=BOOKS, instances=rows) == lacks("Book", fix)


def test_several_variables_that_rows_lack(refused: Refused) -> None:
    uri = "library://{branch_id}/{isbn}/{title}{?page}"

    def page(branch_id: int, isbn: str, title: str, page: int = 1) -> str:
        """A page."""
        return isbn

    told = refused(page, uri=uri, instances=Branch.objects)
    assert told.startswith(
        f"page: The variables 'branch_id', 'isbn', 'title' of '{uri}' have no value in the rows of "
        "Branch that instances= gives. Annotate the queryset with 'branch_id', give Branch a"
    )


@pytest.mark.parametrize(
    "rows",
    [Book.objects.values_list("title", flat=True), Book.objects.values_list("title", "pages")],
)
def test_values_without_names(refused: Refused, rows: Any) -> None:
    assert refused(book, uri=BOOKS, instances=rows) == (
        "book: instances= gives values without names. Write values('isbn') in place of "
        "values_list()."
    )


@pytest.mark.parametrize(
    "rows",
    [
        Book.objects.annotate(isbn=F("title")),
        Book.objects.extra(select={"isbn": "title"}),
        Book.objects.values(isbn=F("title")),
        Book.objects.values("pages").annotate(isbn=F("title")),
        Book.objects.extra(select={"isbn": "title"}).values(),
        Book.objects.values_list(F("title"), named=True).annotate(isbn=Value("x")),
        Branch.objects.prefetch_related("books", Prefetch("books", to_attr="isbn")),
        Book.objects.values("title").union(Book.objects.values("title")),
    ],
)
def test_rows_that_may_have_it(record: Record, rows: Any) -> None:
    assert record(book, uri=BOOKS, instances=rows).instances is not None


def test_fields_keys_and_relations_of_rows_are_values(record: Record) -> None:
    def one(pk: int, title: str, branch_id: int, branch: str) -> str:
        """One book."""
        return title

    uri = "library://{pk}/{title}/{branch_id}/{branch}"
    assert record(one, uri=uri, instances=Book.objects).instances is not None


def test_what_may_be_absent_from_a_uri_may_be_absent_from_rows(record: Record) -> None:
    def page(title: str, page: int = 1) -> str:
        """A page."""
        return title

    uri = "library://books/{title}{?page}"
    assert record(page, uri=uri, instances=Book.objects).instances is not None

    def search(page: int = 1) -> str:
        """A page."""
        return ""

    rows = Book.objects.values_list("pages", flat=True)
    assert record(search, uri="library://found{?page}", instances=rows).instances is not None


class Opened(models.QuerySet[Any]):
    """Rows that get a value when they are fetched."""

    def _fetch_all(self) -> None:
        super()._fetch_all()  # type: ignore[misc]


class Labelled:
    app_label = "app"


class OwnRows(ModelIterable):  # type: ignore[type-arg]
    """Rows that are made in a way of its own."""


@isolate_apps("tests.app")
def test_properties_are_values_and_methods_are_none(record: Record, refused: Refused) -> None:
    class Plain(models.Model):  # noqa: DJ008
        Meta = Labelled

        @property
        def isbn(self) -> str:
            return "1"

    class Called(models.Model):  # noqa: DJ008
        Meta = Labelled

        def isbn(self) -> str:
            return "1"

    class Static(models.Model):  # noqa: DJ008
        Meta = Labelled

        @staticmethod
        def isbn() -> str:
            return "1"

    assert refused(book, uri=BOOKS, instances=Called.objects) == lacks(
        "Called", "Called.isbn is a method: make it a property"
    )
    assert "Static.isbn is a method" in refused(book, uri=BOOKS, instances=Static.objects)
    assert record(book, uri=BOOKS, instances=Plain.objects).instances is not None


@isolate_apps("tests.app")
def test_rows_whose_attributes_only_they_know(registry: Any) -> None:
    class Made(models.Model):  # noqa: DJ008
        Meta = Labelled

        def __init__(self, *args: Any, **kwargs: Any) -> None:
            super().__init__(*args, **kwargs)
            self.isbn = "1"

    class Asked(models.Model):  # noqa: DJ008
        Meta = Labelled

        def __getattr__(self, name: str) -> str:
            return "1"

    class Loaded(models.Model):  # noqa: DJ008
        Meta = Labelled

        @classmethod
        def from_db(cls, *args: Any) -> Any:
            return super().from_db(*args)

    class Signalled(models.Model):  # noqa: DJ008
        Meta = Labelled

    class Fetched(models.Model):  # noqa: DJ008
        Meta = Labelled

        objects = Opened.as_manager()

    def listen(**kwargs: Any) -> None: ...

    post_init.connect(listen, sender=Signalled)
    own = Signalled.objects.all()
    own._iterable_class = OwnRows  # type: ignore[attr-defined]
    rows = [model.objects.all() for model in (Made, Asked, Loaded, Signalled, Fetched)]  # type: ignore[attr-defined]
    for number, one in enumerate([*rows, own]):
        registry.register(book, uri=f"library://{number}/{{isbn}}", name=str(number), instances=one)
    post_init.disconnect(listen, sender=Signalled)
    assert len(registry.features) == 6


def test_a_model_is_no_queryset(refused: Refused) -> None:
    class Abstract(models.Model):
        class Meta:
            abstract = True

    told = refused(book, uri=BOOKS, instances=Book)
    assert told == "book: instances=Book is a model. Give Book.objects."
    assert "is neither a function nor a queryset" in refused(book, uri=BOOKS, instances=Abstract)
