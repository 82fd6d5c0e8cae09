"""Icons as projects give them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

from mcp_django.protocol.content import Icon


def checked_icon(value: Any) -> Icon:
    """An ``Icon``, from one, a dict of what it takes, or its ``src`` alone; else ``TypeError``.

    ``ValueError`` where it leads nowhere: a client shows it beside no page of this site, so
    a path will not do.
    """
    icon = Icon(value) if isinstance(value, str) else value
    icon = Icon(**icon) if isinstance(icon, Mapping) else icon
    if not isinstance(icon, Icon) or not isinstance(icon.src, str):
        raise TypeError("it is no Icon")
    parts = urlsplit(icon.src)
    if parts.scheme != "data" and not (parts.scheme == "https" and parts.netloc):
        raise ValueError("its src is neither an https nor a data URI")
    return icon
