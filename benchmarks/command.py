"""The command ``scripts/bench``: one interleaved run over all rows and contenders."""

from __future__ import annotations

import argparse
import json
import os
import platform
import shutil
import signal
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from benchmarks import measures
from benchmarks.environments import HOME, Environment, ensure, versions
from benchmarks.exchanges import WrongAnswer
from benchmarks.measures import Reference
from benchmarks.report import Line, as_json, lines, table
from benchmarks.rows import ROWS, Row
from benchmarks.servers import Failed, cores

BUSY = 0.7  # of a core, over the last minute
Values = dict[str, dict[str, list[float]]]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the bench; 0 if every bar is met, 1 if one is not, 2 if it can't be measured."""
    options = _options(arguments)
    rows = [row for row in ROWS if not options.only or row.key in options.only]
    # A shell's `kill` unwinds like Ctrl-C, so that no server is left behind.
    signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(128 + number))
    _require_tools()
    _warn_if_busy()
    try:
        used = _environments(rows)
        values = _measure(rows, options.rounds, options.seconds)
    except (Failed, WrongAnswer) as error:
        print(f"The bench stopped: {error}", file=sys.stderr)
        return 2
    found = [line for row in rows for line in lines(row, dict(values[row.key]))]
    _tell(found, options.rounds)
    if options.json:
        facts = _facts(used, options)
        options.json.write_text(json.dumps(as_json(found, values, facts), indent=2) + "\n")
    return 1 if any(line.met is False for line in found) else 0


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="scripts/bench",
        description="Measure calls beside a bare Django view, django-mcpz and the official SDK.",
    )
    keys = [row.key for row in ROWS]
    parser.add_argument("--only", action="append", choices=keys, help="only this row (repeatable)")
    parser.add_argument("--rounds", type=_at_least(3), default=5, help="at least 3; default 5")
    parser.add_argument(
        "--seconds", type=_at_least(1), default=4, help="of each load; default 4, after a warm-up"
    )
    parser.add_argument("--json", type=Path, metavar="FILE", help="write all numbers there")
    return parser.parse_args(arguments)


def _at_least(least: int) -> Any:
    def number(text: str) -> int:
        if (value := int(text)) < least:
            raise argparse.ArgumentTypeError(f"must be at least {least}")
        return value

    return number


def _require_tools() -> None:
    """wrk is Debian's, as is taskset; neither comes with pip."""
    for tool, package in (("wrk", "wrk"), ("taskset", "util-linux")):
        if shutil.which(tool) is None:
            raise SystemExit(f"scripts/bench needs {tool}. On Debian: apt-get install {package}")
    cores()


def _warn_if_busy() -> None:
    """Ratios survive a slow machine, not one whose cores are taken away for a while."""
    if (busy := os.getloadavg()[0]) > BUSY:
        print(f"Other programs are at work here (load {busy:.1f}): expect noise.", flush=True)


def _environments(rows: Sequence[Row]) -> list[Environment]:
    """Make what these rows need, and what the reference answers need: ours."""
    HOME.mkdir(exist_ok=True)
    used = dict.fromkeys(contender.environment for row in rows for contender in row.contenders)
    for environment in used:
        ensure(environment)
    if any(row.key == "defaults" for row in rows):
        measures.make_database()
    return list(used)


def _measure(rows: Sequence[Row], rounds: int, seconds: int) -> Values:
    """All rounds, contenders side by side; odd rounds go backwards."""
    known = measures.reference()
    values: Values = {
        row.key: {contender.label: [] for contender in row.contenders} for row in rows
    }
    for number in range(rounds):
        for row in rows:
            _measure_row(row, number, known, seconds, values[row.key])
    return values


def _measure_row(
    row: Row, number: int, known: Reference, seconds: int, into: dict[str, list[float]]
) -> None:
    order = row.contenders[:: -1 if number % 2 else 1]
    for contender in order:
        into[contender.label].append(row.measure(contender, known, seconds))
    told = ", ".join(f"{c.label} {into[c.label][-1]:,.2f}" for c in row.contenders)
    print(f"round {number + 1}: {row.title} ({row.unit}): {told}", flush=True)


def _tell(found: Sequence[Line], rounds: int) -> None:
    short = sum(line.met is False for line in found)
    print(f"\nMedians of {rounds} rounds\n\n{table(found)}\n")
    print(f"{short} short of the bar" if short else "Every bar is met.")


def _facts(used: Sequence[Environment], options: argparse.Namespace) -> dict[str, Any]:
    return {
        "python": platform.python_version(),
        "machine": platform.machine(),
        "rounds": options.rounds,
        "seconds": options.seconds,
        "versions": {environment.name: versions(environment) for environment in used},
    }
