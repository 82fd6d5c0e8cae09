"""What stands where in a URI template: path, path parameters, query and fragment."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from mcp_django.protocol.uriexpressions import Expression
from mcp_django.protocol.uripatterns import Pattern, PatternBuilder, Values, Variable
from mcp_django.protocol.uris import (
    Address,
    path_value,
    segment_value,
    segment_values,
    text_value,
    with_plain_scheme,
)

PATH, QUERY, FRAGMENT = "path", "query", "fragment"
_ENDS = {PATH: "?#", QUERY: "#", FRAGMENT: "#"}


@dataclass(frozen=True, slots=True)
class Layout:
    """A template taken apart.

    ``query`` is what is written after a literal ``?`` and ``parameters`` are the names in
    ``{?…}`` and ``{&…}``; ``fragment`` is what is written after a literal ``#`` and
    ``fragment_name`` the name in ``{#…}``.
    """

    path: Pattern
    path_parameters: frozenset[str]
    query: Pattern | None
    parameters: frozenset[str]
    fragment: Pattern | None
    fragment_name: str | None

    @property
    def written_end(self) -> str:
        """The skeleton of what is written after the path."""
        query = f"?{self.query.skeleton}" if self.query else ""
        return f"{query}#{self.fragment.skeleton}" if self.fragment else query

    def read(self, address: Address) -> Values | None:
        """The values of all variables that the address has, or None."""
        path, path_parameters = address.path, None
        if self.path_parameters:
            start = path.find(";", path.rfind("/") + 1)
            if start >= 0:
                path, path_parameters = path[:start], path[start + 1 :].split(";")
        values = self.path.read(path)
        if values is None:
            return None
        if path_parameters is not None:
            values = _joined(values, _parameters(path_parameters, self.path_parameters))
        if self.query or self.parameters or address.query is not None:
            values = _joined(values, self._read_query(address.query))
        if self.fragment or self.fragment_name or address.fragment is not None:
            values = _joined(values, self._read_fragment(address.fragment))
        return values

    def _read_query(self, query: str | None) -> Values | None:
        """The written part as it is written, then parameters in any order."""
        if query is None:
            return None if self.query else {}
        items, written = query.split("&"), 0
        values: Values | None = {}
        if self.query:
            written = 1 + sum(literal.count("&") for literal in self.query.literals)
            values = self.query.read("&".join(items[:written]))
        return _joined(values, _parameters(items[written:], self.parameters))

    def _read_fragment(self, fragment: str | None) -> Values | None:
        if fragment is None:
            return None if self.fragment else {}
        if self.fragment:
            return self.fragment.read(fragment)
        value = None if self.fragment_name is None else text_value(fragment)
        return None if self.fragment_name is None or value is None else {self.fragment_name: value}


def _joined(values: Values | None, more: Values | None) -> Values | None:
    return None if values is None or more is None else values | more


def _parameters(items: Iterable[str], names: frozenset[str]) -> Values | None:
    """Each known and there once; without a ``=`` it is empty."""
    values: Values = {}
    for item in items:
        name, _equals, raw = item.partition("=")
        value = text_value(raw)
        if name not in names or name in values or value is None:
            return None
        values[name] = value
    return values


def layout(tokens: Sequence[str | Expression]) -> Layout:
    """Of the tokens of a template; ``ValueError`` in words if that can't be done."""
    scheme = with_plain_scheme(tokens[0]) if isinstance(tokens[0], str) else None
    if scheme is None:
        raise ValueError("it does not begin with a scheme, as library://books/{isbn} does")
    assembly = _Assembly()
    for token in [scheme, *tokens[1:]]:
        if isinstance(token, str):
            assembly.literal(token)
        else:
            assembly.expression(token)
    return assembly.layout()


class _Assembly:
    """Puts the tokens where they belong, in the order in which they come."""

    def __init__(self) -> None:
        self.part = PATH
        self.builders = {PATH: PatternBuilder()}
        self.closed_by = ""
        self.path_parameters: tuple[str, ...] = ()
        self.parameters: tuple[str, ...] = ()
        self.fragment_name: str | None = None

    def literal(self, text: str) -> None:
        end = next((i for i, mark in enumerate(text) if mark in _ENDS[self.part]), len(text))
        head, mark, rest = text[:end], text[end : end + 1], text[end + 1 :]
        if head:
            self._open(head).literal(head)
        if not mark:
            return
        if self.part == FRAGMENT:
            raise ValueError("it has a second #")
        self.part, self.closed_by = (QUERY if mark == "?" else FRAGMENT), ""
        self.builders[self.part] = PatternBuilder()
        self.literal(rest)

    def _open(self, what: str) -> PatternBuilder:
        if self.closed_by:
            raise ValueError(f"{what} can't follow {self.closed_by}")
        return self.builders[self.part]

    def expression(self, expression: Expression) -> None:
        if expression.operator == ";":
            self._path_parameters(expression)
        elif expression.operator in {"?", "&"}:
            self._parameters(expression)
        elif expression.operator == "#":
            self._fragment(expression)
        else:
            self._variables(expression)

    def _variables(self, expression: Expression) -> None:
        builder, operator = self._open(expression.text), expression.operator
        if operator and self.part != PATH:
            raise ValueError(f"{expression.text} belongs before the {self.part}")
        between = operator if operator in {".", "/"} else ","
        for index, name in enumerate(expression.names):
            if index or between == operator:
                builder.literal(between)
            if name in expression.exploded:
                builder.variable(Variable(name, segment_values, wide=True))
            elif operator == "+":
                builder.variable(Variable(name, path_value, wide=True))
            else:
                builder.variable(Variable(name, segment_value))

    def _path_parameters(self, expression: Expression) -> None:
        builder = self._open(expression.text)
        if self.part != PATH:
            raise ValueError(f"{expression.text} belongs before the {self.part}")
        last = builder.variables[-1:]
        if last and last[0].read is path_value and not builder.literals[-1]:
            raise ValueError(f"{expression.text} can't be told from the end of {last[0].name}")
        if ";" in builder.build().skeleton.rpartition("/")[2]:
            raise ValueError(f"{expression.text} can't be told from the ; written before it")
        self.path_parameters, self.closed_by = expression.names, expression.text

    def _parameters(self, expression: Expression) -> None:
        """``{?…}`` begins a query, ``{&…}`` goes on with one."""
        begins = expression.operator == "?"
        if begins and self.part != PATH:
            raise ValueError(f"{expression.text} begins a second query: write it with &")
        if not begins and self.part != QUERY:
            raise ValueError(f"{expression.text} goes on with a query, and none has begun")
        self.parameters += expression.names
        self.part, self.closed_by = QUERY, expression.text

    def _fragment(self, expression: Expression) -> None:
        if self.part == FRAGMENT:
            raise ValueError(f"{expression.text} begins a second fragment")
        self.fragment_name = expression.names[0]
        self.part, self.closed_by = FRAGMENT, expression.text

    def layout(self) -> Layout:
        query, fragment = self.builders.get(QUERY), self.builders.get(FRAGMENT)
        return Layout(
            path=self.builders[PATH].build(),
            path_parameters=frozenset(self.path_parameters),
            query=query.build() if query else None,
            parameters=frozenset(self.parameters),
            fragment=fragment.build() if fragment else None,
            fragment_name=self.fragment_name,
        )
