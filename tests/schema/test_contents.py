"""What resources return, as contents."""

from __future__ import annotations

import io
import json
from collections.abc import Awaitable, Generator, Iterable, Iterator
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import IO, Any, BinaryIO, Literal, LiteralString, NoReturn, TextIO

import pytest
from django.core.files import File
from django.core.files.base import ContentFile
from django.core.files.storage import InMemoryStorage
from django.db.models import CharField, FileField, ImageField, QuerySet
from django.db.models.fields.files import FieldFile
from django.test import override_settings
from django.test.utils import isolate_apps
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext_lazy
from rest_framework import serializers

from mcp_django.protocol.content import Block, Text
from mcp_django.protocol.contents import ResourceContents
from mcp_django.protocol.messages import PromptMessage, PromptResult
from mcp_django.protocol.versions import V2026_07_28
from mcp_django.schema.errors import DeclarationError, InvalidResult
from mcp_django.schema.results import ToolResult
from mcp_django.schema.returning.contents import ContentsRule, contents_rule
from tests.app.models import Book
from tests.schema.returned import EMPTY, Plain, Receipt, Row, Status

URI = "library://books/1"
Wire = dict[str, Any]


def rule_of(
    annotation: Any = EMPTY, returns: Any = None, mime_type: str | None = None, uri: str = URI
) -> ContentsRule:
    return contents_rule(annotation, returns, mime_type=mime_type, uri=uri, name="book")


def sent(
    value: Any,
    annotation: Any = EMPTY,
    returns: Any = None,
    mime_type: str | None = None,
    uri: str = URI,
    read_as: str = URI,
) -> list[Wire]:
    """The ``contents`` of a ``ReadResourceResult``."""
    rule = rule_of(annotation, returns, mime_type, uri)
    found = rule.convert(value)
    return [contents.to_wire(read_as, rule.mime_type, V2026_07_28) for contents in found]


def text(value: str, mime_type: str = "text/plain") -> list[Wire]:
    return [{"uri": URI, "mimeType": mime_type, "text": value}]


def blob(value: str, mime_type: str = "application/octet-stream") -> list[Wire]:
    return [{"uri": URI, "mimeType": mime_type, "blob": value}]


def refused(value: Any, annotation: Any = EMPTY, returns: Any = None) -> str:
    with pytest.raises(InvalidResult) as caught:
        rule_of(annotation, returns).convert(value)
    return str(caught.value)


# Text.


@pytest.mark.parametrize("annotation", [EMPTY, Any, str, str | None, Awaitable[str], str | bytes])
def test_a_string_is_text(annotation: Any) -> None:
    assert sent("a <b>\x00", annotation) == text("a <b>")
    assert sent("", annotation) == text("")
    assert sent("a", annotation, mime_type="text/markdown") == text("a", "text/markdown")


def test_texts_of_other_classes() -> None:
    assert sent(mark_safe("<i>"), SafeString) == text("<i>")
    assert sent(gettext_lazy("Yes"), str) == text("Yes")
    assert sent("a", LiteralString) == text("a")


def test_a_string_declared_as_json_is_json_already() -> None:
    for annotation in (str, EMPTY):
        assert sent('{"a": 1}', annotation, mime_type="application/json") == text(
            '{"a": 1}', "application/json"
        )


# Bytes.


@pytest.mark.parametrize("annotation", [EMPTY, bytes, bytes | None, bytearray, memoryview])
@pytest.mark.parametrize("kind", [bytes, bytearray, memoryview])
def test_bytes_are_never_taken_for_text(annotation: Any, kind: Any) -> None:
    assert sent(kind(b"text"), annotation) == blob("dGV4dA==")


def test_the_type_of_bytes_is_declared_or_told_by_the_uri() -> None:
    assert sent(b"x", bytes, mime_type="image/png") == blob("eA==", "image/png")
    assert sent(b"x", bytes, uri="library://covers/{isbn}.png") == blob("eA==", "image/png")
    assert sent(b"x", bytes, uri="library://notes.txt") == blob("eA==", "text/plain")
    variable = sent(b"x", bytes, uri="library://{+path}", read_as="library://a/b.gif")
    assert variable == [{"uri": "library://a/b.gif", "mimeType": "image/gif", "blob": "eA=="}]


