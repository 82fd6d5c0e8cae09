"""URLs of a project that has not mounted the endpoint yet."""

from __future__ import annotations

from django.urls import URLPattern

urlpatterns: list[URLPattern] = []
