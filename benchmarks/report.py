"""From the numbers of all rounds to medians, verdicts, a table and a JSON file."""

from __future__ import annotations

import statistics
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from benchmarks.rows import Row

COLUMNS = ("", "ours", "beside", "", "ratio", "bar", "")


@dataclass(frozen=True, slots=True)
class Line:
    """Ours beside one other (or alone): medians, and whether the bar is met (None: no bar)."""

    row: Row
    beside: str | None
    ours: float
    other: float | None
    ratio: float | None
    bar: float | None
    met: bool | None


def lines(row: Row, values: dict[str, Sequence[float]]) -> list[Line]:
    """A line for each other contender; ratios are taken within a round, then their median."""
    ours = values[row.contenders[0].label]
    found = [_alone(row, ours)] if row.limit is not None or not row.others else []
    for contender in row.others:
        theirs = values[contender.label]
        ratio = statistics.median(a / b for a, b in zip(ours, theirs, strict=True))
        bar = row.bars.get(contender.label)
        met = None if bar is None else row.reached(ratio, bar)
        medians = statistics.median(ours), statistics.median(theirs)
        found.append(Line(row, contender.label, *medians, ratio, bar, met))
    return found


def _alone(row: Row, ours: Sequence[float]) -> Line:
    value = statistics.median(ours)
    met = None if row.limit is None else row.reached(value, row.limit)
    return Line(row, None, value, None, None, row.limit, met)


def table(found: Iterable[Line]) -> str:
    """The lines as text, columns aligned; a row's title stands on its first line only."""
    cells: list[tuple[str, ...]] = [COLUMNS]
    last: Row | None = None
    for line in found:
        cells.append(_cells(line, first=line.row is not last))
        last = line.row
    widths = [max(len(row[column]) for row in cells) for column in range(len(COLUMNS))]
    return "\n".join(_aligned(row, widths) for row in cells)


def _cells(line: Line, *, first: bool) -> tuple[str, ...]:
    word = "at most" if line.row.at_most else "at least"
    return (
        line.row.title if first else "",
        _number(line.ours, line.row.unit) if first else "",
        line.beside or "",
        "" if line.other is None else _number(line.other, line.row.unit),
        "" if line.ratio is None else f"{line.ratio:.2f}",
        "" if line.bar is None else f"{word} {line.bar:.2f}",
        {None: "", True: "ok", False: "FALLS SHORT"}[line.met],
    )


def _aligned(cells: Sequence[str], widths: Sequence[int]) -> str:
    """Numbers to the right, words to the left."""
    numbers = {1, 3, 4}
    parts = [
        cell.rjust(width) if column in numbers else cell.ljust(width)
        for column, (cell, width) in enumerate(zip(cells, widths, strict=True))
    ]
    return "  ".join(parts).rstrip()


def _number(value: float, unit: str) -> str:
    digits = 0 if value >= 1000 else 1 if value >= 10 else 2
    return f"{value:,.{digits}f} {unit}"


def as_json(
    found: Iterable[Line], values: dict[str, dict[str, list[float]]], facts: dict[str, Any]
) -> dict[str, Any]:
    """Everything: medians and verdicts, and the numbers of each round behind them."""
    return {
        **facts,
        "lines": [
            {
                "row": line.row.key,
                "unit": line.row.unit,
                "beside": line.beside,
                "ours": line.ours,
                "other": line.other,
                "ratio": line.ratio,
                "bar": line.bar,
                "at_most": line.row.at_most,
                "met": line.met,
            }
            for line in found
        ],
        "rounds": values,
    }
