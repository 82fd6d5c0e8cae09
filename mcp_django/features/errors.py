"""What stops start-up, always in one form: ``path:line: function: problem. Fix.``"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from django.apps import apps
from django.core.exceptions import ImproperlyConfigured
from django.db import OperationalError, ProgrammingError

from mcp_django.features.base import Feature, Source
from mcp_django.features.import_queries import QueryAtImport
from mcp_django.features.installed import apps_behind
from mcp_django.schema.errors import DeclarationError, Unfilled, cause_to_show


class InvalidFeature(ImproperlyConfigured):
    """A declaration that nothing can be made of."""


class Misuse(TypeError):
    """``@tool``, ``register()`` or ``provide()`` was given what it does not take."""


class AlreadyRegistered(InvalidFeature):
    """Two features of one server have the same name."""


class NotRegistered(LookupError):
    """No feature of this server has that name."""


@contextmanager
def located(source: Source) -> Iterator[None]:
    """Say where a declaration stands that turns out to be a mistake."""
    try:
        yield
    except InvalidFeature:
        raise
    except Exception as error:  # noqa: BLE001 - whatever it is, its place is told
        problem, fix = f"Nothing can be made of it: {described(error)}.", "Mend what that names."
        if isinstance(error, DeclarationError):
            problem, fix = error.problem, error.fix
        if isinstance(error, Unfilled) and not apps.ready and apps_behind():
            fix += f" {_NOT_LAST}"
        if is_query(error):
            fix = QUERY_LATER
        raise InvalidFeature(f"{source}: {problem} {fix}") from cause_to_show(error)


_NOT_LAST = "mcp_django is not last in INSTALLED_APPS: what later apps provide() is not known yet."

# What pytest-django and Django itself say where a test or an app asks the database too early.
_QUERY_WORDS = ("Database access not allowed", "Accessing the database during app init")

QUERY_LATER = "Query inside the function: at start-up the tables need not exist yet."


def is_query(error: BaseException | None) -> bool:
    """Whether it is about a database that is not there, or what it was caused by is."""
    while error is not None:
        if isinstance(error, OperationalError | ProgrammingError | QueryAtImport):
            return True
        if isinstance(error, RuntimeError | Warning) and str(error).startswith(_QUERY_WORDS):
            return True
        error = error.__cause__ or error.__context__
    return False


def already_registered(feature: Feature, other: Source) -> AlreadyRegistered:
    """The refusal of a name or URI that is taken: both places, and what to do."""
    source, what, option = feature.source, "name", "name="
    if feature.kind in ("resource", "resource_template"):
        what = option = "URI" if feature.kind == "resource" else "URI template"
    taken = f"The {what} {feature.key!r} is taken"
    if (source.path, source.line) != (other.path, other.line):
        fix = f"another {what} with {option}" if option == "name=" else f"another {what}"
        return AlreadyRegistered(f"{source}: {taken} by {other}. Give one of the two {fix}.")
    if source.module != other.module:
        return AlreadyRegistered(
            f"{source}: The file is imported twice, as {other.module} and as {source.module}, "
            f"so the {what} {feature.key!r} is taken. Import it under one name everywhere."
        )
    return AlreadyRegistered(
        f"{source}: {taken} by {other}: it is registered twice. "
        f"Leave one out, or give it another {what}{' with name=' if what == 'name' else ''}."
    )


def overlapping(feature: Feature, other: Feature) -> AlreadyRegistered:
    """The refusal of a template that matches what another one matches."""
    return AlreadyRegistered(
        f"{feature.source}: The URI template {feature.key!r} matches URIs that {other.key!r} of "
        f"{other.source} matches too. Let them differ in a fixed part."
    )


def described(error: BaseException) -> str:
    """An exception as its class and its words, without a full stop."""
    text = str(error).strip().rstrip(".")
    return f"{type(error).__name__}: {text}" if text else type(error).__name__
