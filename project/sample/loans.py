"""A year at the lending desk: loans that are open, overdue and returned, and holds."""

from __future__ import annotations

import datetime
import random
from typing import Any

from django.db.models import Count, Q
from django.utils import timezone

from project.lending.desk import LOAN_DAYS
from project.lending.models import Hold, Loan
from project.library.models import Branch, Copy, Member

RETURNED, OPEN, OVERDUE = 10, 3, 1  # of each member


def load_loans(branch: Branch, chance: random.Random) -> None:
    """Loans for every member of the branch; each copy is lent once at most."""
    copies = list(branch.copies.select_related("book").order_by("pk"))
    chance.shuffle(copies)
    loans = []
    for member in branch.members.order_by("pk"):
        mine = [copies.pop() for _ in range(RETURNED + OPEN + OVERDUE)]
        loans += [_returned(copy, member, chance) for copy in mine[:RETURNED]]
        loans += [_open(copy, member, chance.randint(1, 20)) for copy in mine[RETURNED:-OVERDUE]]
        loans += [_open(copy, member, LOAN_DAYS + 9) for copy in mine[-OVERDUE:]]
    Loan.objects.bulk_create(loans)
    out = Loan.objects.open().filter(copy__branch=branch).values("copy")
    Copy.objects.filter(pk__in=out).update(status=Copy.Status.ON_LOAN)


def load_holds(branch: Branch) -> None:
    """Each member waits for a book that the next one has; for the first, one is ready."""
    members = list(branch.members.order_by("pk"))
    for member, other in zip(members, members[1:] + members[:1], strict=True):
        wanted = _only_copies(branch).filter(loans__returned_on=None, loans__member=other).first()
        if wanted is not None:
            Hold.objects.create(book=wanted.book, branch=branch, member=member)
    ready = _only_copies(branch).filter(status=Copy.Status.ON_SHELF).first()
    if ready is not None:
        Hold.objects.create(
            book=ready.book,
            branch=branch,
            member=members[0],
            copy=ready,
            status=Hold.Status.READY,
        )
        Copy.objects.filter(pk=ready.pk).update(status=Copy.Status.SET_ASIDE)


def _only_copies(branch: Branch) -> Any:
    here = Count("book__copies", filter=Q(book__copies__branch=branch))
    return Copy.objects.filter(branch=branch).alias(here=here).filter(here=1).order_by("pk")


def _open(copy: Copy, member: Member, days_ago: int) -> Loan:
    borrowed_on = timezone.localdate() - datetime.timedelta(days=days_ago)
    due_on = borrowed_on + datetime.timedelta(days=LOAN_DAYS)
    return Loan(copy=copy, member=member, borrowed_on=borrowed_on, due_on=due_on)


def _returned(copy: Copy, member: Member, chance: random.Random) -> Loan:
    loan = _open(copy, member, chance.randint(40, 360))
    loan.returned_on = loan.borrowed_on + datetime.timedelta(days=chance.randint(3, 32))
    return loan
