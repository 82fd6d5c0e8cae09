"""The people, books and loans that the examples speak of."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest
from django.contrib.auth.models import User
from django.core.management.color import no_style
from django.db import connection

from tests.docs.library.models import Book, Branch, Loan
from tests.docs.runner import Runner, opened


@pytest.fixture
def people(db: None) -> dict[str, User]:
    """Ann and Ben, who have borrowed a book each, and a librarian."""
    ann, ben = (User.objects.create_user(name) for name in ("ann", "ben"))
    north = Branch.objects.create(pk=1, slug="north", name="North")
    south = Branch.objects.create(pk=2, slug="south", name="South")
    emma = Book.objects.create(pk=1, title="Emma", author="Jane Austen")
    dune = Book.objects.create(pk=2, title="Dune", author="Frank Herbert")
    Loan.objects.create(pk=1, book=emma, branch=north, member=ann, due_on=date(2030, 1, 15))
    Loan.objects.create(pk=2, book=dune, branch=south, member=ben, due_on=date(2030, 1, 22))
    with connection.cursor() as cursor:  # keys were given by hand
        for sql in connection.ops.sequence_reset_sql(no_style(), [Branch, Book, Loan]):
            cursor.execute(sql)
    librarian = User.objects.create_superuser("librarian")
    return {"ann": ann, "ben": ben, "librarian": librarian}


@pytest.fixture
def runner(
    people: dict[str, User],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    request: pytest.FixtureRequest,
) -> Iterator[Runner]:
    """Runs the examples of one page."""
    for opened_runner in opened(tmp_path, monkeypatch, request):
        opened_runner.names.update(people)
        yield opened_runner
