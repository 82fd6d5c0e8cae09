"""The host that a request is for, where this site serves it."""

from __future__ import annotations

from typing import Any

from django.core.exceptions import DisallowedHost
from django.core.signals import setting_changed
from django.http import HttpRequest

from mcp_django.protocol.errors import invalid_request

_SETTINGS = ("ALLOWED_HOSTS", "DEBUG", "USE_X_FORWARDED_HOST", "USE_X_FORWARDED_PORT")

# By all that Django reads to tell the host, beside its settings. Only hosts that Django has
# accepted, so no caller can fill it: the limit is for wildcards in ALLOWED_HOSTS.
_known: dict[tuple[Any, ...], str] = {}
_MOST = 256


def served_host(request: HttpRequest) -> str:
    """The host, with its port; 400 for one that ``ALLOWED_HOSTS`` does not name.

    Judging a host costs as much as validating a tool's arguments, so answers are kept.
    """
    read = request.META.get
    key = (
        read("HTTP_HOST"),
        read("HTTP_X_FORWARDED_HOST"),
        read("HTTP_X_FORWARDED_PORT"),
        read("SERVER_NAME"),
        read("SERVER_PORT"),
    )
    host = _known.get(key)
    if host is None:
        host = _judged(request)
        if len(_known) >= _MOST:
            _known.clear()
        _known[key] = host
    return host


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


setting_changed.connect(_setting_changed, dispatch_uid="mcp_django.hosts")
