"""How what a prompt returns becomes its messages: fixed once, when it is declared.

Specification: server/prompts, "PromptMessage".
"""

from __future__ import annotations

import inspect
from collections.abc import AsyncIterator, Collection, Iterator, Mapping, Set
from dataclasses import dataclass, replace
from types import NoneType
from typing import Any, Literal, LiteralString, Never, NoReturn, get_args, get_origin

from django.db.models import QuerySet
from django.db.models.query import RawQuerySet

from mcp_django.protocol.content import Block, ResourceLink, Text
from mcp_django.protocol.files import is_file, is_file_class
from mcp_django.protocol.members import is_text
from mcp_django.protocol.messages import PromptMessage, PromptResult, as_message
from mcp_django.schema.annotations import awaited, spelled
from mcp_django.schema.conversion import to_json
from mcp_django.schema.errors import DeclarationError, InvalidResult
from mcp_django.schema.returning.files import Reading
from mcp_django.schema.returning.presentation import alternatives, is_array, is_lazy
from mcp_django.schema.returning.unsendable import Unsendable

_TAKES = "a text, a content block, PromptMessage, a list of these, or PromptResult"
_FIX = f"Return {_TAKES}."
_FOR_DICT = "a message is PromptMessage(content, role), not a dict"
# Iterable, but no messages in order; a set has none.
_NO_LISTS = (Set, bytes, bytearray, memoryview, range, QuerySet, RawQuerySet)
_UNREAD = (str, Text, ResourceLink)  # no file is in these


@dataclass(frozen=True, slots=True)
class MessagesRule:
    """The conversion of what a prompt returns.

    ``blocks``: it may block the thread, by reading a file or by code of the author's.
    """

    blocks: bool
    name: str

    def convert(self, value: Any) -> PromptResult:
        """Its messages, one at least, and no file unread; raises ``InvalidResult``.

        ``value`` is awaited already.
        """
        result = value if isinstance(value, PromptResult) else PromptResult(value)
        items = list(_items(result.messages, self.name))
        if not items:
            raise _nothing(self.name)
        with Reading(map(_content, items)) as reading:
            messages = [_message(item, place) for place, item in enumerate(items)]
            meta = None if result.meta is None else to_json(result.meta)
            read = tuple(_read(message, reading) for message in messages)
        return PromptResult(read, result.description, meta)


def messages_rule(annotation: Any, *, name: str) -> MessagesRule:
    """The rule for a return annotation, resolved, or ``inspect.Signature.empty``.

    Raises ``DeclarationError`` for a type that no message comes from.
    """
    annotation = Any if annotation is inspect.Signature.empty else awaited(annotation)
    members = [one for one in alternatives(annotation) if one not in (NoneType, Never, NoReturn)]
    if not members:
        raise DeclarationError(f"{name} returns nothing, and a prompt gives messages.", _FIX)
    for member in members:
        if not _gives_messages(member):
            fix = "Write PromptMessage(content, role)." if _is_a(member, Mapping) else _FIX
            raise DeclarationError(f"No message comes from {spelled(member)}.", fix)
    return MessagesRule(not all(_is_read(member) for member in members), name)


def _gives_messages(annotation: Any) -> bool:
    """One message, several, or ``PromptResult``; what says nothing may be any of them."""
    if _is_one(annotation) or annotation is PromptResult:
        return True
    if not is_array(annotation) or _is_a(annotation, _NO_LISTS) or _is_a_file(annotation):
        return False
    return all(_is_one(member) for member in _members(annotation))


def _is_one(annotation: Any) -> bool:
    if annotation in (Any, object, LiteralString):
        return True
    if get_origin(annotation) is Literal:
        return all(isinstance(value, str) for value in get_args(annotation))
    return isinstance(annotation, type) and (
        issubclass(annotation, Block | PromptMessage) or hasattr(annotation, "casefold")
    )


def _members(annotation: Any) -> list[Any]:
    """What an iterable is of; a generator's further arguments are sent and returned."""
    arguments = get_args(annotation)
    if _is_a(annotation, Iterator):
        arguments = arguments[:1]
    items = [argument for argument in arguments if argument is not ...]
    return [member for item in items for member in alternatives(item)]


def _is_a(annotation: Any, classes: type | tuple[type, ...]) -> bool:
    kind = get_origin(annotation) or annotation
    return isinstance(kind, type) and issubclass(kind, classes)


def _is_a_file(annotation: Any) -> bool:
    return is_file_class(get_origin(annotation) or annotation)


def _is_read(annotation: Any) -> bool:
    """An allow-list: texts and links, and lists of them, which hold no file."""
    if is_array(annotation):
        members = _members(annotation)
        return not is_lazy(annotation) and bool(members) and all(map(_is_read, members))
    if annotation is LiteralString or get_origin(annotation) is Literal:
        return True
    return isinstance(annotation, type) and issubclass(annotation, _UNREAD)


def _items(value: Any, name: str) -> Iterator[Any]:
    """The messages that a value is, one or several."""
    if value is None:
        raise _nothing(name)
    if isinstance(value, PromptMessage | Block) or is_text(value):
        return iter((value,))
    if isinstance(value, Mapping):
        raise Unsendable(f"{name} returned {type(value).__name__}: {_FOR_DICT}.")
    if isinstance(value, AsyncIterator):
        raise Unsendable(f"{name} returned an async generator: return a list of its messages.")
    if isinstance(value, list | tuple | Iterator | Collection) and not _is_no_list(value):
        return iter(value)
    raise Unsendable(f"{name} returned {type(value).__name__}: a prompt returns {_TAKES}.")


def _is_no_list(value: Any) -> bool:
    return isinstance(value, _NO_LISTS) or is_file(value)


def _message(item: Any, place: int) -> PromptMessage:
    try:
        return as_message(item)
    except TypeError as error:
        problem = _FOR_DICT if isinstance(item, Mapping) else f"a message is no {_kind(item)}"
        raise InvalidResult(problem, (place,)) from error


def _kind(item: Any) -> str:
    return f"{type(item).__name__}; it is a text, a content block or PromptMessage"


def _content(item: Any) -> object:
    """What may hold a file, of whatever was returned as a message."""
    if isinstance(item, PromptMessage):
        return item.content
    return item if isinstance(item, Block) else None


def _read(message: PromptMessage, reading: Reading) -> PromptMessage:
    content = message.content
    if not isinstance(content, Block):
        return message
    return replace(message, content=reading.block(content))


def _nothing(name: str) -> Unsendable:
    return Unsendable(f"{name} returned nothing. A prompt returns {_TAKES}.")
