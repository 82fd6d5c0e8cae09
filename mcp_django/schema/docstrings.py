"""Docstrings in Google, NumPy or reST style: what they say of arguments, and the rest."""

from __future__ import annotations

import inspect
import re
from dataclasses import dataclass, field

from docstring_parser import DocstringStyle, ParseError
from docstring_parser import parse as parse_style


@dataclass(frozen=True, slots=True)
class Docstring:
    """A docstring, taken apart.

    ``description`` is all of it but the section on arguments; ``arguments`` what that says,
    by name.
    """

    description: str = ""
    arguments: dict[str, str] = field(default_factory=dict)


_STYLES = (DocstringStyle.GOOGLE, DocstringStyle.NUMPYDOC, DocstringStyle.REST)

_GOOGLE = re.compile(
    r"^(?:Args|Arguments|Parameters|Params|Attributes|Keyword Args|Keyword Arguments):[ ]*\n"
    r"(?:[ \t]+\S.*(?:\n|\Z)|[ \t]*\n(?=(?:[ \t]*\n)*[ \t]))*",
    re.MULTILINE,
)
_NUMPY = re.compile(
    r"^(?:Parameters|Other Parameters|Attributes)[ ]*\n-{3,}[ ]*\n"
    r"(?:(?!\S.*\n-{3,}[ ]*(?:\n|\Z)).*(?:\n|\Z))*?(?=^\S.*\n-{3,}|\Z)",
    re.MULTILINE,
)
_REST = re.compile(
    r"^:(?:param|parameter|arg|argument|key|keyword|type)\b[^:\n]*:.*(?:\n|\Z)"
    r"(?:[ \t]+\S.*(?:\n|\Z))*",
    re.MULTILINE,
)
_SECTIONS = dict(zip(_STYLES, (_GOOGLE, _NUMPY, _REST), strict=True))


def parse(doc: str | None) -> Docstring:
    """Take a docstring apart; the style is the one that finds most arguments."""
    text = inspect.cleandoc(doc or "")
    if not text:
        return Docstring()
    style, arguments = max(
        ((style, _arguments(text, style)) for style in _STYLES), key=lambda found: len(found[1])
    )
    description = _SECTIONS[style].sub("", text) if arguments else text
    description = re.sub(r"\n{3,}", "\n\n", description).strip()
    return Docstring(description, arguments)


def _arguments(text: str, style: DocstringStyle) -> dict[str, str]:
    try:
        found = parse_style(text, style).params
    except ParseError:
        return {}
    return {
        name: " ".join(parameter.description.split())
        for parameter in found
        if parameter.description
        for name in re.split(r"\s*,\s*", parameter.arg_name)
    }
