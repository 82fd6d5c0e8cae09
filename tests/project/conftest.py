"""The sample project has settings of its own: these tests run it as a program."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    """The environment of this process, for a project that has made nothing yet."""
    mine = {**os.environ, "DJANGO_SETTINGS_MODULE": "project.settings"}
    mine["STATE_DIR"] = str(tmp_path / "state of the demo")
    url = urlsplit(mine.pop("DATABASE_URL", ""))
    if url.scheme:  # a database of its own: the one that is named is in use by these tests
        mine["TEST_DATABASE_URL"] = urlunsplit(url._replace(path=f"/library_sample_{os.getpid()}"))
    return mine


@pytest.fixture
def manage(
    environment: dict[str, str],
) -> Callable[..., subprocess.CompletedProcess[str]]:
    """Run ``manage.py`` with these arguments."""

    def run(*arguments: str, **more: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, str(ROOT / "manage.py"), *arguments],
            env={**environment, **more},
            cwd=environment["STATE_DIR"] if Path(environment["STATE_DIR"]).exists() else "/",
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
        )

    return run
