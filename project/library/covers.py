"""Covers of books that have none: a pattern of coloured squares, different for each book."""

from __future__ import annotations

import hashlib
import itertools
import struct
import zlib
from collections.abc import Iterator

COLUMNS, ROWS, SQUARE = 6, 9, 24


def cover_png(key: str) -> bytes:
    """A PNG of 144 by 216 pixels; the same for the same key."""
    colours, pattern = _design(key)
    pixels = bytearray()
    for row in range(ROWS):
        squares = (pattern[row * COLUMNS + min(x, COLUMNS - 1 - x)] for x in range(COLUMNS))
        line = bytes(itertools.chain([0], *([square] * SQUARE for square in squares)))
        pixels += line * SQUARE
    header = struct.pack(">IIBBBBB", COLUMNS * SQUARE, ROWS * SQUARE, 8, 3, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        _chunk(kind, data)
        for kind, data in (
            (b"IHDR", header),
            (b"PLTE", colours),
            (b"IDAT", zlib.compress(bytes(pixels))),
            (b"IEND", b""),
        )
    )


def _design(key: str) -> tuple[bytes, list[int]]:
    """Three colours as a palette, and the number of a colour for each square."""
    bits = _bytes(key)
    ink = bytes(next(bits) // 2 for _ in range(3))
    accent = bytes(96 + next(bits) // 2 for _ in range(3))
    paper = bytes(208 + next(bits) // 8 for _ in range(3))
    return ink + accent + paper, [next(bits) % 3 for _ in range(ROWS * COLUMNS)]


def _bytes(key: str) -> Iterator[int]:
    for number in itertools.count():
        yield from hashlib.sha256(f"{number}:{key}".encode()).digest()


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
