"""Tests of loans and holds, most of them through the tools."""

# These run under Django's own test runner, as most projects' do.
# ruff: noqa: PT009

from __future__ import annotations

import datetime
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial

from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.core.management import call_command
from django.db import connection
from django.test import TransactionTestCase, skipUnlessDBFeature
from django.utils import timezone

from mcp_django.test import MCPClient
from project.lending import desk
from project.lending.models import Hold, Loan
from project.library.models import Author, Book, Branch, Copy, Member, Subject
from project.library.tests import LibraryTestCase


class LendingTestCase(LibraryTestCase):
    def member(self, username: str) -> Member:
        return Member.objects.get(user__username=username)

    def copy_on_shelf(self, code: str = "north") -> Copy:
        """The only copy of a book at the branch, and nobody waits for it."""
        north = Branch.objects.get(code=code)
        for copy in Copy.objects.filter(branch=north, status=Copy.Status.ON_SHELF):
            if copy.book.copies.filter(branch=north).count() == 1:
                return copy
        raise AssertionError("The sample has no such copy.")

    def statuses(self, copy: Copy) -> str:
        return Copy.objects.get(pk=copy.pk).status


class Loans(LendingTestCase):
    def test_members_see_their_own_loans_alone(self) -> None:
        for username in ("ann", "ben", "cleo"):
            mine = {loan.pk for loan in Loan.objects.open().filter(member=self.member(username))}
            found = self.call(username, "find_loans", status="open")
            self.assertEqual({loan["id"] for loan in found}, mine)
            self.assertEqual(len(mine), 4)

    def test_overdue_and_returned_loans(self) -> None:
        (overdue,) = self.call("ann", "find_loans", status="overdue")
        self.assertEqual(overdue["status"], "overdue")
        returned = self.call("ann", "find_loans", status="returned", limit=100)
        self.assertEqual(len(returned), 10)
        self.assertTrue(all(loan["returned_on"] for loan in returned))

    def test_a_loan_is_renewed_twice_at_most(self) -> None:
        loan = desk.lend(self.copy_on_shelf(), self.member("ann"))
        due = loan.due_on + datetime.timedelta(days=7)
        receipt = self.call("ann", "renew_loan", loan=loan.pk, days=7)
        self.assertEqual(receipt["due_on"], due.isoformat())
        self.assertEqual(receipt["renewals_left"], 1)
        self.call("ann", "renew_loan", loan=loan.pk)
        self.assertIn("2 times", self.refusal("ann", "renew_loan", loan=loan.pk))

    def test_nobody_renews_the_loan_of_another(self) -> None:
        loan = desk.lend(self.copy_on_shelf(), self.member("ann"))
        self.refusal("ben", "renew_loan", loan=loan.pk)
        self.refusal("cleo", "renew_loan", loan=loan.pk)
        self.assertEqual(Loan.objects.get(pk=loan.pk).renewals, 0)

    def test_a_loan_for_which_someone_waits_is_not_renewed(self) -> None:
        copy = self.copy_on_shelf()
        loan = desk.lend(copy, self.member("ann"))
        desk.place_hold(copy.book, self.member("ben"))
        self.assertIn("waits", self.refusal("ann", "renew_loan", loan=loan.pk))


