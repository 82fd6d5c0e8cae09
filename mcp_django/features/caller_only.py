"""DRF's permission classes that read the caller alone: no feature, no database."""

from __future__ import annotations

from typing import Final

from rest_framework.permissions import (
    AllowAny,
    IsAdminUser,
    IsAuthenticated,
    IsAuthenticatedOrReadOnly,
)

CALLER_ONLY: Final = (AllowAny, IsAuthenticated, IsAdminUser, IsAuthenticatedOrReadOnly)
