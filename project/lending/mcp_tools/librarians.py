"""What librarians do: lend, take back, and count."""

from __future__ import annotations

import datetime
from dataclasses import dataclass
from typing import Annotated, Literal, NamedTuple

from django.db.models import Count
from django.utils import timezone
from rest_framework import serializers

from mcp_django import (
    Arguments,
    ParamHeader,
    ToolError,
    ToolResult,
    Toolset,
    prompt,
    resource,
    tool,
)
from project.lending import desk
from project.lending.models import Hold, Loan
from project.lending.serializers import LoanSerializer
from project.library.models import Book, Copy, Member
from project.library.servers import EVERYWHERE
from project.library.tenancy import CurrentBranch


@dataclass
class LendingSlip:
    barcode: Annotated[str, "Of the copy."]
    card_number: Annotated[str, "Of the member, such as M0001."]
    days: Annotated[int, serializers.IntegerField(min_value=1, max_value=56)] = desk.LOAN_DAYS


# All arguments in one parameter, as a dataclass.
@tool(
    returns=LoanSerializer(),
    permission="lending.add_loan",
    destructive=False,
    tags=["desk"],
    server=EVERYWHERE,
)
def lend_copy(slip: Arguments[LendingSlip], *, branch: CurrentBranch) -> Loan:
    """Hand a copy to a member: for the librarians of the branch."""
    copy = Copy.objects.filter(branch=branch, barcode=slip.barcode).first()
    member = Member.objects.filter(branch=branch, card_number=slip.card_number).first()
    if copy is None or member is None:
        missing = "copy with this barcode" if copy is None else "member with this card number"
        raise ToolError(f"This branch has no {missing}.")
    return desk.lend(copy, member, slip.days)


# A short text for the model, beside the whole loan for programs.
@tool(
    returns=LoanSerializer(),
    permission="lending.change_loan",
    destructive=False,
    tags=["desk"],
    server=EVERYWHERE,
)
def return_loan(
    barcode: Annotated[str, "Of the copy that comes back."], *, branch: CurrentBranch
) -> ToolResult:
    """Take a copy back: for the librarians of the branch."""
    loans = Loan.objects.open().with_books().filter(copy__branch=branch, copy__barcode=barcode)
    loan = loans.first()
    if loan is None:
        return ToolResult.error(f"No copy {barcode} of this branch is on loan.")
    hold = desk.take_back(loan)
    where = f"Set it aside for {hold.member}." if hold else f"Shelve it: {loan.copy.shelf_mark}."
    late = f" It was {loan.days_overdue} days late." if loan.days_overdue else ""
    return ToolResult(f"{loan.copy.book.title} is back.{late} {where}", LoanSerializer(loan).data)


class BorrowedBook(NamedTuple):
    title: str
    loans: int


Period = Literal["week", "month", "year"]


# Features that belong together: methods of one object, made once. Their names begin with that of
# the class, as in library-statistics.summary: see "Names" in docs/reference/tools.md.
class LibraryStatistics(Toolset):
    """How the branch is used: for its librarians."""

    server = EVERYWHERE

    def setup(self) -> None:
        self.days = {"week": 7, "month": 30, "year": 365}

    # A header mirrors the argument: a proxy can hold back the dear ones without reading bodies.
    @tool(read_only=True, permission="lending.view_loan", tags=["statistics"])
    def most_borrowed(
        self,
        period: Annotated[Period, ParamHeader("Period")] = "month",
        *,
        branch: CurrentBranch,
    ) -> list[BorrowedBook]:
        """The ten books of the branch that were lent most, most often first.

        Args:
            period: Counted back from today.
        """
        since = timezone.localdate() - datetime.timedelta(days=self.days[period])
        books = Book.objects.filter(
            copies__branch=branch, copies__loans__borrowed_on__gte=since
        ).annotate(loans=Count("copies__loans"))
        ordered = books.order_by("-loans", "title").values_list("title", "loans")
        return [BorrowedBook(title, loans) for title, loans in ordered[:10]]

    @tool(read_only=True, permission="lending.view_loan", tags=["statistics"])
    def summary(self, *, branch: CurrentBranch) -> dict[str, int]:
        """Counts for the branch: copies, open and overdue loans, waiting and ready holds."""
        loans = Loan.objects.filter(copy__branch=branch)
        holds = Hold.objects.filter(branch=branch)
        return {
            "copies": branch.copies.count(),
            "open_loans": loans.open().count(),
            "overdue_loans": loans.overdue().count(),
            "waiting_holds": holds.filter(status=Hold.Status.WAITING).count(),
            "ready_holds": holds.filter(status=Hold.Status.READY).count(),
        }

    @resource(
        "library://statistics/{period}",
        title="Loans of a period",
        permission="lending.view_loan",
        tags=["statistics"],
    )
    def lent(self, period: Period, *, branch: CurrentBranch) -> dict[str, int]:
        """How many copies of the branch were lent in a week, a month or a year, day by day.

        Args:
            period: Counted back from today.
        """
        since = timezone.localdate() - datetime.timedelta(days=self.days[period])
        loans = Loan.objects.filter(copy__branch=branch, borrowed_on__gte=since)
        days = loans.order_by("borrowed_on").values_list("borrowed_on")
        return {day.isoformat(): number for day, number in days.annotate(number=Count("pk"))}

    @prompt(title="Report on the branch", permission="lending.view_loan", tags=["statistics"])
    def report(self, period: Period = "month") -> str:
        """Write a report on what was lent.

        Args:
            period: Counted back from today.
        """
        return (
            f"Write half a page on what our branch lent in the past {period}: call "
            f"library-statistics.summary, library-statistics.most-borrowed with period {period}, "
            f"and read library://statistics/{period}. Say what stands out."
        )
