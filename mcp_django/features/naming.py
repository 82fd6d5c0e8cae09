"""Names: of features by default, what is a valid one, and the keys of ``_meta``.

Specification (2026-07-28): server/tools, "Tool Names"; basic, "General fields".
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from mcp_django.features.texts import filled_name
from mcp_django.schema.errors import DeclarationError
from mcp_django.schema.writing import refuse_unwritable

_NAME = re.compile(r"[A-Za-z0-9_.-]{1,128}")
_WORD_STARTS = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|_+")

_META_LABEL = re.compile(r"[A-Za-z](?:[A-Za-z0-9-]*[A-Za-z0-9])?")
_META_NAME = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?|")
_RESERVED_LABELS = ("modelcontextprotocol", "mcp")


def kebab_case(identifier: str) -> str:
    """``ImportCatalogue`` and ``import_catalogue`` as ``import-catalogue``."""
    return _WORD_STARTS.sub("-", identifier.strip("_")).lower()


def checked_name(name: object) -> str:
    """The name, its keys filled in, or a ``DeclarationError`` where clients would refuse it."""
    name = filled_name(name)
    if isinstance(name, str) and _NAME.fullmatch(name):
        return name
    raise DeclarationError(
        f"{name!r} is not a valid name.",
        "Give it one with name=: 1 to 128 of the characters A-Z, a-z, 0-9, '_', '-' and '.'.",
    )


def checked_resource_name(name: object) -> str:
    """The name of a resource, which may be any text; it is asked for by its URI."""
    name = filled_name(name)
    if isinstance(name, str) and name.strip():
        refuse_unwritable("name", name, "Write the whole character.")
        return name.strip()
    raise DeclarationError(f"{name!r} is not a valid name.", "Give it one with name=.")


def checked_meta(meta: object) -> dict[str, Any]:
    """The ``meta`` of a feature, or a ``DeclarationError`` where a key is not free to use."""
    if not isinstance(meta, Mapping):
        raise DeclarationError(f"meta={meta!r} is no mapping.", "Give a dict.")
    for key in meta:
        problem = _problem_with_meta_key(key)
        if problem:
            raise DeclarationError(
                f"meta has the key {key!r}, {problem}.",
                "Write a name, or a domain of yours and a name, such as 'com.example/priority'.",
            )
    refuse_unwritable("meta", meta)
    return dict(meta)


def _problem_with_meta_key(key: object) -> str:
    if not isinstance(key, str):
        return "which is no string"
    prefix, slash, name = key.rpartition("/")
    labels = prefix.split(".")
    if slash and not all(_META_LABEL.fullmatch(label) for label in labels):
        return "whose prefix is not made of labels, such as 'com.example'"
    # The second label by the newest revision, the first one by 2025-06-18.
    if len(labels) > 1 and any(label.lower() in _RESERVED_LABELS for label in labels[:2]):
        return "whose prefix is reserved for the protocol"
    if not _META_NAME.fullmatch(name) or not key:
        return "whose name does not begin and end with a letter or a digit"
    return ""
