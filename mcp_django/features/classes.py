"""What a class says of the feature that it is: its kind, its method, its options."""

from __future__ import annotations

import inspect
from typing import Any

from mcp_django.features.components import ROOTS, FeatureClass, Prompt, Resource, Tool
from mcp_django.features.kinds import OPTION_NAMES, Kind

# The base class of each kind, and the method that answers a client.
_BASES: dict[Kind, tuple[type[FeatureClass], str]] = {
    "tool": (Tool, "call"),
    "resource": (Resource, "read"),
    "prompt": (Prompt, "render"),
}
# They belong to one feature, so no class inherits them.
_NOT_INHERITED = ("name", "title", "uri")


def class_of(target: Any) -> type:
    """The class itself, or that of an instance."""
    return target if inspect.isclass(target) else type(target)


def kind_of(cls: type) -> Kind | None:
    """The kind of feature that a class is; None for a toolset, and for all else."""
    for kind, (base, _) in _BASES.items():
        if issubclass(cls, base):
            return kind
    return None


def base_of(kind: Kind) -> type[FeatureClass]:
    """The class that a feature of this kind is derived from."""
    return _BASES[kind][0]


def method_of(kind: Kind) -> str:
    """The name of the method that such a class is called by."""
    return _BASES[kind][1]


def is_abstract(cls: type) -> bool:
    """Whether the class is there to be derived from."""
    if cls in ROOTS or vars(cls).get("abstract") or inspect.isabstract(cls):
        return True
    kind = kind_of(cls)
    return kind is not None and not has_method(cls, kind)


def has_method(cls: type, kind: Kind) -> bool:
    """Whether the class says what is called."""
    method = getattr(cls, method_of(kind), None)
    # Without ABCMeta an abstract method is a mark and nothing more.
    return callable(method) and not getattr(method, "__isabstractmethod__", False)


def takes_self(value: Any) -> bool:
    """Whether it is a method: a function that was written elsewhere is given as it is."""
    if not inspect.isfunction(value):
        return False
    return next(iter(inspect.signature(value).parameters), "") == "self"


def options_of(cls: type, kind: Kind) -> dict[str, Any]:
    """The options that are attributes of a class, inherited ones too.

    What belongs to one feature alone is not inherited; nor is what stands in the decorator
    of a base class.
    """
    given = {
        name: vars(cls).get(name) if name in _NOT_INHERITED else getattr(cls, name, None)
        for name in OPTION_NAMES[kind]
    }
    given["description"] = _description(cls)
    return {name: value for name, value in given.items() if value is not None}


def _description(cls: type) -> Any:
    """The nearest description, unless a docstring is nearer."""
    for base in cls.__mro__:
        given = vars(base).get("description")
        if given is not None or docstring_of(base):
            return given
    return None


def docstring_of(cls: type) -> str:
    """The docstring that its author wrote, if any: not what ``@dataclass`` makes up."""
    if cls in ROOTS or cls.__module__ in ("builtins", "abc", "typing"):
        return ""
    text = vars(cls).get("__doc__") or ""
    return "" if text.startswith(f"{cls.__name__}(") else text
