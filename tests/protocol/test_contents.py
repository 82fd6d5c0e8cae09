"""The contents of resources, as each revision has them on the wire."""

from __future__ import annotations

import io
from typing import Any

import pytest
from django.utils.translation import gettext_lazy

from mcp_django.protocol.contents import ResourceContents
from mcp_django.protocol.versions import V2025_03_26, V2026_07_28

URI = "library://books/1"


@pytest.mark.parametrize(
    ("contents", "wire"),
    [
        (ResourceContents("A <b>"), {"uri": URI, "mimeType": "text/html", "text": "A <b>"}),
        (ResourceContents(""), {"uri": URI, "mimeType": "text/html", "text": ""}),
        (ResourceContents(data=b""), {"uri": URI, "mimeType": "text/html", "blob": ""}),
        (
            ResourceContents(data=b"\x89PNG", uri="a:b", mime_type="image/png"),
            {"uri": "a:b", "mimeType": "image/png", "blob": "iVBORw=="},
        ),
        (
            ResourceContents(text="a\x00\ud800", meta={"example.com/a": 1}),
            {
                "uri": URI,
                "mimeType": "text/html",
                "text": "a\ufffd",
                "_meta": {"example.com/a": 1},
            },
        ),
    ],
)
def test_contents_on_the_wire(contents: ResourceContents, wire: dict[str, Any]) -> None:
    assert contents.to_wire(URI, "text/html", V2026_07_28) == wire


def test_a_type_that_nobody_knows_is_left_out_of_text_and_guessed_for_bytes() -> None:
    def type_of(contents: ResourceContents, uri: str = URI) -> Any:
        return contents.to_wire(uri, None, V2026_07_28).get("mimeType")

    assert type_of(ResourceContents("x")) is None
    assert type_of(ResourceContents(data=b"x")) == "application/octet-stream"
    assert type_of(ResourceContents(data=b"x"), "library://covers/1.png") == "image/png"
    assert type_of(ResourceContents(data=b"x", uri="a:b.gif"), "a:b.png") == "image/gif"


def test_the_oldest_revision_knows_no_meta() -> None:
    wire = ResourceContents("x", meta={"a": 1}).to_wire(URI, None, V2025_03_26)

    assert wire == {"uri": URI, "text": "x"}


def test_a_lazy_text_is_read_when_it_is_sent() -> None:
    contents = ResourceContents(gettext_lazy("Yes"))  # type: ignore[arg-type]

    assert contents.to_wire(URI, None, V2026_07_28)["text"] == "Yes"


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: ResourceContents(), "takes exactly one of text= and data="),
        (lambda: ResourceContents("x", b"x"), "takes exactly one of text= and data="),
        (lambda: ResourceContents(b"x"), "text as a string, not bytes; bytes and files are data="),  # type: ignore[arg-type]
        (lambda: ResourceContents(data="x"), "ResourceContents takes data as bytes"),  # type: ignore[arg-type]
        (lambda: ResourceContents("x", uri="a:\x00"), "no URI has the characters"),
        (lambda: ResourceContents("x", mime_type=1), "mime_type as a string, not int"),  # type: ignore[arg-type]
    ],
)
def test_a_mistake_is_told_where_contents_are_made(make: Any, words: str) -> None:
    with pytest.raises((TypeError, ValueError), match=words):
        make()


def test_a_file_that_was_not_read_is_never_sent() -> None:
    with pytest.raises(TypeError, match="a file that has not been read"):
        ResourceContents(data=io.BytesIO(b"x")).to_wire(URI, None, V2026_07_28)
