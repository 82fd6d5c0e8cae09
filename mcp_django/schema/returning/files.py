"""Files that results hold, read when these are converted.

All files of one result share ``MAX_RESULT_BYTES``, counted as they are sent: base64 grows
by a third. Each is read from its beginning, in chunks, and all are closed at the end, as
Django's ``FileResponse`` does.
"""

from __future__ import annotations

import inspect
import io
import logging
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from typing import Any, Self

from asgiref.sync import iscoroutinefunction
from django.core.files.base import File
from django.db.models.fields.files import FieldFile

from mcp_django.conf import settings
from mcp_django.protocol.content import Block, EmbeddedResource
from mcp_django.protocol.contents import ResourceContents
from mcp_django.protocol.files import BinaryFile, name_of, unread
from mcp_django.protocol.mime_types import decoded, guessed, guessed_of_uri, is_textual
from mcp_django.schema.returning.told import WITH_WORDS
from mcp_django.schema.returning.unsendable import TooLong, Unsendable, too_long

logger = logging.getLogger("mcp_django")

_CHUNK = 64 * 1024
_CLOSED = "The file was closed before it could be read: return it open, or return its bytes."
_ASYNC = "The file cannot be read: its read() is async: read it and return the bytes."
_TEXT_MODE = 'The file is open in text mode: open it with "rb", or return its text.'


class Reading:
    """The reading of the files that blocks or contents hold; a context manager."""

    def __init__(self, holders: Iterable[object]) -> None:
        found = [unread(holder) for holder in holders]
        self._files: list[Any] = [file for file in found if file is not None]
        self._left = self._most = settings.MAX_RESULT_BYTES

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        with ExitStack() as closing:  # one that fails keeps none of the others open
            for file in self._files:
                if hasattr(file, "close"):
                    closing.callback(_close, file)

    def block(self, block: Block) -> Block:
        """The same block with what its file holds in place of the file; or as it is."""
        file = unread(block)
        if file is None:
            return block
        if isinstance(block, EmbeddedResource):
            mime_type = block.mime_type or guessed(name_of(file)) or guessed_of_uri(block.uri)
            return replace(block, mime_type=mime_type, **self._text_or_data(file, mime_type))
        return replace(block, data=self.read(file))  # type: ignore[call-arg]  # media alone

    def contents(self, contents: ResourceContents, mime_type: str | None) -> ResourceContents:
        """The same contents, read; ``mime_type`` is what the resource declares.

        What the author said goes before the file's name, and that before a URI.
        """
        file = unread(contents)
        if file is None:
            return contents
        declared = None if contents.uri else mime_type
        told = contents.mime_type or declared or guessed(name_of(file))
        if told is None:
            told = guessed_of_uri(contents.uri) if contents.uri else None
        return replace(contents, mime_type=told, **self._text_or_data(file, told))

    def _text_or_data(self, file: BinaryFile, mime_type: str | None) -> dict[str, Any]:
        if mime_type is None or not is_textual(mime_type):
            return {"data": self.read(file)}
        data = self._read(file, self._left)
        if len(data) > self._left:  # cut short, perhaps in the middle of a character
            raise self._too_large(file, len(data), base64=False)
        text = decoded(data, mime_type)
        self._count(file, len(data), base64=text is None)
        return {"data": data} if text is None else {"text": text, "data": None}

    def read(self, file: BinaryFile) -> bytes:
        """The bytes of a file that is sent in base64; raises ``InvalidResult``."""
        data = self._read(file, _before_base64(self._left))
        self._count(file, len(data), base64=True)
        return data

    def _count(self, file: BinaryFile, size: int, *, base64: bool) -> None:
        sent = (size + 2) // 3 * 4 if base64 else size
        if sent > self._left:
            raise self._too_large(file, size, base64=base64)
        self._left -= sent

    def _read(self, file: BinaryFile, most: int) -> bytes:
        """All of a file, or, of one that is too large, enough to tell."""
        with _in_our_words():
            self._open(file)
            return _read_to(file, most)

    def _open(self, file: Any) -> None:
        if isinstance(file, FieldFile) and not file:
            raise Unsendable("The file field is empty: raise Http404 where there is no file.")
        if isinstance(file, File) and file.closed:
            try:
                file.open("rb")
            except ValueError as error:  # neither stored nor on the disk
                raise Unsendable(_CLOSED) from error
        elif getattr(file, "closed", False):
            raise Unsendable(_CLOSED)
        if iscoroutinefunction(file.read):
            raise Unsendable(_ASYNC)
        if _is_seekable(file):
            file.seek(0)

    def _too_large(self, file: Any, size: int, *, base64: bool) -> TooLong:
        with _in_our_words():
            is_seekable = _is_seekable(file)
            if is_seekable:
                file.seek(0, io.SEEK_END)
                size = file.tell()
        most = _before_base64(self._most) if base64 else self._most
        if size <= most:
            return TooLong(
                "The files of this result are together more than this server sends. "
                "Return fewer of them, or links to resources."
            )
        return too_long("The file has" if is_seekable else "The file has at least", size, most)


@contextmanager
def _in_our_words() -> Iterator[None]:
    """What a file or its storage raises, in words that name no path and no server of theirs."""
    try:
        yield
    except WITH_WORDS:
        raise
    except UnicodeDecodeError as error:  # none but a file of text decodes
        raise Unsendable(_TEXT_MODE) from error
    except FileNotFoundError as error:
        logger.exception("A file that a result holds is not there.")
        raise Unsendable("The file is not there any more.") from error
    except Exception as error:
        logger.exception("A file that a result holds cannot be read.")
        raise Unsendable(f"The file cannot be read ({type(error).__name__}).") from error


def _close(file: Any) -> None:
    """Close a file; what fails there is for the log, since all of it has been read."""
    try:
        _dropped(file.close())
    except Exception:
        logger.exception("A file that a result holds cannot be closed.")


def _dropped(given: Any) -> bool:
    """Whether this was to be awaited; if so, it is not, and Python need not warn of it."""
    if not inspect.isawaitable(given):
        return False
    close = getattr(given, "close", None)
    if close is not None:
        close()
    return True


def _before_base64(size: int) -> int:
    return size // 4 * 3


def _is_seekable(file: Any) -> bool:
    seekable = getattr(file, "seekable", None)
    return seekable is not None and bool(seekable())


def _read_to(file: BinaryFile, most: int) -> bytes:
    """At most one byte more than ``most``."""
    data = bytearray()
    while len(data) <= most:
        chunk: Any = file.read(min(_CHUNK, most + 1 - len(data)))
        if isinstance(chunk, str):
            raise Unsendable(_TEXT_MODE)
        if _dropped(chunk):
            raise Unsendable(_ASYNC)
        if not chunk:
            break
        data += chunk
    return bytes(data)
