"""Content blocks, as each revision has them on the wire."""

from __future__ import annotations

import base64
import io
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcp_django.protocol.content import (
    Annotations,
    Audio,
    Block,
    EmbeddedResource,
    Icon,
    Image,
    ResourceLink,
    Text,
    clean,
)
from mcp_django.protocol.versions import (
    V2025_03_26,
    V2025_06_18,
    V2025_11_25,
    V2026_07_28,
)


@pytest.mark.parametrize(
    ("block", "wire"),
    [
        (Text("Hello <b>"), {"type": "text", "text": "Hello <b>"}),
        (
            Image(b"\x89PNG", "image/png"),
            {"type": "image", "data": "iVBORw==", "mimeType": "image/png"},
        ),
        (
            Audio(memoryview(b"RIFF"), "audio/wav"),  # type: ignore[arg-type]
            {"type": "audio", "data": "UklGRg==", "mimeType": "audio/wav"},
        ),
        (
            EmbeddedResource("library://a", text="A", mime_type="text/plain"),
            {
                "type": "resource",
                "resource": {"uri": "library://a", "mimeType": "text/plain", "text": "A"},
            },
        ),
        (
            EmbeddedResource("library://a", data=b""),
            {"type": "resource", "resource": {"uri": "library://a", "blob": ""}},
        ),
        (
            ResourceLink("library://a", "a", title="A", description="An A", size=0),
            {
                "type": "resource_link",
                "uri": "library://a",
                "name": "a",
                "title": "A",
                "description": "An A",
                "size": 0,
            },
        ),
    ],
)
def test_a_block_on_the_wire(block: Block, wire: dict[str, Any]) -> None:
    assert block.to_wire(V2026_07_28) == wire


def test_annotations_and_meta() -> None:
    moment = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
    block = Text("x", Annotations(["user"], 0.5, moment), meta={"example.com/a": 1})

    told = {"audience": ["user"], "priority": 0.5, "lastModified": "2026-01-02T03:04:05+00:00"}
    wire = {"type": "text", "text": "x", "annotations": told, "_meta": {"example.com/a": 1}}
    assert block.to_wire(V2025_06_18) == wire


def test_the_oldest_revision_knows_neither_meta_nor_the_time_of_a_change() -> None:
    block = Text("x", Annotations(priority=0, last_modified="2026-01-02"), meta={"a": 1})

    assert block.to_wire(V2025_03_26) == {
        "type": "text",
        "text": "x",
        "annotations": {"priority": 0},
    }


def test_an_audience_of_one_needs_no_list() -> None:
    assert Annotations("assistant") == Annotations(("assistant",))
    assert Annotations("assistant").to_wire(V2026_07_28) == {"audience": ["assistant"]}


def test_a_naive_time_of_a_change_is_refused() -> None:
    with pytest.raises(ValueError, match=r"naive datetime\. Make it aware"):
        Annotations(last_modified=datetime(2026, 1, 2))


def test_annotations_that_say_nothing_are_left_out() -> None:
    assert "annotations" not in Text("x", Annotations()).to_wire(V2026_07_28)


def test_the_oldest_revision_gets_a_link_in_words() -> None:
    link = ResourceLink("library://a", "a", mime_type="text/plain", icons=[Icon("data:,")])

    assert link.to_wire(V2025_03_26) == {"type": "text", "text": "a: library://a"}
    assert "icons" not in link.to_wire(V2025_06_18)
    assert link.to_wire(V2025_11_25)["icons"] == [{"src": "data:,"}]
    assert link.to_wire(V2025_11_25)["mimeType"] == "text/plain"


def test_an_icon_on_the_wire() -> None:
    icon = Icon("https://example.com/i.png", "image/png", ["48x48"], "dark")

    assert icon.to_wire() == {
        "src": "https://example.com/i.png",
        "mimeType": "image/png",
        "sizes": ["48x48"],
        "theme": "dark",
    }


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: Image("iVBORw==", "image/png"), "Image takes data as bytes"),  # type: ignore[arg-type]
        (lambda: Audio(None, "audio/wav"), "Audio takes data as bytes"),  # type: ignore[arg-type]
        (lambda: EmbeddedResource("a:b", data="x"), "EmbeddedResource takes data as bytes"),  # type: ignore[arg-type]
        (lambda: EmbeddedResource("a:b"), "exactly one of text= and data="),
        (lambda: EmbeddedResource("a:b", text="x", data=b"x"), "exactly one of"),
        (lambda: Annotations(priority=2), "from 0 to 1"),
        (lambda: Annotations(audience=["everyone"]), "everyone"),  # type: ignore[list-item]
        (lambda: Annotations(audience="everyone"), "everyone"),  # type: ignore[arg-type]
        (lambda: Image(Path("a.png")), r"not as a path: give path.read_bytes\(\)"),  # type: ignore[arg-type]
        (lambda: Image(io.BytesIO), "or as a file, not type"),  # type: ignore[arg-type]
        (lambda: Image(b"x"), "Image takes mime_type as a string, not NoneType"),
    ],
)
def test_a_mistake_is_told_where_the_block_is_made(make: Any, words: str) -> None:
    with pytest.raises((TypeError, ValueError), match=words):
        make()


