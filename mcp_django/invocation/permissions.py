"""The one predicate of who may see and call a feature. Lists and calls both ask it."""

from __future__ import annotations

import enum
import logging
from collections.abc import Sequence
from typing import Any

from django.core.exceptions import PermissionDenied
from django.http import Http404
from rest_framework.exceptions import APIException
from rest_framework.permissions import AllowAny

from mcp_django.features.base import Enabled, Feature
from mcp_django.features.caller_only import CALLER_ONLY
from mcp_django.invocation.context import Context
from mcp_django.invocation.faults import CAUGHT, is_interrupt

logger = logging.getLogger("mcp_django")


class Decision(enum.Enum):
    """May this caller see and call it; if not, could signing in open it."""

    ALLOWED = "allowed"
    SIGN_IN = "sign in"
    HIDDEN = "hidden"


def decide(feature: Feature, context: Context) -> Decision:
    """Whether the caller may see, and so may call, this feature."""
    if feature.enabled is not None and not _is_enabled(feature.enabled, feature, context):
        return Decision.HIDDEN
    anonymous = context.user is None
    if anonymous and feature.requires_user:
        return Decision.SIGN_IN
    if feature.permissions and not _has_permissions(context.user, feature):
        return Decision.HIDDEN
    rules, shared = feature.permission_classes, context.server.feature_permissions
    if shared:
        rules = (*shared, *rules)
    if rules and not _all_allow(rules, context, feature):
        return Decision.SIGN_IN if anonymous else Decision.HIDDEN
    return Decision.ALLOWED


def is_visible(feature: Feature, context: Context) -> bool:
    """Whether a list shows it to this caller."""
    return decide(feature, context) is Decision.ALLOWED


def _is_enabled(enabled: Enabled, feature: Feature, context: Context) -> bool:
    try:
        return enabled(context)
    except CAUGHT as error:
        if is_interrupt(error):
            raise
        logger.exception(
            "%s: enabled= raised; the %s %s is hidden.", feature.source, feature.noun, feature.key
        )
        return False


def endpoint_allows(permission_classes: Sequence[Any], context: Context) -> bool:
    """Whether the server's own permission classes let this caller in at all.

    They are given the server as ``view``.
    """
    return _all_allow(permission_classes, context, context.server)


def of_features(permission_classes: Sequence[Any]) -> tuple[Any, ...]:
    """Those of a server's permission classes that may tell one feature from another.

    What reads the caller alone is judged for the endpoint, and so holds for each feature.
    """
    return tuple(rule for rule in permission_classes if rule not in CALLER_ONLY)


def without_effect(permission_classes: Sequence[Any]) -> tuple[Any, ...]:
    """The same classes less those that let everybody in."""
    return tuple(rule for rule in permission_classes if rule is not AllowAny)


def _has_permissions(user: Any, feature: Feature) -> bool:
    try:
        return bool(user.has_perms(feature.permissions))
    except CAUGHT as error:  # a rule that raises, denies
        if is_interrupt(error):
            raise
        _log_denial(feature)
        return False


def _all_allow(rules: Sequence[Any], context: Context, view: Any) -> bool:
    try:
        request = context.drf_request
        return all(rule().has_permission(request, view) for rule in rules)
    except CAUGHT as error:  # a rule that raises, denies
        if is_interrupt(error):
            raise
        if not _is_refusal(error):
            _log_denial(view)
        return False


def _is_refusal(error: BaseException) -> bool:
    """Whether a rule says no in this way, as DRF lets it; all else is a mistake in it."""
    if isinstance(error, APIException):
        return error.status_code < 500
    return isinstance(error, PermissionDenied | Http404)


def _log_denial(view: Any) -> None:
    logger.exception("A permission rule of %s raised; the caller is refused.", view.name)
