"""What is wrong with a caller's arguments, in words that a model can act on."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from mcp_django.schema.errors import InvalidArguments

Path: TypeAlias = tuple[str | int, ...]

_MOST = 20  # findings told at once
_WIDTH = 60  # characters shown of a value
_LENGTH = 400  # characters of one message


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that is wrong: where, what, and what would be right (without a full stop).

    ``is_vague``: the problem says little more than that there is one.
    """

    path: Path
    problem: str
    expected: str = ""
    is_vague: bool = False

    def __str__(self) -> str:
        problem = shortened(self.problem, _LENGTH)
        return f"{problem} Expected {self.expected}." if self.expected else problem


def dotted(path: Path) -> str:
    """A path as it is shown: ``lines.0.qty``."""
    return ".".join(map(str, path))


def unknown_member(path: Path, known: Iterable[str]) -> Finding:
    """The refusal of an argument, or of a member of an object, that there isn't."""
    names = list(known)
    told = ", ".join(names[:_MOST]) + (", …" if len(names) > _MOST else "")
    word = "argument" if len(path) == 1 else "member"
    if not names:
        return Finding(path, f"There is no such {word}: there are none.")
    return Finding(path, f"There is no such {word}. The {word}s are: {told}.")


def invalid_arguments(findings: Sequence[Finding]) -> InvalidArguments:
    """The refusal that tells all of them, one to a line."""
    errors: dict[str, list[str]] = defaultdict(list)
    lines = []
    for finding in findings:
        path = dotted(finding.path)
        errors[path].append(str(finding))
        lines.append(f"{shortened(path, 2 * _WIDTH)}: {finding}" if path else str(finding))
    if len(lines) > _MOST:
        lines = [*lines[:_MOST], f"And {len(lines) - _MOST} more like these."]
    return InvalidArguments("\n".join(lines), errors)


def shortened(text: str, width: int) -> str:
    """A text, cut where it is too long to be shown."""
    return text if len(text) <= width else f"{text[: width - 1]}…"


def shown(value: Any) -> str:
    """A JSON value in a message: short, whatever its size."""
    if isinstance(value, (list, tuple)):
        return f"a list of {len(value)}"
    if isinstance(value, dict):
        return "an object"
    if isinstance(value, str):
        return json.dumps(shortened(value, _WIDTH), ensure_ascii=False)
    return shortened(json.dumps(value), _WIDTH)
