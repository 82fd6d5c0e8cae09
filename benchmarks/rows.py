"""The rows of the bench: what is measured, of whom, and the bar that ours must reach."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from benchmarks import contenders as who
from benchmarks import measures
from benchmarks.contenders import Contender
from benchmarks.exchanges import CALL, LIST, OWN_LIST, PROMPT, READ, Exchange
from benchmarks.measures import Reference

Measure = Callable[[Contender, Reference, int], float]


def _rate(exchange: Exchange) -> Measure:
    def measure(contender: Contender, known: Reference, seconds: int) -> float:
        return measures.rate(contender, exchange, known, seconds)

    return measure


@dataclass(frozen=True, slots=True)
class Row:
    """One comparison: ours comes first among the contenders.

    ``bars`` maps a contender's label to what ours divided by it must reach, ``limit``
    is what ours must reach by itself. ``at_most`` turns both from least to most.
    """

    key: str
    title: str
    unit: str
    measure: Measure
    contenders: tuple[Contender, ...]
    bars: dict[str, float]
    limit: float | None = None
    at_most: bool = False

    @property
    def others(self) -> tuple[Contender, ...]:
        return self.contenders[1:]

    def reached(self, value: float, bar: float) -> bool:
        return value <= bar if self.at_most else value >= bar


ROWS = (
    Row(
        "call",
        "tools/call, gunicorn gthread",
        "req/s",
        _rate(CALL),
        (who.OURS, who.BARE, who.MCPZ, who.SDK),
        {"bare view": 0.95, "django-mcpz": 1.0, "SDK": 1.3},
    ),
    Row(
        "granian",
        "tools/call, granian WSGI",
        "req/s",
        _rate(CALL),
        (who.OURS_GRANIAN, who.BARE_GRANIAN, who.MCPZ_GRANIAN, who.FAST_BARE_GRANIAN),
        {"bare view": 0.85, "django-mcpz": 1.05},
    ),
    Row(
        "cpu",
        "CPU of a tools/call in the process",
        "µs",
        lambda contender, known, seconds: measures.cpu(contender),
        (who.OURS, who.BARE, who.MCPZ, who.FAST_BARE),
        {"bare view": 1.6},
        at_most=True,
    ),
    Row(
        "list",
        "tools/list of 51 tools, gunicorn gthread",
        "req/s",
        _rate(LIST),
        (who.OURS, who.BARE, who.MCPZ, who.SDK),
        {"bare view": 0.9, "SDK": 5.0},
    ),
    Row(
        "own list",
        "tools/list of 51 tools by permission, gunicorn gthread",
        "req/s",
        _rate(OWN_LIST),
        (who.OURS_OWN, who.BARE),
        {"bare view": 0.6},
    ),
    Row(
        "read",
        "resources/read of 1 KB, gunicorn gthread",
        "req/s",
        _rate(READ),
        (who.OURS, who.BARE),
        {"bare view": 0.85},
    ),
    Row(
        "prompt",
        "prompts/get, gunicorn gthread",
        "req/s",
        _rate(PROMPT),
        (who.OURS, who.BARE),
        {"bare view": 0.85},
    ),
    Row(
        "match",
        "matching a template, 200 rather than 2",
        "µs",
        lambda contender, known, seconds: measures.matching(contender),
        (who.OURS,),
        {},
        limit=15.0,
        at_most=True,
    ),
    Row(
        "startup",
        "start-up, each of 100 more tools",
        "ms",
        lambda contender, known, seconds: measures.startup(contender),
        (who.OURS,),
        {},
        limit=1.2,
        at_most=True,
    ),
    Row(
        "memory",
        "resident memory, gunicorn gthread",
        "MiB",
        lambda contender, known, seconds: measures.memory(contender, known),
        (who.OURS, who.BARE),
        {"bare view": 1.25},
        at_most=True,
    ),
    Row(
        "defaults",
        "tools/call with the defaults: middleware, sign-in by token from SQLite",
        "req/s",
        _rate(CALL),
        (who.OURS_DEFAULTS, who.BARE),
        {},
    ),
    Row(
        "uvloop",
        "tools/call, the SDK on uvloop and httptools",
        "req/s",
        _rate(CALL),
        (who.OURS, who.FAST_SDK),
        {},
    ),
)