def test_bytes_of_a_declared_type_of_text_are_text_if_they_are_valid() -> None:
    json_bytes = sent(b'{"a":1}', bytes, mime_type="application/json")
    latin = "text/csv; charset=latin-1"

    assert json_bytes == text('{"a":1}', "application/json")
    assert sent("é".encode("latin-1"), mime_type=latin) == text("é", latin)
    assert sent("\ufeffé".encode(), mime_type="text/csv") == text("é", "text/csv")
    assert sent(b"\xff", mime_type="text/csv") == blob("/w==", "text/csv")
    assert sent(b"a\x00", mime_type="text/csv") == blob("YQA=", "text/csv")


# JSON.


@dataclass
class Marked:
    """Data that can be read, in another sense."""

    title: str

    def read(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("annotation", "value", "told"),
    [
        (dict, {"title": "é"}, '{"title":"é"}'),
        (dict[str, Decimal], {"a": Decimal("1.50")}, '{"a":"1.50"}'),
        (dict | None, {}, "{}"),
        (EMPTY, {"due": date(2026, 1, 2)}, '{"due":"2026-01-02"}'),
        (EMPTY, [], "[]"),
        (EMPTY, ["a"], '["a"]'),
        (list[str], ["a"], '["a"]'),
        (list[str], [], "[]"),
        (Iterator[int], iter([1, 2]), "[1,2]"),
        (int, 0, "0"),
        (EMPTY, True, "true"),
        (bool, False, "false"),
        (Decimal, 0, '"0"'),
        (Row, Row("t", Decimal(1)), '{"title":"t","price":"1"}'),
        (list[Row], [Row("t", Decimal(1))], '[{"title":"t","price":"1"}]'),
        (EMPTY, Marked("t"), '{"title":"t"}'),
        (Marked, Marked("t"), '{"title":"t"}'),
        (Plain, Plain.A, '"a"'),
        (Status, Status.OPEN, '"open"'),
        (Literal["a", "b"], "a", '"a"'),
        (date, date(2026, 1, 2), '"2026-01-02"'),
        (int | list[int], [1], "[1]"),
        (Awaitable[dict[str, int]], {"a": 1}, '{"a":1}'),
    ],
)
def test_data_is_json(annotation: Any, value: Any, told: str) -> None:
    assert sent(value, annotation) == text(told, "application/json")


def test_json_of_a_type_of_its_own() -> None:
    assert sent({}, dict, mime_type="application/geo+json") == text("{}", "application/geo+json")


def test_a_union_is_told_by_the_value() -> None:
    annotation = str | bytes | dict[str, Decimal] | list[int] | ResourceContents

    assert sent("a", annotation) == text("a")
    assert sent(b"x", annotation) == blob("eA==")
    assert sent({"a": 1}, annotation) == text('{"a":"1"}', "application/json")
    assert sent([1], annotation) == text("[1]", "application/json")
    assert sent(ResourceContents("a"), annotation) == [{"uri": URI, "text": "a"}]


def test_data_is_held_to_its_type() -> None:
    assert refused({"a": "x"}, dict[str, int]) == 'result.a: expected integer, got "x"'
    assert refused("x", dict) == 'result: expected object, got "x"'


class BookSerializer(serializers.ModelSerializer[Book]):
    class Meta:
        model = Book
        fields = ("title", "pages")


class NoteSerializer(serializers.Serializer[Any]):
    by = serializers.SerializerMethodField()

    def get_by(self, value: Any) -> str:
        return f"{value} by {self.context['user']}"


@pytest.mark.parametrize("annotation", [EMPTY, Book, Book | None])
def test_a_serializer_shows_a_model(annotation: Any) -> None:
    book = Book(title="Emma", pages=400)

    assert sent(book, annotation, BookSerializer) == text(
        '{"title":"Emma","pages":400}', "application/json"
    )


def test_a_serializer_shows_many() -> None:
    books = (Book(title=title, pages=1) for title in ("Emma", "Dracula"))

    contents = sent(books, EMPTY, BookSerializer(many=True), mime_type="text/json")

    assert contents[0]["mimeType"] == "text/json"
    assert [book["title"] for book in json.loads(contents[0]["text"])] == ["Emma", "Dracula"]


