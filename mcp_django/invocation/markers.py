"""What authors write on a parameter that the server is to fill."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    # A project's user and tenant are of classes of its own: Annotated[Member, CurrentUser]
    # tells a type checker which.
    CurrentUser: TypeAlias = Any
    CurrentTenant: TypeAlias = Any
else:

    class CurrentUser:
        """The signed-in user. ``| None`` lets anonymous callers in."""

    class CurrentTenant:
        """The tenant of the request. ``| None`` does without one."""


@dataclass(frozen=True, slots=True)
class Inject:
    """``Annotated[T, Inject(function)]``: what the function gives, called once a call.

    It may be async. Its own parameters are injected by the same rules.
    """

    function: Callable[..., Any]
