"""How what a tool returns becomes its result: fixed once, when the tool is declared."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType, NoneType
from typing import Any, Optional, Union

from django.db.models import Model
from rest_framework import serializers

from mcp_django.protocol.content import Block
from mcp_django.schema.annotations import awaited, is_union, spelled
from mcp_django.schema.conversion import RAISE_IT, TOO_DEEP, to_json, to_native
from mcp_django.schema.errors import Broken, DeclarationError, InvalidResult
from mcp_django.schema.jsonschema import result_schema
from mcp_django.schema.outcomes import ABSENT, Outcome, ToolResult
from mcp_django.schema.returning.checking import check_of
from mcp_django.schema.returning.encoding import encode
from mcp_django.schema.returning.presentation import (
    alternatives,
    is_array,
    is_lazy,
    is_presented,
    presented,
)
from mcp_django.schema.returning.representation import Context, Represent, may_query, represent_by
from mcp_django.schema.returning.returns import shape_of
from mcp_django.schema.returning.unions import nullable
from mcp_django.schema.translation import NO_TEXTS, Texts, separated
from mcp_django.schema.trees import named

__all__ = ["ABSENT", "Outcome", "ResultRule", "ToolResult", "result_rule", "to_json"]

Check = Callable[[Any], None]
_NO_CONTEXT: Context = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class ResultRule:
    """The schema of a tool's structured content, if it has one, and its conversion.

    ``blocks``: converting may block the thread, by a query or by code of the author's.
    ``texts`` are the titles and descriptions of ``schema`` that depend on the language;
    ``translation.translated`` says them again.
    """

    schema: dict[str, Any] | None
    blocks: bool
    _convert: Callable[[Any, Context], Outcome] = field(repr=False, compare=False)
    texts: Texts = NO_TEXTS

    def convert(self, value: Any, context: Context | None = None) -> Outcome:
        """The outcome for a returned value, already awaited; raises ``InvalidResult``.

        ``context`` is what serializers find in ``self.context``.
        """
        try:
            return self._convert(value, context or _NO_CONTEXT)
        except RecursionError as error:
            raise InvalidResult(TOO_DEEP) from error


def result_rule(annotation: Any, returns: Any = None, *, name: str) -> ResultRule:
    """The rule for a return annotation and ``returns=``, which goes before it.

    ``annotation`` is resolved, or ``inspect.Signature.empty``; ``returns`` a serializer or
    its class, or a type in place of the annotation. Raises ``DeclarationError``.
    """
    annotation = Any if annotation is inspect.Signature.empty else awaited(annotation)
    if returns is None:
        return _rule_of_annotation(annotation, name)
    may_be_none = is_union(annotation) and NoneType in alternatives(annotation)
    if not is_serializer(returns):
        _refuse_returns(returns, name)
        return _rule_of_annotation(Optional[returns] if may_be_none else returns, name)  # noqa: UP045
    serializer = _made(returns, name)
    if not isinstance(serializer, serializers.ListSerializer) and any(
        is_array(member) for member in alternatives(annotation)
    ):
        raise DeclarationError(
            f"{name} returns {spelled(annotation)}, a list, but its returns= shows one object.",
            f"Write returns={type(serializer).__name__}(many=True).",
        )
    return _rule_of_serializer(serializer, may_be_none or serializer.allow_null)


def _rule_of_annotation(annotation: Any, name: str) -> ResultRule:
    if is_presented(annotation):
        lazy = any(is_lazy(member) for member in alternatives(annotation))
        return ResultRule(None, lazy, _presented)
    if is_serializer(annotation):
        return _rule_of_serializer(_made(annotation, name), False)
    shape = shape_of(_without_tool_result(annotation))
    if not shape.schema.keys() - {"description"}:  # anything goes
        return ResultRule(None, shape.blocks, _judged)
    convert = shape.convert

    def represent(value: Any, context: Context) -> Any:
        return convert(value)

    schema, texts = separated(shape.schema)
    convert_all = _structured_by(represent, represent, check_of(schema, formats=True))
    return ResultRule(schema, shape.blocks, convert_all, texts)


def _without_tool_result(annotation: Any) -> Any:
    """``LoanReceipt | ToolResult`` has the schema of the receipt."""
    found = list(alternatives(annotation))
    if ToolResult not in found:
        return annotation
    members = tuple(member for member in found if member is not ToolResult)
    return Union[members]  # noqa: UP007 - of a tuple known at run time only


def _rule_of_serializer(serializer: serializers.BaseSerializer[Any], null: bool) -> ResultRule:
    schema = result_schema(serializer)
    schema, texts = separated(nullable(schema) if null else schema)
    represent = represent_by(serializer)

    def whole(value: Any, context: Context) -> Any:
        return None if null and value is None else represent(value, context)

    def part(value: Any, context: Context) -> Any:
        return to_native(value) if _is_built(value) else whole(value, context)

    # Without formats: what the database holds may be older than a field's rules.
    convert = _structured_by(whole if null else represent, part, check_of(schema, formats=False))
    return ResultRule(schema, may_query(serializer), convert, texts)


def is_serializer(returns: Any) -> bool:
    """A serializer, or a class of them."""
    if isinstance(returns, type):
        return issubclass(returns, serializers.BaseSerializer)
    return isinstance(returns, serializers.BaseSerializer)


def _made(returns: Any, name: str) -> serializers.BaseSerializer[Any]:
    try:
        serializer: serializers.BaseSerializer[Any] = (
            returns() if isinstance(returns, type) else returns
        )
    except Exception as error:  # whatever an author's __init__ raises
        raise Broken(
            f"returns= of {name}: {returns.__name__}() cannot be made ({error!r}).",
            "Give an instance, and read the context when it is used, not when it is made.",
        ) from error
    return serializer


def _refuse_returns(returns: Any, name: str) -> None:
    """What looks like a way to say ``returns=`` and is none."""
    if isinstance(returns, dict):
        fix = "Write a Serializer class with these fields and give that."
    elif isinstance(returns, serializers.Field) or _is_class(returns, serializers.Field):
        fix = "Give a Serializer with this field, or a type such as list[int]."
    elif isinstance(returns, Model) or _is_class(returns, Model):
        fix = "Write a ModelSerializer for the model and give that."
    else:
        return
    raise DeclarationError(f"returns= of {name} is {named(returns)}, which is no serializer.", fix)


def _is_class(value: Any, cls: type) -> bool:
    return isinstance(value, type) and issubclass(value, cls)


def _is_built(value: Any) -> bool:
    """Data of JSON's own kinds, which an author has put together already."""
    if isinstance(value, list | tuple):
        return all(_is_built(item) for item in value)
    return value is None or isinstance(value, Mapping | str | int | float)


