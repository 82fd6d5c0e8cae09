"""The sample library: its own tests pass, and its data are what the documentation says."""

from __future__ import annotations

import subprocess
from collections.abc import Callable

Manage = Callable[..., subprocess.CompletedProcess[str]]


def test_the_tests_of_the_project_pass(manage: Manage, environment: dict[str, str]) -> None:
    database = environment.get("TEST_DATABASE_URL")
    more = {"DATABASE_URL": database} if database else {}
    done = manage("test", "project.library", "project.lending", "--noinput", **more)
    assert done.returncode == 0, done.stderr
    assert "\nOK" in done.stderr


def test_nothing_is_missing_from_the_migrations(manage: Manage) -> None:
    done = manage("makemigrations", "--check", "--dry-run")
    assert done.returncode == 0, done.stdout + done.stderr


def test_no_check_finds_an_error(manage: Manage) -> None:
    done = manage("check", "--fail-level", "ERROR")
    assert done.returncode == 0, done.stderr


def test_the_sample_is_loaded_once(manage: Manage) -> None:
    assert manage("migrate", "--verbosity", "0").returncode == 0
    first, second = manage("load_sample"), manage("load_sample")
    assert first.stdout == second.stdout
    counts = {
        name: int(number)
        for number, name in (line.split(" ", 1) for line in first.stdout.splitlines())
    }
    assert counts["branches"] == 2
    assert counts["books"] >= 300
    assert counts["copies"] > counts["books"]
    assert counts["members"] >= 4
    assert counts["loans"] > 0
    assert counts["holds"] > 0
