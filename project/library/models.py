"""Branches, their members, and the books that they hold."""

from __future__ import annotations

import re
import unicodedata
from typing import Self

from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import models
from django.db.models import Count, Q


class Branch(models.Model):
    """One library building: the tenant. Nobody sees the loans of another branch."""

    code = models.SlugField(unique=True)
    name = models.CharField(max_length=100)
    address = models.CharField(max_length=200)

    class Meta:
        ordering = ["name"]
        verbose_name_plural = "branches"

    def __str__(self) -> str:
        return self.name


class OpeningHours(models.Model):
    """From when to when a branch is open on one day of the week."""

    class Day(models.IntegerChoices):
        MONDAY, TUESDAY, WEDNESDAY, THURSDAY, FRIDAY, SATURDAY, SUNDAY = range(7)

    branch = models.ForeignKey(Branch, on_delete=models.CASCADE, related_name="opening_hours")
    day = models.PositiveSmallIntegerField(choices=Day)
    opens = models.TimeField()
    closes = models.TimeField()

    class Meta:
        ordering = ["branch", "day", "opens"]
        verbose_name_plural = "opening hours"
        constraints = [
            models.UniqueConstraint(fields=["branch", "day", "opens"], name="unique_opening"),
        ]

    def __str__(self) -> str:
        return f"{self.get_day_display()} {self.opens:%H:%M} to {self.closes:%H:%M}"


class Member(models.Model):
    """A user's card at one branch. Librarians have one too."""

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="member"
    )
    branch = models.ForeignKey(Branch, on_delete=models.PROTECT, related_name="members")
    card_number = models.CharField(max_length=20, unique=True)

    class Meta:
        ordering = ["card_number"]

    def __str__(self) -> str:
        return self.card_number


class Author(models.Model):
    name = models.CharField(max_length=200, unique=True)

    class Meta:
        ordering = ["name"]

    def __str__(self) -> str:
        return self.name


class Subject(models.Model):
    name = models.CharField(max_length=100, unique=True)

    class Meta:
        ordering = ["name"]

    def __str__(self) -> str:
        return self.name


def search_words(text: str) -> list[str]:
    """The words of a text without case, accents and punctuation, as searches compare them."""
    plain = unicodedata.normalize("NFKD", text)
    plain = "".join(letter for letter in plain if not unicodedata.combining(letter))
    return re.findall(r"\w+", plain.casefold())


def check_isbn(isbn: str) -> None:
    """Refuse what is no ISBN of 13 digits with a right check digit."""
    digits = [int(digit) for digit in isbn] if re.fullmatch("[0-9]{13}", isbn) else [1]
    if (sum(digits[::2]) + 3 * sum(digits[1::2])) % 10:
        raise ValidationError("An ISBN has 13 digits, and the last one checks the others.")


class BookQuerySet(models.QuerySet["Book"]):
    def held_by(self, branch: Branch | None) -> Self:
        """The books with a copy at this branch, with ``copies_here`` and ``available_here``."""
        if branch is None:
            return self.none()
        on_shelf = Q(copies__status=Copy.Status.ON_SHELF)
        held = self.filter(copies__branch=branch).annotate(
            copies_here=Count("copies"), available_here=Count("copies", filter=on_shelf)
        )
        return held.order_by("title", "pk")  # counting forgets Meta.ordering

    def on_shelf(self) -> Self:
        """Of ``held_by``, those with a copy that can be borrowed now."""
        return self.filter(Q(available_here__gt=0))

    def matching(self, text: str) -> Self:
        """The books with every word of ``text`` in title, authors or subjects."""
        books = self
        for word in search_words(text):
            books = books.filter(search_text__contains=word)
        return books

    def with_names(self) -> Self:
        """Authors and subjects fetched at once, and not once a book."""
        return self.prefetch_related("authors", "subjects")


class Book(models.Model):
    """A work, shared by all branches; what a branch has of it are its copies."""

    title = models.CharField(max_length=200)
    authors = models.ManyToManyField(Author, related_name="books")
    subjects = models.ManyToManyField(Subject, related_name="books", blank=True)
    year = models.IntegerField(null=True, blank=True, help_text="Negative before our era.")
    isbn = models.CharField(max_length=13, unique=True, validators=[check_isbn])
    search_text = models.TextField(editable=False, default="")

    objects = BookQuerySet.as_manager()

    class Meta:
        ordering = ["title", "pk"]

    def __str__(self) -> str:
        return self.title

    def index(self) -> None:
        """Renew what searches look at; to be called when title, authors or subjects change."""
        names = [self.title, *map(str, self.authors.all()), *map(str, self.subjects.all())]
        self.search_text = " ".join(search_words(" ".join(names)))
        self.save(update_fields=["search_text"])


class Copy(models.Model):
    """One volume on one branch's shelves."""

    class Status(models.TextChoices):
        ON_SHELF = "on_shelf", "on the shelf"
        ON_LOAN = "on_loan", "on loan"
        SET_ASIDE = "set_aside", "set aside for a member"

    book = models.ForeignKey(Book, on_delete=models.CASCADE, related_name="copies")
    branch = models.ForeignKey(Branch, on_delete=models.PROTECT, related_name="copies")
    barcode = models.CharField(max_length=20, unique=True)
    shelf_mark = models.CharField(max_length=40, help_text="Where it stands, such as FIC AUS.")
    status = models.CharField(max_length=10, choices=Status, default=Status.ON_SHELF)

    class Meta:
        ordering = ["barcode"]
        verbose_name_plural = "copies"
        indexes = [models.Index(fields=["branch", "status"], name="copy_branch_status")]

    def __str__(self) -> str:
        return self.barcode
