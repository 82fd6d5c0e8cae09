"""How the values of an argument or of a template's variable are completed.

Specification: server/utilities/completion.
"""

from __future__ import annotations

import datetime
import enum
from dataclasses import dataclass
from decimal import Decimal
from typing import Any
from uuid import UUID

from django.db.models import QuerySet
from django.utils.functional import Promise

from mcp_django.features.base import Binding
from mcp_django.protocol.cleaning import clean

VALUE = "value"  # the parameter of a completing function that gets what was typed so far

_WRITTEN_ALIKE = (str, Promise, int, float, Decimal, UUID)  # by str(), as clients send them
_WRITTEN_IN_ISO = (datetime.date, datetime.time)


@dataclass(frozen=True, slots=True)
class Rows:
    """Rows of a table: those whose ``field`` begins with what was typed, without case."""

    queryset: QuerySet[Any]
    field: str
    is_text: bool = True


@dataclass(frozen=True, slots=True)
class Asked:
    """A function that gives values.

    ``narrows``: it is given what was typed, and so gives matches alone, in its own order.
    """

    binding: Binding
    narrows: bool = False


@dataclass(frozen=True, slots=True)
class Completer:
    """Where the values come from: fixed choices, rows of a table, or a function.

    ``in_list``: the argument is a list, which clients send as JSON in a string: what is
    completed is its last item.
    """

    source: tuple[str, ...] | Rows | Asked
    in_list: bool = False

    @property
    def blocks(self) -> bool:
        """Whether completing may block the thread."""
        if isinstance(self.source, Asked):
            return self.source.binding.blocks
        return isinstance(self.source, Rows)

    @property
    def requires_user(self) -> bool:
        """Whether nobody but a signed-in user is given values."""
        return isinstance(self.source, Asked) and self.source.binding.requires_user


@dataclass(frozen=True, slots=True, eq=False)
class Completion:
    """``Annotated[str, Completion(source)]``: how clients complete an argument.

    For the arguments of prompts and the variables of templates. ``source`` is one of:

    - A queryset or a manager, with the name of a ``field``; without one, the field has the
      name of the argument. Values that begin with what was typed, without case, come in
      order, each once. For text on PostgreSQL an index serves this that is made of
      ``OpClass(Upper("isbn"), name="text_pattern_ops")``, and one of the field itself where
      nothing is typed yet.
    - A function, sync or async. Its parameter ``value``, if it has one, is what was typed so
      far, a string: what it then returns is taken as it is, in its order. Without one, what
      it returns is narrowed to what begins with what was typed. Its other parameters are
      injected as those of handlers are; ``Context.arguments`` has what is filled already. It
      returns strings, numbers, dates and the like, or a queryset of them
      (``values_list("isbn", flat=True)``).
    - A list of such values, or an ``Enum``.

    At most 100 values are sent. A tool's arguments are never completed.
    """

    source: Any
    field: str = ""


def text_of(value: Any) -> str:
    """A value as a client would send it, empty for None; ``TypeError`` for what is no value."""
    if isinstance(value, enum.Enum):
        value = value.value
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, _WRITTEN_IN_ISO):
        return value.isoformat()
    if isinstance(value, _WRITTEN_ALIKE):
        return clean(str(value))
    raise TypeError(
        f"{type(value).__name__} is no value to complete with: give strings, numbers or dates"
    )
