"""Loans and holds: which member has, or waits for, what."""

from __future__ import annotations

import datetime
from typing import Self

from django.db import models
from django.db.models import Case, Count, OuterRef, Q, Subquery, When
from django.utils import timezone

from project.library.models import Book, Branch, Copy, Member


class LoanQuerySet(models.QuerySet["Loan"]):
    def open(self) -> Self:
        return self.filter(returned_on=None)

    def returned(self) -> Self:
        return self.exclude(returned_on=None)

    def overdue(self) -> Self:
        return self.open().filter(due_on__lt=timezone.localdate())

    def with_books(self) -> Self:
        """Copy, book and authors fetched at once, and not once a loan."""
        return self.select_related("copy__book").prefetch_related("copy__book__authors")


class Loan(models.Model):
    """One copy in one member's hands, until ``returned_on``. The branch is the copy's."""

    copy = models.ForeignKey(Copy, on_delete=models.PROTECT, related_name="loans")
    member = models.ForeignKey(Member, on_delete=models.PROTECT, related_name="loans")
    borrowed_on = models.DateField(default=timezone.localdate)
    due_on = models.DateField()
    returned_on = models.DateField(null=True, blank=True)
    renewals = models.PositiveSmallIntegerField(default=0)

    objects = LoanQuerySet.as_manager()

    class Meta:
        ordering = ["-borrowed_on", "-pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["copy"], condition=Q(returned_on=None), name="one_open_loan_a_copy"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.copy} to {self.member}"

    @property
    def status(self) -> str:
        if self.returned_on is not None:
            return "returned"
        return "overdue" if self.due_on < timezone.localdate() else "open"

    @property
    def days_overdue(self) -> int:
        end = self.returned_on or timezone.localdate()
        return max((end - self.due_on) // datetime.timedelta(days=1), 0)


class HoldQuerySet(models.QuerySet["Hold"]):
    def active(self) -> Self:
        return self.filter(status__in=[Hold.Status.WAITING, Hold.Status.READY])

    def waiting(self) -> Self:
        """First come, first served."""
        return self.filter(status=Hold.Status.WAITING).order_by("pk")

    def with_place(self) -> Self:
        """Each with ``place``: 1 for who gets the next copy, None for who does not wait."""
        up_to_here = Hold.objects.filter(
            status=Hold.Status.WAITING,
            book=OuterRef("book"),
            branch=OuterRef("branch"),
            pk__lte=OuterRef("pk"),
        )
        counted = up_to_here.order_by().values("book").annotate(place=Count("pk"))
        is_waiting = When(status=Hold.Status.WAITING, then=Subquery(counted.values("place")))
        return self.annotate(place=Case(is_waiting, default=None))


class Hold(models.Model):
    """A member's place in the queue for a book at a branch."""

    class Status(models.TextChoices):
        WAITING = "waiting", "waiting"
        READY = "ready", "ready to be fetched"
        FULFILLED = "fulfilled", "fulfilled"
        CANCELLED = "cancelled", "cancelled"

    book = models.ForeignKey(Book, on_delete=models.CASCADE, related_name="holds")
    branch = models.ForeignKey(Branch, on_delete=models.PROTECT, related_name="holds")
    member = models.ForeignKey(Member, on_delete=models.CASCADE, related_name="holds")
    copy = models.ForeignKey(
        Copy, on_delete=models.SET_NULL, null=True, blank=True, help_text="Set aside for it."
    )
    placed_at = models.DateTimeField(default=timezone.now)
    status = models.CharField(max_length=10, choices=Status, default=Status.WAITING)

    objects = HoldQuerySet.as_manager()

    class Meta:
        ordering = ["-pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["book", "member"],
                condition=Q(status__in=["waiting", "ready"]),
                name="one_active_hold_a_member",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.book} for {self.member}"
