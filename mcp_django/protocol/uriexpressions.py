"""The text of a URI template as literals and expressions, and what is refused of RFC 6570.

Levels 1 to 3 are taken, and of level 4 the list of path segments, ``{/name*}``: what else
level 4 can write has no one way to be read back.
"""

from __future__ import annotations

import keyword
import re
from dataclasses import dataclass

from mcp_django.protocol.uris import escaped

OPERATORS = "+#./;?&"
OPTIONAL = frozenset(";?&#")
"""Operators whose variables a URI may leave out."""
RESERVED_OPERATORS = "=,!@|"

_EXPRESSION = re.compile(r"\{([^{}]*)\}")
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_LEVEL_4 = re.compile(r":[0-9]*|\*")


@dataclass(frozen=True, slots=True)
class Expression:
    """What stands in braces: ``{/section,page*}`` has the operator ``/`` and two variables."""

    text: str
    operator: str
    names: tuple[str, ...]
    exploded: frozenset[str]

    def __str__(self) -> str:
        return self.text


def tokens(template: str) -> list[str | Expression]:
    """Literals, in the normal form of URIs, and expressions; else ``ValueError``."""
    found: list[str | Expression] = []
    for index, piece in enumerate(_EXPRESSION.split(template)):
        if index % 2:
            found.append(_expression(piece))
        elif piece:
            found.append(_literal(piece))
    _check_names([token for token in found if isinstance(token, Expression)])
    return found


def _literal(piece: str) -> str:
    for brace, other in ("{}", "}{"):
        if brace in piece:
            raise ValueError(f"a {brace} has no {other}")
    literal = escaped(piece)
    if literal is None:
        raise ValueError(f"{piece!r} holds what no URI holds: write it as %XX, and % as %25")
    return literal


def _expression(body: str) -> Expression:
    text = f"{{{body}}}"
    if body[:1] and body[0] in RESERVED_OPERATORS:
        raise ValueError(f"{text} begins with {body[0]}, which RFC 6570 keeps for later")
    operator = body[0] if body[:1] and body[0] in OPERATORS else ""
    variables = [_variable(part, text, operator) for part in body[len(operator) :].split(",")]
    names = tuple(name for name, _exploded in variables)
    if operator in {"+", "#"} and len(names) > 1:
        raise ValueError(
            f"{text} has several variables, and the comma between them may stand in each:"
            " write them apart"
        )
    return Expression(
        text, operator, names, frozenset(name for name, exploded in variables if exploded)
    )


def _variable(part: str, text: str, operator: str) -> tuple[str, bool]:
    """Its name, and whether it is a list of segments."""
    found = _NAME.match(part)
    name, modifier = (found[0], part[found.end() :]) if found else (part, "")
    if operator == "/" and modifier == "*":
        return _checked(name, text), True
    if _LEVEL_4.fullmatch(modifier):
        raise ValueError(
            f"{text} is of level 4 of RFC 6570, of which only {{/name*}}, a list of path"
            f" segments, can be read back: write {{{operator}{name}}}"
        )
    return _checked(part, text), False


def _checked(name: str, text: str) -> str:
    if not name:
        raise ValueError(f"{text} lacks the name of a variable")
    if _NAME.fullmatch(name) is None or keyword.iskeyword(name):
        raise ValueError(f"{text}: {name!r} can't be the name of a Python parameter")
    return name


def _check_names(expressions: list[Expression]) -> None:
    names = [name for expression in expressions for name in expression.names]
    if not names:
        raise ValueError("it has no variable, so it is a URI and no template")
    for index, name in enumerate(names):
        if name in names[:index]:
            raise ValueError(f"{name} stands in it twice")
