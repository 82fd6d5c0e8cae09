"""The permissions that Django makes for models: what a name in ``permission=`` may be."""

from __future__ import annotations

import difflib

from django.apps import AppConfig, apps
from django.contrib.auth import get_permission_codename


def problem_with(permission: str) -> str:
    """Why no model has this permission; "" where one has it."""
    label = permission.partition(".")[0]
    try:
        app = apps.get_app_config(label)
    except LookupError:
        return f"and there is no app {label!r}"
    return "" if permission in _permissions_of(app) else f"which no model of {label} has"


def nearest(permission: str) -> str | None:
    """The permission that was meant, most likely."""
    everything = sorted({one for app in apps.get_app_configs() for one in _permissions_of(app)})
    return next(iter(difflib.get_close_matches(permission, everything, 1)), None)


def _permissions_of(app: AppConfig) -> set[str]:
    """What ``migrate`` makes for the models of an app."""
    found: set[str] = set()
    for model in app.get_models():
        options = model._meta
        own = [get_permission_codename(action, options) for action in options.default_permissions]
        own += [codename for codename, _ in options.permissions]
        found |= {f"{app.label}.{codename}" for codename in own}
    return found
