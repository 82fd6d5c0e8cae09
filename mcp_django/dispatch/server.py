"""``MCPServer``: a set of features under a name, and what is known of it at start-up."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property
from typing import Any, TypeVar, Unpack

import orjson
from django.conf import settings as django_settings
from django.core.exceptions import ImproperlyConfigured
from django.core.signals import setting_changed
from django.utils.functional import Promise
from django.utils.translation import get_language

from mcp_django.conf import settings
from mcp_django.dispatch.capabilities import capabilities_of
from mcp_django.dispatch.directory import Directory
from mcp_django.dispatch.languages import ByLanguage
from mcp_django.dispatch.listings import Listing, Listings, encoded
from mcp_django.dispatch.options import Options, ServerOptions
from mcp_django.features.base import Feature, Source
from mcp_django.features.declarations import calling_source
from mcp_django.features.errors import located
from mcp_django.features.records import RecordKind
from mcp_django.features.registry import Registry, default
from mcp_django.features.texts import known_texts
from mcp_django.invocation.context import tenant_function
from mcp_django.invocation.permissions import of_features, without_effect
from mcp_django.invocation.resolvers import make_binder
from mcp_django.protocol import types
from mcp_django.protocol.versions import LATEST, REVISIONS, SERVER_INFO, Revision
from mcp_django.signals import features_changed

__all__ = ["MCPServer", "server", "servers"]

_ResultMeta = tuple[orjson.Fragment, Mapping[str, Any]]
T = TypeVar("T")


class MCPServer:
    """One MCP server: its name, its features, and the settings that it goes by.

    As a DRF permission class sees it (``view``), it has the attributes of a feature.
    """

    kind = "server"
    tags: tuple[str, ...] = ()
    permissions: tuple[str, ...] = ()
    # Installed by the app that serves it over HTTP: the patterns that lead to a server.
    url_patterns: Callable[[MCPServer], list[Any]] | None = None

    def __init__(
        self, name: str, *, registry: Registry | None = None, **options: Unpack[ServerOptions]
    ) -> None:
        self.name = name
        self.source: Source = calling_source(name)
        servers.refuse(self)
        self.options = Options(name, self.source, options)
        self.registry = registry or Registry(name)
        self.registry.judge = _refuse_unwritable
        self.registry.on_change = self._features_changed
        self._capabilities: tuple[int, frozenset[str]] = (-1, frozenset())
        setting_changed.connect(self._setting_changed)
        if default.is_compiled:  # start-up is over, as in a URLconf: nobody else would do it
            self.compile()
        servers.add(self)

    @property
    def namespace(self) -> str:
        """The namespace of its URL, for ``reverse("namespace:endpoint")``."""
        return "mcp_django" if self.name == "default" else self.name

    @property
    def urls(self) -> tuple[list[Any], str, str]:
        """What ``path("staff/mcp", staff.urls)`` takes, as with ``AdminSite.urls``."""
        if MCPServer.url_patterns is None:
            raise ImproperlyConfigured(
                "The URLs of a server are known once mcp_django is ready: use them in a URLconf."
            )
        return MCPServer.url_patterns(self), "mcp_django", self.namespace

    def register(self, target: T, /, **options: Any) -> T:
        """Add a feature from code: see ``Registry.register``."""
        return self.registry.register(target, **options)

    def unregister(self, key: str, *, kind: RecordKind | None = None) -> None:
        """Remove a feature by its name, its URI or its URI template."""
        self.registry.unregister(key, kind=kind)

    def compile(self) -> None:
        """Turn what was declared into records; mistakes raise ``ImproperlyConfigured``."""
        self.options.check()
        tenant_function(self.tenant)
        known_texts()
        for authentication_class in self.authentication_classes:
            authentication_class()
        for revision in REVISIONS.values():
            self.info(revision)
        binder = make_binder(settings.PARAMETER_RESOLVERS)
        with located(self.source):
            binder = binder.preferring(self.options.own("resolvers", ()))
        self.registry.compile(binder)

    @property
    def capabilities(self) -> frozenset[str]:
        """What it advertises, the same for every caller: families that it has features of."""
        version, known = self._capabilities
        if version != self.registry.version:
            version, known = self.registry.version, capabilities_of(self.registry)
            self._capabilities = version, known
        return known

    @property
    def tenant(self) -> Any:
        """The setting that says how the tenant of a request is found."""
        return self.options.get("tenant")

    @property
    def instructions(self) -> str | None:
        """How to use this server, for a model."""
        text = self.options.info.get("instructions")
        return str(text) if text else None

    # What follows is made once, and made anew when the settings change (in tests).

    @cached_property
    def page_size(self) -> int | None:
        """How many rows a list has on a page; None for all on one."""
        size: int | None = self.options.get("page_size")
        return size

    @cached_property
    def ttl_ms(self) -> Mapping[str, int]:
        """How long clients may keep an answer, in milliseconds, by what it answers."""
        found: Mapping[str, int] = self.options.get("ttl_ms")
        return found

    @cached_property
    def cache_scope(self) -> Mapping[str, str]:
        """Whether caches may share an answer that is the same for all, by what it answers."""
        found: Mapping[str, str] = self.options.get("cache_scope")
        return found

    @cached_property
    def authentication_classes(self) -> tuple[Any, ...]:
        """DRF's authentication classes, which each request makes for itself."""
        found: tuple[Any, ...] = tuple(self.options.get("authentication_classes"))
        return found

    @cached_property
    def endpoint_permissions(self) -> tuple[Any, ...]:
        """The permission classes that a caller must pass to be answered at all."""
        return without_effect(self.options.get("permission_classes"))

    @cached_property
    def feature_permissions(self) -> tuple[Any, ...]:
        """Those of them that may judge one feature differently from another."""
        return of_features(self.options.get("permission_classes"))

    @cached_property
    def is_translated(self) -> bool:
        """Whether what the server says of itself depends on the active language."""
        return any(isinstance(text, Promise) for text in self.options.info.values())

    @cached_property
    def is_private(self) -> bool:
        """Whether each of its answers is for one caller, by who it is or what it reads."""
        return bool(self.endpoint_permissions) or self.is_translated

    @cached_property
    def blocks(self) -> bool:
        """Whether sign-in or the endpoint's permissions may block."""
        return bool(self.authentication_classes or self.endpoint_permissions)

    @cached_property
    def _result_metas(self) -> ByLanguage[_ResultMeta]:
        return ByLanguage()

    @cached_property
    def _listings(self) -> Listings:
        return Listings(self.registry, self.depends_on_caller)

    def result_meta(self) -> _ResultMeta:
        """Its part in the ``_meta`` of every modern result: in JSON, and as it is."""
        language = get_language() if self.is_translated else None
        return self._result_metas.of(language, self._result_meta)

    def _result_meta(self) -> _ResultMeta:
        meta = {SERVER_INFO: self.info(LATEST)}
        return orjson.Fragment(orjson.dumps(meta)), meta

    def info(self, revision: Revision) -> dict[str, Any]:
        """``serverInfo`` as this revision has it."""
        given = self.options.info
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
        """Whether some callers may not see this feature, or not always."""
        return bool(
            self.feature_permissions
            or feature.requires_user
            or feature.permission_classes
            or feature.enabled
        )

    def listing(self, kind: RecordKind, revision: Revision) -> Listing:
        """What is listed of a kind in this revision and language, encoded once."""
        listings = self._listings
        if listings.version != self.registry.version:
            listings = self._listings = Listings(self.registry, self.depends_on_caller)
        return listings.of(kind, revision)

    def _features_changed(self, kinds: frozenset[str]) -> None:
        # A receiver that fails is in the log: what was registered is there all the same.
        features_changed.send_robust(self, kinds=kinds)

    def _setting_changed(self, *, setting: str, **kwargs: Any) -> None:
        if setting in ("MCP_DJANGO", "REST_FRAMEWORK"):
            for name, one in vars(MCPServer).items():
                if isinstance(one, cached_property):
                    self.__dict__.pop(name, None)


def _refuse_unwritable(feature: Feature) -> None:
    """What no list could show to clients of one revision or another is no feature."""
    for revision in REVISIONS.values():
        encoded(feature, revision)


servers: Directory[MCPServer] = Directory()

server = MCPServer("default", registry=default)
