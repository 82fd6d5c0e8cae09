"""The host that a request is for, where this site serves it."""

from __future__ import annotations

from functools import cache
from typing import Any

from django.conf import settings
from django.core.exceptions import DisallowedHost
from django.core.signals import setting_changed
from django.http import HttpRequest

from mcp_django.protocol.errors import invalid_request

_SETTINGS = ("ALLOWED_HOSTS", "DEBUG", "USE_X_FORWARDED_HOST")

# Hosts that Django has accepted, by all that it reads to tell them. A caller may vary the
# port, and under a wildcard the name, so their number is bounded: at worst each is judged anew.
_known: dict[str | tuple[Any, ...], str] = {}
_MOST = 256


def served_host(request: HttpRequest) -> str:
    """The host, with its port; 400 for one that ``ALLOWED_HOSTS`` does not name.

    Judging a host costs as much as validating a tool's arguments, so answers are kept.
    """
    key = _told(request)
    host = _known.get(key)
    if host is None:
        host = _judged(request)
        if len(_known) >= _MOST:
            _known.clear()
        _known[key] = host
    return host


def _told(request: HttpRequest) -> str | tuple[Any, ...]:
    """What Django makes the host of: no header that its settings do not trust."""
    read = request.META.get
    host: str | None = None
    if _trusts_forwarded_host():
        host = read("HTTP_X_FORWARDED_HOST")
    if host is None:
        host = read("HTTP_HOST")
    if host is not None:
        return host
    # The port is left out of the host where it is the one of the scheme.
    return read("SERVER_NAME"), request.get_port(), request.scheme


@cache  # Django's lazy settings take longer than all the rest of this
def _trusts_forwarded_host() -> bool:
    return bool(settings.USE_X_FORWARDED_HOST)


def _judged(request: HttpRequest) -> str:
    try:
        return request.get_host()
    except DisallowedHost as error:
        raise invalid_request(
            "This host is not served here. The operator can add it to ALLOWED_HOSTS."
        ) from error


def _setting_changed(*, setting: str, **kwargs: Any) -> None:
    if setting in _SETTINGS:
        _known.clear()
        _trusts_forwarded_host.cache_clear()


setting_changed.connect(_setting_changed, dispatch_uid="mcp_django.hosts")