class Holds(LendingTestCase):
    def test_a_book_on_the_shelf_is_not_held(self) -> None:
        copy = self.copy_on_shelf()
        result = self.client_of("ann").call_tool("place_hold", book=copy.book_id)
        self.assertTrue(result.is_error)
        self.assertEqual(
            result.structured, {"shelf_mark": copy.shelf_mark, "barcode": copy.barcode}
        )

    def test_the_queue(self) -> None:
        copy = self.copy_on_shelf()
        loan = desk.lend(copy, self.member("lena"))
        first = self.call("ann", "place_hold", book=copy.book_id)
        second = self.call("ben", "place_hold", book=copy.book_id)
        self.assertEqual((first["place_in_queue"], second["place_in_queue"]), (1, 2))
        self.assertIn("already", self.refusal("ann", "place_hold", book=copy.book_id))
        self.assertEqual(desk.take_back(loan), Hold.objects.get(pk=first["id"]))
        self.assertEqual(self.statuses(copy), Copy.Status.SET_ASIDE)
        mine = {hold["id"]: hold for hold in self.call("ann", "find_holds")}
        self.assertEqual(mine[first["id"]]["fetch_at"], "North Branch")
        self.call("ann", "cancel_hold", hold=first["id"])
        self.call("ann", "cancel_hold", hold=first["id"])  # twice is no error
        self.assertEqual(Hold.objects.get(pk=second["id"]).copy, copy)
        self.call("ben", "cancel_hold", hold=second["id"])
        self.assertEqual(self.statuses(copy), Copy.Status.ON_SHELF)

    def test_the_holds_of_others_do_not_exist(self) -> None:
        hold = Hold.objects.active().filter(member=self.member("ben"))[0]
        for username in ("ann", "cleo"):
            self.refusal(username, "cancel_hold", hold=hold.pk)
            found = self.call(username, "find_holds")
            self.assertNotIn(hold.pk, [mine["id"] for mine in found])
        hold.refresh_from_db()
        self.assertEqual(hold.status, Hold.Status.WAITING)

    def test_a_book_of_another_branch_is_not_held(self) -> None:
        book = Book.objects.exclude(copies__branch__code="north")[0]
        self.refusal("ann", "place_hold", book=book.pk)
        self.assertFalse(Hold.objects.filter(book=book, branch__code="north").exists())

    def test_borrowing_another_copy_ends_the_hold_and_frees_its_copy(self) -> None:
        north = Branch.objects.get(code="north")
        first = self.copy_on_shelf()
        second = Copy.objects.create(
            book=first.book, branch=north, barcode="X1", status=Copy.Status.ON_LOAN
        )
        loan = desk.lend(first, self.member("ben"))
        desk.place_hold(first.book, self.member("ann"))
        desk.take_back(loan)
        Copy.objects.filter(pk=second.pk).update(status=Copy.Status.ON_SHELF)
        desk.lend(second, self.member("ann"))
        self.assertEqual(self.statuses(first), Copy.Status.ON_SHELF)
        self.assertFalse(
            Hold.objects.active().filter(book=first.book, member=self.member("ann")).exists()
        )


class Desk(LendingTestCase):
    def test_a_librarian_lends_and_takes_back(self) -> None:
        copy, ann = self.copy_on_shelf(), self.member("ann")
        slip = {"barcode": copy.barcode, "card_number": ann.card_number}
        lent = self.call("lena", "lend_copy", **slip)
        due = timezone.localdate() + datetime.timedelta(days=desk.LOAN_DAYS)
        self.assertEqual((lent["barcode"], lent["due_on"]), (copy.barcode, due.isoformat()))
        self.assertIn("on loan", self.refusal("lena", "lend_copy", **slip))
        result = self.client_of("lena").call_tool("return_loan", barcode=copy.barcode)
        self.assertEqual(result.text, f"{copy.book} is back. Shelve it: {copy.shelf_mark}.")
        self.assertEqual(result.structured["status"], "returned")
        again = self.refusal("lena", "return_loan", barcode=copy.barcode)
        self.assertEqual(again, f"No copy {copy.barcode} of this branch is on loan.")

    def test_a_librarian_reaches_nothing_of_another_branch(self) -> None:
        there, here = self.copy_on_shelf("south"), self.copy_on_shelf("north")
        ann, cleo = self.member("ann").card_number, self.member("cleo").card_number
        self.refusal("lena", "lend_copy", barcode=there.barcode, card_number=ann)
        self.refusal("lena", "lend_copy", barcode=here.barcode, card_number=cleo)
        lent = Loan.objects.open().filter(copy__branch__code="south")[0]
        self.refusal("lena", "return_loan", barcode=lent.copy.barcode)
        self.assertEqual(Loan.objects.open().filter(pk=lent.pk).count(), 1)

    def test_a_copy_set_aside_goes_to_whom_it_waits_for(self) -> None:
        copy = self.copy_on_shelf()
        loan = desk.lend(copy, self.member("lena"))
        hold = desk.place_hold(copy.book, self.member("ann"))
        desk.take_back(loan)
        with self.assertRaisesMessage(ValidationError, "set aside for another member"):
            desk.lend(copy, self.member("ben"))
        desk.lend(copy, self.member("ann"))
        hold.refresh_from_db()
        self.assertEqual((hold.status, hold.copy), (Hold.Status.FULFILLED, None))

    def test_a_member_has_ten_books_at_most(self) -> None:
        for _ in range(desk.MAX_LOANS - 4):
            desk.lend(self.copy_on_shelf(), self.member("ann"))
        with self.assertRaisesMessage(ValidationError, "limit"):
            desk.lend(self.copy_on_shelf(), self.member("ann"))


