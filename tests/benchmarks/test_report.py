"""What the bench makes of its numbers: medians, ratios within a round, verdicts, exit code."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from benchmarks import command, measures
from benchmarks.contenders import BARE, OURS, SDK
from benchmarks.report import lines, table
from benchmarks.rows import ROWS, Row

RATE = Row("call", "calls", "req/s", lambda *_: 0.0, (OURS, BARE, SDK), {"bare view": 0.95})
COST = replace(RATE, key="cpu", title="cost", unit="µs", at_most=True, contenders=(OURS, BARE))
LIMIT = replace(COST, key="startup", title="start", unit="ms", contenders=(OURS,), limit=1.2)


def test_ratio_is_the_median_of_the_rounds_not_the_ratio_of_medians() -> None:
    values = {"ours": [100.0, 50.0, 10.0], "bare view": [100.0, 100.0, 10.0], "SDK": [1.0] * 3}

    bare, sdk = lines(RATE, values)

    assert (bare.ours, bare.other, bare.ratio, bare.met) == (50.0, 100.0, 1.0, True)
    assert (sdk.bar, sdk.met) == (None, None)


@pytest.mark.parametrize(
    ("row", "ours", "met"),
    [
        (RATE, 95.0, True),
        (RATE, 94.9, False),
        (replace(COST, bars={"bare view": 1.6}), 160.0, True),
        (replace(COST, bars={"bare view": 1.6}), 160.1, False),
    ],
)
def test_bars_are_least_or_most(row: Row, ours: float, met: bool) -> None:
    values = {"ours": [ours] * 3, "bare view": [100.0] * 3, "SDK": [100.0] * 3}

    assert lines(row, values)[0].met is met


@pytest.mark.parametrize(("value", "met"), [(1.2, True), (1.21, False)])
def test_a_limit_needs_no_other(value: float, met: bool) -> None:
    (line,) = lines(LIMIT, {"ours": [value] * 3})

    assert (line.ours, line.beside, line.met) == (value, None, met)


def test_table_names_what_falls_short() -> None:
    values = {"ours": [4000.0] * 3, "bare view": [5000.0] * 3, "SDK": [3000.0] * 3}

    text = table(lines(RATE, values)).splitlines()

    assert " ".join(text[1].split()) == (
        "calls 4,000 req/s bare view 5,000 req/s 0.80 at least 0.95 FALLS SHORT"
    )
    assert text[2].split() == ["SDK", "3,000", "req/s", "1.33"]


@pytest.fixture
def no_machine(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The command without wrk, environments and servers: the order of measuring is kept."""
    order: list[str] = []
    monkeypatch.setattr(command, "_require_tools", lambda: None)
    monkeypatch.setattr(command, "_environments", lambda rows: [])
    monkeypatch.setattr(measures, "reference", lambda: None)
    monkeypatch.setattr(command.signal, "signal", lambda *_: None)

    def measured(contender: object, known: object, seconds: int) -> float:
        order.append(contender.label)  # type: ignore[attr-defined]
        return 90.0 if contender is OURS else 100.0

    rows = (replace(RATE, measure=measured, contenders=(OURS, BARE)),)
    monkeypatch.setattr(command, "ROWS", rows)
    return order


def test_command_exits_with_1_when_a_bar_is_missed(
    no_machine: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "bench.json"

    code = command.main(["--rounds", "3", "--json", str(file)])

    written = json.loads(file.read_text())
    assert code == 1
    assert "1 short of the bar" in capsys.readouterr().out
    assert written["rounds"] == {"call": {"ours": [90.0] * 3, "bare view": [100.0] * 3}}
    assert (written["lines"][0]["ratio"], written["lines"][0]["met"]) == (0.9, False)


def test_odd_rounds_go_backwards(no_machine: list[str]) -> None:
    command.main(["--rounds", "3"])

    assert no_machine == ["ours", "bare view", "bare view", "ours", "ours", "bare view"]


def test_fewer_than_three_rounds_are_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        command.main(["--rounds", "2"])

    assert "must be at least 3" in capsys.readouterr().err


def test_bars_are_those_that_the_project_promises() -> None:
    promised = {row.key: (row.bars, row.limit) for row in ROWS if row.bars or row.limit}

    assert promised == {
        "call": ({"bare view": 0.95, "django-mcpz": 1.0, "SDK": 1.3}, None),
        "granian": ({"bare view": 0.85, "django-mcpz": 1.05}, None),
        "cpu": ({"bare view": 1.6}, None),
        "list": ({"bare view": 0.9, "SDK": 5.0}, None),
        "own list": ({"bare view": 0.6}, None),
        "read": ({"bare view": 0.85}, None),
        "prompt": ({"bare view": 0.85}, None),
        "match": ({}, 15.0),
        "startup": ({}, 1.2),
        "memory": ({"bare view": 1.25}, None),
    }
