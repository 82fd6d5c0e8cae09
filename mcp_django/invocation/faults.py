"""What a client is told when a feature fails, and the result that tells it of a tool.

An author's own words reach it, a database's never, and with ``MASK_ERRORS`` nothing that
was not written for it.
"""

from __future__ import annotations

import logging
import secrets
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from django.core.exceptions import PermissionDenied, ValidationError
from django.db import Error as DatabaseError
from rest_framework.exceptions import APIException

from mcp_django.conf import settings
from mcp_django.features.base import Feature
from mcp_django.invocation.context import NoTenant
from mcp_django.invocation.flows import ENDINGS, is_closing
from mcp_django.protocol.content import Block, Text
from mcp_django.schema.errors import InvalidArguments, InvalidResult
from mcp_django.schema.results import ABSENT, Outcome, to_json
from mcp_django.schema.returning.encoding import encode
from mcp_django.schema.returning.presentation import presented
from mcp_django.schema.returning.told import WRITTEN_FOR_CALLERS, Told
from mcp_django.schema.returning.unsendable import TooLong

logger = logging.getLogger("mcp_django")

NO_TENANT = "No tenant for this request"

# What a flow that answers for code of an author's catches, less what ``goes_through``.
CAUGHT = (Exception, BaseExceptionGroup, *ENDINGS)


class ToolError(Told):
    """Raised by a tool to tell the model what went wrong, in the author's words.

    ``structured`` is a payload for programs: anything that becomes a JSON object.
    ``content`` are texts and blocks that follow the message. A subclass may define either
    as a property or an attribute; what is given here goes before it. The tool's work in
    the database is rolled back where a transaction surrounds it.
    """

    structured: Any = None
    content: Sequence[Block | str] | Block | str = ()

    def __init__(
        self,
        message: object = "",
        *,
        structured: Any = None,
        content: Sequence[Block | str] | Block | str = (),
    ) -> None:
        super().__init__(message)
        given = {"structured": structured, "content": content}
        for name, value in given.items():
            if value is not None and value != ():
                # Past a property of a subclass, which could not be set.
                self.__dict__[name] = value

    def payload(self, name: str) -> Any:
        """What was given, else what the class has of its own."""
        return self.__dict__[name] if name in self.__dict__ else getattr(self, name)


def goes_through(error: BaseException) -> bool:
    """Whether no answer may hide it: the process is told to stop, or the flow is closed."""
    return is_interrupt(error) or is_closing(error)


def is_interrupt(error: BaseException) -> bool:
    """Whether the process is told to stop, alone or among other errors.

    To be asked, in place of ``goes_through``, by what is no flow, and so is never closed.
    """
    if isinstance(error, BaseExceptionGroup):
        return error.subgroup(KeyboardInterrupt) is not None
    return isinstance(error, KeyboardInterrupt)


def outcome_of(error: BaseException, feature: Feature) -> Outcome:
    """The ``isError`` result for what a tool raised."""
    found = parts_of(error)
    if len(found) == 1:
        return _of_one(found[0], feature)
    outcomes = [_of_one(one, feature) for one in found]
    blocks = [block for outcome in outcomes for block in outcome.content]
    return Outcome(content=tuple(blocks), structured=outcomes[0].structured, is_error=True)


def parts_of(error: BaseException) -> list[BaseException]:
    """The exceptions of a group, to any depth, ``ToolError`` first; of any other, itself."""
    # Stable: otherwise in the order of the group.
    return sorted(_flattened(error), key=lambda one: not isinstance(one, ToolError))


def _flattened(error: BaseException) -> Iterator[BaseException]:
    if isinstance(error, BaseExceptionGroup):
        for inner in error.exceptions:
            yield from _flattened(inner)
    else:
        yield error


def told_of_all(found: Iterable[BaseException], feature: Feature) -> str:
    """What a caller is told of several exceptions, one after the other."""
    return "\n".join(told(one, feature) for one in found)


def _of_one(error: BaseException, feature: Feature) -> Outcome:
    if isinstance(error, ToolError):
        return _of_tool_error(error, feature)
    return failed(told(error, feature))


