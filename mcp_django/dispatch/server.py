"""``MCPServer``: a set of features under a name, and what is known of it at start-up."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import Any

import orjson
from django.conf import settings as django_settings
from django.core.signals import setting_changed
from django.utils.functional import Promise
from django.utils.translation import get_language

from mcp_django.conf import settings
from mcp_django.dispatch.listings import Listing, make_listing
from mcp_django.features.base import Feature
from mcp_django.features.registry import Registry, default
from mcp_django.invocation.context import tenant_function
from mcp_django.invocation.permissions import of_features, without_effect
from mcp_django.invocation.resolvers import make_binder
from mcp_django.protocol import types
from mcp_django.protocol.versions import LATEST, REVISIONS, SERVER_INFO, Revision

_ResultMeta = tuple[orjson.Fragment, Mapping[str, Any]]


class MCPServer:
    """One MCP server: its name, its features, and the settings that it goes by.

    As a DRF permission class sees it (``view``), it has the attributes of a feature.
    """

    kind = "server"
    tags: tuple[str, ...] = ()
    permissions: tuple[str, ...] = ()

    def __init__(self, name: str, registry: Registry) -> None:
        self.name = name
        self.registry = registry
        self._listings: dict[tuple[Revision, str | None], Listing] = {}
        self._result_metas: dict[str | None, _ResultMeta] = {}
        setting_changed.connect(self._setting_changed)

    def register(self, target: Any, **options: Any) -> Any:
        """Add a tool from code: a function, a class, or an instance of one."""
        registered = self.registry.register(target, **options)
        if self.registry.is_compiled:
            self.check()
        return registered

    def unregister(self, name: str) -> None:
        """Remove a tool by its name."""
        self.registry.unregister(name)

    def compile(self) -> None:
        """Turn what was declared into records; mistakes raise ``ImproperlyConfigured``."""
        tenant_function(self.tenant)
        self.registry.compile(make_binder(settings.PARAMETER_RESOLVERS))
        self.check()

    def check(self) -> None:
        """Make all that requests need, so that what cannot be made stops start-up."""
        for authentication_class in self.authentication_classes:
            authentication_class()
        for revision in REVISIONS.values():
            self.info(revision)
            self._make_listing(revision)  # kept when a client of this revision comes

    @property
    def tenant(self) -> Any:
        """The setting that says how the tenant of a request is found."""
        return settings.TENANT

    @property
    def instructions(self) -> str | None:
        """How to use this server, for a model."""
        text = settings.SERVER.get("instructions")
        return str(text) if text else None

    # What follows is made once, and made anew when the settings change (in tests).

    @cached_property
    def authentication_classes(self) -> tuple[Any, ...]:
        """DRF's authentication classes, which each request makes for itself."""
        return settings.AUTHENTICATION_CLASSES

    @cached_property
    def endpoint_permissions(self) -> tuple[Any, ...]:
        """The permission classes that a caller must pass to be answered at all."""
        return without_effect(settings.PERMISSION_CLASSES)

    @cached_property
    def feature_permissions(self) -> tuple[Any, ...]:
        """Those of them that may judge one feature differently from another."""
        return of_features(settings.PERMISSION_CLASSES)

    @cached_property
    def is_translated(self) -> bool:
        """Whether what the server says of itself depends on the active language."""
        return any(isinstance(text, Promise) for text in settings.SERVER.values())

    @cached_property
    def is_private(self) -> bool:
        """Whether each of its answers is for one caller, by who it is or what it reads."""
        return bool(self.endpoint_permissions) or self.is_translated

    @cached_property
    def blocks(self) -> bool:
        """Whether sign-in or the endpoint's permissions may block."""
        return bool(self.authentication_classes or self.endpoint_permissions)

    def result_meta(self) -> _ResultMeta:
        """Its part in the ``_meta`` of every modern result: in JSON, and as it is."""
        language = get_language() if self.is_translated else None
        known = self._result_metas.get(language)
        if known is None:
            meta = {SERVER_INFO: self.info(LATEST)}
            known = orjson.Fragment(orjson.dumps(meta)), meta
            self._result_metas[language] = known
        return known

    def info(self, revision: Revision) -> dict[str, Any]:
        """``serverInfo`` as this revision has it."""
        given = settings.SERVER
        return types.implementation(
            str(given.get("name") or django_settings.ROOT_URLCONF.split(".")[0]),
            str(given.get("version") or "1.0.0"),
            revision,
            title=str(given.get("title") or ""),
            description=str(given.get("description") or ""),
            website_url=str(given.get("website_url") or ""),
            icons=given.get("icons") or (),
        )

    def depends_on_caller(self, feature: Feature) -> bool:
        """Whether some callers may not see this feature."""
        return bool(self.feature_permissions or feature.requires_user or feature.permission_classes)

    def listing(self, revision: Revision) -> Listing:
        """What ``tools/list`` shows in this revision and language, encoded once."""
        key = (revision, get_language())
        known = self._listings.get(key)
        if known is None or known.version != self.registry.version:
            known = self._listings[key] = self._make_listing(revision)
        return known

    def _make_listing(self, revision: Revision) -> Listing:
        registry = self.registry
        version, tools = registry.version, registry.tools.values()
        return make_listing(version, tools, revision, self.depends_on_caller)

    def _setting_changed(self, *, setting: str, **kwargs: Any) -> None:
        if setting in ("MCP_DJANGO", "REST_FRAMEWORK"):
            kept = ("name", "registry")
            self.__dict__ = {key: self.__dict__[key] for key in kept}
            self._listings, self._result_metas = {}, {}


server = MCPServer("default", default)


def servers() -> Iterable[MCPServer]:
    """Every server of the project."""
    return (server,)
