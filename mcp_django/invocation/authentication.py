"""Sign-in by DRF's authentication classes, and the challenge that asks for it.

Specification (2026-07-28): basic/authorization, "Error Handling".
"""

from __future__ import annotations

import math
import re
from typing import Any

from django.contrib.auth.models import AnonymousUser
from django.core.exceptions import PermissionDenied
from django.http import Http404
from rest_framework import exceptions

from mcp_django.invocation.context import Context, as_drf_request
from mcp_django.invocation.faults import readable
from mcp_django.invocation.flows import BLOCKING, Flow, settle
from mcp_django.invocation.permissions import endpoint_allows
from mcp_django.protocol.errors import (
    INTERNAL_ERROR,
    INVALID_REQUEST,
    MCPError,
    invalid_request,
)

_REFUSED = 'Bearer error="invalid_token"'

# No header may hold them, and an authentication class may say anything.
_CONTROLS = re.compile(r"[\x00-\x1f\x7f]+")


def enter(context: Context) -> Flow[None]:
    """Sign the caller in, and let it pass the endpoint's own permissions."""
    server = context.server
    if server.blocks:
        yield BLOCKING
    if server.authentication_classes or has_credentials(context):
        yield from sign_in(context)
    else:
        context.request.user = AnonymousUser()  # nobody signs in here, by a session either
    if server.endpoint_permissions and not endpoint_allows(server.endpoint_permissions, context):
        if context.user is None and server.authentication_classes:
            raise unauthenticated(context)
        raise invalid_request("You may not use this endpoint.", 403)


def has_credentials(context: Context) -> bool:
    """Whether somebody is to be signed in, also where no class does that."""
    request = context.request
    return "HTTP_AUTHORIZATION" in request.META or hasattr(request, "_force_auth_user")


def sign_in(context: Context) -> Flow[None]:
    """Set ``context.user`` from the credentials of the request, if it has any.

    Bad credentials are refused (401) also where anonymous callers are welcome. A Bearer
    token that no class claims is refused too: its sender believes to be signed in.
    """
    request = context.request
    bearer = _is_bearer_token(request.META.get("HTTP_AUTHORIZATION"))
    forced = getattr(request, "_force_auth_user", None)
    if forced is not None:  # by DRF's test client, as in DRF's own requests
        claimed = _somebody(forced, getattr(request, "_force_auth_token", None))
    else:
        claimed = yield from _claim(context)
        if claimed is None and bearer:
            raise unauthenticated(context, invalid=True)
    if claimed is None:
        request.user = AnonymousUser()
        return
    context.user, context.auth = claimed
    request.user = context.user


def _somebody(user: Any, auth: Any) -> tuple[Any, Any] | None:
    """Who is signed in; Django's anonymous user, which may be handed back too, is nobody."""
    return (user, auth) if getattr(user, "is_authenticated", False) else None


def _is_bearer_token(credentials: str | None) -> bool:
    """Whether a Bearer token is sent; 400 for one that is malformed, and for an empty header.

    Some servers empty a header that is not ASCII, so its sender believes to be signed in.
    """
    if credentials is None:
        return False
    parts = credentials.split()
    bearer = bool(parts) and parts[0].lower() == "bearer"
    if not parts or (bearer and len(parts) != 2):
        raise invalid_request(
            "The Authorization header is malformed: write 'Bearer', one space and the token.",
            WWW_Authenticate='Bearer error="invalid_request"',
        )
    return bearer


def _claim(context: Context) -> Flow[Any]:
    request = as_drf_request(context.request)
    for authenticator in context.authenticators:
        try:
            claimed = yield from settle(authenticator.authenticate(request))
        except (exceptions.APIException, Http404, PermissionDenied) as error:
            raise _refusal(error, context) from error
        if claimed is not None:
            user, auth = claimed
            return _somebody(user, auth)
    return None


def _refusal(
    error: exceptions.APIException | Http404 | PermissionDenied,
    context: Context,
) -> MCPError:
    """What an authentication class raises, with the status that DRF gives it."""
    if isinstance(error, Http404):
        return invalid_request(readable(error), 404)
    if isinstance(error, PermissionDenied):
        return invalid_request(readable(error), 403)
    if error.status_code == 401:
        anonymous = isinstance(error, exceptions.NotAuthenticated)
        return unauthenticated(context, invalid=not anonymous, why=error)
    # 403 is a session without its CSRF token, 5xx a directory that does not answer.
    code = INVALID_REQUEST if error.status_code < 500 else INTERNAL_ERROR
    wait = getattr(error, "wait", None)
    headers = {} if wait is None else {"Retry-After": str(math.ceil(wait))}
    return MCPError(code, _sentence(error), status=error.status_code, headers=headers)


def unauthenticated(
    context: Context,
    *,
    invalid: bool = False,
    why: exceptions.APIException | None = None,
) -> MCPError:
    """401, with the challenge of every class: Bearer first, then the others' own."""
    if why is not None:
        message = _sentence(why) or "The credentials are not valid."
    elif invalid:
        message = "The credentials are not valid."
    elif context.request.META.get("HTTP_AUTHORIZATION"):
        message = "Sign in to use this: nothing here reads the Authorization that was sent."
    else:
        message = "Sign in to use this: send credentials with the request."
    return invalid_request(message, 401, WWW_Authenticate=challenge(context, invalid=invalid))


def challenge(context: Context, *, invalid: bool) -> str:
    """The value of ``WWW-Authenticate``."""
    bearer = _REFUSED if invalid else "Bearer"
    request = as_drf_request(context.request)
    others = [
        authenticator.authenticate_header(request) for authenticator in context.authenticators
    ]
    told = [_CONTROLS.sub(" ", str(other)) for other in others if other]
    return ", ".join([bearer, *(other for other in told if not _is_bearer(other))])


def _is_bearer(header: str) -> bool:
    return header.split(" ", 1)[0].lower() == "bearer"


def _sentence(error: exceptions.APIException) -> str:
    detail: Any = error.detail
    if isinstance(detail, dict):
        detail = detail.get("detail", "")
    if isinstance(detail, list):
        detail = detail[0] if detail else ""
    return str(detail)
