"""``MCPServer``: a set of features under a name, and what is known of it at start-up."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import Any

import orjson
from django.conf import settings as django_settings
from django.core.signals import setting_changed
from django.utils.translation import get_language

from mcp_django.conf import settings
from mcp_django.dispatch.listings import Listing, make_listing
from mcp_django.features.base import Feature
from mcp_django.features.registry import Registry, default
from mcp_django.invocation.context import tenant_function
from mcp_django.invocation.permissions import of_features, without_effect
from mcp_django.invocation.resolvers import make_binder
from mcp_django.protocol import types
from mcp_django.protocol.content import Icon
from mcp_django.protocol.versions import LATEST, REVISIONS, SERVER_INFO, Revision


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
        _ = self.authenticators
        for revision in REVISIONS.values():
            self.info(revision)
            self.listing(revision)

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
    def authenticators(self) -> tuple[Any, ...]:
        """DRF's authentication classes, made once: they carry no state of a request."""
        return tuple(cls() for cls in settings.AUTHENTICATION_CLASSES)

    @cached_property
    def endpoint_permissions(self) -> tuple[Any, ...]:
        """The permission classes that a caller must pass to be answered at all."""
        return without_effect(settings.PERMISSION_CLASSES)

    @cached_property
    def feature_permissions(self) -> tuple[Any, ...]:
        """Those of them that may judge one feature differently from another."""
        return of_features(settings.PERMISSION_CLASSES)

    @cached_property
    def result_meta(self) -> Mapping[str, Any]:
        """The server's part in the ``_meta`` of every modern result."""
        return {SERVER_INFO: self.info(LATEST)}

    @cached_property
    def encoded_result_meta(self) -> orjson.Fragment:
        """The same, in JSON."""
        return orjson.Fragment(orjson.dumps(self.result_meta))

    @cached_property
    def blocks(self) -> bool:
        """Whether sign-in or the endpoint's permissions may block."""
        return bool(self.authenticators or self.endpoint_permissions)

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
            icons=[_icon(icon) for icon in given.get("icons") or ()],
        )

    def depends_on_caller(self, feature: Feature) -> bool:
        """Whether some callers may not see this feature."""
        return bool(self.feature_permissions or feature.requires_user or feature.permission_classes)

    def listing(self, revision: Revision) -> Listing:
        """What ``tools/list`` shows in this revision and language, encoded once."""
        key = (revision, get_language())
        known = self._listings.get(key)
        version = self.registry.version
        if known is None or known.version != version:
            known = make_listing(
                version, self.registry.tools.values(), revision, self.depends_on_caller
            )
            self._listings[key] = known
        return known

    def _setting_changed(self, *, setting: str, **kwargs: Any) -> None:
        if setting in ("MCP_DJANGO", "REST_FRAMEWORK"):
            kept = ("name", "registry")
            self.__dict__ = {key: self.__dict__[key] for key in kept}
            self._listings = {}


def _icon(icon: Icon | Mapping[str, Any]) -> Icon:
    return icon if isinstance(icon, Icon) else Icon(**icon)


server = MCPServer("default", default)


def servers() -> Iterable[MCPServer]:
    """Every server of the project."""
    return (server,)
