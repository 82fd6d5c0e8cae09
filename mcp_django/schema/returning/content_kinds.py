"""What a resource's return type says that it may return."""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from dataclasses import dataclass, fields, is_dataclass
from types import NoneType
from typing import Any, LiteralString, Never, NoReturn, Union, get_args, get_origin

from django.db.models import Model

from mcp_django.protocol.contents import ResourceContents
from mcp_django.protocol.files import Bytes, is_file_class
from mcp_django.schema.annotations import spelled
from mcp_django.schema.errors import DeclarationError
from mcp_django.schema.results import ResultRule, is_serializer, result_rule
from mcp_django.schema.returning.content_refusals import check_return_type, is_text_file
from mcp_django.schema.returning.presentation import alternatives, is_text

_WORDS = {"text": "text", "data": "bytes", "files": "a file", "contents": "ResourceContents"}


@dataclass(frozen=True, slots=True)
class Kinds:
    """The kinds of values that a resource may return, as far as its type tells.

    ``json`` converts all other values, None where there may be none. ``judged``: no type
    says anything, so each value does. ``blocks``: converting one may block the thread.
    """

    text: bool = False
    data: bool = False
    files: bool = False
    contents: bool = False
    json: ResultRule | None = None
    judged: bool = False

    def only(self, kind: str) -> bool:
        """Whether values are of this kind and of no other."""
        return [f.name for f in fields(self) if getattr(self, f.name)] == [kind]

    @property
    def blocks(self) -> bool:
        """An allow-list: text, bytes, and what is known to become JSON without a query."""
        may_be_read = self.files or self.contents
        return may_be_read or (self.json is not None and self.json.blocks)

    @property
    def promised(self) -> str:
        """The kinds but JSON, for a message."""
        return " or ".join(word for name, word in _WORDS.items() if getattr(self, name))


def kinds_of(annotation: Any, name: str, *, is_returns: bool = False) -> Kinds:
    """By a return annotation, already peeled, or by a type given as ``returns=``."""
    members = [one for one in alternatives(annotation) if one not in (NoneType, Never, NoReturn)]
    if not members:
        raise DeclarationError(
            f"{name} returns nothing, and reading a resource gives contents.",
            "Return str, bytes, a file, ResourceContents, or what becomes JSON.",
        )
    if any(member in (Any, object) for member in members):
        rule = result_rule(Any, name=name)
        return Kinds(text=True, data=True, files=True, contents=True, json=rule, judged=True)
    found: dict[str, Any] = {
        kind: True for member in members if (kind := _kind_of(member)) is not None
    }
    data = [member for member in members if _kind_of(member) is None]
    if not data:
        return Kinds(**found)
    for member in data:
        check_return_type(member)
    shown = Union[tuple(data)] if len(data) > 1 else data[0]  # noqa: UP007 - of a tuple
    if is_returns:
        return Kinds(**found, json=result_rule(inspect.Signature.empty, shown, name=name))
    return Kinds(**found, json=result_rule(shown, name=name))


def kinds_of_returns(annotation: Any, returns: Any, name: str) -> Kinds:
    """By ``returns=``, a serializer or a type; the annotation may add ``ResourceContents``."""
    if not is_serializer(returns):
        return kinds_of(returns, name, is_returns=True)
    contents = any(_kind_of(member) == "contents" for member in alternatives(annotation))
    return Kinds(contents=contents, json=result_rule(annotation, returns, name=name))


def _kind_of(annotation: Any) -> str | None:
    """The name of the kind, None for JSON and for what can't be had."""
    cls = get_origin(annotation) or annotation
    if cls is LiteralString or is_text(cls):
        return "text"
    if not isinstance(cls, type):
        return None
    if issubclass(cls, Bytes):
        return "data"
    if issubclass(cls, ResourceContents) or _is_list_of_contents(annotation, cls):
        return "contents"
    if not is_file_class(cls) or is_dataclass(cls) or issubclass(cls, Model):
        return None
    if is_text_file(annotation):
        raise DeclarationError(
            f"A resource cannot return {spelled(annotation)}, a file of text.",
            'Open it with "rb", or return its text.',
        )
    return "files"


def _is_list_of_contents(annotation: Any, cls: type) -> bool:
    items = [one for argument in get_args(annotation) for one in alternatives(argument)]
    items = [item for item in items if item is not ...]
    return issubclass(cls, Sequence) and bool(items) and set(items) == {ResourceContents}
