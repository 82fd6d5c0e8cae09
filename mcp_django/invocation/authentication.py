"""Sign-in by DRF's authentication classes, and the challenge that asks for it.

Specification (2026-07-28): basic/authorization, "Error Handling".
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from typing import Any

from django.contrib.auth.models import AnonymousUser
from django.core.exceptions import PermissionDenied
from django.http import Http404
from rest_framework import exceptions
from rest_framework.authentication import BaseAuthentication

from mcp_django.invocation.context import Context, as_drf_request
from mcp_django.invocation.flows import Flow, settle
from mcp_django.protocol.errors import (
    INTERNAL_ERROR,
    INVALID_REQUEST,
    MCPError,
    invalid_request,
)

_REFUSED = 'Bearer error="invalid_token"'

# No header may hold them, and an authentication class may say anything.
_CONTROLS = re.compile(r"[\x00-\x1f\x7f]+")


def has_credentials(context: Context) -> bool:
    """Whether somebody is to be signed in, also where no class does that."""
    request = context.request
    return "HTTP_AUTHORIZATION" in request.META or hasattr(request, "_force_auth_user")


def sign_in(context: Context, authenticators: Sequence[BaseAuthentication]) -> Flow[None]:
    """Set ``context.user`` from the credentials of the request, if it has any.

    Bad credentials are refused (401) also where anonymous callers are welcome. A Bearer
    token that no class claims is refused too: its sender believes to be signed in.
    """
    request = context.request
    bearer = _is_bearer_token(request.META.get("HTTP_AUTHORIZATION"))
    forced = getattr(request, "_force_auth_user", None)
    if forced is not None:  # by DRF's test client, as in DRF's own requests
        context.user = request.user = forced
        context.auth = getattr(request, "_force_auth_token", None)
        return
    claimed = yield from _claim(context, authenticators)
    if claimed is None:
        if bearer:
            raise unauthenticated(context, authenticators, invalid=True)
        request.user = AnonymousUser()
        return
    context.user, context.auth = claimed
    request.user = context.user


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


def _claim(context: Context, authenticators: Sequence[BaseAuthentication]) -> Flow[Any]:
    request = as_drf_request(context.request)
    for authenticator in authenticators:
        try:
            claimed = yield from settle(authenticator.authenticate(request))
        except (exceptions.APIException, Http404, PermissionDenied) as error:
            raise _refusal(error, context, authenticators) from error
        if claimed is not None:
            user, auth = claimed
            # A class may hand back Django's anonymous user: that is nobody.
            return (user, auth) if getattr(user, "is_authenticated", False) else None
    return None


def _refusal(
    error: exceptions.APIException | Http404 | PermissionDenied,
    context: Context,
    authenticators: Sequence[BaseAuthentication],
) -> MCPError:
    """What an authentication class raises, with the status that DRF gives it."""
    if isinstance(error, Http404):
        return invalid_request(str(error) or "Not found.", 404)
    if isinstance(error, PermissionDenied):
        return invalid_request(str(error) or "Permission denied.", 403)
    if error.status_code == 401:
        anonymous = isinstance(error, exceptions.NotAuthenticated)
        return unauthenticated(context, authenticators, invalid=not anonymous, why=error)
    # 403 is a session without its CSRF token, 5xx a directory that does not answer.
    code = INVALID_REQUEST if error.status_code < 500 else INTERNAL_ERROR
    wait = getattr(error, "wait", None)
    headers = {} if wait is None else {"Retry-After": str(math.ceil(wait))}
    return MCPError(code, _sentence(error), status=error.status_code, headers=headers)


def unauthenticated(
    context: Context,
    authenticators: Sequence[BaseAuthentication],
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
    return invalid_request(
        message, 401, WWW_Authenticate=challenge(context, authenticators, invalid=invalid)
    )


def challenge(
    context: Context, authenticators: Sequence[BaseAuthentication], *, invalid: bool
) -> str:
    """The value of ``WWW-Authenticate``."""
    bearer = _REFUSED if invalid else "Bearer"
    request = as_drf_request(context.request)
    others = [authenticator.authenticate_header(request) for authenticator in authenticators]
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
