"""Literals with variables between them, and how a text is read by them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

Values = dict[str, str | list[str]]

ONE = "\0"
MANY = "\1"


@dataclass(frozen=True, slots=True)
class Variable:
    """``read`` gives the value for its raw text, or None; a ``wide`` one may span slashes."""

    name: str
    read: Callable[[str], str | list[str] | None]
    wide: bool = False


@dataclass(frozen=True, slots=True)
class Pattern:
    """Literals in their normal form, one more than there are variables between them.

    At most one variable is wide; the literals between two variables are not empty.
    """

    literals: tuple[str, ...]
    variables: tuple[Variable, ...] = ()
    widest: int = field(init=False)
    """Index of the variable that takes what the others leave: the wide one, else the last."""
    segments: tuple[str | None, ...] = field(init=False)
    """What stands between slashes, None where it has a variable; empty with a wide variable."""

    def __post_init__(self) -> None:
        wide = [index for index, variable in enumerate(self.variables) if variable.wide]
        object.__setattr__(self, "widest", wide[0] if wide else len(self.variables) - 1)
        parts = [] if wide else self.skeleton.split("/")
        segments = tuple(None if ONE in part else part for part in parts)
        object.__setattr__(self, "segments", segments)

    def read(self, text: str) -> Values | None:
        """The values of the variables, or None.

        Literals are looked for one after the other, from the left up to the widest variable
        and from the right down to it, each as near as it stands. So every other variable takes
        as little as it can, but something, and no second reading is tried: the work grows with
        the length of the text and no faster.
        """
        if not self.variables:
            return {} if text == self.literals[0] else None
        pieces = self._pieces(text)
        if pieces is None:
            return None
        values: Values = {}
        for variable, piece in zip(self.variables, pieces, strict=True):
            value = variable.read(piece)
            if value is None:
                return None
            values[variable.name] = value
        return values

    def _pieces(self, text: str) -> list[str] | None:
        """The raw text of each variable."""
        literals = self.literals
        low, high = len(literals[0]), len(text) - len(literals[-1])
        if low >= high or not text.startswith(literals[0]) or not text.endswith(literals[-1]):
            return None
        if splits_escape(text, high):
            return None
        before, after = [], []
        for literal in literals[1 : self.widest + 1]:
            start = _first(text, literal, low + 1, high)
            if start < 0:
                return None
            before.append(text[low:start])
            low = start + len(literal)
        for literal in literals[-2 : self.widest : -1]:
            start = _last(text, literal, low, high - 1)
            if start < 0:
                return None
            after.append(text[start + len(literal) : high])
            high = start
        return [*before, text[low:high], *reversed(after)]

    @property
    def skeleton(self) -> str:
        """Its literals with ``ONE`` or ``MANY`` for each variable."""
        marks = [MANY if variable.wide else ONE for variable in self.variables]
        pairs = zip(self.literals, [*marks, ""], strict=True)
        return "".join(literal + mark for literal, mark in pairs)


def splits_escape(text: str, index: int) -> bool:
    """Whether ``index`` falls into the three characters of an escape."""
    return "%" in text[max(index - 2, 0) : index]


def _first(text: str, literal: str, low: int, high: int) -> int:
    start = text.find(literal, low, high)
    while start >= 0 and splits_escape(text, start):
        start = text.find(literal, start + 1, high)
    return start


def _last(text: str, literal: str, low: int, high: int) -> int:
    start = text.rfind(literal, low, high)
    while start >= 0 and splits_escape(text, start):
        start = text.rfind(literal, low, start + len(literal) - 1)
    return start


class PatternBuilder:
    """Collects what stands in one part of a template."""

    def __init__(self) -> None:
        self.literals = [""]
        self.variables: list[Variable] = []

    def literal(self, text: str) -> None:
        self.literals[-1] += text

    def variable(self, variable: Variable) -> None:
        """``ValueError`` where it can't be told from the one before it."""
        if self.variables and not self.literals[-1]:
            raise ValueError(
                f"nothing separates {self.variables[-1].name} from {variable.name}, so no URI"
                " tells which is which"
            )
        wide: Sequence[Variable] = [one for one in self.variables if one.wide]
        if wide and variable.wide:
            raise ValueError(
                f"both {wide[0].name} and {variable.name} may hold slashes, so no URI tells where"
                " one ends"
            )
        self.variables.append(variable)
        self.literals.append("")

    def build(self) -> Pattern:
        return Pattern(tuple(self.literals), tuple(self.variables))
