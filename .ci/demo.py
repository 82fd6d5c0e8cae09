"""Follows scripts/demo as its user would: start it, run the curl that it prints, end it with
Ctrl-C; twice, the second time with nothing left to make.
"""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
READY = "Ctrl-C ends the server."
FOUND = "Verne"  # the author whose books the printed command looks for
SECOND_START_SECONDS = 15


def main() -> None:
    started_in = [follow(number) for number in (1, 2)]
    if started_in[1] > SECOND_START_SECONDS:
        raise SystemExit(f"The second start took {started_in[1]:.0f} seconds.")
    print(f"demo: started in {started_in[0]:.0f} s, then in {started_in[1]:.0f} s")


def follow(number: int) -> float:
    """One run of the demo; returns the seconds until it served."""
    begun = time.monotonic()
    demo = subprocess.Popen(
        ["scripts/demo"],
        cwd=ROOT,
        env={**os.environ, "PORT": str(free_port())},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    )
    try:
        printed = until_ready(demo)
        seconds = time.monotonic() - begun
        must_find(curl_of(printed))
        end(demo)
    finally:
        if demo.poll() is None:
            os.killpg(demo.pid, signal.SIGKILL)
    return seconds


def free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        port: int = listener.getsockname()[1]
        return port


def until_ready(demo: subprocess.Popen[str]) -> list[str]:
    assert demo.stdout is not None
    lines: list[str] = []
    for line in demo.stdout:
        lines.append(line.rstrip("\n"))
        if lines[-1] == READY:
            return lines
    raise SystemExit("scripts/demo ended before it served:\n" + "\n".join(lines))


def curl_of(printed: list[str]) -> str:
    """The command from its first line to the first that no backslash continues."""
    start = next(n for n, line in enumerate(printed) if line.startswith("curl "))
    end = next(n for n, line in enumerate(printed) if n >= start and not line.endswith("\\"))
    return "\n".join(printed[start : end + 1])


def must_find(command: str) -> None:
    run = subprocess.run(
        ["bash", "-c", command], capture_output=True, text=True, timeout=60, check=False
    )
    if run.returncode or FOUND not in run.stdout:
        raise SystemExit(f"{command}\ngave {run.returncode}:\n{run.stdout}{run.stderr}")


def end(demo: subprocess.Popen[str]) -> None:
    """Ctrl-C reaches the whole group; what is left to print must be no traceback."""
    os.killpg(demo.pid, signal.SIGINT)
    rest, _ = demo.communicate(timeout=20)
    if demo.returncode not in (0, 130) or "Traceback" in rest:
        raise SystemExit(f"scripts/demo ended with {demo.returncode}:\n{rest}")


if __name__ == "__main__":
    main()