def told(error: BaseException, feature: Feature) -> str:
    """What a caller is told of an exception; what it is not told is in the log."""
    if isinstance(error, ToolError):
        return _words(error)
    if isinstance(error, InvalidArguments):
        return error.text
    if isinstance(error, NoTenant):
        return NO_TENANT
    if isinstance(error, TooLong):
        return str(error)
    if isinstance(error, InvalidResult):
        logger.error("%s: The result cannot be sent: %s", feature.source, error)
        return _masked(error, feature) if settings.MASK_ERRORS else str(error)
    if isinstance(error, WRITTEN_FOR_CALLERS):
        return readable(error)
    if settings.MASK_ERRORS or isinstance(error, DatabaseError):
        return _masked(error, feature)
    logger.error(
        "The %s %s raised %s.", feature.noun, feature.key, type(error).__name__, exc_info=error
    )
    return _words(error)


def failed(
    text: str,
    content: Iterable[Block] = (),
    structured: Any = ABSENT,
    encoded: bytes | None = None,
) -> Outcome:
    """An ``isError`` outcome: one text, then further blocks."""
    return Outcome((Text(text), *content), structured, is_error=True, encoded=encoded)


def _masked(error: BaseException, feature: Feature) -> str:
    reference = secrets.token_hex(6)
    logger.error(
        "The %s %s failed (reference %s).", feature.noun, feature.key, reference, exc_info=error
    )
    noun = "resource" if feature.kind == "resource_template" else feature.kind
    return f"The {noun} failed. The operator finds the reason under reference {reference}."


def _words(error: BaseException) -> str:
    """The message of an exception, or its class where it has none that can be read."""
    text = _spoken(error)
    if isinstance(error, ENDINGS):
        return f"{type(error).__name__}: {text}" if text else type(error).__name__
    return text or type(error).__name__


def _spoken(error: BaseException) -> str:
    """``str()``, or "" where that raises: an author's ``__str__`` may be wrong, or never end."""
    try:
        return str(error)
    except CAUGHT as problem:
        if is_interrupt(problem):
            raise
        return ""


def _of_tool_error(error: ToolError, feature: Feature) -> Outcome:
    text = _words(error)
    try:
        content = presented(error.payload("content"))
        if content is None:
            raise InvalidResult("content is made of texts and content blocks")
        payload = error.payload("structured")
        if payload is None:
            return failed(text, content)
        structured, encoded = encode(to_json(payload))
        if not isinstance(structured, dict):
            raise InvalidResult(f"a JSON object is needed, this is {type(payload).__name__}")
    except CAUGHT as problem:  # a property of the author's may raise anything
        if is_interrupt(problem):
            raise
        return failed(f"{text}\n({_unsendable(problem, feature)})")
    return failed(text, content, structured, encoded)


def _unsendable(problem: BaseException, feature: Feature) -> str:
    unsent = "The error's structured payload or content could not be sent"
    if settings.MASK_ERRORS or not isinstance(problem, InvalidResult):
        return f"{unsent}. {_masked(problem, feature)}"
    logger.error("The tool %s: %s.", feature.name, unsent, exc_info=problem)
    return f"{unsent}: {problem.problem}"


def readable(error: BaseException) -> str:
    """The message of an exception that Django or DRF made for callers."""
    if isinstance(error, APIException | ValidationError):
        return _detailed(error) or type(error).__name__
    if isinstance(error, PermissionDenied):
        return _spoken(error) or "Permission denied."
    return _spoken(error) or "Not found."


def _detailed(error: APIException | ValidationError) -> str:
    """The problems it lists, one a line; "" where a text among them raises."""
    try:
        if isinstance(error, APIException):
            return "\n".join(_lines(error.detail))
        has_fields = hasattr(error, "error_dict")
        return "\n".join(_lines(error.message_dict if has_fields else error.messages))
    except CAUGHT as problem:
        if is_interrupt(problem):
            raise
        return ""


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