def test_a_serializer_finds_the_context() -> None:
    (contents,) = rule_of(returns=NoteSerializer()).convert("Emma", {"user": "ann"})

    assert contents.text == '{"by":"Emma by ann"}'


def test_contents_by_hand_stand_beside_a_serializer_where_the_type_says_so() -> None:
    annotation = Book | ResourceContents

    assert sent(ResourceContents("a"), annotation, BookSerializer) == [{"uri": URI, "text": "a"}]
    assert sent(Book(title="Emma", pages=1), annotation, BookSerializer) == text(
        '{"title":"Emma","pages":1}', "application/json"
    )


def test_a_type_as_returns_goes_before_the_annotation() -> None:
    assert sent(0, EMPTY, Decimal) == text('"0"', "application/json")
    assert sent("a", Any, str) == text("a")
    assert rule_of(Any, str).mime_type == "text/plain"


# Files.


def a_field(name: str = "", data: bytes = b"") -> Any:
    """The file field of a stored instance."""
    storage = InMemoryStorage()
    field = FileField(storage=storage)
    field.attname = field.name = "text"
    return FieldFile(None, field, storage.save(name, ContentFile(data)) if name else "")  # type: ignore[arg-type]


@pytest.mark.parametrize("annotation", [EMPTY, FieldFile, File, FieldFile | None, BinaryIO])
def test_a_file_is_text_or_a_blob_by_the_type_that_its_name_tells(annotation: Any) -> None:
    assert sent(a_field("a.md", "é".encode()), annotation) == text("é", "text/markdown")
    assert sent(a_field("a.md", b"\xff"), annotation) == blob("/w==", "text/markdown")
    assert sent(a_field("a.svg", b"<svg/>"), annotation) == text("<svg/>", "image/svg+xml")
    assert sent(a_field("a.png", b"x"), annotation) == blob("eA==", "image/png")
    assert sent(a_field("a", b"x"), annotation) == blob("eA==")
    assert sent(a_field("a.md", b""), annotation) == text("", "text/markdown")


def test_what_is_declared_goes_before_the_name_and_the_name_before_the_uri() -> None:
    file = a_field("a.md", b"x")

    assert sent(file, mime_type="text/csv") == text("x", "text/csv")
    assert sent(file, mime_type="image/png") == blob("eA==", "image/png")
    assert sent(file, uri="library://a.csv") == text("x", "text/markdown")
    assert sent(a_field("a", b"x"), uri="library://a.png") == blob("eA==", "image/png")


