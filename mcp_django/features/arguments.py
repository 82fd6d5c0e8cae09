"""The four ways to say a tool's arguments, and how they reach the handler."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from typing import Any, get_origin

from mcp_django.features.handlers import EMPTY, Handler, HandlerParameter, unannotated
from mcp_django.features.matching import (
    INJECT_IT,
    fillings_of_fields,
    fillings_of_schema,
    match_parameters,
    may_give_more,
    named,
    serializer_of,
    spelled_source,
)
from mcp_django.features.texts import filled_name
from mcp_django.schema.errors import DeclarationError, Unfilled
from mcp_django.schema.signatures import (
    Argument,
    serializer_from_arguments,
)
from mcp_django.schema.validation import (
    ArgumentsRule,
    arguments_rule,
    is_arguments_annotation,
    raw_schema_rule,
)


@dataclass(frozen=True, slots=True)
class Accepted:
    """The rule of the arguments, and how the record says that they reach the handler."""

    rule: ArgumentsRule
    serializer: Any = None  # one that validates as the rule does; None for a raw schema
    whole_parameter: str | None = None
    taken: frozenset[str] | None = None


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a handler's signature leaves to be sent by callers.

    ``injected`` are the names of the parameters that the server fills.
    """

    name: str  # of the tool
    handler: Handler
    parameters: tuple[HandlerParameter, ...]
    injected: Collection[str]
    descriptions: Mapping[str, str]  # of arguments, from the docstring


def accepted(wanted: Wanted, options: Mapping[str, Any]) -> Accepted:
    """What callers may send; raises ``DeclarationError``."""
    given, schema = options.get("arguments"), options.get("input_schema")
    if given is not None and schema is not None:
        raise DeclarationError("It has both arguments= and input_schema=.", "Keep one of them.")
    if schema is not None:
        return _from_schema(wanted, schema)
    whole = _whole(wanted, given)
    if whole is not None:
        given = _source_of(whole, given)
    elif given is None:
        rule = _derived(wanted)
        return Accepted(rule, serializer_of(rule, None))
    if isinstance(given, Mapping):
        given = {filled_name(key): value for key, value in given.items()}
    rule = _described(arguments_rule(given, name=wanted.name), wanted.descriptions)
    _refuse_injected(rule, wanted)
    serializer = serializer_of(rule, given)
    if whole is not None and whole.name not in rule.names:
        _refuse_beside(whole, wanted)
        return Accepted(rule, serializer, whole.name)
    fillings = fillings_of_fields(serializer)
    match_parameters(wanted.parameters, fillings, spelled_source(given), wanted.handler.takes_any)
    everything = wanted.handler.takes_any or not may_give_more(serializer)
    taken = None if everything else frozenset(one.name for one in wanted.parameters)
    return Accepted(rule, serializer, taken=taken)


def _whole(wanted: Wanted, given: Any) -> HandlerParameter | None:
    """``data: Arguments[S]``, or a parameter called ``arguments`` that is no argument."""
    for parameter in wanted.parameters:
        annotation = parameter.annotation
        if is_arguments_annotation(annotation) is not None:
            return parameter
        is_mapping = annotation is EMPTY or (
            given is not None and (get_origin(annotation) or annotation) in (Mapping, Any)
        )
        if parameter.name == "arguments" and is_mapping:
            return parameter
    return None


def _source_of(whole: HandlerParameter, given: Any) -> Any:
    """S of ``Arguments[S]``, or what ``arguments=`` gives."""
    written = is_arguments_annotation(whole.annotation)
    if written in (None, Any):
        if given is None:
            raise DeclarationError(
                f"Nothing says which arguments {whole.name!r} holds.",
                "Give arguments= a serializer, or annotate the parameter with Arguments[…].",
            )
        return given
    if given is not None and given is not written:
        raise DeclarationError(
            f"arguments= gives {spelled_source(given)}, and {whole.name!r} is of "
            f"Arguments[{spelled_source(written)}].",
            "Say it once.",
        )
    return written


