"""The catalog in Django's admin: every feature that the project publishes, to read."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from django.contrib import admin
from django.forms import Script
from django.http import HttpRequest, HttpResponse
from django.utils.html import format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from mcp_django.catalog import examples, words
from mcp_django.catalog.endpoints import authorization, endpoint_url
from mcp_django.catalog.features import feature_row, feature_rows, published
from mcp_django.catalog.limits import limits
from mcp_django.catalog.queryset import RowQuerySet
from mcp_django.catalog.schemas import schema_rows
from mcp_django.catalog.types import json_text, type_of
from mcp_django.models import Feature, Kind

if TYPE_CHECKING:
    ModelAdmin = admin.ModelAdmin[Feature]
else:
    ModelAdmin = admin.ModelAdmin

NOWHERE = "-"  # in a URL: declared outside of any app
EMPTY = "-"  # on a page, as Django's admin has it


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


def _lines(sentences: Iterable[str]) -> SafeString:
    """One sentence a line."""
    return format_html_join(SafeString("<br>"), "{}", ((sentence,) for sentence in sentences))


@admin.register(Feature)
class FeatureAdmin(ModelAdmin):
    """Lists the records of all servers; nothing here can be changed."""

    list_display = (
        "name",
        "title_if_any",
        "summary",
        "kind",
        "app_name",
        "server",
        "callers",
        "hint_words",
    )
    list_filter = (KindFilter, AppFilter, ServerFilter)
    list_per_page = 100
    search_fields = ("name", "title", "description", "tags")
    fieldsets = (
        (None, {"fields": ("name", "title", "about", "kind", "app_name", "server", "tags")}),
        (_("Use"), {"fields": ("hints", "access", "injected", "execution")}),
        (_("Source"), {"fields": ("function", "source")}),
    )
    readonly_fields = ("about", "app_name", "hints", "access", "injected", "execution", "function")

    class Media:
        css = {"all": ["mcp_django/catalog.css"]}
        js = [Script("mcp_django/copy.js", defer=True)]

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Feature | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Feature | None = None) -> bool:
        return False

    def get_queryset(self, request: HttpRequest) -> RowQuerySet[Feature]:
        ordering = self.get_ordering(request) or Feature._meta.ordering or ()
        rows: RowQuerySet[Feature] = Feature.objects.holding(feature_rows())
        return rows.order_by(*ordering)

    def get_list_display(self, request: HttpRequest) -> list[Any]:
        """The columns that tell something: none that is empty, or the same in every row."""
        records = [record for _server, record in published()]
        columns = {
            "title_if_any": any(record.title for record in records),
            "kind": len({record.kind for record in records}) > 1,
            "app_name": len({record.app_label for record in records}) > 1,
            "server": len({server.name for server, _record in published()}) > 1,
        }
        return [name for name in self.list_display if columns.get(name, True)]

    def get_object(
        self, request: HttpRequest, object_id: str, from_field: str | None = None
    ) -> Feature | None:
        return feature_row(object_id)

    def changelist_view(
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        title = {"title": Feature._meta.verbose_name_plural}
        return super().changelist_view(request, {**title, **(extra_context or {})})

    def render_change_form(
        self, request: HttpRequest, context: dict[str, Any], *args: Any, **kwargs: Any
    ) -> HttpResponse:
        context |= _tool_context(context["original"], request)
        return super().render_change_form(request, context, *args, **kwargs)

    @admin.display(description=_("title"), ordering="title", empty_value="")
    def title_if_any(self, row: Feature) -> str | None:
        return row.title or None

    @admin.display(description=_("description"))
    def summary(self, row: Feature) -> str:
        return words.summary(row.description) or EMPTY

    @admin.display(description=_("who may call it"))
    def callers(self, row: Feature) -> str:
        return words.callers(row.record, row.owner)

    @admin.display(description=_("description"))
    def about(self, row: Feature) -> str:
        return words.unwrapped(row.description) or EMPTY

    @admin.display(description=_("app"), ordering="app")
    def app_name(self, row: Feature) -> str:
        return words.app_name(row.app) or EMPTY

    @admin.display(description=_("hints"))
    def hint_words(self, row: Feature) -> str:
        hints = [hint.replace(" ", "\xa0") for hint in words.short_hints(row.record.annotations)]
        return ", ".join(hints) or EMPTY

    @admin.display(description=_("hints to clients"))
    def hints(self, row: Feature) -> str:
        if not row.record.annotations.to_wire():
            return gettext("None.")
        given = words.hints(row.record.annotations)
        return format_html_join(
            SafeString("<br>"), '{} <span class="mcp-quiet">({})</span>', ((s, n) for n, s in given)
        )

    @admin.display(description=_("who may call it"))
    def access(self, row: Feature) -> str:
        return _lines(words.access(row.record, row.owner))

    @admin.display(description=_("filled in by the server"))
    def injected(self, row: Feature) -> str:
        return ", ".join(words.injected(row.record)) or gettext("Nothing.")

    @admin.display(description=_("how it runs"))
    def execution(self, row: Feature) -> str:
        return _lines(words.execution(row.record))

    @admin.display(description=_("declared as"))
    def function(self, row: Feature) -> str:
        return f"{row.record.source.module}.{row.record.source.name}"


def _tool_context(row: Feature, request: HttpRequest) -> dict[str, Any]:
    """What the page of a tool shows below its fields."""
    tool = row.record
    arguments, result = tool.arguments.schema, tool.result.schema
    example = examples.example_arguments(arguments)
    url = endpoint_url(row.owner, request)
    needed = words.needs_sign_in(tool, row.owner)
    credentials = authorization(row.owner, request) if needed else None
    return {
        "arguments_rows": schema_rows(arguments),
        "arguments_json": json_text(arguments, indent=2),
        "result_rows": schema_rows(result) if result is not None else [],
        "result_type": type_of(result) if result is not None else "",
        "result_limits": [*limits(result, result)] if result is not None else [],
        "result_json": json_text(result, indent=2) if result is not None else "",
        "example_json": json_text(examples.example_request(tool, example), indent=2),
        "example_curl": examples.example_curl(tool, example, url, credentials),
        "example_command": examples.example_command(tool, example, row.server, as_user=needed),
    }
