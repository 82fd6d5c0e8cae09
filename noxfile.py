"""The supported versions: ``nox`` runs the tests on each, where its interpreter is there."""

from __future__ import annotations

import nox

PYTHONS = ("3.11", "3.12", "3.13")
DJANGOS = ("5.2", "6.0", "6.1")

nox.options.sessions = ["lint", "types", "tests"]
nox.options.error_on_missing_interpreters = False


def _supported() -> list[nox.param]:
    """Django 6 needs Python 3.12."""
    return [
        nox.param(python, django, id=f"{python}-{django}")
        for python in PYTHONS
        for django in DJANGOS
        if django.startswith("5") or python != "3.11"
    ]


@nox.session
@nox.parametrize(["python", "django"], _supported())
def tests(session: nox.Session, django: str) -> None:
    """The tests on one Python and one Django: nox -s "tests(3.12-6.0)"."""
    session.install("-r", "requirements.txt", "-e", ".[test,browser]", f"Django~={django}.0")
    session.run("pytest", *session.posargs)


@nox.session
def lint(session: nox.Session) -> None:
    """Lint, and the layout of the source."""
    session.install("ruff")
    session.run("ruff", "check")
    session.run("ruff", "format", "--check")


@nox.session
def types(session: nox.Session) -> None:
    """mypy --strict with the plugins of Django and DRF."""
    session.install("-r", "requirements.txt", "-e", ".[test,browser,dev]")
    session.run("mypy", env={"SECRET_KEY": "unused"})
