"""URIs without variables: found however they are escaped, and kept from templates."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Generic, TypeVar
from urllib.parse import unquote

from mcp_django.protocol.uris import Address
from mcp_django.protocol.uritemplates import UriTemplate

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Meaning:
    """A URI decoded once, to compare it with another: never to take values from.

    ``parameters`` are those of the query in any order, ``?q`` as ``?q=``, and those of the
    path where they were asked for.
    """

    path: str
    parameters: frozenset[tuple[str, str]]
    fragment: str | None

    @property
    def is_path_alone(self) -> bool:
        """Whether nothing follows the path."""
        return not self.parameters and self.fragment is None

    def is_within(self, other: Meaning) -> bool:
        """Whether the other one says all of this, and perhaps more."""
        return (
            self.path == other.path
            and self.parameters <= other.parameters
            and self.fragment in (None, other.fragment)
        )


def meaning(address: Address, *, path_parameters: bool = False) -> Meaning:
    """What an address says, the parameters of its last path segment apart if that is asked."""
    path, items = address.path, [] if address.query is None else address.query.split("&")
    start = path.find(";", path.rfind("/") + 1) if path_parameters else -1
    if start >= 0:
        path, items = path[:start], [*items, *path[start:].split(";")[1:]]
    return Meaning(
        _decoded(path),
        frozenset(_parameter(item) for item in items),
        None if address.fragment is None else _decoded(address.fragment),
    )


def _parameter(item: str) -> tuple[str, str]:
    name, _equals, value = item.partition("=")
    return _decoded(name), _decoded(value)


def _decoded(text: str) -> str:
    """Bytes that are no UTF-8 stay apart from each other."""
    return unquote(text, errors="surrogateescape")


class FixedUris(Generic[T]):
    """Fixed URIs with what belongs to each."""

    def __init__(self, entries: Iterable[tuple[Address, T]]) -> None:
        self._at: dict[Meaning, T] = {}
        self._on_path: dict[tuple[str, bool], list[Meaning]] = {}
        for address, value in entries:
            self._at[meaning(address)] = value
            for apart in (False, True):
                one = meaning(address, path_parameters=apart)
                self._on_path.setdefault((one.path, apart), []).append(one)

    def at(self, address: Address) -> T | None:
        """What belongs to this URI: ``a%2Cb`` is ``a,b``, reserved characters included."""
        return self._at.get(meaning(address))

    def keep(self, address: Address, template: UriTemplate) -> bool:
        """Whether a template that matches this URI must not serve it, for it is one of these.

        A fixed URI keeps its path from all templates with variables in their paths, whatever
        query, path parameters or fragment follow: else ``{page}{?q}`` would read as
        ``hidden?q=`` what ``hidden`` protects. One with a query or a fragment keeps that, with
        whatever more a template takes. A template that writes the path out, as
        ``books{?q}`` beside ``books`` does, is meant and may serve it.
        """
        apart = bool(template.layout.path_parameters)
        asked = meaning(address, path_parameters=apart)
        is_written_out = not template.layout.path.variables
        return any(
            one.is_within(asked) and not (is_written_out and one.is_path_alone)
            for one in self._on_path.get((asked.path, apart), ())
        )
