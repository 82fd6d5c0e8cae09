"""Starting a server on a core of its own, loading it from another, and ending it."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from benchmarks.contenders import Contender
from benchmarks.environments import ROOT
from benchmarks.exchanges import Exchange

CONNECTIONS = 16
START_SECONDS = 30.0


class Failed(Exception):
    """A server or the load generator did not do its part."""


def cores() -> tuple[int, int]:
    """One core for the server, another for the load."""
    usable = sorted(os.sched_getaffinity(0))
    if len(usable) < 2:
        raise SystemExit("scripts/bench needs two cores: one for the server, one for the load.")
    return usable[0], usable[1]


def pinned(command: list[str], core: int) -> list[str]:
    return ["taskset", "--cpu-list", str(core), *command]


def environment(variables: Mapping[str, str]) -> dict[str, str]:
    """The variables of a measured process: no settings or proxies of this shell."""
    kept = {name: os.environ[name] for name in ("PATH", "HOME", "LANG") if name in os.environ}
    return {**kept, "PYTHONPATH": str(ROOT), "PYTHONHASHSEED": "0", **variables}


@dataclass(frozen=True, slots=True)
class Server:
    """A running server: its port, and the process at the head of its group."""

    port: int
    process: subprocess.Popen[bytes]

    def resident_kib(self) -> int:
        """Resident memory of the process that serves: the youngest child, or itself."""
        pid = self.process.pid
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
        status = Path(f"/proc/{children[-1] if children else pid}/status").read_text()
        match = re.search(r"^VmRSS:\s+(\d+) kB$", status, re.MULTILINE)
        assert match is not None, status
        return int(match[1])


@contextmanager
def serving(contender: Contender, variables: Mapping[str, str] | None = None) -> Iterator[Server]:
    """A fresh server of the contender, which answers; ended with all of its processes."""
    port = _free_port()
    command = pinned(contender.command(port), cores()[0])
    told = environment({**contender.variables, **(variables or {})})
    with tempfile.TemporaryFile() as log:
        process = subprocess.Popen(
            command, cwd=ROOT, env=told, stdout=log, stderr=log, start_new_session=True
        )
        try:
            _wait_until_open(port, process)
            yield Server(port, process)
        except Exception as error:
            log.seek(0)
            tail = log.read().decode(errors="replace")[-2000:]
            raise Failed(f"{contender.label} ({contender.server[0]}): {error}\n{tail}") from error
        finally:
            _end(process)


def _free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        port: int = listener.getsockname()[1]
        return port


def _wait_until_open(port: int, process: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline:
        if process.poll() is not None:
            raise Failed(f"ended with exit code {process.returncode} before it served")
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
        except OSError:
            time.sleep(0.05)
        else:
            return
    raise Failed(f"does not listen after {START_SECONDS:.0f} seconds")


def _end(process: subprocess.Popen[bytes]) -> None:
    """Ask the server to end, and after five seconds insist, with all of its processes."""
    process.terminate()
    with suppress(subprocess.TimeoutExpired):
        process.wait(timeout=5)
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def load(server: Server, exchange: Exchange, extra: Mapping[str, str], seconds: int) -> float:
    """Requests a second that the server answers to wrk, all of them well."""
    with tempfile.NamedTemporaryFile("w", suffix=".lua") as script:
        script.write(_lua(exchange, extra))
        script.flush()
        url = f"http://127.0.0.1:{server.port}/mcp"
        size = ["--threads=1", f"--connections={CONNECTIONS}", f"--duration={seconds}s"]
        command = pinned(["wrk", *size, f"--script={script.name}", url], cores()[1])
        run = subprocess.run(command, check=False, capture_output=True, text=True)
    rate = re.search(r"^Requests/sec:\s+([\d.]+)$", run.stdout, re.MULTILINE)
    if run.returncode or rate is None or re.search(r"Non-2xx|Socket errors", run.stdout):
        raise Failed(f"wrk was not answered well:\n{run.stdout}{run.stderr}")
    return float(rate[1])


def _lua(exchange: Exchange, extra: Mapping[str, str]) -> str:
    """The request as wrk's script says it; long brackets need no escapes."""
    lines = ['wrk.method = "POST"', f"wrk.body = [==[{exchange.body}]==]"]
    for name, value in {**exchange.headers, **extra}.items():
        lines.append(f'wrk.headers["{name}"] = [==[{value}]==]')
    return "\n".join(lines)
