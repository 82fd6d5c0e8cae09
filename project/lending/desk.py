"""What happens at the lending desk: the rules, in one place for tools, admin and tests.

A refusal is a ``ValidationError`` in words for the person at the desk. Everything that
changes the copies, loans or holds of a book locks the member first, where a limit of the
member's counts, and then the branch's copies of the book: so two desks never disagree, and
never wait for each other in a circle.
"""

from __future__ import annotations

import datetime

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils import timezone

from project.lending.models import Hold, Loan
from project.library.models import Book, Branch, Copy, Member

LOAN_DAYS = 28
MAX_LOANS = 10
MAX_HOLDS = 5
MAX_RENEWALS = 2


@transaction.atomic
def lend(copy: Copy, member: Member, days: int = LOAN_DAYS) -> Loan:
    """Hand a copy to a member."""
    _lock_member(member)
    copies = _lock_copies(copy.book, copy.branch)
    copy = copies[copy.pk]
    if member.branch_id != copy.branch_id:
        raise ValidationError("The copy belongs to another branch than the member.")
    if Loan.objects.open().filter(member=member).count() >= MAX_LOANS:
        raise ValidationError(f"The member has {MAX_LOANS} books already, which is the limit.")
    if copy.status == Copy.Status.ON_LOAN:
        raise ValidationError(f"Copy {copy} is on loan.")
    hold = Hold.objects.active().filter(book=copy.book, member=member).first()
    if copy.status == Copy.Status.SET_ASIDE and (hold is None or hold.copy_id != copy.pk):
        raise ValidationError(f"Copy {copy} is set aside for another member.")
    _put(copy, Copy.Status.ON_LOAN)
    if hold is not None:
        _end(hold, Hold.Status.FULFILLED, copies)
    due_on = timezone.localdate() + datetime.timedelta(days=days)
    return Loan.objects.create(copy=copy, member=member, due_on=due_on)


@transaction.atomic
def take_back(loan: Loan) -> Hold | None:
    """Take a copy back; gives the hold for which it is now set aside, if someone waits."""
    copy = _lock_copies(loan.copy.book, loan.copy.branch)[loan.copy_id]
    loan.refresh_from_db(fields=["returned_on"])
    if loan.returned_on is not None:
        raise ValidationError(f"The loan was returned on {loan.returned_on}.")
    loan.returned_on = timezone.localdate()
    loan.save(update_fields=["returned_on"])
    return _shelve(copy)


@transaction.atomic
def renew(loan: Loan, days: int) -> Loan:
    """Put off the day on which a loan is due."""
    _lock_copies(loan.copy.book, loan.copy.branch)
    loan.refresh_from_db(fields=["returned_on", "renewals", "due_on"])
    if loan.returned_on is not None:
        raise ValidationError(f"The loan was returned on {loan.returned_on}.")
    if loan.renewals >= MAX_RENEWALS:
        raise ValidationError(f"A loan can be renewed {MAX_RENEWALS} times, and this one was.")
    if loan.copy.book.holds.waiting().filter(branch=loan.copy.branch).exists():
        raise ValidationError("Another member waits for this book.")
    loan.due_on = max(loan.due_on, timezone.localdate()) + datetime.timedelta(days=days)
    loan.renewals += 1
    loan.save(update_fields=["due_on", "renewals"])
    return loan


class OnShelf(ValidationError):
    """Nobody need wait for the book; ``copy`` says where it stands."""

    def __init__(self, copy: Copy) -> None:
        super().__init__("A copy is on the shelf: borrow it rather than wait for one.")
        self.copy = copy


@transaction.atomic
def place_hold(book: Book, member: Member) -> Hold:
    """Put a member into the queue for a book at the member's branch."""
    _lock_member(member)
    copies = _lock_copies(book, member.branch).values()
    if not copies:
        raise ValidationError("This branch has no copy of the book.")
    for copy in copies:
        if copy.status == Copy.Status.ON_SHELF:
            raise OnShelf(copy)
    if Loan.objects.open().filter(member=member, copy__book=book).exists():
        raise ValidationError("The member has this book at home.")
    holds = Hold.objects.active().filter(member=member)
    if holds.filter(book=book).exists():
        raise ValidationError("The member waits for this book already.")
    if holds.count() >= MAX_HOLDS:
        raise ValidationError(f"The member has {MAX_HOLDS} holds already, which is the limit.")
    return Hold.objects.create(book=book, branch=member.branch, member=member)


@transaction.atomic
def cancel_hold(hold: Hold) -> Hold:
    """Leave the queue; doing so twice is no error."""
    copies = _lock_copies(hold.book, hold.branch)
    hold.refresh_from_db()
    if hold.status == Hold.Status.FULFILLED:
        raise ValidationError("The book has been fetched: there is nothing to cancel.")
    _end(hold, Hold.Status.CANCELLED, copies)
    return hold


def _lock_member(member: Member) -> None:
    Member.objects.select_for_update().get(pk=member.pk)


def _lock_copies(book: Book, branch: Branch) -> dict[int, Copy]:
    copies = Copy.objects.select_for_update().filter(book=book, branch=branch)
    return {copy.pk: copy for copy in copies.order_by("pk")}


def _put(copy: Copy, status: Copy.Status) -> None:
    copy.status = status
    copy.save(update_fields=["status"])


def _end(hold: Hold, status: Hold.Status, copies: dict[int, Copy]) -> None:
    """Close a hold; a copy that stays set aside for nobody goes to the next, or to the shelf."""
    copy_id, hold.copy, hold.status = hold.copy_id, None, status
    hold.save(update_fields=["copy", "status"])
    if copy_id is not None and copies[copy_id].status == Copy.Status.SET_ASIDE:
        _shelve(copies[copy_id])


def _shelve(copy: Copy) -> Hold | None:
    """Set a copy aside for whoever waits first, or put it on the shelf."""
    waiting = Hold.objects.waiting().filter(book=copy.book, branch=copy.branch)
    hold = waiting.select_related("member").first()
    if hold is None:
        _put(copy, Copy.Status.ON_SHELF)
        return None
    _put(copy, Copy.Status.SET_ASIDE)
    hold.copy, hold.status = copy, Hold.Status.READY
    hold.save(update_fields=["copy", "status"])
    return hold
