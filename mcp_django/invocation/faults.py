"""What a model is told when a tool fails.

An author's own words reach it, a database's never, and with ``MASK_ERRORS`` nothing that
was not written for it.
"""

from __future__ import annotations

import logging
import secrets
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from django.core.exceptions import ObjectDoesNotExist, PermissionDenied, ValidationError
from django.db import Error as DatabaseError
from django.http import Http404
from rest_framework.exceptions import APIException

from mcp_django.conf import settings
from mcp_django.features.base import Feature
from mcp_django.invocation.context import NoTenant
from mcp_django.protocol.content import Block, Text
from mcp_django.schema.errors import InvalidArguments, InvalidResult
from mcp_django.schema.results import ABSENT, Outcome, to_json

logger = logging.getLogger("mcp_django")

NO_TENANT = "No tenant for this request"

# Raised to be read by a caller: shown also where errors are masked.
_WRITTEN_FOR_CALLERS = (
    APIException,
    ValidationError,
    PermissionDenied,
    Http404,
    ObjectDoesNotExist,
)


class ToolError(Exception):
    """Raised by a tool to tell the model what went wrong, in the author's words.

    ``structured`` is a payload for programs: anything that becomes a JSON object.
    ``content`` are blocks that follow the message. A subclass may define either as a
    property. The tool's work in the database is rolled back under ``ATOMIC_REQUESTS``.
    """

    structured: Any = None
    content: Sequence[Block] = ()

    def __init__(
        self, message: object = "", *, structured: Any = None, content: Sequence[Block] = ()
    ) -> None:
        super().__init__(message)
        # A subclass's property or class attribute stands unless a value is given.
        if structured is not None:
            self.structured = structured
        if content:
            self.content = content


def outcome_of(error: BaseException, feature: Feature) -> Outcome:
    """The ``isError`` result for what a tool raised."""
    found = list(_flattened(error))
    if len(found) == 1:
        return _of_one(found[0], feature)
    found.sort(key=lambda one: not isinstance(one, ToolError))  # stable: ToolError first
    outcomes = [_of_one(one, feature) for one in found]
    blocks = [block for outcome in outcomes for block in outcome.content]
    return Outcome(content=tuple(blocks), structured=outcomes[0].structured, is_error=True)


def _flattened(error: BaseException) -> Iterator[BaseException]:
    if isinstance(error, BaseExceptionGroup):
        for inner in error.exceptions:
            yield from _flattened(inner)
    else:
        yield error


def _of_one(error: BaseException, feature: Feature) -> Outcome:
    if isinstance(error, ToolError):
        return _of_tool_error(error, feature)
    if isinstance(error, InvalidArguments):
        return failed(error.text)
    if isinstance(error, NoTenant):
        return failed(NO_TENANT)
    if isinstance(error, InvalidResult):
        logger.error("Tool %s returned what its schema refuses: %s", feature.name, error)
        return failed(_masked(error, feature) if settings.MASK_ERRORS else str(error))
    if isinstance(error, _WRITTEN_FOR_CALLERS):
        return failed(readable(error))
    if settings.MASK_ERRORS or isinstance(error, DatabaseError):
        return failed(_masked(error, feature))
    logger.error("Tool %s raised %r.", feature.name, error, exc_info=error)
    return failed(str(error) or type(error).__name__)


def failed(text: str, content: Iterable[Block] = (), structured: Any = ABSENT) -> Outcome:
    """An ``isError`` outcome: one text, then further blocks."""
    return Outcome(content=(Text(text), *content), structured=structured, is_error=True)


def _masked(error: BaseException, feature: Feature) -> str:
    reference = secrets.token_hex(6)
    logger.error("Tool %s failed (reference %s).", feature.name, reference, exc_info=error)
    return f"The tool failed. The operator finds the reason under reference {reference}."


def _of_tool_error(error: ToolError, feature: Feature) -> Outcome:
    text = str(error) or type(error).__name__
    try:
        content = tuple(error.content)
        payload = error.structured
        structured = ABSENT if payload is None else to_json(payload)
        if structured is not ABSENT and not isinstance(structured, dict):
            raise TypeError(f"a JSON object is needed, this is {type(payload).__name__}")
    except Exception as problem:
        logger.error("Tool %s: a payload cannot be sent.", feature.name, exc_info=problem)
        return failed(f"{text}\n(The error's structured payload could not be sent: {problem})")
    return failed(text, content, structured)


def readable(error: BaseException) -> str:
    """The message of an exception that Django or DRF made for callers."""
    if isinstance(error, APIException):
        return "\n".join(_lines(error.detail)) or type(error).__name__
    if isinstance(error, ValidationError):
        has_fields = hasattr(error, "error_dict")
        return "\n".join(_lines(error.message_dict if has_fields else error.messages))
    if isinstance(error, PermissionDenied):
        return str(error) or "Permission denied."
    return str(error) or "Not found."


def _lines(detail: Any, path: str = "") -> Iterator[str]:
    """DRF's nested details, one problem a line, each with the path of its field."""
    if isinstance(detail, Mapping):
        for name, inner in detail.items():
            known = name in ("non_field_errors", "__all__", "detail")
            yield from _lines(inner, path if known else f"{path}.{name}".lstrip("."))
    elif isinstance(detail, list | tuple):
        nested = any(isinstance(item, Mapping | list) for item in detail)
        for index, item in enumerate(detail):
            yield from _lines(item, f"{path}.{index}".lstrip(".") if nested else path)
    else:
        yield f"{path}: {detail}" if path else str(detail)
