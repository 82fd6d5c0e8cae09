"""Tests of the catalogue: used in process, as a member's client uses it."""

# These run under Django's own test runner, as most projects' do.
# ruff: noqa: PT009, PT027

from __future__ import annotations

import base64
from typing import Any

from django.contrib.auth.models import User
from django.core.management import call_command
from django.test import TestCase

from mcp_django import MCPServer
from mcp_django.test import MCPClient, MCPError
from project.library.models import Book, Branch, Copy
from project.sample.books import isbn

LIBRARIANS = {
    "add_book",
    "import-catalogue",
    "lend_copy",
    "return_loan",
    "library-statistics.most-borrowed",
    "library-statistics.summary",
}
RECORD = {"title": "The Hobby Horse", "authors": ["Ann Onymous"], "isbn": isbn(9001)}


class LibraryTestCase(TestCase):
    """A test with the sample library, and a client for each person of it."""

    @classmethod
    def setUpTestData(cls) -> None:
        call_command("load_sample", verbosity=0)

    def client_of(self, username: str, server: MCPServer | None = None) -> MCPClient:
        client = MCPClient(server)
        client.login(User.objects.get(username=username))
        return client

    def call(self, username: str, name: str, **arguments: Any) -> Any:
        """The structured result of a call that succeeds."""
        result = self.client_of(username).call_tool(name, arguments)
        self.assertFalse(result.is_error, result.text)
        return result.structured

    def refusal(self, username: str, name: str, **arguments: Any) -> str:
        """The text of a call that fails."""
        result = self.client_of(username).call_tool(name, arguments)
        self.assertTrue(result.is_error)
        return result.text


class Listing(LibraryTestCase):
    def names(self, client: MCPClient) -> set[str]:
        return {tool["name"] for tool in client.list_tools()}

    def test_everyone_sees_what_needs_no_sign_in(self) -> None:
        self.assertEqual(self.names(MCPClient()), {"list_branches", "opening_hours"})

    def test_a_librarian_sees_more_than_a_member(self) -> None:
        member = self.names(self.client_of("ann"))
        self.assertEqual(self.names(self.client_of("lena")) - member, LIBRARIANS)
        self.assertEqual(len(member), 12)

    def test_injected_parameters_are_in_no_schema(self) -> None:
        for tool in self.client_of("lena").list_tools():
            injected = {"user", "member", "branch", "own_branch", "shelves", "context"}
            self.assertFalse(injected & set(tool["inputSchema"].get("properties", {})), tool)

    def test_what_is_hidden_cannot_be_called(self) -> None:
        with self.assertRaisesMessage(MCPError, "Unknown tool: add_book"):
            self.client_of("ann").call_tool("add_book", RECORD)

    def test_an_anonymous_caller_is_asked_to_sign_in(self) -> None:
        with self.assertRaises(MCPError) as caught:
            MCPClient().call_tool("find_books", text="verne")
        self.assertEqual(caught.exception.status, 401)


class Finding(LibraryTestCase):
    def test_words_are_found_in_title_author_and_subject_without_accents(self) -> None:
        for text in ("bronte jane", "Brontë EYRE", "eyre gothic", "eyre, bront"):
            titles = [book["title"] for book in self.call("lena", "find_books", text=text)]
            self.assertEqual(titles, ["Jane Eyre"], text)

    def test_books_come_in_the_order_of_their_titles(self) -> None:
        titles = [book["title"] for book in self.call("ann", "find_books", limit=5)]
        self.assertEqual(titles[0], "A Christmas Carol")
        self.assertEqual(titles, sorted(titles))

    def test_years_subject_and_limit(self) -> None:
        found = self.call(
            "ann", "find_books", subject="poetry", written_after=1700, written_before=1900, limit=4
        )
        self.assertEqual(len(found), 4)
        for book in found:
            self.assertIn("Poetry", book["subjects"])
            self.assertTrue(1700 <= book["year"] < 1900)

    def test_years_in_the_wrong_order_are_refused(self) -> None:
        text = self.refusal("ann", "find_books", written_after=1900, written_before=1700)
        self.assertIn("written_after must come before written_before.", text)

    def test_the_number_of_queries_does_not_grow_with_the_books(self) -> None:
        client = self.client_of("ann")
        client.call_tool("find_books", limit=1)
        with self.assertNumQueries(4):  # the branch, the books, their authors, their subjects
            client.call_tool("find_books", limit=50)

    def test_available_means_on_the_shelf_of_this_branch(self) -> None:
        north = Branch.objects.get(code="north")
        Copy.objects.filter(branch=north).exclude(book__title="Emma").update(status="on_loan")
        found = self.call("ann", "find_books", available=True)
        self.assertEqual([book["title"] for book in found], ["Emma"])

    def test_a_book_shows_the_copies_of_the_branch_alone(self) -> None:
        book = Book.objects.filter(copies__branch__code="north").filter(
            copies__branch__code="south"
        )[0]
        for username, letter in (("ann", "N"), ("cleo", "S")):
            copies = self.call(username, "book_details", book=book.pk)["copies"]
            self.assertTrue(copies)
            self.assertEqual({copy["barcode"][0] for copy in copies}, {letter})

    def test_the_book_of_another_branch_does_not_exist(self) -> None:
        foreign = Book.objects.exclude(copies__branch__code="north")[0]
        elsewhere = self.refusal("ann", "book_details", book=foreign.pk)
        nowhere = self.refusal("ann", "book_details", book=999_999)
        self.assertEqual(elsewhere.replace(str(foreign.pk), "999999"), nowhere)
        self.refusal("ann", "book_cover", book=foreign.pk)
        self.refusal("ann", "identify_book", isbn=foreign.isbn)
        self.refusal("ann", "identify_book", barcode=foreign.copies.all()[0].barcode)

    def test_a_number_is_an_isbn_or_a_barcode_and_not_both(self) -> None:
        copy = Copy.objects.filter(branch__code="north").select_related("book")[0]
        for number in ({"isbn": copy.book.isbn}, {"barcode": copy.barcode}):
            self.assertEqual(self.call("ann", "identify_book", **number)["id"], copy.book_id)
        self.refusal("ann", "identify_book", isbn=copy.book.isbn, barcode=copy.barcode)
        self.assertIn("no book", self.refusal("ann", "identify_book", barcode="\0"))

    def test_a_cover_is_a_picture(self) -> None:
        book = Book.objects.filter(copies__branch__code="north")[0]
        (block,) = self.client_of("ann").call_tool("book_cover", book=book.pk).content
        self.assertEqual((block["type"], block["mimeType"]), ("image", "image/png"))
        self.assertTrue(base64.b64decode(block["data"]).startswith(b"\x89PNG\r\n\x1a\n"))


