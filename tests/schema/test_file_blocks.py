"""Content blocks made from files: read when the result is converted, then closed."""

from __future__ import annotations

import gzip
import io
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.core.exceptions import SuspiciousFileOperation
from django.core.files import File
from django.core.files.base import ContentFile
from django.core.files.storage import FileSystemStorage, InMemoryStorage, Storage
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import models
from django.http import Http404
from django.test import override_settings
from django.test.utils import isolate_apps

from mcp_django.invocation.faults import ToolError
from mcp_django.protocol.content import Audio, EmbeddedResource, Image, Text
from mcp_django.protocol.versions import V2026_07_28
from mcp_django.schema.errors import InvalidResult
from mcp_django.schema.results import ToolResult
from mcp_django.schema.returning.presentation import has_files, presented
from tests.schema.returned import convert

PNG = b"\x89PNG\r\n\x1a\n"


def a_cover(storage: Storage, name: str = "") -> Any:
    """The file field of a model's instance."""
    with isolate_apps("tests.app"):

        class Cover(models.Model):
            image = models.FileField(storage=storage)

            class Meta:
                app_label = "app"

            def __str__(self) -> str:
                return self.image.name

    return Cover(image=name).image


@pytest.fixture
def png(tmp_path: Path) -> Path:
    path = tmp_path / "cover.png"
    path.write_bytes(PNG)
    return path


@pytest.mark.parametrize("annotation", [Any, Image, list[Image], Image | None])
def test_a_stored_file_becomes_a_picture(annotation: Any, png: Path) -> None:
    field = a_cover(FileSystemStorage(png.parent), "cover.png")

    outcome = convert(annotation, Image(field))

    assert outcome.content == (Image(PNG, "image/png"),)
    assert field.closed


def test_making_a_block_opens_nothing(tmp_path: Path) -> None:
    field = a_cover(FileSystemStorage(tmp_path), "covers/none.png")

    assert Image(field).mime_type == "image/png"


def test_any_binary_file_will_do(png: Path) -> None:
    with tempfile.NamedTemporaryFile(suffix=".png") as temporary:
        temporary.write(PNG)
        temporary.flush()
        for file in (
            png.open("rb"),
            File(png.open("rb")),
            ContentFile(PNG, name="a.png"),
            SimpleUploadedFile("a.png", PNG),
            temporary,
        ):
            assert convert(Any, Image(file)).content == (Image(PNG, "image/png"),)  # type: ignore[arg-type]


def test_an_opened_file_is_closed(png: Path) -> None:
    file = png.open("rb")
    convert(Image, Image(file))

    assert file.closed


def test_files_are_closed_also_where_one_cannot_be_read(png: Path) -> None:
    files = [png.open("rb"), png.open("r"), png.open("rb")]

    with pytest.raises(InvalidResult, match="text mode"):
        convert(Any, [Image(file) for file in files])  # type: ignore[arg-type]

    assert all(file.closed for file in files)


def test_a_file_is_read_from_its_beginning() -> None:
    """Pillow leaves a buffer at its end; a form has read what was uploaded."""
    buffer = io.BytesIO()
    buffer.write(PNG)

    assert convert(Image, Image(buffer, "image/png")).content == (Image(PNG, "image/png"),)


def test_what_cannot_go_back_is_read_from_where_it_is() -> None:
    class Download:
        """As an HTTP client gives it: neither seekable nor closed."""

        name = 3

        def __init__(self) -> None:
            self.parts = [b"RI", b"FF"]

        def read(self, size: int = -1) -> bytes:
            return self.parts.pop(0) if self.parts else b""

    assert convert(Audio, Audio(Download(), "audio/wav")).content == (Audio(b"RIFF", "audio/wav"),)


def test_one_file_may_be_shown_twice(png: Path) -> None:
    file = png.open("rb")
    field = a_cover(FileSystemStorage(png.parent), "cover.png")
    buffer = io.BytesIO(PNG)

    for twice in ([Image(file)] * 2, [Image(field)] * 2, [Image(buffer, "image/png")] * 2):
        assert convert(Any, twice).content == (Image(PNG, "image/png"),) * 2

    assert convert(Any, Image(field)).content == (Image(PNG, "image/png"),)  # opened again