class Numbers(LendingTestCase):
    def test_recommendations_are_on_the_shelf_and_new_to_the_member(self) -> None:
        found = self.call("ann", "recommend_books", count=5)
        self.assertEqual(len(found), 5)
        borrowed = Book.objects.filter(copies__loans__member=self.member("ann"))
        for book in found:
            self.assertFalse(borrowed.filter(pk=book["id"]).exists())
            here = Copy.objects.filter(book=book["id"], branch__code="north")
            self.assertTrue(here.filter(status=Copy.Status.ON_SHELF).exists())

    def test_statistics_count_the_branch_alone(self) -> None:
        summary = self.call("lena", "library-statistics.summary")
        self.assertEqual(summary["copies"], Copy.objects.filter(branch__code="north").count())
        self.assertEqual((summary["open_loans"], summary["overdue_loans"]), (20, 5))
        most = self.call("lena", "library-statistics.most-borrowed", period="year")
        self.assertEqual(len(most), 10)
        self.assertEqual(set(most[0]), {"title", "loans"})

    def test_a_legacy_client_gets_lists_in_an_object(self) -> None:
        client = MCPClient(revision="2025-06-18")
        client.login(self.member("ann").user)
        found = client.call_tool("find_loans", status="open").structured
        self.assertEqual(len(found["result"]), 4)


class AdminPages(LendingTestCase):
    def test_every_list_and_form_opens_and_searches(self) -> None:
        self.client.force_login(User.objects.get(username="admin"))
        for model in (Author, Book, Branch, Copy, Member, Subject, Hold, Loan):
            with self.subTest(model=model):
                base = f"/admin/{model._meta.label_lower.replace('.', '/')}/"
                for page in ("", "?q=verne", "add/", f"{model.objects.all()[0].pk}/change/"):
                    self.assertEqual(self.client.get(base + page).status_code, 200, page)

    def test_a_book_renamed_in_the_admin_is_found_by_its_new_name(self) -> None:
        book = Book.objects.get(title="Emma")
        self.client.force_login(User.objects.get(username="admin"))
        form = {
            "title": "Émma Woodhouse",
            "authors": [author.pk for author in book.authors.all()],
            "subjects": [],
            "isbn": book.isbn,
            "copies-TOTAL_FORMS": 0,
            "copies-INITIAL_FORMS": 0,
        }
        saved = self.client.post(f"/admin/library/book/{book.pk}/change/", form)
        self.assertEqual(saved.status_code, 302)
        found = self.call("ann", "find_books", text="emma woodhouse austen")
        self.assertEqual([one["id"] for one in found], [book.pk])


@skipUnlessDBFeature("has_select_for_update")
class TwoDesks(TransactionTestCase):
    """What two requests do at the same moment."""

    def setUp(self) -> None:
        call_command("load_sample", verbosity=0)
        self.north = Branch.objects.get(code="north")
        self.members = list(self.north.members.all())

    def at_once(self, *actions: Callable[[], object]) -> int:
        """How many of the actions, each in a thread of its own, are not refused."""

        def run(action: Callable[[], object]) -> bool:
            try:
                action()
            except ValidationError:
                return False
            finally:
                connection.close()
            return True

        with ThreadPoolExecutor(len(actions)) as threads:
            return sum(threads.map(run, actions))

    def test_a_copy_is_lent_to_one_member(self) -> None:
        for copy in Copy.objects.filter(branch=self.north, status=Copy.Status.ON_SHELF)[:5]:
            lent = self.at_once(*(partial(desk.lend, copy, member) for member in self.members))
            self.assertEqual(lent, 1)
            self.assertEqual(Loan.objects.open().filter(copy=copy).count(), 1)

    def test_a_copy_that_comes_back_reaches_who_asks_for_it_meanwhile(self) -> None:
        ann, ben = self.members[:2]
        for loan in Loan.objects.open().filter(member=ben):
            book = loan.copy.book
            self.at_once(partial(desk.place_hold, book, ann), partial(desk.take_back, loan))
            waiting = Hold.objects.waiting().filter(book=book).exists()
            on_shelf = book.copies.filter(branch=self.north, status=Copy.Status.ON_SHELF).exists()
            self.assertFalse(waiting and on_shelf)

    def test_a_member_does_not_pass_the_limit(self) -> None:
        ann = self.members[0]
        copies = Copy.objects.filter(branch=self.north, status=Copy.Status.ON_SHELF)[:12]
        self.at_once(*(partial(desk.lend, copy, ann) for copy in copies))
        self.assertEqual(Loan.objects.open().filter(member=ann).count(), desk.MAX_LOANS)