class Visiting(LibraryTestCase):
    def test_branches_and_which_is_the_callers(self) -> None:
        mine = {branch["code"]: branch["yours"] for branch in self.call("cleo", "list_branches")}
        self.assertEqual(mine, {"north": False, "south": True})
        anyones = MCPClient().call_tool("list_branches").structured
        self.assertFalse(any(branch["yours"] for branch in anyones))

    def test_opening_hours_of_a_day(self) -> None:
        hours = MCPClient().call_tool("opening_hours", branch_code="south", day="saturday")
        saturday = {"day": "saturday", "opens": "11:00:00", "closes": "14:00:00"}
        self.assertEqual(hours.structured, [saturday])

    def test_a_member_need_not_name_the_branch(self) -> None:
        own = self.call("ann", "opening_hours")
        self.assertEqual(own, self.call("cleo", "opening_hours", branch_code="north"))
        self.assertEqual(len(own), 6)

    def test_an_unknown_branch_is_answered_with_the_known_ones(self) -> None:
        result = MCPClient().call_tool("opening_hours", branch_code="west")
        self.assertTrue(result.is_error)
        self.assertEqual(result.structured, {"branch_codes": ["north", "south"]})


class Cataloguing(LibraryTestCase):
    def test_a_new_book_is_found_at_the_librarians_branch_alone(self) -> None:
        added = self.call("lena", "add_book", **RECORD, copies=2)
        self.assertEqual((added["copies_here"], added["available_here"]), (2, 2))
        self.assertEqual(len(self.call("ann", "find_books", text="hobby horse")), 1)
        self.assertEqual(self.call("cleo", "find_books", text="hobby horse"), [])

    def test_a_known_book_gets_copies_and_stays_as_it_is(self) -> None:
        known = Book.objects.filter(copies__branch__code="north")[0]
        before = Copy.objects.filter(book=known, branch__code="north").count()
        added = self.call("lena", "add_book", **{**RECORD, "isbn": known.isbn})
        self.assertEqual((added["id"], added["title"]), (known.pk, known.title))
        self.assertEqual(added["copies_here"], before + 1)

    def test_a_wrong_check_digit_is_refused(self) -> None:
        text = self.refusal("lena", "add_book", **{**RECORD, "isbn": "9780000000001"})
        self.assertIn("isbn", text)

    def test_a_year_beyond_all_calendars_is_refused(self) -> None:
        text = self.refusal("lena", "add_book", **RECORD, year=2**40)
        self.assertIn("Expected an integer from -4000 to 9999.", text)
        text = self.refusal("lena", "import-catalogue", records=[{**RECORD, "year": -5000}])
        self.assertIn("records.0.year", text)

    def test_an_import_is_all_or_nothing(self) -> None:
        other = {**RECORD, "title": "Another", "isbn": isbn(9002), "subjects": ["Poetry"]}
        report = self.call("lena", "import-catalogue", records=[RECORD, other], copies=3)
        self.assertEqual(report["books"], ["The Hobby Horse", "Another"])
        self.assertEqual(report["copies"], 6)
        self.assertEqual(len(report["digest"]), 64)
        text = self.refusal("lena", "import-catalogue", records=[RECORD, {"title": "Nothing"}])
        self.assertIn("authors", text)
        self.assertFalse(Book.objects.filter(title="Nothing").exists())

    def test_the_admin_has_no_branch(self) -> None:
        self.assertIn("No tenant", self.refusal("admin", "find_books"))