def _refuse_beside(whole: HandlerParameter, wanted: Wanted) -> None:
    others = [parameter.name for parameter in wanted.parameters if parameter is not whole]
    if others:
        raise DeclarationError(
            f"{named('parameter', others)} cannot be filled, for {whole.name!r} takes all "
            "arguments.",
            f"Read them from {whole.name!r}; or, {INJECT_IT}.",
        )


def _derived(wanted: Wanted) -> ArgumentsRule:
    """A serializer out of the signature."""
    if wanted.handler.takes_any:
        raise DeclarationError(
            "It takes **kwargs, which does not say what may be sent.",
            "Name each argument, or give arguments= a serializer.",
        )
    arguments = [_argument(parameter, wanted) for parameter in wanted.parameters]
    try:
        serializer = serializer_from_arguments(wanted.name, arguments)
    except Unfilled as error:
        raise Unfilled(
            error.problem, f"{error.fix} {INJECT_IT[0].upper()}{INJECT_IT[1:]}."
        ) from error
    return arguments_rule(serializer, name=wanted.name)


def _argument(parameter: HandlerParameter, wanted: Wanted) -> Argument:
    if parameter.annotation is EMPTY:
        raise unannotated(parameter.name)
    help_text = wanted.descriptions.get(parameter.name, "")
    return Argument(parameter.name, parameter.annotation, parameter.default, help_text)


def _from_schema(wanted: Wanted, schema: Any) -> Accepted:
    """A raw JSON schema: shown to the letter, and enforced.

    Where it says nothing of further arguments, and the function has no place for them, none
    are let in.
    """
    rule = raw_schema_rule(schema)
    _refuse_injected(rule, wanted)
    whole = _whole(wanted, schema)
    if whole is not None and whole.name not in rule.names:
        _refuse_beside(whole, wanted)
        return Accepted(_without_injected(rule, wanted), whole_parameter=whole.name)
    fillings = fillings_of_schema(rule)
    match_parameters(wanted.parameters, fillings, "input_schema", wanted.handler.takes_any)
    if wanted.handler.takes_any:
        return Accepted(_without_injected(rule, wanted))
    if rule.schema.get("additionalProperties") or "patternProperties" in rule.schema:
        raise DeclarationError(
            "input_schema lets in further arguments, for which the function has no place.",
            "Take them with **kwargs, or take all in one parameter called arguments.",
        )
    return Accepted(_enforcing(rule, additionalProperties=False))


def _without_injected(rule: ArgumentsRule, wanted: Wanted) -> ArgumentsRule:
    """The rule of a schema that is open, closed for the names that the server fills."""
    if not wanted.injected:
        return rule
    properties = {**rule.schema.get("properties", {}), **dict.fromkeys(wanted.injected, False)}
    return _enforcing(rule, properties=properties)


def _enforcing(rule: ArgumentsRule, **keywords: Any) -> ArgumentsRule:
    """The rule shown as it is, but with other keywords enforced."""
    enforced = raw_schema_rule({**rule.schema, **keywords})
    return replace(enforced, schema=rule.schema, names=rule.names, texts=rule.texts)


def _refuse_injected(rule: ArgumentsRule, wanted: Wanted) -> None:
    both = [name for name in rule.names if name in wanted.injected]
    if both:
        raise DeclarationError(
            f"{named('parameter', both)} would be sent by the caller and filled by the server.",
            "Rename the parameter, or leave the field out.",
        )


def _described(rule: ArgumentsRule, descriptions: Mapping[str, str]) -> ArgumentsRule:
    """The rule with what the docstring says of arguments whose fields say nothing."""
    properties = {
        name: schema
        if "description" in schema or not descriptions.get(name)
        else {**schema, "description": descriptions[name]}
        for name, schema in rule.schema.get("properties", {}).items()
    }
    return replace(rule, schema={**rule.schema, "properties": properties})
