"""What stands in lists of features has to be JSON, and that is known at start-up."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from django.utils.functional import Promise

from mcp_django.schema.errors import DeclarationError

_DEPTH = 200  # levels that the encoder writes
_FIX = "Give text, numbers, true and false, None, and lists and dicts of them."


def refuse_unwritable(name: str, value: Any, fix: str = _FIX) -> None:
    """Raise ``DeclarationError`` that says where a value is none of JSON's."""
    _refuse(name, value, fix, 0)


def _refuse(where: str, value: Any, fix: str, depth: int) -> None:
    if depth > _DEPTH:
        raise DeclarationError(f"{where[:100]}… is nested too deeply, or holds itself.", fix)
    if isinstance(value, Mapping):
        for key, inner in value.items():
            if not isinstance(key, str):
                raise DeclarationError(f"{where} has the key {key!r}, which is no string.", fix)
            _refuse(f"{where}.{key}", inner, fix, depth + 1)
    elif isinstance(value, list | tuple):
        for index, inner in enumerate(value):
            _refuse(f"{where}[{index}]", inner, fix, depth + 1)
    elif problem := _problem(value):
        raise DeclarationError(f"{_sayable(where)} {problem}.", fix)
    if isinstance(value, Mapping) and (odd := [key for key in value if _problem(key)]):
        raise DeclarationError(f"{where} has the key {odd[0]!r}, which {_problem(odd[0])}.", fix)


def _problem(value: Any) -> str:
    """Why a single value cannot be written; empty where it can."""
    if isinstance(value, str | Promise):
        try:
            str(value).encode()
        except UnicodeEncodeError:
            return "holds half of a surrogate pair, which no text can"
    elif isinstance(value, int) and not -(2**63) <= value < 2**64:
        return "is an integer beyond 64 bits"
    elif isinstance(value, float) and not math.isfinite(value):
        return f"is {value}, which JSON has no number for"
    elif not isinstance(value, int | float | None):
        return f"is a {type(value).__name__}, which JSON has no value for"
    return ""


def _sayable(text: str) -> str:
    return text.encode(errors="backslashreplace").decode()
