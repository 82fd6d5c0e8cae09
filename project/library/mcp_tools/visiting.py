"""For visitors: the branches, and when they are open."""

from __future__ import annotations

import datetime
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, BinaryIO, Literal, TypedDict

from django.contrib.auth.models import User

from mcp_django import CurrentTenant, CurrentUser, Resource, ToolError, resource, tool
from project.library.models import Branch, OpeningHours
from project.library.servers import EVERYWHERE


@dataclass
class BranchInfo:
    code: str
    name: str
    address: str
    yours: bool


# Open to everyone: the user is None where nobody is signed in. A list of dataclasses.
@tool(read_only=True, tags=["visit"])
def list_branches(*, user: Annotated[User, CurrentUser] | None) -> list[BranchInfo]:
    """List the branches of the library. Needs no sign-in."""
    own = None if user is None else Branch.objects.filter(members__user=user).first()
    return [
        BranchInfo(branch.code, branch.name, branch.address, yours=branch == own)
        for branch in Branch.objects.all()
    ]


class Opening(TypedDict):
    day: str
    opens: datetime.time
    closes: datetime.time


Day = Literal["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]


# Arguments from the signature, described by the docstring; the tenant where there is one.
@tool(title="Opening hours", read_only=True, tags=["visit"])
def opening_hours(
    branch_code: str | None = None,
    day: Day | None = None,
    *,
    own_branch: Annotated[Branch, CurrentTenant] | None,
) -> list[Opening]:
    """Tell when a branch is open. Needs no sign-in.

    Args:
        branch_code: The branch's code, as list_branches gives it; a member's own if left out.
        day: Only this day; the whole week if left out.
    """
    branch = Branch.objects.filter(code=branch_code).first() if branch_code else own_branch
    if branch is None:
        codes = list(Branch.objects.values_list("code", flat=True))
        raise ToolError(
            f"Which branch? branch_code is one of: {', '.join(codes)}.",
            structured={"branch_codes": codes},
        )
    hours = branch.opening_hours.all()
    if day is not None:
        hours = hours.filter(day=OpeningHours.Day[day.upper()])
    return [
        Opening(day=opening.get_day_display().lower(), opens=opening.opens, closes=opening.closes)
        for opening in hours
    ]


# A text for everyone, which any cache may keep for an hour.
@resource(
    "library://opening-hours",
    title="Opening hours",
    mime_type="text/markdown",
    tags=["visit"],
    ttl_ms=60 * 60 * 1000,
    cache_scope="public",
)
def all_opening_hours() -> str:
    """When each branch is open, day by day. Needs no sign-in."""
    lines = []
    for branch in Branch.objects.prefetch_related("opening_hours"):
        lines += [f"# {branch}", "", branch.address, ""]
        lines += [f"- {opening}" for opening in branch.opening_hours.all()]
        lines.append("")
    return "\n".join(lines)


# A class, and a file: it is read when it is sent.
class HouseRules(Resource):
    """What is asked of whoever visits a branch. Needs no sign-in."""

    uri = "library://house-rules"
    title = "House rules"
    mime_type = "text/markdown"
    tags = ("visit",)
    server = EVERYWHERE

    def setup(self) -> None:
        self.path = Path(__file__).parents[1] / "texts" / "house-rules.md"

    def read(self) -> BinaryIO:
        return self.path.open("rb")
