"""Docstrings of every style, taken apart."""

from __future__ import annotations

import pytest

from mcp_django.schema.docstrings import parse

GOOGLE = """Extend one loan.

    The member keeps the book for longer.

    Args:
        loan_id: Number of the loan,
            as find_loans gives it.
        days (int, optional): How many days to add.

            Sundays count.

    Returns:
        When it is due.
    """

NUMPY = """Extend one loan.

    The member keeps the book for longer.

    Parameters
    ----------
    loan_id : int
        Number of the loan,
        as find_loans gives it.
    days : int, optional
        How many days to add.

        Sundays count.

    Returns
    -------
    date
        When it is due.
    """

REST = """Extend one loan.

    The member keeps the book for longer.

    :param loan_id: Number of the loan,
        as find_loans gives it.
    :type loan_id: int
    :param int days: How many days to add.
        Sundays count.
    :returns: When it is due.
    """


@pytest.mark.parametrize(
    ("doc", "rest"),
    [
        (GOOGLE, "Returns:\n    When it is due."),
        (NUMPY, "Returns\n-------\ndate\n    When it is due."),
        (REST, ":returns: When it is due."),
    ],
)
def test_each_style(doc: str, rest: str) -> None:
    found = parse(doc)
    assert found.arguments == {
        "loan_id": "Number of the loan, as find_loans gives it.",
        "days": "How many days to add. Sundays count.",
    }
    start = "Extend one loan.\n\nThe member keeps the book for longer.\n\n"
    assert found.description == start + rest


def test_arguments_at_the_end() -> None:
    found = parse("Add.\n\nArgs:\n    a: One.\n    b: Other.")
    assert found.description == "Add."
    assert found.arguments == {"a": "One.", "b": "Other."}
    numpy = parse("Add.\n\nParameters\n----------\na, b : int\n    Both.")
    assert numpy.description == "Add."
    assert numpy.arguments == {"a": "Both.", "b": "Both."}


def test_text_after_the_arguments_is_kept() -> None:
    found = parse("Add.\n\nArgs:\n    a: One.\n\nIt never overflows.")
    assert found.arguments == {"a": "One."}
    assert found.description == "Add.\n\nIt never overflows."


def test_a_docstring_without_arguments_is_kept_as_it_is() -> None:
    doc = "Find loans.\n\nExample:\n    find_loans(status='open')\n\n- one\n- two"
    assert parse(doc).description == doc
    assert parse(doc).arguments == {}


@pytest.mark.parametrize("doc", [None, "", "   \n "])
def test_nothing(doc: str | None) -> None:
    found = parse(doc)
    assert (found.description, found.arguments) == ("", {})


def test_what_no_style_can_read_is_text() -> None:
    doc = "Odd.\n\n:param\n\nArgs:\n    no colon here"
    assert parse(doc).description == doc


def test_an_argument_without_a_description_is_left_out() -> None:
    assert parse("Add.\n\n:param a:\n:param b: Other.").arguments == {"b": "Other."}