def _presented(value: Any, context: Context) -> Outcome:
    """Text and blocks, without structured content."""
    if isinstance(value, ToolResult):
        return _whole(value, context, None, None)
    content = presented(list(value) if isinstance(value, Iterator) else value)
    if content is None:
        got = f"expected text or content blocks, got {type(value).__name__}"
        raise InvalidResult(f"{got}: {RAISE_IT}" if isinstance(value, BaseException) else got)
    return Outcome(content)


def _judged(value: Any, context: Context) -> Outcome:
    """No annotation says what it is, so the value does."""
    if isinstance(value, ToolResult):
        return _whole(value, context, None, None)
    if isinstance(value, Iterator):
        value = list(value)
    is_data = isinstance(value, list | tuple) and not any(isinstance(i, Block) for i in value)
    content = None if is_data else presented(value)
    if content is None:
        return _structured(to_native(value), None)
    return Outcome(content)


def _structured_by(
    represent: Represent, part: Represent, check: Check
) -> Callable[[Any, Context], Outcome]:
    """The conversion to structured content; ``part`` is for that of a ``ToolResult``."""

    def convert(value: Any, context: Context) -> Outcome:
        if isinstance(value, ToolResult):
            return _whole(value, context, part, check)
        return _structured(represent(value, context), check)

    return convert


def _structured(native: Any, check: Check | None) -> Outcome:
    native, encoded = encode(native)
    if check is not None:
        check(native)
    return Outcome(None, native, False, None, encoded)  # by place: half the price of names


def _whole(
    result: ToolResult, context: Context, part: Represent | None, check: Check | None
) -> Outcome:
    """A ``ToolResult`` as its author built it, held to the schema unless it is an error."""
    content = presented(result.content)
    if content is None:
        raise InvalidResult("ToolResult takes content as text, a block, or a list of these")
    meta = None if result.meta is None else to_json(result.meta)
    if result.is_error:  # its payload is another than that of a success
        part = check = None
    if result.structured is None and check is None:
        return Outcome(content, ABSENT, result.is_error, meta)
    represented = part(result.structured, context) if part else to_native(result.structured)
    structured, encoded = encode(represented)
    if check is not None:
        _check_whole(result, structured, check)
    return Outcome(content or None, structured, result.is_error, meta, encoded)


def _check_whole(result: ToolResult, structured: Any, check: Check) -> None:
    try:
        check(structured)
    except InvalidResult as error:
        if result.structured is not None:
            raise
        raise InvalidResult(f"the ToolResult has no structured content: {error.problem}") from error
