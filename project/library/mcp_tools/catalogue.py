"""Tools. Each shows another way to say one."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass

from django.db import transaction
from rest_framework import serializers
from rest_framework.permissions import IsAuthenticated

from mcp_django import Arguments, Image, Tool, ToolError, tool
from project.library.catalogue import CatalogueRecord, acquire
from project.library.covers import cover_png
from project.library.models import Book, BookQuerySet, Copy, check_isbn
from project.library.serializers import (
    BookDetailsSerializer,
    BookSearch,
    BookSerializer,
    CatalogueImport,
)
from project.library.servers import EVERYWHERE
from project.library.shelves import ShelfMarks
from project.library.tenancy import BookOfBranch, CurrentBranch


# Arguments from a serializer, and a result through another one.
@tool(
    arguments=BookSearch,
    returns=BookSerializer(many=True),
    read_only=True,
    tags=["catalogue"],
    permission_classes=[IsAuthenticated],
    server=EVERYWHERE,
)
def find_books(
    text: str,
    available: bool,
    limit: int,
    subject: str | None = None,
    written_after: int | None = None,
    written_before: int | None = None,
    *,
    branch: CurrentBranch,
) -> BookQuerySet:
    """Find books of the caller's branch, in order of their titles.

    Gives the id that the other tools take, and says how many copies are on the shelf now.
    """
    books = Book.objects.held_by(branch).matching(text).with_names()
    if available:
        books = books.on_shelf()
    if subject is not None:
        books = books.filter(subjects__name__iexact=subject)
    if written_after is not None:
        books = books.filter(year__gte=written_after)
    if written_before is not None:
        books = books.filter(year__lt=written_before)
    return books[:limit]


# An argument that is a model: its id on the wire, its object in the function.
@tool(
    returns=BookDetailsSerializer(),
    read_only=True,
    tags=["catalogue"],
    permission_classes=[IsAuthenticated],
    server=EVERYWHERE,
)
def book_details(book: BookOfBranch) -> Book:
    """Show one book with every copy that the caller's branch has, and where each one stands."""
    return book


# A raw JSON Schema, for what a serializer can't say: exactly one of the two.
@tool(
    input_schema={
        "type": "object",
        "properties": {
            "isbn": {"type": "string", "pattern": "^[0-9]{13}$"},
            "barcode": {"type": "string", "description": "Of a copy, as book_details shows it."},
        },
        "additionalProperties": False,
        "minProperties": 1,
        "maxProperties": 1,
    },
    returns=BookSerializer(),
    read_only=True,
    tags=["catalogue"],
    permission_classes=[IsAuthenticated],
    server=EVERYWHERE,
)
def identify_book(
    isbn: str | None = None, barcode: str | None = None, *, branch: CurrentBranch
) -> Book:
    """Find the book of the caller's branch that one number stands for: an ISBN or a barcode."""
    books = Book.objects.held_by(branch).with_names()
    if isbn is not None:
        found = books.filter(isbn=isbn).first()
    else:
        copies = Copy.objects.filter(branch=branch, barcode=barcode)
        found = books.filter(pk__in=copies.values("book")).first()
    if found is None:
        raise ToolError("This branch has no book with that number. Try find_books instead.")
    return found


# A content block: the model sees a picture.
@tool(read_only=True, tags=["catalogue"], permission_classes=[IsAuthenticated])
def book_cover(book: BookOfBranch) -> Image:
    """Show the cover of a book as a picture."""
    return Image(cover_png(book.isbn), "image/png")


# Fields in place of a serializer; for librarians alone; a service injected by its type.
@tool(
    arguments={
        "title": serializers.CharField(max_length=200),
        "authors": serializers.ListField(
            child=serializers.CharField(max_length=200), min_length=1, max_length=20
        ),
        "isbn": serializers.CharField(
            max_length=13, validators=[check_isbn], help_text="13 digits, without hyphens."
        ),
        "year": serializers.IntegerField(
            required=False, min_value=-4000, max_value=9999, help_text="Negative before our era."
        ),
        "subjects": serializers.ListField(
            child=serializers.CharField(max_length=100), max_length=20, default=list
        ),
        "copies": serializers.IntegerField(min_value=1, max_value=20, default=1),
    },
    returns=BookSerializer(),
    permission="library.add_book",
    destructive=False,
    tags=["catalogue"],
    server=EVERYWHERE,
)
def add_book(
    title: str,
    authors: list[str],
    isbn: str,
    subjects: list[str],
    copies: int,
    year: int | None = None,
    *,
    branch: CurrentBranch,
    shelves: ShelfMarks,
) -> Book:
    """Put new copies of a book on the shelves of the librarian's branch.

    A book with this ISBN that is catalogued already gets the copies and stays as it is.
    """
    record = CatalogueRecord(title, authors, isbn, year, subjects)
    book = acquire(record, branch, copies, shelves)
    return Book.objects.held_by(branch).with_names().get(pk=book.pk)


@dataclass
class ImportReport:
    books: list[str]
    copies: int
    digest: str


# A class: made once, when the project starts, with what it needs at hand. Its name is
# import-catalogue: see "Names" in docs/reference/tools.md.
@tool(
    arguments=CatalogueImport,
    permission="library.add_book",
    destructive=False,
    tags=["catalogue"],
    server=EVERYWHERE,
)
class ImportCatalogue(Tool):
    """Put many books on the shelves of the librarian's branch, all of them or none.

    The digest in the answer is the same whenever the same records are sent.
    """

    def setup(self) -> None:
        self.shelves = self.require(ShelfMarks)

    @transaction.atomic
    def call(self, arguments: Arguments[CatalogueImport], *, branch: CurrentBranch) -> ImportReport:
        copies = arguments["copies"]
        records = [CatalogueRecord(**record) for record in arguments["records"]]
        books = [acquire(record, branch, copies, self.shelves) for record in records]
        sent = json.dumps(arguments.raw("records"), sort_keys=True)
        return ImportReport(
            books=[book.title for book in books],
            copies=copies * len(books),
            digest=hashlib.sha256(sent.encode()).hexdigest(),
        )