def test_a_storage_of_another_kind() -> None:
    storage = InMemoryStorage()
    storage.save("cover.png", ContentFile(PNG))
    field = a_cover(storage, "cover.png")

    assert convert(Any, [Image(field), Image(field)]).content == (Image(PNG, "image/png"),) * 2


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: Image(io.BytesIO(PNG)), "Image: a file without a name tells no type of image"),
        (lambda: Image(ContentFile(b"", name="a/b.pdf")), "a file called 'b.pdf' tells no type"),
        (lambda: Audio(ContentFile(b"", name="a.png")), "tells no type of audio. Give mime_type="),
        (lambda: Image(a_cover(InMemoryStorage())), "a file without a name tells no type"),
    ],
)
def test_a_type_that_cannot_be_told_fails_where_the_block_is_made(make: Any, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        make()


# Where blocks stand.


def test_a_tool_result_and_a_generator_hold_files_too(png: Path) -> None:
    whole = ToolResult(["a", Image(png.open("rb"))], {"a": 1})

    def pictures() -> Iterator[Image]:
        yield Image(png.open("rb"))

    assert convert(Any, whole).content == (Text("a"), Image(PNG, "image/png"))
    assert convert(Iterator[Image], pictures()).content == (Image(PNG, "image/png"),)


def test_the_content_of_an_error_holds_files_too(png: Path) -> None:
    error = ToolError("Blurred", content=Image(png.open("rb")))

    assert presented(error.content) == (Image(PNG, "image/png"),)


def test_an_embedded_file_is_text_where_its_type_and_bytes_are() -> None:
    def sent(name: str, data: bytes, mime_type: str | None = None, uri: str = "a:b") -> Any:
        block = EmbeddedResource(uri, data=ContentFile(data, name=name), mime_type=mime_type)
        return convert(Any, block).content[0].to_wire(V2026_07_28)["resource"]

    assert sent("a.md", "é".encode()) == {"uri": "a:b", "mimeType": "text/markdown", "text": "é"}
    assert sent("a.md", b"\xff") == {"uri": "a:b", "mimeType": "text/markdown", "blob": "/w=="}
    assert sent("a.png", b"x") == {"uri": "a:b", "mimeType": "image/png", "blob": "eA=="}
    assert sent("a", b"x", "text/plain")["text"] == "x"
    assert sent("a", b"{}", uri="a:b.json")["text"] == "{}"
    assert sent("a", b"x") == {"uri": "a:b", "blob": "eA=="}


def test_what_reads_a_file_is_known_beforehand(png: Path) -> None:
    file = io.BytesIO(PNG)
    unread = Image(file, "image/png")

    assert has_files(unread)
    assert has_files(["a", unread])
    assert has_files(ToolResult(unread))
    assert not has_files([Image(PNG, "image/png"), "a", {"data": file}])
    assert not has_files(Text("a"))
    assert not has_files({"a": 1})


# What cannot be read.


def refused(block: Any) -> str:
    with pytest.raises(InvalidResult) as caught:
        convert(Any, block)
    return str(caught.value)


def test_a_field_without_a_file() -> None:
    words = "The file field is empty: raise Http404 where there is no file."

    assert refused(Image(a_cover(InMemoryStorage()), "image/png")) == words


def test_a_file_that_is_gone(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    field = a_cover(FileSystemStorage(tmp_path), "cover.png")

    assert refused(Image(field)) == "The file is not there any more."
    assert str(tmp_path) in caplog.text  # for the operator alone


def test_a_file_that_fails_when_it_is_read(png: Path, caplog: pytest.LogCaptureFixture) -> None:
    truncated = png.with_suffix(".gz")
    truncated.write_bytes(b"no gzip at all")

    words = refused(Image(gzip.open(truncated), "image/png"))  # noqa: SIM115 - converting closes it

    assert words == "The file cannot be read (BadGzipFile)."
    assert "Not a gzipped file" in caplog.text


@pytest.mark.parametrize("wrap", [lambda file: file, lambda file: File(file, name="gone")])
def test_a_closed_file(png: Path, wrap: Any) -> None:
    with png.open("rb") as file:
        block = Image(wrap(file), "image/png")

    assert refused(block).startswith("The file was closed before it could be read: return it open")


def test_a_closed_file_that_django_can_open_again(png: Path) -> None:
    with File(png.open("rb")) as file:
        block = Image(file)

    assert convert(Image, block).content == (Image(PNG, "image/png"),)


def test_a_file_of_text(png: Path) -> None:
    assert refused(Image(png.open("r"))).startswith("The file is open in text mode")  # type: ignore[arg-type]
    assert refused(Image(io.StringIO(), "image/png")).startswith("The file is open in text mode")  # type: ignore[arg-type]


# How much is sent.

LIMITED = override_settings(MCP_DJANGO={"MAX_RESULT_BYTES": 1000})


@LIMITED
def test_base64_counts_as_it_is_sent() -> None:
    fits, too_large = (Image(io.BytesIO(b"x" * size), "image/png") for size in (750, 751))

    assert convert(Any, fits).content[0].to_wire(V2026_07_28)["data"] == "eHh4" * 250
    assert refused(too_large) == (
        "The file has 751 bytes, more than the 750 that this server sends."
    )


@LIMITED
def test_a_large_file_is_not_read_whole(tmp_path: Path) -> None:
    path = tmp_path / "large.png"
    with path.open("wb") as sparse:
        sparse.truncate(2**40)

    assert refused(Image(path.open("rb"))) == (
        "The file has 1,099,511,627,776 bytes, more than the 750 that this server sends."
    )


@LIMITED
def test_a_stream_of_unknown_size_ends_where_the_limit_is() -> None:
    class Endless:
        def read(self, size: int = -1) -> bytes:
            return b"x" * size

    assert refused(Image(Endless(), "image/png")) == (
        "The file has at least 751 bytes, more than the 750 that this server sends."
    )


@LIMITED
def test_text_counts_as_text() -> None:
    def note(data: bytes) -> EmbeddedResource:
        return EmbeddedResource("a:b", data=io.BytesIO(data), mime_type="text/plain")

    assert convert(Any, note(b"x" * 1000)).content == (
        EmbeddedResource("a:b", text="x" * 1000, mime_type="text/plain"),
    )
    assert refused(note("é".encode() * 501)) == (
        "The file has 1,002 bytes, more than the 1,000 that this server sends."
    )
    assert refused(note(b"\xff" * 800)) == (
        "The file has 800 bytes, more than the 750 that this server sends."
    )


@LIMITED
def test_the_files_of_a_result_count_together() -> None:
    several = [Image(io.BytesIO(b"x" * 300), "image/png") for _ in range(3)]

    assert len(convert(Any, several[:2]).content) == 2
    several = [Image(io.BytesIO(b"x" * 300), "image/png") for _ in range(3)]
    assert refused(several).startswith("The files of this result are together more than this")


class Odd:
    """A file of an author's own, or of a storage, all of whose methods may be anything."""

    closed = False

    def __init__(self, **methods: Any) -> None:
        self.__dict__.update(methods)

    def read(self, size: int = -1) -> bytes:
        return b""


def _fails(error: Exception) -> Any:
    def fails(*given: Any) -> Any:
        raise error

    return fails


SECRET = "/srv/secret/cover.png"


@pytest.mark.parametrize("error", [SuspiciousFileOperation(SECRET), ValueError(SECRET)])
@pytest.mark.parametrize("method", ["read", "seekable"])
def test_what_a_storage_raises_names_no_path(
    error: Exception, method: str, caplog: pytest.LogCaptureFixture
) -> None:
    words = refused(Image(Odd(**{method: _fails(error)}), "image/png"))

    assert words == f"The file cannot be read ({type(error).__name__})."
    assert SECRET in caplog.text


def test_a_name_that_leads_out_of_its_storage(tmp_path: Path) -> None:
    field = a_cover(FileSystemStorage(tmp_path), "../../secret.png")

    assert refused(Image(field)) == "The file cannot be read (SuspiciousFileOperation)."


@LIMITED
def test_nor_does_what_measuring_it_raises() -> None:
    file = Odd(
        read=lambda size: b"x" * size,
        seekable=lambda: True,
        seek=lambda *to: None,
        tell=_fails(ValueError(SECRET)),
    )

    assert refused(Image(file, "image/png")) == "The file cannot be read (ValueError)."


@pytest.mark.parametrize("error", [ToolError("No."), Http404("Gone."), InvalidResult("Odd.")])
def test_what_is_raised_for_callers_reaches_them(error: Exception) -> None:
    with pytest.raises(type(error)) as caught:
        convert(Any, Image(Odd(read=_fails(error)), "image/png"))

    assert caught.value is error


def test_closing_that_fails_is_for_the_log(caplog: pytest.LogCaptureFixture) -> None:
    files = [Odd(close=_fails(OSError(SECRET))), io.BytesIO(PNG), Odd()]
    convert(Any, [Image(file, "image/png") for file in files])

    assert "A file that a result holds cannot be closed." in caplog.text
    assert SECRET in caplog.text


async def _later(*given: Any) -> bytes:
    return PNG


class Awaited:
    def __await__(self) -> Iterator[Any]:
        yield from ()


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("read", [_later, lambda size: _later(), lambda size: Awaited()])
def test_a_file_that_is_read_in_async_code(read: Any) -> None:
    file = Odd(read=read, seekable=lambda: False, close=_later)

    assert refused(Image(file, "image/png")) == (
        "The file cannot be read: its read() is async: read it and return the bytes."
    )
