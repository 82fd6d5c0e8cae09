"""Texts outside of the code: ``${key}`` and ``${key:fallback}``, filled from the settings.

``MCP_DJANGO["TEXTS"]`` is a dict, nested as one likes (``${books.find.title}``), or the path
of a TOML file. It is read once. What is declared keeps the texts that it was filled with: a
change of the setting at run time holds for what is declared after it.
"""

from __future__ import annotations

import difflib
import functools
import logging
import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, Protocol, TypeVar

from django.conf import settings as django_settings
from django.core.exceptions import ImproperlyConfigured
from django.core.signals import setting_changed
from django.utils.functional import Promise, lazy
from django.utils.text import format_lazy
from django.utils.translation import override

from mcp_django.conf import settings
from mcp_django.schema.errors import DeclarationError
from mcp_django.schema.translation import Text, Texts, resaid
from mcp_django.schema.validation import ArgumentsRule

logger = logging.getLogger("mcp_django")

SETTING = 'MCP_DJANGO["TEXTS"]'

_KEY = re.compile(r"[\w.-]+")
_REFERENCE = re.compile(r"(?P<literal>\$\$\{)|\$\{(?:(?P<key>[\w.-]+)(?::(?P<fallback>[^}]*))?\})?")
_MOST = 10  # keys told of a table
_OF_ARGUMENTS = ("the arguments", "the argument")
_OF_RESULT = ("the result", "the result's member")
_LITERAL = "Write $${ where ${ itself is meant"


class Rule(Protocol):
    """The rule of arguments or of a result."""

    @property
    def schema(self) -> dict[str, Any] | None: ...
    @property
    def texts(self) -> Texts: ...


R = TypeVar("R", bound=Rule)


def filled(text: Text) -> Text:
    """The text with its keys filled in; raises ``DeclarationError`` for one without a text.

    It is lazy where it, or what fills it, is a lazy translation. What ``TEXTS`` holds is taken
    as it is: a ``${`` in there stands for itself.
    """
    texts = known_texts()
    if isinstance(text, Promise):
        with override(django_settings.LANGUAGE_CODE):
            own = str(text)
            _joined(own, texts)
        # Where no text is outside of the code, there is nothing to look for in translations.
        return _in_each_language(text, texts) if texts or "${" in own else text
    return _joined(text, texts)


def filled_name(name: object) -> object:
    """A name with its keys filled in; what is no text is left for others to refuse."""
    made = filled(name) if isinstance(name, str | Promise) else name
    if isinstance(made, Promise):
        raise DeclarationError(
            f"The name {name!r} is a translation, and names are the same in every language.",
            "Write it, or fill it with a text that is not translated.",
        )
    return made


def with_filled_texts(rule: R) -> R:
    """The rule with the titles and descriptions of its schema filled in."""
    if rule.schema is None:
        return rule
    is_arguments = isinstance(rule, ArgumentsRule)
    whole, member = _OF_ARGUMENTS if is_arguments else _OF_RESULT
    schema, texts = resaid(rule.schema, rule.texts, filled, whole, member)
    made: Any = rule  # a dataclass, which a protocol can't say
    return replace(made, schema=schema, texts=texts)  # type: ignore[no-any-return]


def _joined(text: str, texts: Mapping[str, Text]) -> Text:
    parts = [part for part in _parts(text, texts) if isinstance(part, Promise) or part]
    if any(isinstance(part, Promise) for part in parts):
        return format_lazy("{}" * len(parts), *parts)
    return "".join(map(str, parts))


def _parts(text: str, texts: Mapping[str, Text]) -> Iterator[Text]:
    """What stands between the keys, and what stands for them."""
    end = 0
    for found in _REFERENCE.finditer(text):
        yield text[end : found.start()]
        yield "${" if found["literal"] else _text_of(found, texts)
        end = found.end()
    yield text[end:]


