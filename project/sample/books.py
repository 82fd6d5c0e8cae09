"""Two branches, and 512 books from the public domain on their shelves."""

from __future__ import annotations

import csv
import datetime
import random
from pathlib import Path
from typing import TypeVar

from project.library.models import (
    Author,
    Book,
    Branch,
    Copy,
    OpeningHours,
    Subject,
    search_words,
)
from project.library.shelves import ShelfMarks

T = TypeVar("T", Author, Subject)

BRANCHES = [
    ("north", "North Branch", "12 Mill Lane", (9, 18)),
    ("south", "South Branch", "3 Harbour Street", (11, 20)),
]


def load_branches() -> list[Branch]:
    branches = []
    for code, name, address, (opens, closes) in BRANCHES:
        branch = Branch.objects.create(code=code, name=name, address=address)
        days = [day for day in OpeningHours.Day if day != OpeningHours.Day.SUNDAY]
        OpeningHours.objects.bulk_create(
            OpeningHours(
                branch=branch,
                day=day,
                opens=datetime.time(opens),
                closes=datetime.time(14 if day == OpeningHours.Day.SATURDAY else closes),
            )
            for day in days
        )
        branches.append(branch)
    return branches


def load_books(branches: list[Branch], chance: random.Random) -> None:
    """Every book of ``data/books.csv``, each with copies at one branch or at both."""
    with (Path(__file__).parent / "data" / "books.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file, delimiter="|"))
    authors = _named(Author, [_split(row["authors"]) for row in rows])
    subjects = _named(Subject, [_split(row["subjects"]) for row in rows])
    books = Book.objects.bulk_create(
        Book(
            title=row["title"],
            year=int(row["year"]),
            isbn=isbn(number),
            search_text=" ".join(
                search_words(" ".join([row["title"], row["authors"], row["subjects"]]))
            ),
        )
        for number, row in enumerate(rows, start=1)
    )
    Book.authors.through.objects.bulk_create(
        Book.authors.through(book=book, author=authors[name])
        for book, row in zip(books, rows, strict=True)
        for name in _split(row["authors"])
    )
    Book.subjects.through.objects.bulk_create(
        Book.subjects.through(book=book, subject=subjects[name])
        for book, row in zip(books, rows, strict=True)
        for name in _split(row["subjects"])
    )
    _load_copies(books, rows, branches, chance)


def _load_copies(
    books: list[Book], rows: list[dict[str, str]], branches: list[Branch], chance: random.Random
) -> None:
    shelves = ShelfMarks()
    copies = []
    for book, row in zip(books, rows, strict=True):
        mark = shelves.mark(_split(row["authors"]), _split(row["subjects"]))
        north, south = chance.choice([(1, 1), (2, 1), (1, 2), (1, 0), (0, 1), (2, 0)])
        for branch, count in zip(branches, (north, south), strict=True):
            copies += [Copy(book=book, branch=branch, shelf_mark=mark) for _ in range(count)]
    for number, copy in enumerate(copies, start=1):
        copy.barcode = f"{copy.branch.code[0].upper()}{number:05d}"
    Copy.objects.bulk_create(copies)


def isbn(number: int) -> str:
    """A number with a right check digit, as no publisher gave it out."""
    digits = f"97999{number:07d}"
    total = sum(int(digit) * (1, 3)[index % 2] for index, digit in enumerate(digits))
    return f"{digits}{-total % 10}"


def _split(names: str) -> list[str]:
    return [name.strip() for name in names.split(";")]


def _named(model: type[T], lists: list[list[str]]) -> dict[str, T]:
    names = dict.fromkeys(name for names in lists for name in names)
    return {row.name: row for row in model.objects.bulk_create(model(name=n) for n in names)}