@pytest.mark.parametrize("annotation", [EMPTY, IO[bytes], io.BufferedReader])
def test_an_open_file_is_read_and_closed(annotation: Any, tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes(b"x")
    file = path.open("rb")

    assert sent(file, annotation) == text("x")
    assert file.closed


def test_a_field_without_a_file_is_not_sent_as_nothing() -> None:
    assert refused(a_field()) == "The file field is empty: raise Http404 where there is no file."


@override_settings(MCP_DJANGO={"MAX_RESULT_BYTES": 1000})
def test_a_file_that_is_too_large() -> None:
    words = "The file has 2,000 bytes, more than the {} that this server sends."

    assert refused(a_field("a.png", b"x" * 2000)) == words.format(750)
    assert refused(a_field("a.txt", b"x" * 2000)) == words.format("1,000")
    assert len(sent(a_field("a.txt", b"x" * 1000))[0]["text"]) == 1000


# By hand.


def test_contents_by_hand_are_sent_as_they_are() -> None:
    several = [
        ResourceContents("a"),
        ResourceContents(data=b"x", uri="library://covers/1.png"),
        ResourceContents(data=b"x", uri="library://covers/2", mime_type="image/gif"),
    ]
    expected = [
        {"uri": URI, "text": "a"},
        {"uri": "library://covers/1.png", "mimeType": "image/png", "blob": "eA=="},
        {"uri": "library://covers/2", "mimeType": "image/gif", "blob": "eA=="},
    ]

    for annotation in (EMPTY, list[ResourceContents], tuple[ResourceContents, ...]):
        assert sent(several, annotation) == expected
        assert sent(tuple(several), annotation) == expected
    assert sent(several[0], ResourceContents) == expected[:1]
    assert sent(several[0], ResourceContents | None, mime_type="text/css") == text("a", "text/css")


def test_files_by_hand_are_read() -> None:
    def one(**more: Any) -> ResourceContents:
        return ResourceContents(data=ContentFile(b"x", name="a.md"), **more)

    assert sent(one()) == text("x", "text/markdown")
    assert sent(one(mime_type="image/png")) == blob("eA==", "image/png")
    assert sent(one(), mime_type="text/css") == text("x", "text/css")
    other = {"uri": "a:b", "mimeType": "text/markdown", "text": "x"}
    assert sent(one(uri="a:b"), mime_type="text/css") == [other]
    nameless = ResourceContents(data=io.BytesIO(b"x"), uri="a:b.txt")
    assert sent(nameless) == [{"uri": "a:b.txt", "mimeType": "text/plain", "text": "x"}]


def test_the_meta_of_contents_is_json() -> None:
    by_hand = ResourceContents("a", meta={"example.com/due": date(2026, 1, 2)})

    assert sent(by_hand)[0]["_meta"] == {"example.com/due": "2026-01-02"}
    assert "has no JSON form" in refused(ResourceContents("a", meta={"a": object()}))


def test_bytes_by_hand_have_the_type_of_the_resource() -> None:
    assert sent(ResourceContents(data=b"x"), uri="library://a.png") == blob("eA==", "image/png")
    assert sent(ResourceContents(data=b"x"), mime_type="image/gif") == blob("eA==", "image/gif")


# What can't be.


@pytest.mark.parametrize(
    ("annotation", "value"),
    [
        (EMPTY, None),
        (str, None),
        (dict | None, None),
        (list[ResourceContents], []),
        (ResourceContents | list[ResourceContents], ()),
    ],
)
def test_nothing_is_never_sent_as_contents(annotation: Any, value: Any) -> None:
    assert refused(value, annotation) == (
        'book returned nothing. Return "" where it is empty, or raise ToolError with the reason.'
    )
    made = rule_of(annotation, uri="library://books/{isbn}")
    with pytest.raises(InvalidResult, match=r"nothing\. Raise Http404 where there is nothing to"):
        made.convert(value)


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (Path("/srv/a"), r"book returned PosixPath: return path.read_text()"),
        (Text("a"), "book returned Text: that is for tools and prompts; a resource returns str"),
        ([Text("a")], "book returned list: that is for tools and prompts"),
        (ToolResult("a"), "book returned ToolResult: that is for tools"),
        (PromptMessage("a"), "book returned PromptMessage: that is for tools and prompts"),
        (PromptResult("a"), "book returned PromptResult: that is for tools and prompts"),
        (Book(), "book returned Book: say what to show of it with returns="),
        (Book.objects.all(), "book returned QuerySet: say what to show of it with returns="),
        ((c for c in "ab"), "book returned generator: return one text"),
        ([ResourceContents("a"), "b"], "a list of ResourceContents with str among them: make each"),
    ],
)
def test_values_that_are_no_contents(value: Any, words: str) -> None:
    assert words in refused(value)


def test_a_row_that_can_be_read_is_no_file() -> None:
    with isolate_apps("tests.app"):

        class Letter(Book):
            def read(self) -> bytes:
                return b"Dear"

            class Meta:
                app_label = "app"
                proxy = True

    assert refused(Letter()).startswith("book returned Letter: say what to show of it")


def test_a_value_of_another_kind_than_the_type_says() -> None:
    assert refused(b"x", str) == "book returned bytes, where text was promised."
    assert refused("x", bytes) == "book returned str, where bytes was promised."
    assert refused(5, str | ResourceContents) == (
        "book returned int, where text or ResourceContents was promised."
    )
    assert refused(ResourceContents("x"), str) == (
        "book returned ResourceContents, where text was promised."
    )


