"""Tests of resources, prompts and the staff's server, used as a client uses them."""

# These run under Django's own test runner, as most projects' do.
# ruff: noqa: PT009, PT027

from __future__ import annotations

import json

from django.contrib.auth.models import User

from mcp_django.test import MCPClient, MCPError
from project.library.models import Book, Copy
from project.library.servers import staff
from project.library.tests import LIBRARIANS, LibraryTestCase
from project.sample.books import isbn

PNG = b"\x89PNG\r\n\x1a\n"
FOR_ALL = {"library://catalogue/statistics", "library://opening-hours", "library://house-rules"}


class Reading(LibraryTestCase):
    def held(self, code: str) -> Book:
        return Book.objects.filter(copies__branch__code=code)[0]

    def foreign(self, code: str) -> Book:
        return Book.objects.exclude(copies__branch__code=code)[0]

    def test_everyone_reads_what_needs_no_sign_in(self) -> None:
        client = MCPClient()
        self.assertEqual({one["uri"] for one in client.list_resources()}, FOR_ALL)
        hours = client.read_resource("library://opening-hours").text
        self.assertIn("# South Branch\n\n3 Harbour Street\n\n- Monday 11:00 to 20:00", hours)
        self.assertIn("ten books", client.read_resource("library://house-rules").text)

    def test_the_catalogue_in_numbers(self) -> None:
        numbers = json.loads(MCPClient().read_resource("library://catalogue/statistics").text)
        self.assertEqual(numbers["books"], Book.objects.count())
        self.assertEqual(sum(numbers["copies"].values()), Copy.objects.count())
        self.assertEqual(len(numbers["subjects"]), 10)

    def test_a_member_finds_the_books_of_the_branch_in_the_list(self) -> None:
        listed = {one["uri"]: one["name"] for one in self.client_of("ann").list_resources()}
        here = Book.objects.filter(copies__branch__code="north").distinct()
        self.assertEqual(
            {uri for uri in listed if uri.startswith("library://books/")},
            {f"library://books/{book.isbn}" for book in here},
        )
        book = self.held("north")
        self.assertEqual(listed[f"library://books/{book.isbn}"], book.title)

    def test_the_list_comes_in_pages(self) -> None:
        first = self.client_of("ann").request("resources/list")
        self.assertEqual(len(first["resources"]), 100)
        self.assertIn("nextCursor", first)

    def test_a_book_shows_the_copies_of_the_branch_alone(self) -> None:
        book = self.held("north")
        read = self.client_of("ann").read_resource(f"library://books/{book.isbn}")
        self.assertEqual(read.contents[0]["mimeType"], "application/json")
        shown = json.loads(read.text)
        self.assertEqual(shown["title"], book.title)
        self.assertEqual({copy["barcode"][0] for copy in shown["copies"]}, {"N"})

    def test_what_is_no_book_of_the_branch_is_not_found(self) -> None:
        for number in (self.foreign("north").isbn, isbn(9001), "9780000000001", "emma"):
            for uri in (f"library://books/{number}", f"library://books/{number}/cover.png"):
                with self.subTest(uri), self.assertRaises(MCPError) as caught:
                    self.client_of("ann").read_resource(uri)
                self.assertEqual(caught.exception.data, {"uri": uri})

    def test_books_are_for_members(self) -> None:
        with self.assertRaises(MCPError) as caught:
            MCPClient().read_resource(f"library://books/{self.held('north').isbn}")
        self.assertEqual(caught.exception.status, 401)

    def test_a_cover_is_a_picture_in_both_eras(self) -> None:
        uri = f"library://books/{self.held('south').isbn}/cover.png"
        for revision in ("2026-07-28", "2025-06-18"):
            client = MCPClient(revision=revision)
            client.login(User.objects.get(username="cleo"))
            read = client.read_resource(uri)
            self.assertEqual(read.contents[0]["mimeType"], "image/png")
            self.assertTrue(read.data.startswith(PNG))

    def test_a_number_is_completed_from_those_of_the_branch(self) -> None:
        client, book = self.client_of("ann"), self.held("north")
        template = "library://books/{isbn}"
        self.assertEqual(client.complete_resource(template, "isbn", book.isbn[:12]), [book.isbn])
        self.assertEqual(client.complete_resource(template, "isbn", self.foreign("north").isbn), [])


