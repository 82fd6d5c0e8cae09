"""Tests of what clients read of loans, and of the prompts about them."""

# These run under Django's own test runner, as most projects' do.
# ruff: noqa: PT009, PT027

from __future__ import annotations

import csv
import datetime
import json

from django.utils import timezone

from mcp_django.test import MCPError
from project.lending.models import Loan
from project.lending.tests import LendingTestCase
from project.library.models import Member
from project.library.servers import staff


class Reading(LendingTestCase):
    def test_one_uri_gives_each_member_their_own_loans(self) -> None:
        for username in ("ann", "cleo"):
            read = self.client_of(username).read_resource("library://loans/mine")
            found = self.call(username, "find_loans", status="open")
            self.assertEqual(json.loads(read.text), found)
        self.assertEqual(read.raw["cacheScope"], "private")

    def test_a_period_of_the_statistics(self) -> None:
        week = self.client_of("lena").read_resource("library://statistics/week").text
        since = timezone.localdate() - datetime.timedelta(days=7)
        lent = Loan.objects.filter(copy__branch__code="north", borrowed_on__gte=since)
        self.assertEqual(sum(json.loads(week).values()), lent.count())
        with self.assertRaisesMessage(MCPError, 'Expected one of "week", "month", "year".'):
            self.client_of("lena").read_resource("library://statistics/decade")
        with self.assertRaisesMessage(MCPError, "Resource not found: library://statistics/week"):
            self.client_of("ann").read_resource("library://statistics/week")

    def test_a_report_for_librarians(self) -> None:
        report = self.client_of("lena").get_prompt("library-statistics.report", period="year")
        self.assertIn("library://statistics/year", report.text)


class StaffDesk(LendingTestCase):
    def test_late_loans_are_a_table_on_the_staff_server_alone(self) -> None:
        table = self.client_of("lena", staff).read_resource("library://desk/overdue.csv")
        self.assertEqual(table.contents[0]["mimeType"], "text/csv")
        rows = list(csv.DictReader(table.text.splitlines()))
        self.assertEqual(len(rows), 5)
        self.assertIn(self.member("ann").card_number, {row["card_number"] for row in rows})
        with self.assertRaises(MCPError):
            self.client_of("lena").read_resource("library://desk/overdue.csv")

    def test_a_reminder_names_what_is_late(self) -> None:
        client, ann = self.client_of("lena", staff), self.member("ann")
        letter = client.get_prompt("reminder", card_number=ann.card_number, tone="formal").text
        (late,) = Loan.objects.overdue().filter(member=ann)
        self.assertIn("Write a formal letter to Ann Archer on behalf of North Branch.", letter)
        self.assertIn(f"- {late.copy.book}, due on {late.due_on}, 9 days late", letter)

    def test_cards_are_completed_within_the_branch(self) -> None:
        client = self.client_of("lena", staff)
        here = list(Member.objects.filter(branch__code="north"))
        found = client.complete_prompt("reminder", "card_number", "m")
        self.assertEqual(found, [member.card_number for member in here])
        cleo = self.member("cleo").card_number
        with self.assertRaisesMessage(MCPError, f"no member with the card {cleo}"):
            client.get_prompt("reminder", card_number=cleo)