@pytest.mark.parametrize(
    ("annotation", "words"),
    [
        (None, "^book returns nothing, and reading a resource gives contents"),
        (NoReturn, "^book returns nothing"),
        (Book, r"^A resource cannot return Book\. Say what to show of it with returns= and a"),
        (QuerySet[Book], r"A resource cannot return .*QuerySet.*\. Say what to show of it"),
        (list[Book], r"list\[.*Book\]\. Say what to show of it with returns="),
        (Path, r"cannot return Path\. Return path\.read_text\(\)"),
        (list[Path], r"\. Return path\.read_text\(\)"),
        (Text, r"cannot return Text\. That is for tools and prompts"),
        (list[Block | str], r"\. That is for tools and prompts"),
        (ToolResult, "That is for tools and prompts"),
        (PromptResult, "That is for tools and prompts"),
        (Iterator[str], r'cannot return Iterator\[str\]\. Return one text, such as ""\.join'),
        (Generator[str, None, None], "Return one text"),
        (Iterable[str], "Return one text"),
        (list[ResourceContents | str], r"\. Make each of its items ResourceContents\."),
        (Iterator[ResourceContents], r"\. Return a list of ResourceContents\."),
        (
            FileField,
            r"FileField\. Annotate django\.db\.models\.fields\.files\.FieldFile, which "
            r"the value of the field is, or django\.core\.files\.File\.$",
        ),
        (
            ImageField | None,
            r"ImageField\. Annotate django\.db\.models\.fields\.files\.ImageFieldFile",
        ),
        (serializers.FileField, r"cannot return FileField\. Annotate .*\.FieldFile, which"),
        (CharField, r"cannot return CharField\. Annotate what the value of the field is, such as"),
        (TextIO, r"cannot return TextIO, a file of text\. Open it with"),
        (IO[str], r"a file of text\. Open it with"),
        (io.StringIO, r"a file of text\. Open it with"),
        (Awaitable, "does not say of what"),
        (dict[int, str], "has keys that are no str"),
        (list[int] | set[int], "In JSON nothing tells"),
        ("Unknown", "stands for nothing"),
    ],
)
def test_types_that_a_resource_cannot_return(annotation: Any, words: str) -> None:
    with pytest.raises(DeclarationError, match=words):
        rule_of(annotation)


@pytest.mark.parametrize("returns", [{"a": serializers.CharField()}, serializers.CharField(), Book])
def test_what_is_no_serializer(returns: Any) -> None:
    with pytest.raises(DeclarationError):
        rule_of(EMPTY, returns)


@pytest.mark.parametrize(
    ("mime_type", "words"),
    [
        ("markdown", "mime_type='markdown' is no MIME type. Write one such as"),
        ("text/csv; charset=klingon", "names a charset that Python does not know"),
        ("text/csv; charset=base64", "names a charset that Python does not know"),
    ],
)
def test_a_declared_type_that_says_nothing(mime_type: str, words: str) -> None:
    with pytest.raises(DeclarationError, match=words):
        rule_of(str, mime_type=mime_type)


# What is known at start-up.


@pytest.mark.parametrize(
    ("annotation", "returns", "mime_type", "blocks"),
    [
        (str, None, "text/plain", False),
        (str | None, None, "text/plain", False),
        (LiteralString, None, "text/plain", False),
        (bytes, None, None, False),
        (dict, None, "application/json", False),
        (Receipt | list[int], None, "application/json", False),
        (Iterator[int], None, "application/json", True),
        (EMPTY, BookSerializer, "application/json", True),
        (EMPTY, NoteSerializer, "application/json", True),
        (Book | ResourceContents, BookSerializer, None, True),
        (str | dict, None, None, False),
        (str | bytes, None, None, False),
        (File, None, None, True),
        (ResourceContents, None, None, True),
        (list[ResourceContents], None, None, True),
        (Any, None, None, True),
        (EMPTY, None, None, True),
        (object | None, None, None, True),
    ],
)
def test_what_is_advertised_and_what_may_block(
    annotation: Any, returns: Any, mime_type: str | None, blocks: bool
) -> None:
    rule = rule_of(annotation, returns)

    assert (rule.mime_type, rule.blocks) == (mime_type, blocks)
    assert rule_of(annotation, returns, "text/x").mime_type == "text/x"


def test_a_fixed_uri_tells_the_type_of_bytes_beforehand() -> None:
    assert rule_of(bytes, uri="library://logo.png").mime_type == "image/png"
    assert rule_of(str, uri="library://logo.png").mime_type == "text/plain"
