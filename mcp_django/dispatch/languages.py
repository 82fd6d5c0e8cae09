"""What is made once for each language."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar

T = TypeVar("T")

MOST = 32
"""Languages that are kept. A project may activate any tag that a caller names."""


class ByLanguage(Generic[T]):
    """Values by language; with more than ``MOST`` of them the oldest is dropped.

    None is the language of what is the same in all. Safe to use from several threads: at
    worst a value is made twice.
    """

    def __init__(self) -> None:
        self._values: dict[str | None, T] = {}

    def of(self, language: str | None, make: Callable[[], T]) -> T:
        """The value for a language, made where there is none."""
        found = self._values.get(language)
        if found is None:
            kept = list(self._values)
            for oldest in kept[: max(len(kept) + 1 - MOST, 0)]:
                self._values.pop(oldest, None)
            found = self._values[language] = make()
        return found
