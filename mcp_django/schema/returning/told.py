"""Exceptions that are raised to be read by a caller, whatever is running."""

from __future__ import annotations

from django.core.exceptions import ObjectDoesNotExist, PermissionDenied, ValidationError
from django.http import Http404
from rest_framework.exceptions import APIException

from mcp_django.schema.errors import InvalidArguments, InvalidResult


class Told(Exception):
    """An exception with a message for a caller: the base of those that floors above define."""


# Those of Django and DRF: shown also where errors are masked.
WRITTEN_FOR_CALLERS = (
    APIException,
    ValidationError,
    PermissionDenied,
    Http404,
    ObjectDoesNotExist,
)

# Whoever gives words of its own for what an author's code raised leaves these alone.
WITH_WORDS = (Told, InvalidArguments, InvalidResult, *WRITTEN_FOR_CALLERS)
