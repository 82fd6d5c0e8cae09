"""The one ``MCP_DJANGO`` setting, typed and checked.

Read ``settings.<KEY>``; ``override_settings(MCP_DJANGO=…)`` takes effect at once. An
unknown key or a value of the wrong type raises ``ImproperlyConfigured`` at start-up.
"""

from __future__ import annotations

import difflib
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from django.conf import settings as django_settings
from django.core.exceptions import ImproperlyConfigured
from django.core.signals import setting_changed
from django.utils.module_loading import import_string

NAME = "MCP_DJANGO"

_SERVER_KEYS = ("name", "title", "version", "instructions", "description", "website_url", "icons")
_TTL_KEYS = ("lists",)


def _wrong(key: str, value: object, wanted: str) -> ImproperlyConfigured:
    return ImproperlyConfigured(f'{NAME}["{key}"] is {value!r}. It takes {wanted}.')


def _boolean(key: str, value: Any) -> bool:
    if not isinstance(value, bool):
        raise _wrong(key, value, "True or False")
    return value


def _positive(key: str, value: Any) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or value < 1:
        raise _wrong(key, value, "a whole number from 1")
    return value


def _strings(key: str, value: Any) -> tuple[str, ...]:
    if isinstance(value, str) or not isinstance(value, Sequence):
        raise _wrong(key, value, "a list of strings")
    if not all(isinstance(item, str) for item in value):
        raise _wrong(key, value, "a list of strings")
    return tuple(value)


def _origins(key: str, value: Any) -> frozenset[str]:
    origins = _strings(key, value)
    for origin in origins:
        scheme, separator, host = origin.partition("://")
        if not separator or not scheme or not host or "/" in host or "*" in host:
            raise _wrong(key, origin, "exact origins such as https://app.example.com")
    return frozenset(origin.lower() for origin in origins)


def _imported(key: str, value: Any) -> tuple[Any, ...]:
    """Classes, or the import paths of some."""
    if isinstance(value, str) or not isinstance(value, Sequence):
        raise _wrong(key, value, "a list of classes or of their import paths")
    found = []
    for item in value:
        try:
            found.append(import_string(item) if isinstance(item, str) else item)
        except ImportError as error:
            raise ImproperlyConfigured(
                f'{NAME}["{key}"] names {item!r}, which cannot be imported: {error}. '
                "Correct the path."
            ) from error
    return tuple(found)


def _mapping(*keys: str) -> Callable[[str, Any], dict[str, Any]]:
    def convert(key: str, value: Any) -> dict[str, Any]:
        if not isinstance(value, Mapping):
            raise _wrong(key, value, f"a dict with any of {', '.join(keys)}")
        for name in value:
            _refuse_unknown(f'{NAME}["{key}"]', name, keys)
        return dict(value)

    return convert


def _ttl(key: str, value: Any) -> dict[str, int]:
    ttl = {"lists": 60_000, **_mapping(*_TTL_KEYS)(key, value)}
    for name, milliseconds in ttl.items():
        if isinstance(milliseconds, bool) or not isinstance(milliseconds, int) or milliseconds < 0:
            raise _wrong(f"{key}.{name}", milliseconds, "milliseconds, from 0")
    return ttl


def _tenant(key: str, value: Any) -> Any:
    if not callable(value) and not isinstance(value, str):
        raise _wrong(key, value, '"request.<attribute>", a callable, or its import path')
    return value


def _refuse_unknown(where: str, name: object, known: Sequence[str]) -> None:
    if name in known:
        return
    near = difflib.get_close_matches(str(name), known, 1)
    hint = f"Did you mean {near[0]!r}?" if near else f"The keys are {', '.join(known)}."
    raise ImproperlyConfigured(f"{where} has an unknown key {name!r}. {hint}")


def _drf(name: str) -> Callable[[], Any]:
    def default() -> Any:
        from rest_framework.settings import api_settings

        return getattr(api_settings, name)

    return default


def _body_limit() -> int:
    return django_settings.DATA_UPLOAD_MAX_MEMORY_SIZE or 2**31


# key: (how a given value is checked and converted, what stands where none is given)
_KEYS: dict[str, tuple[Callable[[str, Any], Any], Callable[[], Any]]] = {
    "SERVER": (_mapping(*_SERVER_KEYS), dict),
    "MODULES": (_strings, tuple),
    "AUTHENTICATION_CLASSES": (_imported, _drf("DEFAULT_AUTHENTICATION_CLASSES")),
    "PERMISSION_CLASSES": (_imported, _drf("DEFAULT_PERMISSION_CLASSES")),
    "TENANT": (_tenant, lambda: "request.tenant"),
    "PARAMETER_RESOLVERS": (_imported, tuple),
    "ALLOWED_ORIGINS": (_origins, frozenset),
    "MASK_ERRORS": (_boolean, lambda: False),
    "MAX_BODY_BYTES": (_positive, _body_limit),
    "MAX_RESULT_BYTES": (_positive, lambda: 1024 * 1024),
    "MAX_DEPTH": (_positive, lambda: 64),
    "MAX_MEMBERS": (_positive, lambda: 10_000),
    "MAX_BATCH": (_positive, lambda: 50),
    "TTL_MS": (_ttl, lambda: {"lists": 60_000}),
}


class Settings:
    """Attribute access to every key of ``MCP_DJANGO``; loaded whole, at first use."""

    SERVER: dict[str, Any]
    MODULES: tuple[str, ...]
    AUTHENTICATION_CLASSES: tuple[Any, ...]
    PERMISSION_CLASSES: tuple[Any, ...]
    TENANT: Any
    PARAMETER_RESOLVERS: tuple[Any, ...]
    ALLOWED_ORIGINS: frozenset[str]
    MASK_ERRORS: bool
    MAX_BODY_BYTES: int
    MAX_RESULT_BYTES: int
    MAX_DEPTH: int
    MAX_MEMBERS: int
    MAX_BATCH: int
    TTL_MS: dict[str, int]

    def __getattr__(self, key: str) -> Any:
        # Reached only while nothing is loaded: afterwards the values are plain attributes.
        if key not in _KEYS:
            raise AttributeError(key)
        self.load()
        return self.__dict__[key]

    def load(self) -> None:
        """Read and check the whole setting."""
        given = getattr(django_settings, NAME, {})
        if not isinstance(given, Mapping):
            raise ImproperlyConfigured(f"{NAME} is {given!r}. It takes a dict.")
        for key in given:
            _refuse_unknown(NAME, key, tuple(_KEYS))
        self.__dict__.update(
            {
                key: convert(key, given[key]) if key in given else default()
                for key, (convert, default) in _KEYS.items()
            }
        )

    def forget(self) -> None:
        """Read again at the next use."""
        self.__dict__.clear()


settings = Settings()


def _changed(*, setting: str, **kwargs: Any) -> None:
    if setting in (NAME, "REST_FRAMEWORK", "DATA_UPLOAD_MAX_MEMORY_SIZE"):
        settings.forget()


setting_changed.connect(_changed, dispatch_uid="mcp_django.conf")
