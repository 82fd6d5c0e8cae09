"""Python's regular expressions as ECMA-262 ones, which is what JSON Schema's ``pattern`` holds.

A pattern in a schema may be stricter than the validator behind it, never looser: where the
two dialects differ (``\\d`` and ``\\w`` know Unicode in Python only, ``$`` allows a final
line feed there), the translation takes the smaller language, and the larger one wherever
a negation stands before it.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from re import _constants as op  # type: ignore[attr-defined]
from re import _parser as parser  # type: ignore[attr-defined]
from typing import Any, NamedTuple

SYNTAX = r"^$\.*+?()[]{}|"
CLASS_SYNTAX = r"\]^[-"
# No escape for characters beyond the first plane is understood everywhere.
NOT_ASCII = "\\u0080-\U0010ffff"

# Members of a class instead of \d, \w and their like, which know Unicode in some engines
# and not in others. Negated ones are ASCII's part alone, where the smaller is wanted.
_DIGIT, _NOT_DIGIT = "0-9", r"\u0000-/:-\u007f"
_WORD, _NOT_WORD = "A-Za-z0-9_", r"\u0000-/:-@\[-\^`{-\u007f"
_SMALLER = {
    op.CATEGORY_DIGIT: _DIGIT,
    op.CATEGORY_NOT_DIGIT: _NOT_DIGIT,
    op.CATEGORY_SPACE: r" \t-\r\u00a0",
    op.CATEGORY_NOT_SPACE: "!-~",
    op.CATEGORY_WORD: _WORD,
    op.CATEGORY_NOT_WORD: _NOT_WORD,
}
_LARGER = {
    op.CATEGORY_DIGIT: _DIGIT + NOT_ASCII,
    op.CATEGORY_NOT_DIGIT: _NOT_DIGIT + NOT_ASCII,
    op.CATEGORY_SPACE: r"\s\u001c-\u001f\u0085",  # not ECMA's, and Python's
    op.CATEGORY_NOT_SPACE: r"\S\ufeff",  # the other way round
    op.CATEGORY_WORD: _WORD + NOT_ASCII,
    op.CATEGORY_NOT_WORD: _NOT_WORD + NOT_ASCII,
}
_ASCII_ONLY = {  # under re.ASCII there is one answer
    op.CATEGORY_DIGIT: _DIGIT,
    op.CATEGORY_NOT_DIGIT: _NOT_DIGIT + NOT_ASCII,
    op.CATEGORY_SPACE: r" \t-\r",
    op.CATEGORY_NOT_SPACE: r"\u0000-\u0008\u000e-\u001f!-\u007f" + NOT_ASCII,
    op.CATEGORY_WORD: _WORD,
    op.CATEGORY_NOT_WORD: _NOT_WORD + NOT_ASCII,
}
_OPPOSITE = {
    op.CATEGORY_NOT_DIGIT: op.CATEGORY_DIGIT,
    op.CATEGORY_NOT_SPACE: op.CATEGORY_SPACE,
    op.CATEGORY_NOT_WORD: op.CATEGORY_WORD,
}


class Untranslatable(ValueError):
    """The expression has no counterpart in ECMA-262."""


class Scope(NamedTuple):
    """Flags in force, and whether the larger language is wanted (under a negation)."""

    flags: int
    larger: bool = False


def ecma_pattern(regex: re.Pattern[str], *, larger: bool = False) -> str:
    """The expression in ECMA-262; raises ``Untranslatable``."""
    scope = Scope(regex.flags, larger)
    return _sequence(parsed(regex), scope)


def parsed(regex: re.Pattern[str]) -> list[tuple[Any, Any]]:
    """The expression as Python's own parser sees it: operations with their values."""
    return list(parser.parse(regex.pattern, regex.flags & ~re.UNICODE))


def _sequence(items: list[Any], scope: Scope) -> str:
    if len(items) == 1 and items[0][0] is op.BRANCH:
        return _branches(items[0][1], scope)
    return "".join(_item(kind, value, scope) for kind, value in items)


def _branches(value: Any, scope: Scope) -> str:
    return "|".join(_sequence(list(branch), scope) for branch in value[1])


def _item(kind: Any, value: Any, scope: Scope) -> str:
    try:
        write = _WRITERS[kind]
    except KeyError:
        raise Untranslatable(f"{kind} has no counterpart.") from None
    return write(value, scope)


def _literal(code: int, scope: Scope) -> str:
    if _has_cases(code, scope):
        return f"[{_both_cases(code, scope)}]"
    return _character(code, SYNTAX)


def _not_literal(code: int, scope: Scope) -> str:
    return _class([(op.NEGATE, None), (op.LITERAL, code)], scope)


def _any(_: Any, scope: Scope) -> str:
    if scope.flags & re.DOTALL:
        return r"[\s\S]"
    return r"[^\n]" if scope.larger else "."