def test_block_itself_is_no_block() -> None:
    with pytest.raises(NotImplementedError):
        Block().to_wire(V2026_07_28)


@pytest.mark.parametrize(
    ("text", "cleaned"),
    [
        ("tab\tline\nend\r\n <b> & é 漢 \u00a0", "tab\tline\nend\r\n <b> & é 漢 \u00a0"),
        ("nul\x00 bell\x07 escape\x1b[31m del\x7f c1\x9b", "nul bell escape[31m del c1"),
        ("lone \ud800 surrogate", "lone \ufffd surrogate"),
        ("pair \ud83d\ude00", "pair 😀"),
        ("\udc00\ud800", "\ufffd\ufffd"),
    ],
)
def test_text_is_cleaned_of_what_readers_choke_on(text: str, cleaned: str) -> None:
    assert clean(text) == cleaned
    assert Text(text).to_wire(V2026_07_28)["text"] == cleaned
    embedded = EmbeddedResource("a:b", text=text).to_wire(V2026_07_28)
    assert embedded["resource"]["text"] == cleaned


@given(st.text(st.characters(codec=None)))
def test_cleaned_text_has_utf_8_and_stays_clean(text: str) -> None:
    cleaned = clean(text)

    assert cleaned.encode().decode() == cleaned
    assert clean(cleaned) == cleaned
    assert not {ord(c) for c in cleaned} & ({*range(32), *range(0x7F, 0xA0)} - {9, 10, 13})


@given(st.binary())
def test_bytes_survive_the_wire(data: bytes) -> None:
    wire = Image(data, "image/png").to_wire(V2026_07_28)

    assert base64.b64decode(wire["data"]) == data


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: ResourceLink(5, "a"), "ResourceLink takes uri as a string, not int"),  # type: ignore[arg-type]
        (lambda: ResourceLink("a:b", None), "name as a string, not NoneType"),  # type: ignore[arg-type]
        (lambda: ResourceLink("a:b", "a", mime_type=b""), "mime_type as a string, not bytes"),  # type: ignore[arg-type]
        (lambda: ResourceLink("a:b", "a", size="x"), "size as a number of bytes, not str"),  # type: ignore[arg-type]
        (lambda: ResourceLink("a:b", "a", size=True), "size as a number of bytes, not bool"),
        (lambda: Image(b"x", None), "Image takes mime_type as a string"),  # type: ignore[arg-type]
        (lambda: Audio(b"x", 1), "Audio takes mime_type as a string"),  # type: ignore[arg-type]
        (lambda: EmbeddedResource(None, text="x"), "EmbeddedResource takes uri"),  # type: ignore[arg-type]
        (lambda: EmbeddedResource("a:b", text="x", mime_type=1), "takes mime_type"),  # type: ignore[arg-type]
    ],
)
def test_a_field_of_another_type_fails_where_the_block_is_made(make: Any, words: str) -> None:
    with pytest.raises(TypeError, match=words):
        make()


@pytest.mark.parametrize("uri", ["file:///\udcff", "a:\x00"])
def test_a_uri_that_cannot_be_sent_fails_where_the_block_is_made(uri: str) -> None:
    with pytest.raises(ValueError, match="ResourceLink: no URI has the characters"):
        ResourceLink(uri, "a")
    with pytest.raises(ValueError, match="EmbeddedResource: no URI has the characters"):
        EmbeddedResource(uri, text="x")


def test_the_name_of_a_link_is_cleaned() -> None:
    link = ResourceLink("file:///a", "caf\udcc3\x00e", mime_type="text/plain", size=3)
    assert link.to_wire(V2026_07_28) == {
        "type": "resource_link",
        "uri": "file:///a",
        "name": "caf\ufffde",
        "mimeType": "text/plain",
        "size": 3,
    }
