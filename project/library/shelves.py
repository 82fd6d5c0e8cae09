"""Where books stand: shelf marks such as ``FIC AUS`` for a novel by Jane Austen."""

from __future__ import annotations

import functools
from collections.abc import Iterable

from project.library.models import search_words


class ShelfMarks:
    """Gives shelf marks. Provided to tools, one for the whole process."""

    # The first subject of a book that is named here decides.
    CLASSES = {
        "Children": "CHI",
        "Detective fiction": "CRI",
        "Science fiction": "SCF",
        "Novel": "FIC",
        "Short stories": "FIC",
        "Drama": "822",
        "Poetry": "821",
        "Epic poetry": "821",
        "Biography": "920",
        "Autobiography": "920",
        "History": "900",
        "Travel": "910",
        "Science": "500",
        "Philosophy": "100",
        "Religion": "200",
        "Politics": "320",
        "Economics": "330",
    }

    def mark(self, authors: Iterable[str], subjects: Iterable[str]) -> str:
        """The shelf mark of a book by these authors on these subjects."""
        told = {subject.casefold() for subject in subjects}
        classes = (mark for name, mark in self.CLASSES.items() if name.casefold() in told)
        return f"{next(classes, '000')} {_three_letters(next(iter(authors), ''))}"


@functools.cache
def _three_letters(author: str) -> str:
    words = search_words(author)
    return words[-1][:3].upper() if words else "ANO"
