"""What completes the arguments of a feature, as its author declared it, in words."""

from __future__ import annotations

import enum
import inspect
from collections.abc import Iterator, Mapping
from typing import Any

from django.utils.translation import gettext as _

from mcp_django.catalog.features import declaration_of
from mcp_django.dispatch.server import MCPServer
from mcp_django.features.base import Feature
from mcp_django.features.completers import Completer, Completion, Rows
from mcp_django.features.completing import arguments_in
from mcp_django.features.declarations import Declaration
from mcp_django.features.handlers import read_handler, taken_apart
from mcp_django.features.records import COMPLETED
from mcp_django.features.subjects import options_given, subject_of


def completions(server: MCPServer, feature: Feature) -> dict[str, str]:
    """How the values of each argument are completed, for those that have it."""
    if not isinstance(feature, COMPLETED) or not feature.completers:
        return {}
    declaration = declaration_of(server, feature)
    given = _declared(declaration) if declaration else {}
    return {name: _in_words(one, given.get(name)) for name, one in feature.completers.items()}


def completed_parameters(declaration: Declaration) -> dict[str, Completion]:
    """The ``Completion`` that stands on each parameter of a handler, for those that have one."""
    found = {name: _completion(annotation) for name, annotation in _parameters(declaration)}
    return {name: one for name, one in found.items() if one is not None}


def _declared(declaration: Declaration) -> dict[str, Any]:
    """The source of each argument that has one: in ``completers=``, or on the parameter."""
    given: Mapping[str, Any] = options_given(declaration).get("completers", {})
    annotated = {
        name: _completion(annotation)
        for whole, hint in _parameters(declaration)
        for name, annotation in arguments_in(whole, hint)
    }
    return {name: _source(one) for name, one in {**annotated, **given}.items()}


def _parameters(declaration: Declaration) -> Iterator[tuple[str, Any]]:
    subject = subject_of(declaration)
    handler = read_handler(subject.call, declaration.origin.namespace, subject.fallback)
    yield from ((one.name, one.annotation) for one in handler.parameters)


def _completion(annotation: Any) -> Completion | None:
    metadata = taken_apart(annotation)[1]
    return next((one for one in reversed(metadata) if isinstance(one, Completion)), None)


def _source(given: Any) -> Any:
    return given.source if isinstance(given, Completion) else given


def _in_words(completer: Completer, source: Any) -> str:
    if isinstance(completer.source, Rows):
        rows = {"model": completer.source.queryset.model.__name__, "field": completer.source.field}
        return _("rows of %(model)s by %(field)s") % rows
    if source is None:
        return _("its choices")
    if isinstance(source, list | tuple):
        return _("a list of values")
    if inspect.isclass(source) and issubclass(source, enum.Enum):
        return _("the values of %(enum)s") % {"enum": source.__name__}
    name = getattr(source, "__qualname__", "").rpartition("<locals>.")[2]
    if not name or "<lambda>" in name:
        return _("a function")
    return _("the function %(name)s") % {"name": name}
