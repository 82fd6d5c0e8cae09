"""``scripts/environment``: what ``scripts/demo`` and ``scripts/test`` begin with."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from .conftest import ROOT

SCRIPT = """\
#!/bin/sh
set -eu
ROOT=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
. "$ROOT/scripts/environment"
ensure_environment -r requirements.txt
exec "$VENV_PYTHON" -c 'import sys; print(sys.prefix)'
"""


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A project without requirements, in a folder with a space in its name."""
    root = tmp_path / "a checkout"
    (root / "scripts").mkdir(parents=True)
    shutil.copy(ROOT / "scripts" / "environment", root / "scripts")
    (root / "scripts" / "try").write_text(SCRIPT)
    (root / "requirements.txt").write_text("# none\n")
    (root / "pyproject.toml").touch()
    return root


def start(checkout: Path, python: str = sys.executable) -> subprocess.Popen[str]:
    return subprocess.Popen(
        ["sh", str(checkout / "scripts" / "try")],
        env={**os.environ, "PYTHON": python},
        cwd="/",
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def run(checkout: Path, python: str = sys.executable) -> tuple[int, str, str]:
    process = start(checkout, python)
    out, error = process.communicate(timeout=120)
    return process.returncode, out, error


def test_it_is_made_once_and_kept_up_to_date(checkout: Path) -> None:
    both = [start(checkout), start(checkout)]  # at the same time
    said = ""
    for process in both:
        out, error = process.communicate(timeout=120)
        assert (process.returncode, out) == (0, f"{checkout}/.venv\n"), error
        said += error
    assert said.count("Making ") == 1
    assert said.count("Installing ") == 1

    assert run(checkout) == (0, f"{checkout}/.venv\n", "")

    (checkout / "requirements.txt").write_text("# none yet\n")
    assert run(checkout)[2] == "Installing the requirements ...\n"
    assert run(checkout)[2] == ""

    (checkout / "requirements.txt").write_text("./no-such-folder\n")
    status, out, error = run(checkout)
    assert status != 0
    assert out == ""
    assert "no-such-folder" in error

    (checkout / "requirements.txt").write_text("# none\n")
    moved = checkout.rename(checkout.with_name("moved"))
    status, out, error = run(moved)
    assert (status, out) == (0, f"{moved}/.venv\n")
    assert "Making " in error


def test_an_interpreter_that_does_not_work_is_named(checkout: Path) -> None:
    status, out, error = run(checkout, python="no-such-python")
    assert status != 0
    assert out == ""
    assert "No Python 3.11 or newer among: no-such-python." in error
