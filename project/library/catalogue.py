"""Putting books on the shelves: what the librarians' tools and the sample data share."""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from django.db import transaction

from project.library.models import Author, Book, Branch, Copy, Subject
from project.library.shelves import ShelfMarks

T = TypeVar("T", Author, Subject)


@dataclass(frozen=True, slots=True)
class CatalogueRecord:
    """A book as a cataloguer writes it down."""

    title: str
    authors: Sequence[str]
    isbn: str
    year: int | None = None
    subjects: Sequence[str] = ()


@transaction.atomic
def acquire(record: CatalogueRecord, branch: Branch, copies: int, shelves: ShelfMarks) -> Book:
    """Put ``copies`` new copies on the branch's shelves; the book is made where it is new.

    A book that is known by its ISBN stays as it is catalogued: other branches hold it too.
    """
    book, created = Book.objects.get_or_create(
        isbn=record.isbn, defaults={"title": record.title, "year": record.year}
    )
    if created:
        book.authors.set(_named(Author, record.authors))
        book.subjects.set(_named(Subject, record.subjects))
        book.index()
    mark = shelves.mark(record.authors, record.subjects)
    Copy.objects.bulk_create(
        Copy(book=book, branch=branch, barcode=new_barcode(), shelf_mark=mark)
        for _ in range(copies)
    )
    return book


def new_barcode() -> str:
    """A number that no other copy has."""
    return f"C{uuid.uuid4().int % 10**15:015d}"


def _named(model: type[T], names: Iterable[str]) -> list[T]:
    return [model.objects.get_or_create(name=name)[0] for name in dict.fromkeys(names)]
