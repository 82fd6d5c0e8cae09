"""What is known of a pattern: which dialect it is in, and what a match leaves room for."""

from __future__ import annotations

import re
from re import _constants as op  # type: ignore[attr-defined]
from typing import Any

from mcp_django.schema.rendering.ecma import REPEATS, Untranslatable, ecma_pattern, parsed

WHITESPACE = tuple(code for code in range(0x3001) if chr(code).isspace())

_PYTHON_ONLY = re.compile(r"\\[AZ]|\(\?(?:P|[aiLmsux#>(])")


def portable(pattern: str) -> str | None:
    """An author's own ``pattern``: as it is, translated where it is Python's, None if it can't."""
    if not _PYTHON_ONLY.search(pattern):
        return pattern
    try:
        return ecma_pattern(re.compile(pattern))
    except (re.error, Untranslatable):
        return None


def leaves_no_room(regex: re.Pattern[str]) -> bool:
    """Whether all that matches spans the whole text, is trimmed already and has no NUL."""
    items = parsed(regex)
    starts = (op.AT, op.AT_BEGINNING), (op.AT, op.AT_BEGINNING_STRING)
    ends = (op.AT, op.AT_END), (op.AT, op.AT_END_STRING)
    if len(items) < 3 or items[0] not in starts or items[-1] not in ends:
        return False
    if regex.flags & re.MULTILINE or not all(_excludes(item, (0,)) for item in items):
        return False
    return _is_solid(items[1]) and _is_solid(items[-2])


def _is_solid(item: tuple[Any, Any]) -> bool:
    """Whether at least one character must match here, and no whitespace can."""
    kind, value = item
    if kind is op.SUBPATTERN:
        inner = list(value[-1])
        return bool(inner) and _is_solid(inner[0]) and _is_solid(inner[-1])
    if kind is op.BRANCH:
        return all(branch and _is_solid((op.SUBPATTERN, [branch])) for branch in value[1])
    if kind in REPEATS:
        return value[0] > 0 and _is_solid((op.SUBPATTERN, value))
    return kind in (op.LITERAL, op.IN) and _excludes(item, WHITESPACE)


def _excludes(item: tuple[Any, Any], codes: tuple[int, ...]) -> bool:
    """Whether none of these characters can match here."""
    kind, value = item
    if kind is op.LITERAL:
        return value not in codes
    if kind is op.RANGE:
        return not any(value[0] <= code <= value[1] for code in codes)
    if kind is op.CATEGORY:
        return value in (op.CATEGORY_DIGIT, op.CATEGORY_WORD) or (
            value is op.CATEGORY_SPACE and codes == (0,)
        )
    if kind is op.IN:
        return all(_excludes(member, codes) for member in value)
    if kind is op.BRANCH:
        return all(_excludes(inner, codes) for branch in value[1] for inner in branch)
    if kind is op.SUBPATTERN or kind in REPEATS:
        return all(_excludes(inner, codes) for inner in value[-1])
    return kind in (op.AT, op.ASSERT, op.ASSERT_NOT)
