"""What is on the librarians' server alone: late loans, and letters about them."""

from __future__ import annotations

import csv
import io
from typing import Annotated, Any, Literal

from mcp_django import Completion, ToolError, prompt, resource
from project.lending.models import Loan
from project.library.models import Member
from project.library.servers import staff
from project.library.tenancy import CurrentBranch


@resource(
    "library://desk/overdue.csv",
    title="Late loans",
    mime_type="text/csv",
    tags=["desk"],
    server=staff,
)
def overdue(*, branch: CurrentBranch) -> str:
    """The loans of the branch that are late, those that are latest first, as a table."""
    loans = Loan.objects.overdue().filter(copy__branch=branch).order_by("due_on", "pk")
    lines = io.StringIO()
    table = csv.writer(lines)
    table.writerow(["card_number", "barcode", "title", "due_on", "days_overdue"])
    for loan in loans.select_related("copy__book", "member"):
        table.writerow(
            [loan.member, loan.copy, loan.copy.book, loan.due_on.isoformat(), loan.days_overdue]
        )
    return lines.getvalue()


def cards_here(value: str, *, branch: CurrentBranch) -> list[str]:
    """The cards of the branch whose numbers begin with what was typed so far."""
    members = Member.objects.filter(branch=branch, card_number__istartswith=value)
    return list(members.values_list("card_number", flat=True)[:100])


@prompt(
    title="${reminder.title}",
    description="${reminder.description}",
    template="prompts/reminder.md",
    tags=["desk"],
    server=staff,
)
def reminder(
    card_number: Annotated[str, Completion(cards_here), "${reminder.card_number}"],
    tone: Annotated[Literal["friendly", "formal"], "${reminder.tone}"] = "friendly",
    *,
    branch: CurrentBranch,
) -> dict[str, Any]:
    member = Member.objects.filter(branch=branch, card_number=card_number).first()
    if member is None:
        raise ToolError(f"This branch has no member with the card {card_number}.")
    loans = Loan.objects.overdue().filter(member=member).with_books()
    return {"member": member, "loans": loans}
