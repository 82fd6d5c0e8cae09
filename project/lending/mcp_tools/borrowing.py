"""What members do for themselves: their loans, their holds, and what to read next."""

from __future__ import annotations

import datetime
from dataclasses import dataclass
from typing import Annotated, NotRequired, TypedDict

from django.db.models import Count, QuerySet
from rest_framework import serializers
from rest_framework.permissions import IsAuthenticated

from mcp_django import Context, Lookup, ToolError, resource, tool
from project.lending import desk
from project.lending.models import Hold, Loan, LoanQuerySet
from project.lending.serializers import LoanSearch, LoanSerializer
from project.library.models import Book, Copy, Member, Subject
from project.library.tenancy import BookOfBranch, CurrentMember


@tool(arguments=LoanSearch, returns=LoanSerializer(many=True), read_only=True, tags=["loans"])
def find_loans(status: str, limit: int, *, member: CurrentMember) -> LoanQuerySet:
    """Find the caller's own loans, newest first."""
    loans = Loan.objects.filter(member=member).with_books()
    if status == "returned":
        loans = loans.returned()
    else:
        loans = loans.overdue() if status == "overdue" else loans.open()
    return loans[:limit]


# A resource that each caller reads differently: the same URI, other loans.
@resource(
    "library://loans/mine", title="My loans", returns=LoanSerializer(many=True), tags=["loans"]
)
def my_loans(*, member: CurrentMember) -> LoanQuerySet:
    """What the caller has at home, as find_loans gives it: the books, and when each is due."""
    return Loan.objects.open().filter(member=member).with_books()


def loans_of_caller(context: Context) -> LoanQuerySet:
    return Loan.objects.filter(member__user=context.user).with_books()


# Arguments: a caller sends the id, and finds only what is the caller's.
OwnLoan = Annotated[Loan, Lookup(loans_of_caller), "The loan's id, as find_loans gives it."]


@dataclass
class RenewalReceipt:
    title: str
    due_on: datetime.date
    renewals_left: int


# A DRF field inside an annotation sets bounds; a dataclass is the result.
@tool(destructive=False, tags=["loans"], permission_classes=[IsAuthenticated])
def renew_loan(
    loan: OwnLoan,
    days: Annotated[int, serializers.IntegerField(min_value=1, max_value=28)] = 14,
) -> RenewalReceipt:
    """Extend one of the caller's own loans, unless another member waits for the book.

    Args:
        days: How many days to add.
    """
    loan = desk.renew(loan, days)
    return RenewalReceipt(
        loan.copy.book.title, loan.due_on, renewals_left=desk.MAX_RENEWALS - loan.renewals
    )


class HoldReceipt(TypedDict):
    id: int
    title: str
    status: str
    place_in_queue: NotRequired[int]
    fetch_at: NotRequired[str]


def hold_receipts(member: Member) -> list[HoldReceipt]:
    """The active holds of one member, newest first, by one query."""
    holds = Hold.objects.active().filter(member=member).with_place()
    receipts = []
    for hold in holds.select_related("book", "branch"):
        receipt = HoldReceipt(id=hold.pk, title=hold.book.title, status=hold.status)
        place = hold.place  # type: ignore[attr-defined] # of with_place()
        if place is not None:
            receipt["place_in_queue"] = place
        else:
            receipt["fetch_at"] = hold.branch.name
        receipts.append(receipt)
    return receipts


@tool(read_only=True, tags=["holds"])
def find_holds(*, member: CurrentMember) -> list[HoldReceipt]:
    """List the caller's own holds: the books waited for, and those ready to be fetched."""
    return hold_receipts(member)


# A TypedDict is the result; an error carries data beside its text.
@tool(destructive=False, tags=["holds"])
def place_hold(book: BookOfBranch, *, member: CurrentMember) -> HoldReceipt:
    """Put the caller into the queue for a book of which every copy is out."""
    try:
        hold = desk.place_hold(book, member)
    except desk.OnShelf as error:
        raise ToolError(
            f"{error.message} It stands under {error.copy.shelf_mark}.",
            structured={"shelf_mark": error.copy.shelf_mark, "barcode": error.copy.barcode},
        ) from error
    return next(receipt for receipt in hold_receipts(member) if receipt["id"] == hold.pk)


def holds_of_caller(context: Context) -> QuerySet[Hold]:
    return Hold.objects.filter(member__user=context.user).select_related("book", "branch")


OwnHold = Annotated[Hold, Lookup(holds_of_caller), "The hold's id, as find_holds gives it."]


@tool(destructive=True, idempotent=True, tags=["holds"], permission_classes=[IsAuthenticated])
def cancel_hold(hold: OwnHold) -> str:
    """Take the caller out of the queue for a book."""
    desk.cancel_hold(hold)
    return f"You no longer wait for {hold.book.title}."


@dataclass
class Recommendation:
    id: int
    title: str
    shelf_mark: str
    because: str


# Asynchronous, with Django's asynchronous queries.
@tool(read_only=True, tags=["catalogue"])
async def recommend_books(
    count: Annotated[int, serializers.IntegerField(min_value=1, max_value=10)] = 3,
    *,
    member: CurrentMember,
) -> list[Recommendation]:
    """Recommend books that are on the shelf now, by what the caller borrowed before.

    Args:
        count: At most this many books.
    """
    borrowed = Book.objects.filter(copies__loans__member=member)
    subjects = Subject.objects.filter(books__in=borrowed).annotate(times=Count("books"))
    favourite = await subjects.order_by("-times", "name").afirst()
    if favourite is None:
        raise ToolError("There is nothing to go by: the caller has not borrowed a book yet.")
    copies = (
        Copy.objects.filter(
            branch=member.branch, status=Copy.Status.ON_SHELF, book__subjects=favourite
        )
        .exclude(book__in=borrowed)
        .select_related("book")
        .order_by("book__year", "pk")
    )
    found: dict[int, Recommendation] = {}
    async for copy in copies:
        found.setdefault(
            copy.book_id,
            Recommendation(copy.book_id, copy.book.title, copy.shelf_mark, favourite.name),
        )
        if len(found) == count:
            break
    return list(found.values())
