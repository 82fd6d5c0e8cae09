"""What is measured; each gives one number for one contender in one round."""

from __future__ import annotations

import subprocess
from collections.abc import Mapping
from dataclasses import dataclass

from benchmarks.contenders import DATABASE, OURS, OURS_DEFAULTS, OURS_OWN, Contender
from benchmarks.environments import ROOT
from benchmarks.exchanges import (
    CALL,
    LIST,
    OWN_LIST,
    PROMPT,
    READ,
    Exchange,
    ask,
    check,
    check_like_ours,
)
from benchmarks.servers import Failed, Server, cores, environment, load, pinned, serving

EXTRA_TOOLS = 100
WARM_UP_SECONDS = 1


# What the bare view is held to, and the variables of ours that make it answer so.
EXCHANGES: Mapping[Exchange, Contender] = {
    CALL: OURS,
    LIST: OURS,
    OWN_LIST: OURS_OWN,
    READ: OURS,
    PROMPT: OURS,
}


@dataclass(frozen=True, slots=True)
class Reference:
    """What ours answers, so that the bare view can be held to the same bytes."""

    answers: Mapping[Exchange, bytes]

    def variables(self, exchange: Exchange) -> dict[str, str]:
        """What tells the bare view how long its constant answer is."""
        listing = exchange if exchange.is_constant else LIST
        return {"BENCH_LIST_BYTES": str(len(self.answers[listing]))}


def reference() -> Reference:
    """Ask ours once for each answer."""
    answers = {}
    for contender in dict.fromkeys(EXCHANGES.values()):
        with serving(contender) as server:
            for exchange in (one for one, asked in EXCHANGES.items() if asked is contender):
                answers[exchange] = ask(server.port, exchange, {})
                check(exchange, answers[exchange])
    return Reference(answers)


def _checked(server: Server, contender: Contender, exchange: Exchange, known: Reference) -> None:
    """The answer is right before anything is measured."""
    body = ask(server.port, exchange, contender.headers)
    if contender.site == "bare":
        check_like_ours(exchange, body, known.answers[exchange])
    else:
        check(exchange, body)


def rate(contender: Contender, exchange: Exchange, known: Reference, seconds: int) -> float:
    """Requests a second of a fresh server, after a second to warm up."""
    with serving(contender, known.variables(exchange)) as server:
        _checked(server, contender, exchange, known)
        load(server, exchange, contender.headers, WARM_UP_SECONDS)
        return load(server, exchange, contender.headers, seconds)


def memory(contender: Contender, known: Reference) -> float:
    """Resident MiB of the process that serves, once it has served for a second."""
    with serving(contender, known.variables(CALL)) as server:
        _checked(server, contender, CALL, known)
        load(server, CALL, contender.headers, WARM_UP_SECONDS)
        return server.resident_kib() / 1024


def cpu(contender: Contender) -> float:
    """Microseconds of CPU for a call inside the process, without a socket."""
    return _probe(contender, "cpu", {})


def startup(contender: Contender) -> float:
    """Milliseconds that each of a hundred more tools adds to the start."""
    without = _probe(contender, "startup", {})
    with_them = _probe(contender, "startup", {"BENCH_EXTRA_TOOLS": str(EXTRA_TOOLS)})
    return (with_them - without) / EXTRA_TOOLS


def matching(contender: Contender) -> float:
    """Microseconds that finding a template takes more among 200 than among 2."""
    few, many = ({"BENCH_TEMPLATES": number} for number in ("2", "200"))
    return _probe(contender, "matching", many) - _probe(contender, "matching", few)


def make_database() -> None:
    """The database of the row with the defaults, made anew."""
    DATABASE.unlink(missing_ok=True)
    _probe(OURS_DEFAULTS, "database", {})


def _probe(contender: Contender, what: str, variables: Mapping[str, str]) -> float:
    command = [str(contender.environment.python), "-m", "benchmarks.probes", what, contender.module]
    run = subprocess.run(
        pinned(command, cores()[0]),
        check=False,
        cwd=ROOT,
        env=environment({**contender.variables, **variables}),
        capture_output=True,
        text=True,
    )
    if run.returncode:
        raise Failed(f"{contender.label}: {' '.join(command)}\n{run.stdout}{run.stderr}")
    return float(run.stdout.split()[-1])
