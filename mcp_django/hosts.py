"""The origin of an endpoint as its clients write it, for hosts that this site serves."""

from __future__ import annotations

from typing import Any

from django.core.exceptions import DisallowedHost
from django.core.signals import setting_changed
from django.http import HttpRequest

from mcp_django.protocol.errors import invalid_request

# All that Django reads to tell the host of a request, beside its settings.
_READ = (
    "HTTP_HOST",
    "HTTP_X_FORWARDED_HOST",
    "HTTP_X_FORWARDED_PORT",
    "SERVER_NAME",
    "SERVER_PORT",
)
_SETTINGS = ("ALLOWED_HOSTS", "DEBUG", "USE_X_FORWARDED_HOST", "USE_X_FORWARDED_PORT")

# Only hosts that Django has accepted, so a caller cannot fill it: the limit is for
# wildcards in ALLOWED_HOSTS.
_known: dict[tuple[Any, ...], str] = {}
_MOST = 256


def own_origin(request: HttpRequest) -> str:
    """``scheme://host`` in lower case; 400 for a host that ``ALLOWED_HOSTS`` does not name.

    Judging a host costs as much as validating a tool's arguments, so answers are kept.
    """
    meta = request.META
    key = (request.scheme, *map(meta.get, _READ))
    origin = _known.get(key)
    if origin is None:
        origin = f"{request.scheme}://{_host(request)}".lower()
        if len(_known) >= _MOST:
            _known.clear()
        _known[key] = origin
    return origin


def _host(request: HttpRequest) -> str:
    try:
        return request.get_host()
    except DisallowedHost as error:
        raise invalid_request(
            "This host is not served here. The operator can add it to ALLOWED_HOSTS."
        ) from error


def _setting_changed(*, setting: str, **kwargs: Any) -> None:
    if setting in _SETTINGS:
        _known.clear()


setting_changed.connect(_setting_changed, dispatch_uid="mcp_django.hosts")
