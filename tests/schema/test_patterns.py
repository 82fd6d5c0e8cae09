"""Regular expressions of validators as patterns of a schema."""

from __future__ import annotations

import re
from typing import Any

import jsonschema_rs
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from mcp_django.schema.rendering.ecma import Untranslatable, ecma_pattern
from mcp_django.schema.rendering.patterns import leaves_no_room, portable

TRANSLATED = [
    (r"^[-a-zA-Z0-9_]+$", 0, r"^[-a-zA-Z0-9_]+$"),
    (r"\A(?:open|closed)\Z", 0, r"^(?:open|closed)$"),
    (r"^(?P<year>\d{4})-(?P=year)$", 0, r"^([0-9]{4})-(?:\1)$"),
    (r"(?i)^b[a-f]x$", 0, r"^[bB][a-fABCDEF][xX]$"),
    (r"^[-_b]é$", re.IGNORECASE, r"^[-_bB][éÉ]$"),
    (r"^ß$", re.IGNORECASE, "^[ß]$"),
    (r"(?x) a  b  # letters", 0, "ab"),
    (r"a.b", 0, "a.b"),
    (r"a.b", re.DOTALL, r"a[\s\S]b"),
    (r"a\-b\@c\ d", 0, "a-b@c d"),
    (r"x{,3}y{2}z{2,}?", 0, "x{0,3}y{2}z{2,}?"),
    (r"(?:ab)+(?:a|bc)*d??", 0, "(?:ab)+(?:a|bc)*d??"),
    (r"{a}[]a^-]", 0, r"\{a\}[\]a\^\-]"),
    (r"\x00[\x01-\x1f]\u2028\U0001f600", 0, "\\u0000[\\u0001-\\u001f]\\u2028\U0001f600"),
    (r"\bfoo\B(?<=o)(?<!p)", 0, r"\bfoo\B(?<=o)(?<!p)"),
    (r"(?a)\d\D\w\W[\s\S]", 0, None),
    (r"(?i:a)b", 0, "(?:[aA])b"),
    (r"[^x]", 0, "[^x]"),
    (r"\d\w\D", 0, "[0-9][A-Za-z0-9_][^0-9\\u0080-\U0010ffff]"),
    (r"\S", 0, r"[^\s\u001c-\u001f\u0085]"),
    (r"[\w-]", 0, r"[A-Za-z0-9_\-]"),
    (r"^(?!.*-$)", 0, r"^(?![^\n]*-(?=\n?$))"),
    (r"^a$", re.MULTILINE, "^a$"),
    (r"^é[é]a", re.IGNORECASE | re.ASCII, "^éé[aA]"),
]


@pytest.mark.parametrize(("pattern", "flags", "expected"), TRANSLATED)
def test_an_expression_is_translated(pattern: str, flags: int, expected: str | None) -> None:
    translated = ecma_pattern(re.compile(pattern, flags))
    jsonschema_rs.validator_for({"pattern": translated})
    assert expected is None or translated == expected


@pytest.mark.parametrize(
    "pattern",
    [r"a++", r"(?>a)", r"(a)?(?(1)b|c)", r"(?i)(?!a)", r"(?i)[^a]", r"(?i)[^à-ÿ]", r"(?m)(?!^a)"],
)
def test_what_has_no_counterpart_is_not_guessed(pattern: str) -> None:
    with pytest.raises(Untranslatable):
        ecma_pattern(re.compile(pattern))


PIECES = [
    *(r"a", r"B", r"é", r" ", r"\n", r"-", r".", r"\.", r"[a-c]", r"[^a-c]", r"[\w-]", r"[^\w]"),
    *(r"\d", r"\D", r"\w", r"\W", r"\s", r"\S", r"[^\s]", r"[^\S]", r"[\S ]", r"[\D\w]", r"[^\W_]"),
    *(r"[^\d]", r"[^x\D]", r"(?:a|\W)", r"(a|)", r"(?=\w)", r"(?!\W)", r"(?!\d)", r"(?!.)", r"$"),
]
FLAGS = [0, re.IGNORECASE, re.ASCII, re.DOTALL, re.MULTILINE, re.ASCII | re.IGNORECASE]
QUANTIFIERS = ["", "", "*", "+?", "?", "{2}"]


@st.composite
def expressions(draw: st.DrawFn) -> re.Pattern[str]:
    """Expressions made of pieces on which the two dialects differ."""
    parts = []
    for piece in draw(st.lists(st.sampled_from(PIECES), min_size=1, max_size=4)):
        can_repeat = not piece.startswith(("(?=", "(?!", "$"))
        parts.append(piece + (draw(st.sampled_from(QUANTIFIERS)) if can_repeat else ""))
    start, end = draw(st.sampled_from(["^", ""])), draw(st.sampled_from(["$", r"\Z", ""]))
    return re.compile(f"{start}{''.join(parts)}{end}", draw(st.sampled_from(FLAGS)))


TEXTS = st.text(st.sampled_from("aAbB1_-. \t\n\r\0\x1c\x85\xa0éÉ٣\u2003\u2028\ufeff😀"), max_size=5)


@given(expressions(), st.lists(TEXTS, min_size=5, max_size=15))
def test_a_translation_is_never_looser(regex: re.Pattern[str], texts: list[str]) -> None:
    try:
        pattern = ecma_pattern(regex)
    except Untranslatable:
        assume(False)
    validator = jsonschema_rs.validator_for({"pattern": pattern})
    assert [t for t in texts if validator.is_valid(t) and not regex.search(t)] == []


@given(expressions(), st.lists(TEXTS, min_size=5, max_size=15))
def test_under_a_negation_it_is_never_stricter(regex: re.Pattern[str], texts: list[str]) -> None:
    try:
        pattern = ecma_pattern(regex, larger=True)
    except Untranslatable:
        assume(False)
    validator = jsonschema_rs.validator_for({"pattern": pattern})
    assert [t for t in texts if regex.search(t) and not validator.is_valid(t)] == []


@given(expressions(), st.lists(TEXTS, min_size=5, max_size=15))
def test_where_no_room_is_left_a_match_is_trimmed(regex: re.Pattern[str], texts: list[str]) -> None:
    if leaves_no_room(regex):
        for text in filter(regex.fullmatch, texts):
            assert text == text.strip() != ""
            assert "\0" not in text


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        (r"^\d{3} \d{4}$", True),
        (r"^(a|b)c(?:d+|e)\Z", True),
        (r"^\w+\s?\w$", True),
        (r"^(?=x)\w+$", False),
        (r"^\d*$", False),
        (r"^(a|)$", False),
        (r"^()$", False),
        (r"^a.c$", False),
        (r"^a \n$", False),
        (r"^a\D$", False),
        (r"\d+", False),
        (r"(?m)^\d+$", False),
    ],
)
def test_what_leaves_no_room(pattern: str, expected: bool) -> None:
    assert leaves_no_room(re.compile(pattern)) is expected


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        (r"^\p{L}+$", r"^\p{L}+$"),
        (r"^(?<year>\d{4})$", r"^(?<year>\d{4})$"),
        (r"\A(?P<x>a)\Z", "^(a)$"),
        (r"(?>a)", None),
        (r"(?P<x", None),
    ],
)
def test_an_authors_own_pattern(pattern: str, expected: Any) -> None:
    assert portable(pattern) == expected
