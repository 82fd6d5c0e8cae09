"""The one ``MCP_DJANGO`` setting, typed and checked.

Read ``settings.<KEY>``; mistakes raise ``ImproperlyConfigured`` at start-up. What
``override_settings`` gives holds at once, save for ``MODULES`` and ``PARAMETER_RESOLVERS``.
"""

from __future__ import annotations

import difflib
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from django.conf import settings as django_settings
from django.core.exceptions import ImproperlyConfigured
from django.core.signals import setting_changed
from django.utils.functional import Promise
from django.utils.module_loading import import_string

from mcp_django.protocol.content import Icon
from mcp_django.protocol.icons import checked_icon

NAME = "MCP_DJANGO"

_SERVER_KEYS = ("name", "title", "version", "instructions", "description", "website_url", "icons")
_TTL_MS = {"lists": 60_000}


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
    several = isinstance(value, Sequence) and not isinstance(value, str)
    if not several or not all(isinstance(item, str) for item in value):
        raise _wrong(key, value, "a list of strings")
    return tuple(value)


def _origins(key: str, value: Any) -> frozenset[str]:
    origins = _strings(key, value)
    for origin in origins:
        scheme, separator, host = origin.partition("://")
        if not separator or not scheme or not host or "/" in host or "*" in host:
            raise _wrong(key, origin, "exact origins such as https://app.example.com")
    return frozenset(origin.lower() for origin in origins)


def _modules(key: str, value: Any) -> tuple[str, ...]:
    for name in _strings(key, value):
        if not all(part.isidentifier() for part in name.split(".")):
            raise _wrong(key, name, "import paths such as library.more_tools")
    return tuple(value)


def _classes(method: str, kind: str) -> Callable[[str, Any], tuple[Any, ...]]:
    """Classes that have a method; what is made of classes (``A & B``) is called like one."""

    def convert(key: str, value: Any) -> tuple[Any, ...]:
        found = _imported(key, value)
        for item in found:
            if not callable(item) or (isinstance(item, type) and not hasattr(item, method)):
                raise _wrong(key, item, f"{kind} of DRF, or their import paths")
        return found

    return convert


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


def _server(key: str, value: Any) -> dict[str, Any]:
    server = _mapping(*_SERVER_KEYS)(key, value)
    for name, text in server.items():
        if name == "icons":
            server[name] = _icons(f"{key}.icons", text)
        elif text is not None and not isinstance(text, str | Promise):
            raise _wrong(f"{key}.{name}", text, "a string")
    if not str(server.get("website_url") or "https:").startswith(("https:", "http:")):
        raise _wrong(f"{key}.website_url", server["website_url"], "an https or http URL")
    return server


def _icons(key: str, value: Any) -> tuple[Icon, ...]:
    """Icons, each an ``Icon``, a dict of what it takes, or its ``src`` alone."""
    several = value if isinstance(value, list | tuple) else [value]
    return tuple(_icon(key, one) for one in several)


def _icon(key: str, value: Any) -> Icon:
    try:
        return checked_icon(value)
    except TypeError as error:
        raise _wrong(key, value, "a list of mcp_django.Icon, or of what it takes") from error
    except ValueError as error:
        raise _wrong(key, value, "icons whose src is an https or a data URI") from error


def _ttl(key: str, value: Any) -> dict[str, int]:
    ttl = {**_TTL_MS, **_mapping(*_TTL_MS)(key, value)}
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
    "SERVER": (_server, dict),
    "MODULES": (_modules, tuple),
    "AUTHENTICATION_CLASSES": (
        _classes("authenticate", "authentication classes"),
        _drf("DEFAULT_AUTHENTICATION_CLASSES"),
    ),
    "PERMISSION_CLASSES": (
        _classes("has_permission", "permission classes"),
        _drf("DEFAULT_PERMISSION_CLASSES"),
    ),
    "TENANT": (_tenant, lambda: "request.tenant"),
    "PARAMETER_RESOLVERS": (_imported, tuple),
    "ALLOWED_ORIGINS": (_origins, frozenset),
    "MASK_ERRORS": (_boolean, lambda: False),
    "MAX_BODY_BYTES": (_positive, _body_limit),
    "MAX_RESULT_BYTES": (_positive, lambda: 1024 * 1024),
    "MAX_DEPTH": (_positive, lambda: 64),
    "MAX_MEMBERS": (_positive, lambda: 10_000),
    "MAX_BATCH": (_positive, lambda: 50),
    "TTL_MS": (_ttl, _TTL_MS.copy),
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
