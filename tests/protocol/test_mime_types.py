"""MIME types: what names and URIs tell, and which types are text."""

from __future__ import annotations

import pytest

from mcp_django.protocol.mime_types import (
    charset_of,
    decoded,
    guessed,
    guessed_of_uri,
    has_known_charset,
    is_mime_type,
    is_textual,
)


@pytest.mark.parametrize(
    ("name", "mime_type"),
    [
        ("cover.png", "image/png"),
        ("COVER.JPG", "image/jpeg"),
        ("loan.wav", "audio/wav"),
        ("settings.YAML", "application/yaml"),
        ("pyproject.toml", "application/toml"),
        ("cover.webp", "image/webp"),
        ("books.csv", "text/csv"),
        ("books.csv.gz", "application/gzip"),
        ("books.tar.xz", "application/x-xz"),
        ("books.csv.Z", "application/octet-stream"),
        ("scheme:what?.png", "image/png"),
        ("surrogate\ud800.png", "image/png"),
        ("books", None),
        ("", None),
        (None, None),
    ],
)
def test_the_ending_of_a_name_tells_the_type(name: str | None, mime_type: str | None) -> None:
    assert guessed(name) == mime_type


@pytest.mark.parametrize(
    ("uri", "mime_type"),
    [
        ("library://covers/1.png", "image/png"),
        ("library://cover.png", "image/png"),
        ("library:cover.png", "image/png"),
        ("library://covers/{isbn}.png", "image/png"),
        ("library://covers/1.png?size=2.gif#a.pdf", "image/png"),
        ("library://covers/1.png{?size}", "image/png"),
        ("library://covers/1.png{&size}", "image/png"),
        ("https://example.com", None),
        ("https://example.com/a.json", "application/json"),
        ("library://[covers/1.png", "image/png"),
        ("library://covers/1", None),
        ("library://covers.png/1", None),
    ],
)
def test_the_last_segment_of_a_uri_tells_the_type(uri: str, mime_type: str | None) -> None:
    assert guessed_of_uri(uri) == mime_type


@pytest.mark.parametrize(
    ("mime_type", "textual"),
    [
        ("text/plain", True),
        ("Text/CSV; charset=latin-1", True),
        ("application/json", True),
        ("application/geo+json", True),
        ("application/atom+xml", True),
        ("application/yaml", True),
        ("image/svg+xml", True),
        ("image/png", False),
        ("application/octet-stream", False),
        ("application/jsonish", False),
    ],
)
def test_types_of_text(mime_type: str, textual: bool) -> None:
    assert is_textual(mime_type) is textual


@pytest.mark.parametrize(
    ("text", "valid"),
    [
        ("text/plain", True),
        ("application/vnd.api+json; charset=utf-8", True),
        ("text", False),
        ("text/", False),
        ("text/plain charset=utf-8", False),
        ("", False),
    ],
)
def test_the_form_of_a_type(text: str, valid: bool) -> None:
    assert is_mime_type(text) is valid


def test_the_charset_is_a_parameter_and_utf_8_without_one() -> None:
    assert charset_of("text/csv; header=present; charset=Latin-1") == "latin-1"
    assert charset_of("text/csv") == charset_of("text/csv; charset=UTF8") == "utf-8-sig"


@pytest.mark.parametrize(
    ("charset", "known"), [("utf-16", True), ("Latin-1", True), ("klingon", False), ("hex", False)]
)
def test_charsets_that_python_knows(charset: str, known: bool) -> None:
    assert has_known_charset(f"text/csv; charset={charset}") is known


@pytest.mark.parametrize(
    ("data", "mime_type", "text"),
    [
        ("é".encode(), "text/plain", "é"),
        ("\ufeffé".encode(), "text/plain; charset=utf-8", "é"),
        ("é".encode("latin-1"), "text/plain; charset=latin-1", "é"),
        ("é".encode("latin-1"), "text/plain", None),
        (b"a", "text/plain; charset=klingon", None),
        (b"a\x00b", "text/plain", None),
        (b"a", "image/png", None),
        (b"a", None, None),
    ],
)
def test_bytes_are_text_where_their_type_and_they_say_so(
    data: bytes, mime_type: str | None, text: str | None
) -> None:
    assert decoded(data, mime_type) == text
