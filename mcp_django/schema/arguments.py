"""What authors write in annotations of arguments, and get in place of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, TypeVar, get_args, get_origin

S = TypeVar("S")


@dataclass(frozen=True, slots=True)
class ParamHeader:
    """Mirrors an argument in the HTTP header ``Mcp-Param-<name>``, for routers on the way."""

    name: str


class Arguments(Mapping[str, Any], Generic[S]):
    """The validated arguments of a call, by name; ``raw(name)`` is the JSON as sent.

    As an annotation, ``data: Arguments[S]`` takes all arguments in one parameter: with S a
    serializer, data is this mapping; with S a dataclass or TypedDict, data is one of those.
    """

    __slots__ = ("_raw", "_values")

    def __init__(self, values: Mapping[str, Any], raw: Mapping[str, Any] | None = None) -> None:
        self._values = values
        self._raw = raw if raw is not None else {}

    def __getitem__(self, name: str) -> Any:
        return self._values[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def raw(self, name: str, default: Any = None) -> Any:
        """What the client sent for an argument; ``default`` where it sent nothing."""
        return self._raw.get(name, default)

    if TYPE_CHECKING:  # with S a dataclass, what a handler gets has its attributes

        def __getattr__(self, name: str) -> Any: ...

    def __repr__(self) -> str:
        # Names alone: values may be secrets, and reprs end in logs.
        return f"<Arguments: {', '.join(self._values)}>"


def is_arguments_annotation(annotation: Any) -> Any:
    """The S of ``Arguments[S]``; ``Any`` for a bare ``Arguments``; None for all else."""
    if annotation is Arguments:
        return Any
    return get_args(annotation)[0] if get_origin(annotation) is Arguments else None
