"""The one ``MCP_DJANGO`` setting, typed and checked.

Read ``settings.<KEY>``; mistakes raise ``ImproperlyConfigured`` at start-up. What
``override_settings`` gives holds at once, but not for what is compiled already: see
``MODULES``, ``PARAMETER_RESOLVERS`` and ``TEXTS``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from django.conf import settings as django_settings
from django.core.exceptions import ImproperlyConfigured
from django.core.signals import setting_changed

from mcp_django.conf import values
from mcp_django.conf.values import NAME, Label, label_of_setting

__all__ = ["NAME", "Label", "Settings", "checked", "settings"]


def _drf(name: str) -> Callable[[], Any]:
    def default() -> Any:
        from rest_framework.settings import api_settings

        return getattr(api_settings, name)

    return default


def _body_limit() -> int:
    return django_settings.DATA_UPLOAD_MAX_MEMORY_SIZE or 2**31


# key: (how a given value is checked and converted, what stands where none is given)
_KEYS: dict[str, tuple[Callable[[Label, Any], Any], Callable[[], Any]]] = {
    "SERVER": (values.server, dict),
    "MODULES": (values.modules, tuple),
    "AUTHENTICATION_CLASSES": (
        values.classes("authenticate", "authentication classes"),
        _drf("DEFAULT_AUTHENTICATION_CLASSES"),
    ),
    "PERMISSION_CLASSES": (
        values.classes("has_permission", "permission classes"),
        _drf("DEFAULT_PERMISSION_CLASSES"),
    ),
    "TENANT": (values.tenant, lambda: "request.tenant"),
    "PARAMETER_RESOLVERS": (values.imported, tuple),
    "TEXTS": (lambda label, value: value, dict),  # read and checked by features.texts
    "ALLOWED_ORIGINS": (values.origins, frozenset),
    "MASK_ERRORS": (values.boolean, lambda: False),
    "MAX_BODY_BYTES": (values.positive, _body_limit),
    "MAX_RESULT_BYTES": (values.positive, lambda: 1024 * 1024),
    "MAX_DEPTH": (values.positive, lambda: 64),
    "MAX_MEMBERS": (values.positive, lambda: 10_000),
    "MAX_BATCH": (values.positive, lambda: 50),
    "MAX_INSTANCES": (values.positive, lambda: 1_000),
    "PAGE_SIZE": (values.page_size, lambda: None),
    "TTL_MS": (values.ttl, values.TTL_MS.copy),
    "CACHE_SCOPE": (values.cache_scope, values.CACHE_SCOPE.copy),
}


def checked(key: str, value: Any, label: Label) -> Any:
    """One value as the setting of this key would take it; ``ImproperlyConfigured`` if not."""
    return _KEYS[key][0](label, value)


class Settings:
    """Attribute access to every key of ``MCP_DJANGO``; loaded whole, at first use."""

    SERVER: dict[str, Any]
    MODULES: tuple[str, ...]
    AUTHENTICATION_CLASSES: tuple[Any, ...]
    PERMISSION_CLASSES: tuple[Any, ...]
    TENANT: Any
    PARAMETER_RESOLVERS: tuple[Any, ...]
    TEXTS: Any
    ALLOWED_ORIGINS: frozenset[str]
    MASK_ERRORS: bool
    MAX_BODY_BYTES: int
    MAX_RESULT_BYTES: int
    MAX_DEPTH: int
    MAX_MEMBERS: int
    MAX_BATCH: int
    MAX_INSTANCES: int
    PAGE_SIZE: int | None
    TTL_MS: dict[str, int]
    CACHE_SCOPE: dict[str, str]

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
            values.refuse_unknown(NAME, key, tuple(_KEYS))
        self.__dict__.update(
            {
                key: convert(label_of_setting(key), given[key]) if key in given else default()
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
