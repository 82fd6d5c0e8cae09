"""What a call knows about itself: who calls, through what, for which tenant."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from functools import cache
from types import MappingProxyType
from typing import Any

from asgiref.sync import iscoroutinefunction
from django.contrib.auth.models import AnonymousUser
from django.core.exceptions import ImproperlyConfigured, ObjectDoesNotExist
from django.http import HttpRequest
from django.http.request import HttpHeaders
from django.utils.functional import LazyObject, cached_property, empty
from django.utils.module_loading import import_string
from django.utils.translation import get_language
from rest_framework.authentication import BaseAuthentication
from rest_framework.parsers import JSONParser
from rest_framework.request import Request

from mcp_django.features.base import Feature
from mcp_django.invocation.flows import BLOCKING, Flow, settle
from mcp_django.invocation.serving import Server
from mcp_django.protocol.mirroring import Header
from mcp_django.protocol.versions import CLIENT_CAPABILITIES, CLIENT_INFO, Revision

_UNKNOWN: Any = object()
_EMPTY: Mapping[str, Any] = MappingProxyType({})


class NoTenant(Exception):
    """Something needs a tenant, and this request has none."""


class Context:
    """One request as its handlers see it.

    ``user`` is the signed-in user or None, resolved before any handler runs; ``auth`` is
    what the authentication class gave beside it, a token say. ``meta`` is the ``_meta`` of
    the request. ``feature`` is the record that is being called. ``uri`` is what a client
    asked to read. ``arguments`` are those that a client has filled already, as it sent them,
    while another one is completed.
    """

    user: Any = None
    auth: Any = None
    feature: Feature | None = None
    uri: str | None = None
    arguments: Mapping[str, str] = _EMPTY
    _tenant: Any = _UNKNOWN

    def __init__(
        self,
        server: Server,
        request: HttpRequest,
        revision: Revision,
        meta: Mapping[str, Any] = _EMPTY,
        header: Header | None = None,
    ) -> None:
        self.server = server
        self.request = request
        self.revision = revision
        self.meta = meta
        self.header = header  # None where the transport has no headers to compare

    @property
    def client(self) -> Mapping[str, Any]:
        """What the client says of itself: ``name``, ``version``; empty in older revisions."""
        return self.meta.get(CLIENT_INFO, _EMPTY)  # type: ignore[no-any-return]

    @property
    def capabilities(self) -> Mapping[str, Any]:
        """What the client can do; empty in older revisions."""
        return self.meta.get(CLIENT_CAPABILITIES, _EMPTY)  # type: ignore[no-any-return]

    @property
    def headers(self) -> HttpHeaders:
        """The headers of the HTTP request, by name, without case."""
        return self.request.headers

    @property
    def captured(self) -> Mapping[str, Any]:
        """What the URL pattern of the endpoint captured, by name."""
        match = self.request.resolver_match
        return match.kwargs if match else _EMPTY

    @property
    def language(self) -> str | None:
        """The language that is active for this request."""
        return get_language()

    @cached_property
    def authenticators(self) -> tuple[BaseAuthentication, ...]:
        """DRF's authentication classes, made for this request: they may keep state of it."""
        return tuple(cls() for cls in self.server.authentication_classes)

    @cached_property
    def injected(self) -> dict[Any, Any]:
        """What ``Inject`` functions gave in this call, by function."""
        return {}

    @cached_property
    def drf_request(self) -> Request:
        """The request as DRF's permission classes expect it, signed in as ``user``."""
        request = as_drf_request(self.request)
        request.user = self.user or AnonymousUser()
        request.auth = self.auth
        return request

    @property
    def serializer_context(self) -> dict[str, Any]:
        """What serializers of arguments and results find in ``self.context``.

        Made anew each time: kept, it would be a cycle, and each request garbage that only
        the collector can clear.
        """
        return {"request": self.request, "view": None, "mcp": self}

    @property
    def tenant(self) -> Any:
        """The tenant of this request, or None.

        Known before the handler runs where a parameter asks for it; else looked up now.
        """
        if self._tenant is _UNKNOWN:
            found = _find(self)
            if inspect.isawaitable(found):
                close = getattr(found, "close", None)
                if close is not None:
                    close()
                raise RuntimeError(
                    "The tenant is found by an async function: declare a parameter "
                    "Annotated[YourTenant, CurrentTenant] and it is there before the call."
                )
            self._tenant = found
        return self._tenant

    def find_tenant(self) -> Flow[Any]:
        """Look the tenant up, at most once a request."""
        if self._tenant is _UNKNOWN:
            if not iscoroutinefunction(tenant_function(self.server.tenant)):
                yield BLOCKING
            try:
                found = yield from settle(_find(self))
                if isinstance(found, LazyObject):  # as an async function may give it
                    yield BLOCKING
                    found = _unwrapped(found)
                self._tenant = found
            except ObjectDoesNotExist:
                self._tenant = None
        return self._tenant


def as_drf_request(request: HttpRequest) -> Request:
    """The request for DRF's classes, which may look into its JSON (the CSRF check does)."""
    return Request(request, parsers=(JSONParser(),))


def _find(context: Context) -> Any:
    try:
        return _unwrapped(tenant_function(context.server.tenant)(context.request))
    except ObjectDoesNotExist:
        return None


def _unwrapped(found: Any) -> Any:
    """What is behind a lazy object, which is never None itself but may well hold it."""
    while isinstance(found, LazyObject):
        wrapped: Any = found
        if wrapped._wrapped is empty:
            wrapped._setup()
        found = wrapped._wrapped
    return found


@cache
def tenant_function(
    setting: Any, label: str = 'MCP_DJANGO["TENANT"]'
) -> Callable[[HttpRequest], Any]:
    """The setting as a function of the request, whose None means "none found".

    ``label`` is what messages call it.
    """
    if callable(setting):
        return setting  # type: ignore[no-any-return]
    root, _, path = setting.partition(".")
    if root == "request" and path:
        return _attribute(path)
    try:
        found = import_string(setting)
    except ImportError as error:
        raise ImproperlyConfigured(
            f"{label} names {setting!r}, which cannot be imported: {error}. "
            'Name a function of the request, or write "request.<attribute>".'
        ) from error
    if not callable(found):
        raise ImproperlyConfigured(
            f"{label} names {setting!r}, which is not callable. "
            "Name a function that takes the request."
        )
    return found  # type: ignore[no-any-return]


def _attribute(path: str) -> Callable[[HttpRequest], Any]:
    names = path.split(".")

    def tenant(request: HttpRequest) -> Any:
        found: Any = request
        for name in names:
            holder = _unwrapped(found)
            try:
                found = getattr(holder, name)
            except AttributeError as error:
                if error.name != name or error.obj is not holder:
                    raise  # a mistake in the code of an attribute that is there
                return None
        return found

    return tenant
