"""Content blocks: the return annotations that mean them, and the values that become them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from enum import Enum
from types import NoneType
from typing import Any, Never, NoReturn, get_args, get_origin

from django.utils.functional import Promise
from rest_framework.serializers import BaseSerializer

from mcp_django.protocol.content import Block, Text, clean
from mcp_django.protocol.files import unread
from mcp_django.schema.annotations import alias_value, is_alias, is_union, unwrapped
from mcp_django.schema.conversion import is_named_tuple, to_native
from mcp_django.schema.outcomes import ToolResult
from mcp_django.schema.returning.files import Reading


def is_presented(annotation: Any) -> bool:
    """Nothing but text, blocks, lists of blocks, ``ToolResult`` and None: no schema."""
    members = list(alternatives(annotation))
    return all(_is_alone(member) or _is_list(member) for member in members)


def alternatives(annotation: Any) -> Iterator[Any]:
    """The members of a union, aliases resolved; anything else by itself."""
    annotation, _metadata = unwrapped(annotation)
    if is_alias(get_origin(annotation) or annotation):
        yield from alternatives(alias_value(annotation))
    elif is_union(annotation):
        for member in get_args(annotation):
            yield from alternatives(member)
    else:
        yield annotation


def _is_alone(annotation: Any) -> bool:
    if annotation in (NoneType, NoReturn, Never):
        return True
    return is_text(annotation) or _is_a(annotation, (Block, ToolResult))


def is_array(annotation: Any) -> bool:
    """An iterable that is an array in JSON."""
    cls = get_origin(annotation) or annotation
    no_arrays = (str, bytes, Mapping, Enum, BaseSerializer)
    return _is_a(cls, Iterable) and not (_is_a(cls, no_arrays) or is_named_tuple(cls))


def is_lazy(annotation: Any) -> bool:
    """An iterable that may be a generator, and so run the author's code when it is read."""
    cls = get_origin(annotation) or annotation
    return is_array(annotation) and not _is_a(cls, Sequence | Set)


def _is_list(annotation: Any) -> bool:
    """An iterable of blocks, or of blocks and texts; of texts alone it is data."""
    if not is_array(annotation):
        return False
    arguments = get_args(annotation)
    # A generator's further arguments are what is sent and returned.
    items = arguments[:1] if _is_a(get_origin(annotation), Iterator) else arguments
    members = [member for item in items if item is not ... for member in alternatives(item)]
    blocks = [_is_a(member, Block) for member in members]
    return any(blocks) and all(
        block or is_text(member) for block, member in zip(blocks, members, strict=True)
    )


def is_text(annotation: Any) -> bool:
    """A string or a lazy one; an Enum of strings is data."""
    return _is_a(annotation, (str, Promise)) and not _is_a(annotation, Enum)


def _is_a(annotation: Any, classes: Any) -> bool:
    return isinstance(annotation, type) and issubclass(annotation, classes)


def presented(value: Any) -> tuple[Block, ...] | None:
    """The blocks that a value is, or None where it is neither text nor blocks.

    Files that blocks hold are read here and closed, also where something else among them is
    no block; raises ``InvalidResult`` for one that cannot be sent.
    """
    blocks = _presented(value)
    if blocks is None and isinstance(value, list | tuple):
        with Reading(item for item in value if isinstance(item, Block)):
            return None  # and no file stays open
    if not blocks or isinstance(value, str) or not has_files(blocks):
        return blocks
    with Reading(blocks) as reading:
        return tuple(reading.block(block) for block in blocks)


def has_files(value: Any) -> bool:
    """Whether presenting a value reads files, and so may block the thread."""
    if isinstance(value, ToolResult):
        return has_files(value.content)
    if isinstance(value, list | tuple):
        return any(isinstance(item, Block) and unread(item) is not None for item in value)
    return isinstance(value, Block) and unread(value) is not None


def _presented(value: Any) -> tuple[Block, ...] | None:
    if value is None:
        return ()
    if isinstance(value, str | Promise):
        return (Text(clean(to_native(value))),)
    if isinstance(value, Block):
        return (value,)
    if isinstance(value, list | tuple):
        blocks = [None if item is None else _presented(item) for item in value]
        if all(found is not None and len(found) == 1 for found in blocks):
            return tuple(found[0] for found in blocks if found)
    return None
