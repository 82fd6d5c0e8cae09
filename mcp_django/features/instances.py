"""Instances of tools and toolsets: made once, set up once, at start-up."""

from __future__ import annotations

import inspect
from typing import Any

from asgiref.sync import iscoroutinefunction

from mcp_django.features.changes import alone
from mcp_django.features.errors import InvalidFeature, described
from mcp_django.schema.errors import Broken, DeclarationError

_INSTANCE = "__mcp_instance__"
_IS_SET_UP = "__mcp_is_set_up__"


def instance_of(target: Any) -> Any:
    """The instance to call: made and set up at its first use, one for each class.

    A class may need another one while it is set up, or register a feature.
    """
    with alone():
        instance = _made(target) if inspect.isclass(target) else target
        if _IS_SET_UP not in instance.__dict__:
            _set_up(instance)
            instance.__dict__[_IS_SET_UP] = True
        return instance


def _made(cls: type) -> Any:
    if _INSTANCE not in vars(cls):
        needed = _needed_by_constructor(cls)
        if needed:
            raise DeclarationError(
                f"Its constructor needs {', '.join(needed)}.",
                f"Fetch what it works with in setup(), with self.require(…), or register an "
                f"instance: server.register({cls.__name__}(…)).",
            )
        try:
            setattr(cls, _INSTANCE, cls())
        except (DeclarationError, InvalidFeature):
            raise
        except (Exception, SystemExit) as error:
            raise Broken(
                f"The class cannot be made: {described(error)}.", "Mend its __init__()."
            ) from error
    return vars(cls)[_INSTANCE]


def _needed_by_constructor(cls: type) -> list[str]:
    try:
        parameters = inspect.signature(cls).parameters.values()
    except (ValueError, TypeError):  # no signature to be read: making it will tell
        return []
    return [
        parameter.name
        for parameter in parameters
        if parameter.default is parameter.empty
        and parameter.kind not in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD)
    ]


def _set_up(instance: Any) -> None:
    if iscoroutinefunction(instance.setup):
        raise DeclarationError(
            "setup() is async, and start-up awaits nothing.", "Write a plain def setup(self)."
        )
    try:
        instance.setup()
    except (DeclarationError, InvalidFeature):
        raise
    except (Exception, SystemExit) as error:
        raise Broken(
            f"setup() failed: {described(error)}.",
            "Mend it; what needs the database or a request belongs into the call.",
        ) from error
