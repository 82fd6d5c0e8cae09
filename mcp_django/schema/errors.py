"""The ways in which a schema can say no: to an author, to a caller, and to a tool."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping


class DeclarationError(Exception):
    """A mistake in a declaration, found at start-up: the problem and how to mend it.

    Floors above add the file, the line and the function, and raise Django's
    ``ImproperlyConfigured``.
    """

    def __init__(self, problem: str, fix: str) -> None:
        super().__init__(f"{problem} {fix}")
        self.problem = problem
        self.fix = fix

    def under(self, where: str) -> DeclarationError:
        """The same mistake, named after what holds it."""
        return type(self)(f"{where}: {self.problem}", self.fix)


class Unfilled(DeclarationError):
    """Nothing that is known so far fills a parameter, or is what a tool requires.

    An app that is not ready yet may be about to ``provide()`` it.
    """


class Broken(DeclarationError):
    """Code of the author's raised while start-up ran it: its traceback is worth showing."""


def cause_to_show(error: BaseException) -> BaseException | None:
    """What an author needs to see beside the message: what their own code raised, if it did."""
    link: BaseException | None = error
    while isinstance(link, DeclarationError):
        if isinstance(link, Broken):
            return link.__cause__
        link = link.__cause__
    return None if isinstance(error, DeclarationError) else error


class InvalidArguments(Exception):
    """A caller's arguments do not validate.

    ``text`` tells a model each field, what is wrong and what would be right;
    ``errors`` is the same by path (``"lines.0.qty"``), for forms.
    """

    def __init__(self, text: str, errors: Mapping[str, list[str]] | None = None) -> None:
        super().__init__(text)
        self.text = text
        self.errors = dict(errors or {})


class InvalidResult(Exception):
    """What a tool returned cannot be sent: it has no JSON form, or its schema refuses it.

    ``str()`` says where and why, as in ``result.loans[3].due: expected string, got 5``.
    """

    def __init__(self, problem: str, path: Iterable[str | int] = ()) -> None:
        self.problem = problem
        self.path = tuple(path)
        super().__init__(problem, self.path)

    def under(self, step: str | int) -> InvalidResult:
        """The same problem, seen from the object or array around it."""
        return InvalidResult(self.problem, (step, *self.path))

    def __str__(self) -> str:
        return f"{json_path(self.path)}: {self.problem}"


def json_path(path: Iterable[str | int]) -> str:
    """A place inside of a result: ``result.loans[3]["due date"]``."""
    steps = (
        f".{step}" if isinstance(step, str) and step.isidentifier() else f"[{json.dumps(step)}]"
        for step in path
    )
    return "result" + "".join(steps)
