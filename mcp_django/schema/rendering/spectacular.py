"""drf-spectacular, driven for one schema at a time.

Its settings and its warnings are global, so one thread at a time has them, and only while a
schema is built: at start-up. What the project's own ``SPECTACULAR_SETTINGS`` say of form
does not count here; its extensions and annotations do. Warnings about a serializer, which
drf-spectacular prints and then guesses, are mistakes in a declaration here.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any

from drf_spectacular.drainage import GENERATOR_STATS
from drf_spectacular.settings import spectacular_settings
from rest_framework import serializers
from rest_framework.views import APIView

from mcp_django.schema.errors import DeclarationError
from mcp_django.schema.rendering.generator import Generator

_SETTINGS = {
    "OAS_VERSION": "3.1.0",
    "COMPONENT_SPLIT_REQUEST": True,
    "COMPONENT_SPLIT_PATCH": True,
}
# What its loader of extensions may say, which is about no serializer.
_UNRELATED = ("registered extensions ", "Unexpected error ")
_FIX = (
    "Say what JSON it is: a return annotation, @extend_schema_field, or a field with a type "
    "in place of this one."
)
_LOCK = threading.RLock()
_UNSET = object()


@contextmanager
def generation(subject: Any) -> Iterator[Generator]:
    """A generator to map ``subject`` with; raises ``DeclarationError`` for all that fails."""
    name = type(getattr(subject, "child", None) or subject).__name__
    with _LOCK, _patched_settings(), _collected_warnings() as warnings, _context_of(subject):
        try:
            yield Generator(_view())
        except DeclarationError:
            raise
        except Exception as error:
            reason = f"{type(error).__name__}: {error}".splitlines()[0]
            raise DeclarationError(
                f"{_trace() or name} has no JSON Schema ({reason}).", _FIX
            ) from error
    if warnings:
        raise DeclarationError(warnings[0], _FIX)


def _trace() -> str:
    """The serializers that drf-spectacular is inside of."""
    return " > ".join(name for _file, _line, name in GENERATOR_STATS._traces)


@contextmanager
def _patched_settings() -> Iterator[None]:
    # Not drf-spectacular's own patched_settings, which can't be entered twice.
    values = vars(spectacular_settings)
    before = {key: values.get(key, _UNSET) for key in _SETTINGS}
    values.update(_SETTINGS)
    try:
        yield
    finally:
        for key, value in before.items():
            if value is _UNSET:
                del values[key]
            else:
                values[key] = value


@contextmanager
def _collected_warnings() -> Iterator[list[str]]:
    """What this thread's run warns of, instead of the standard error stream."""
    collected: list[str] = []
    thread = threading.get_ident()
    emit = GENERATOR_STATS.emit
    depth = len(GENERATOR_STATS._traces)

    def collect(message: Any, severity: str) -> None:
        if threading.get_ident() != thread:
            emit(message, severity)
        elif not str(message).startswith(_UNRELATED):
            # What follows is what it suggests for an OpenAPI document, and what it guesses.
            told = re.split(r"\s(?:Consider|Maybe|[Dd]efaulting)\s", str(message))[0]
            collected.append(f"{_trace()} has no exact JSON Schema: {told}")

    stats: Any = GENERATOR_STATS
    stats.emit = collect
    try:
        yield collected
    finally:
        stats.emit = emit
        # It leaves its traces behind where an exception passes.
        del GENERATOR_STATS._traces[depth:]


class _SchemaView(APIView):
    """Stands where drf-spectacular expects the view that it describes."""

    swagger_fake_view = True
    authentication_classes = ()
    permission_classes = ()


@cache
def _view() -> APIView:
    view = _SchemaView()
    view.args, view.kwargs, view.format_kwarg = (), {}, None
    view.request = spectacular_settings.GET_MOCK_REQUEST("POST", "/", view, None)
    return view


@contextmanager
def _context_of(subject: Any) -> Iterator[None]:
    """A context for serializers that read theirs while their fields are made."""
    root = getattr(subject, "root", None)
    if not isinstance(root, serializers.BaseSerializer) or root.context:
        yield
        return
    before, root._context = root._context, {"request": _view().request, "view": None, "mcp": None}
    try:
        yield
    finally:
        root._context = before