def _class(items: Any, scope: Scope) -> str:
    negated = items[0][0] is op.NEGATE
    members = items[1:] if negated else items
    if len(members) == 1 and members[0][1] in _OPPOSITE:
        negated, members = not negated, [(op.CATEGORY, _OPPOSITE[members[0][1]])]
    inner = scope._replace(larger=scope.larger ^ negated)
    # ``&&`` would be an intersection in some engines, so no member is written twice.
    texts = dict.fromkeys(_member(item, index, inner) for index, item in enumerate(members))
    return f"[{'^' if negated else ''}{''.join(texts)}]"


def _member(item: tuple[Any, Any], index: int, scope: Scope) -> str:
    kind, value = item
    if kind is op.CATEGORY:
        return _category(value, scope)
    if kind is op.RANGE:
        return _range(value[0], value[1], scope)
    if _has_cases(value, scope):
        return _both_cases(value, scope)
    return "-" if chr(value) == "-" and index == 0 else _character(value, CLASS_SYNTAX)


def _category(value: Any, scope: Scope) -> str:
    if scope.flags & re.ASCII:
        return _ASCII_ONLY[value]
    return (_LARGER if scope.larger else _SMALLER)[value]


def _range(low: int, high: int, scope: Scope) -> str:
    text = f"{_character(low, CLASS_SYNTAX)}-{_character(high, CLASS_SYNTAX)}"
    if not scope.flags & re.IGNORECASE:
        return text
    letters = [code for code in range(low, min(high, 0x7F) + 1) if chr(code).isalpha()]
    if scope.larger and (letters or high > 0x7F):
        raise Untranslatable("Letters of either case under a negation.")
    return text + "".join(dict.fromkeys(chr(code).swapcase() for code in letters))


def _has_cases(code: int, scope: Scope) -> bool:
    """Whether another character counts as the same; under re.ASCII only letters of it do."""
    known = code < 0x80 or not scope.flags & re.ASCII
    differs = chr(code).upper() != chr(code).lower()
    return bool(scope.flags & re.IGNORECASE) and known and differs


def _both_cases(code: int, scope: Scope) -> str:
    if scope.larger:
        raise Untranslatable("Letters of either case under a negation.")
    character = chr(code)
    both = dict.fromkeys([character, character.lower(), character.upper()])
    return "".join(form for form in both if len(form) == 1)


def _character(code: int, special: str) -> str:
    character = chr(code)
    if character in special:
        return "\\" + character
    return character if character.isprintable() else _escaped(code)


def _escaped(code: int) -> str:
    # Beyond the first plane no escape is understood everywhere; the character itself is.
    return f"\\u{code:04x}" if code <= 0xFFFF else chr(code)


def _group(value: Any, scope: Scope) -> str:
    number, added, removed, items = value
    inner = scope._replace(flags=(scope.flags | added) & ~removed)
    return f"({'' if number else '?:'}{_sequence(list(items), inner)})"


def _repeat(value: Any, scope: Scope) -> str:
    low, high, items = value
    text = _sequence(list(items), scope)
    if len(items) > 1 or items[0][0] in (op.BRANCH, *REPEATS):
        text = f"(?:{text})"
    return text + _quantifier(low, high)


def _quantifier(low: int, high: Any) -> str:
    if high is op.MAXREPEAT:
        return {0: "*", 1: "+"}.get(low, f"{{{low},}}")
    if (low, high) == (0, 1):
        return "?"
    return f"{{{low}}}" if low == high else f"{{{low},{high}}}"


def _at(value: Any, scope: Scope) -> str:
    if value in (op.AT_BOUNDARY, op.AT_NON_BOUNDARY):
        return r"\b" if value is op.AT_BOUNDARY else r"\B"
    if scope.larger and scope.flags & re.MULTILINE:
        raise Untranslatable("Lines under a negation.")
    if value is op.AT_END and scope.larger:
        return r"(?=\n?$)"
    return "$" if value in (op.AT_END, op.AT_END_STRING) else "^"


def _assert(value: Any, scope: Scope, sign: str = "=") -> str:
    direction, items = value
    return f"(?{'<' if direction < 0 else ''}{sign}{_sequence(list(items), scope)})"


def _assert_not(value: Any, scope: Scope) -> str:
    return _assert(value, scope._replace(larger=not scope.larger), "!")


REPEATS = (op.MAX_REPEAT, op.MIN_REPEAT)
_WRITERS: dict[Any, Callable[[Any, Scope], str]] = {
    op.LITERAL: _literal,
    op.NOT_LITERAL: _not_literal,
    op.ANY: _any,
    op.IN: _class,
    op.BRANCH: lambda value, scope: f"(?:{_branches(value, scope)})",
    op.SUBPATTERN: _group,
    op.MAX_REPEAT: _repeat,
    op.MIN_REPEAT: lambda value, scope: f"{_repeat(value, scope)}?",
    op.AT: _at,
    op.ASSERT: _assert,
    op.ASSERT_NOT: _assert_not,
    op.GROUPREF: lambda number, scope: f"(?:\\{number})",
}