class Prompting(LibraryTestCase):
    def test_the_words_are_those_of_the_file(self) -> None:
        shown = {one["name"]: one for one in self.client_of("ann").list_prompts()}
        self.assertEqual(set(shown), {"reading_list", "discuss-book", "plan_visit"})
        self.assertEqual(shown["reading_list"]["title"], "Reading list")
        (subject, level, count) = shown["reading_list"]["arguments"]
        self.assertEqual(subject["description"], "What the books are about, such as Poetry.")
        self.assertTrue(subject["required"])
        self.assertEqual(
            [(one["name"], one["description"]) for one in (level, count)],
            [
                ("level", "Who is to read the books."),
                ("count", "How many books to choose, from 1 to 20."),
            ],
        )
        for prompt in shown.values():
            self.assertTrue(prompt["description"].endswith("."))
            self.assertTrue(all(one.get("description") for one in prompt["arguments"]))

    def test_a_reading_list(self) -> None:
        client = self.client_of("ann")
        text = client.get_prompt("reading_list", subject="Poetry", level="child", count=3).text
        self.assertIn("on Poetry for a child of ten: 3 books", text)
        with self.assertRaisesMessage(MCPError, 'Expected one of "child", "teenager", "adult".'):
            client.get_prompt("reading_list", subject="Poetry", level="old")

    def test_subjects_and_levels_are_completed(self) -> None:
        client = self.client_of("ann")
        self.assertIn("Poetry", client.complete_prompt("reading_list", "subject", "po"))
        self.assertEqual(client.complete_prompt("reading_list", "level", "t"), ["teenager"])

    def test_a_book_to_talk_about(self) -> None:
        client = self.client_of("ann")
        self.assertEqual(client.complete_prompt("discuss-book", "title", "emm"), ["Emma"])
        shown, *said = client.get_prompt("discuss-book", title="emma").messages
        self.assertEqual(json.loads(shown["content"]["resource"]["text"])["title"], "Emma")
        self.assertEqual([message["role"] for message in said], ["user", "assistant"])
        with self.assertRaisesMessage(MCPError, "Your branch has no book called 'Emmma'."):
            client.get_prompt("discuss-book", title="Emmma")

    def test_a_visit_to_the_members_own_branch_or_to_any(self) -> None:
        own = self.client_of("cleo").get_prompt("plan_visit", day="saturday").text
        self.assertIn("my branch of the library, South Branch, on saturday", own)
        self.assertIn("- South Branch, 3 Harbour Street: 11:00 to 14:00", own)
        self.assertNotIn("North", own)
        self.assertIn("- North Branch", MCPClient().get_prompt("plan_visit", day="monday").text)
        self.assertIn("closed", MCPClient().get_prompt("plan_visit", day="sunday").text)


class Staff(LibraryTestCase):
    def test_it_is_for_librarians(self) -> None:
        for username, status in ((None, 401), ("ann", 403)):
            client = self.client_of(username, staff) if username else MCPClient(staff)
            with self.assertRaises(MCPError) as caught:
                client.list_tools()
            self.assertEqual(caught.exception.status, status)

    def test_it_has_what_librarians_need_and_nothing_else(self) -> None:
        client = self.client_of("lena", staff)
        names = {tool["name"] for tool in client.list_tools()}
        self.assertEqual(names, LIBRARIANS | {"find_books", "book_details", "identify_book"})
        self.assertEqual(client.discover()["instructions"][:8], "The desk")

    def test_a_book_is_found_on_both(self) -> None:
        for server in (None, staff):
            found = self.client_of("lena", server).call_tool("find_books", text="emma")
            self.assertEqual(found.structured[0]["title"], "Emma")
