"""What is declared of completions: on parameters, in ``completers=``, or by choices."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, get_origin

from mcp_django.features.arguments import Accepted
from mcp_django.features.choices import choices_in, types_of
from mcp_django.features.compiling import Started
from mcp_django.features.completers import Completer, Completion
from mcp_django.features.completion_sources import source_of
from mcp_django.features.handlers import taken_apart
from mcp_django.schema.deriving.structures import is_structure, members
from mcp_django.schema.errors import DeclarationError
from mcp_django.schema.validation import is_arguments_annotation


def completers_of(parts: Started, takes: Accepted) -> Mapping[str, Completer]:
    """The completer of each argument that has one. Raises ``DeclarationError``.

    What ``completers=`` says goes before what stands on a parameter, and that before the
    choices that its schema names.
    """
    schemas: Mapping[str, Any] = takes.rule.schema.get("properties", {})
    given = {**_annotated(parts), **_option(parts, takes)}
    # A prompt's arguments are texts; a template's lists are sent item by item.
    as_text = parts.declaration.kind == "prompt"
    found = {}
    for name in takes.rule.names:
        schema = schemas.get(name, {})
        source = source_of(name, given[name], parts) if name in given else choices_in(schema)
        if source != ():
            found[name] = Completer(source, as_text and types_of(schema) == ["array"])
    return found


def _option(parts: Started, takes: Accepted) -> Mapping[str, Any]:
    """``completers=``."""
    given = parts.options.get("completers", {})
    if not isinstance(given, Mapping):
        raise DeclarationError(
            "completers= is no mapping.", 'Write {"isbn": source}, with the names of arguments.'
        )
    names = takes.rule.names
    for name in given:
        if name not in names:
            has = f"It has {', '.join(names)}." if names else "It has none."
            raise DeclarationError(
                f"completers= names {name!r}, which is no argument.", f"Correct the name. {has}"
            )
    return given


def _annotated(parts: Started) -> dict[str, Completion]:
    """``Completion`` on parameters, and on the members of what takes all arguments."""
    sent = {parameter.name for parameter in parts.left}
    for parameter in parts.handler.parameters:
        if parameter.name not in sent and _completion(parameter.name, parameter.annotation):
            raise DeclarationError(
                f"The parameter {parameter.name!r} has a Completion, but no caller sends it.",
                "Take the Completion away.",
            )
    found = {
        name: _completion(name, annotation)
        for parameter in parts.left
        for name, annotation in arguments_in(parameter.name, parameter.annotation)
    }
    return {name: one for name, one in found.items() if one is not None}


def arguments_in(name: str, annotation: Any) -> Iterator[tuple[str, Any]]:
    """What a parameter takes: the members of a structure for all arguments, else itself.

    Each is the name of an argument and its annotation.
    """
    whole = is_arguments_annotation(annotation)
    if is_structure(get_origin(whole) or whole):
        yield from ((member.name, member.annotation) for member in members(whole))
    else:
        yield name, annotation


def _completion(name: str, annotation: Any) -> Completion | None:
    metadata = taken_apart(annotation)[1]
    if any(one is Completion for one in metadata):
        raise DeclarationError(
            f"Completion stands on {name!r} without a source.", "Write Completion(source)."
        )
    return next((one for one in reversed(metadata) if isinstance(one, Completion)), None)
