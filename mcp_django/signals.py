"""Django signals of this app."""

from __future__ import annotations

from django.dispatch import Signal

# Sent when features of a server are registered or unregistered after start-up, in the process
# where that happens. ``sender`` is the MCPServer, ``kinds`` a frozenset of "tool", "resource",
# "resource_template" and "prompt".
features_changed = Signal()