def _text_of(found: re.Match[str], texts: Mapping[str, Text]) -> Text:
    key, fallback = found["key"], found["fallback"]
    if key is None:
        excerpt = found.string[found.start() : found.start() + 30]
        raise DeclarationError(
            f"{excerpt!r} begins with a ${{ that is neither ${{key}} nor ${{key:fallback}}.",
            f"{_LITERAL}; a key is made of letters, digits, '_', '.' and '-'.",
        )
    if fallback is not None and "${" in fallback:
        raise DeclarationError(
            f"The fallback of ${{{key}}} holds another ${{, and is taken as it is.",
            "Write a text without one, or two keys after each other.",
        )
    known = texts.get(key, fallback)
    if known is None:
        raise _without_text(key, texts)
    return known


def _without_text(key: str, texts: Mapping[str, Text]) -> DeclarationError:
    inside = [one for one in texts if one.startswith(f"{key}.")]
    if inside:
        more = ", …" if inside[_MOST:] else ""
        return DeclarationError(
            f"${{{key}}} is a table of {SETTING}, not a text. Its keys are "
            f"{', '.join(one.removeprefix(f'{key}.') for one in inside[:_MOST])}{more}.",
            f"Write one of them, such as ${{{inside[0]}}}. {_LITERAL}.",
        )
    near = difflib.get_close_matches(key, texts, 1)
    hint = f" Did you mean {near[0]!r}?" if near else ""
    return DeclarationError(
        f"{SETTING} has no text ${{{key}}}.",
        f"Add it to {SETTING}, or write ${{{key}:a fallback}}.{hint} {_LITERAL}.",
    )


def _filled_now(text: Promise, texts: Mapping[str, Text]) -> str:
    """A lazy text in the language that is active; at start-up it was filled in the project's."""
    try:
        return str(_joined(str(text), texts))
    except DeclarationError as error:
        logger.error("A translation cannot be filled in: %s", error)
        with override(django_settings.LANGUAGE_CODE):
            return str(_joined(str(text), texts))


_in_each_language = lazy(_filled_now, str)


@functools.cache
def known_texts() -> Mapping[str, Text]:
    """``MCP_DJANGO["TEXTS"]`` by its dotted keys; mistakes raise ``ImproperlyConfigured``."""
    given: Any = settings.TEXTS
    if isinstance(given, str | Path):
        path = _absolute(given)
        return _by_key(_read(path), str(path))
    if isinstance(given, Mapping):
        return _by_key(given, SETTING)
    raise ImproperlyConfigured(
        f"{SETTING} is {given!r}. It takes a dict of texts, or the path of a TOML file."
    )


def _absolute(path: str | Path) -> Path:
    return Path(getattr(django_settings, "BASE_DIR", None) or Path.cwd(), path)


def _read(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise ImproperlyConfigured(
            f"{SETTING} names {path}, which cannot be read: {error.strerror}. Correct the path; "
            "a relative one begins at BASE_DIR."
        ) from error
    except ValueError as error:  # it is no UTF-8, or no TOML, and says where
        raise ImproperlyConfigured(f"{path}: It is no TOML: {error}. Correct it there.") from error


def _by_key(table: Mapping[Any, Any], where: str) -> dict[str, Text]:
    texts: dict[str, Text] = {}
    for key, text in _flattened(table, where, ""):
        if key in texts:
            raise ImproperlyConfigured(f"{where}: {key} is there twice. Leave one out.")
        texts[key] = text
    return texts


def _flattened(table: Mapping[Any, Any], where: str, prefix: str) -> Iterator[tuple[str, Text]]:
    for name, value in table.items():
        if not isinstance(name, str) or not _KEY.fullmatch(name):
            raise ImproperlyConfigured(
                f"{where}: No ${{key}} can name the key {name!r}. "
                "Make it of letters, digits, '_', '.' and '-'."
            )
        if isinstance(value, Mapping):
            yield from _flattened(value, where, f"{prefix}{name}.")
        elif isinstance(value, str | Promise):
            yield prefix + name, value
        else:
            raise ImproperlyConfigured(
                f"{where}: {prefix}{name} is {value!r}. Give it a text, or a table of texts."
            )


def _changed(*, setting: str, **kwargs: Any) -> None:
    if setting in ("MCP_DJANGO", "BASE_DIR"):
        known_texts.cache_clear()


setting_changed.connect(_changed, dispatch_uid="mcp_django.features.texts")
