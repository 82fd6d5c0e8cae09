"""What stops start-up, always in one form: ``path:line: function: problem. Fix.``"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from django.core.exceptions import ImproperlyConfigured

from mcp_django.features.base import Source
from mcp_django.schema.errors import DeclarationError


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
    except DeclarationError as error:
        raise InvalidFeature(f"{source}: {error.problem} {error.fix}") from error
