"""Files as the data of content: whatever has ``read()``, told from bytes and from text."""

from __future__ import annotations

import re
from typing import Any, Protocol, TypeAlias, TypeGuard

Bytes = (bytes, bytearray, memoryview)


class BinaryFile(Protocol):
    """A file open for reading bytes, or one that Django opens when it is read."""

    def read(self, size: int = ..., /) -> bytes:
        """At most ``size`` bytes; none of them at the end of the file."""


Data: TypeAlias = bytes | bytearray | memoryview | BinaryFile


def is_file(value: object) -> TypeGuard[BinaryFile]:
    """Whether this is an object with ``read()``.

    The class is asked first: asking a ``FieldFile`` itself would open it.
    """
    if isinstance(value, type):
        return False
    if is_file_class(type(value)):
        return True
    return not hasattr(type(value), "read") and callable(getattr(value, "read", None))


def is_file_class(cls: type) -> bool:
    """Whether instances of this class have ``read()``."""
    read = getattr(cls, "read", None)
    return callable(read) or isinstance(read, property)


def name_of(file: object) -> str | None:
    """The name of a file without its folders, None where it has none."""
    name: Any = getattr(file, "name", None)
    # An open file that has no name carries its number there.
    return re.split(r"[/\\]", name)[-1] if isinstance(name, str) else None


def unread(holder: object) -> BinaryFile | None:
    """The file that a block or contents hold and that has not been read, if they do."""
    data: Any = getattr(holder, "data", None)
    return None if data is None or isinstance(data, Bytes) else data
