"""The filters of the catalog's list in the admin."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.http import HttpRequest
from django.utils.translation import gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from mcp_django.catalog import words
from mcp_django.catalog.features import published
from mcp_django.models import Kind

NOWHERE = "-"  # in a URL: declared outside of any app


class RowFilter(admin.SimpleListFilter):
    """A filter by one attribute of the rows, which counts them without the database."""

    parameter_name: str

    def has_output(self) -> bool:
        # One choice would narrow nothing; but one that was made can be taken back.
        return len(self.lookup_choices) > 1 or self.value() is not None

    def queryset(self, request: HttpRequest, queryset: Any) -> Any:
        value = self.value()
        if value is None:
            return queryset
        return queryset.filter(**{self.parameter_name: "" if value == NOWHERE else value})

    def get_facet_queryset(self, changelist: Any) -> dict[str, int]:
        rows = changelist.get_queryset(self.request, exclude_parameters=self.expected_parameters())
        held = [getattr(row, self.parameter_name) or NOWHERE for row in rows]
        return {
            f"{i}__c": held.count(value) for i, (value, _name) in enumerate(self.lookup_choices)
        }


class KindFilter(RowFilter):
    title = pgettext_lazy("of a feature", "kind")
    parameter_name = "kind"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:
        found = {record.kind for _server, record in published()}
        return [(value, label) for value, label in Kind.choices if value in found]


class AppFilter(RowFilter):
    title = _("app")
    parameter_name = "app"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:
        labels = {record.app_label for _server, record in published()}
        named = [
            (label or NOWHERE, words.app_name(label) or gettext("Outside of any app"))
            for label in labels
        ]
        return sorted(named, key=lambda choice: choice[1].casefold())


class ServerFilter(RowFilter):
    title = _("server")
    parameter_name = "server"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:
        names = dict.fromkeys(server.name for server, _record in published())
        return [(name, name) for name in names]
