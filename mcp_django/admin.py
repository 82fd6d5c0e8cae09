"""The catalog in Django's admin: every feature that the project publishes, to read."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from django.contrib import admin
from django.forms import Script
from django.http import HttpRequest, HttpResponse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from mcp_django.catalog import particulars, words
from mcp_django.catalog.endpoints import endpoint_path
from mcp_django.catalog.features import feature_row, feature_rows, published
from mcp_django.catalog.filters import AppFilter, KindFilter, ServerFilter
from mcp_django.catalog.pages import page_of
from mcp_django.catalog.queryset import RowQuerySet
from mcp_django.features.records import ReadableFeature, ToolFeature
from mcp_django.models import Feature

if TYPE_CHECKING:
    ModelAdmin = admin.ModelAdmin[Feature]
else:
    ModelAdmin = admin.ModelAdmin

EMPTY = "-"  # on a page, as Django's admin has it

# What each kind has beside the others: on its page, fields of a part of their own.
_OF_KIND = {
    "tool": (),
    "resource": ("mime_type", "size", "audience", "caching"),
    "resource_template": ("mime_type", "audience", "caching", "instances"),
    "prompt": ("template_name",),
}


def _lines(sentences: Iterable[str]) -> SafeString:
    """One sentence a line."""
    return format_html_join(SafeString("<br>"), "{}", ((sentence,) for sentence in sentences))


@admin.register(Feature)
class FeatureAdmin(ModelAdmin):
    """Lists the records of all servers; nothing here can be changed."""

    list_display = (
        "name",
        "uri_if_any",
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
    search_fields = ("name", "title", "uri", "description", "tags")
    readonly_fields = (
        *("about", "app_name", "endpoint", "access", "injected", "execution", "function", "hints"),
        *dict.fromkeys(name for names in _OF_KIND.values() for name in names),
    )

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
            "uri_if_any": any(record.key != record.name for record in records),
            "title_if_any": any(record.title for record in records),
            "kind": len({record.kind for record in records}) > 1,
            "app_name": len({record.app_label for record in records}) > 1,
            "server": len({server.name for server, _record in published()}) > 1,
        }
        return [name for name in self.list_display if columns.get(name, True)]

    def get_fieldsets(self, request: HttpRequest, obj: Feature | None = None) -> Any:
        """The parts of a page: those that its kind has."""
        kind = obj.kind if obj else ""
        named = ("name", *(("uri",) if obj and obj.uri else ()), "title", "about", "kind")
        hints = ("hints",) if kind == "tool" else ()
        own = _OF_KIND.get(kind, ())
        parts = [
            (None, {"fields": (*named, "app_name", "server", "endpoint", "tags")}),
            (_("Content"), {"fields": own}),
            (_("Use"), {"fields": (*hints, "access", "injected", "execution")}),
            (_("Source"), {"fields": ("function", "source")}),
        ]
        return [part for part in parts if part[1]["fields"]]

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
        row = context["original"]
        context |= page_of(row.owner, row.record, request)
        return super().render_change_form(request, context, *args, **kwargs)

    @admin.display(description=_("URI"), ordering="uri", empty_value="")
    def uri_if_any(self, row: Feature) -> str | None:
        return row.uri or None

    @admin.display(description=_("title"), ordering="title", empty_value="")
    def title_if_any(self, row: Feature) -> str | None:
        return row.title or None

    @admin.display(description=_("description"))
    def summary(self, row: Feature) -> str:
        about = words.summary(row.description) or EMPTY
        if not row.uri:
            return about
        # Where there is no room for a column of URIs, one says more than a cut description.
        both = '<span class="mcp-uri">{}</span><span class="mcp-about">{}</span>'
        return format_html(both, row.uri, about)

    @admin.display(description=_("who may use it"))
    def callers(self, row: Feature) -> str:
        return words.callers(row.record, row.owner)

    @admin.display(description=_("description"))
    def about(self, row: Feature) -> str:
        return words.unwrapped(row.description) or EMPTY

    @admin.display(description=_("app"), ordering="app")
    def app_name(self, row: Feature) -> str:
        return words.app_name(row.app) or EMPTY

    @admin.display(description=_("URL of the server"))
    def endpoint(self, row: Feature) -> str:
        return endpoint_path(row.owner) or gettext("None: no URL of the project leads to it.")

    @admin.display(description=_("hints"))
    def hint_words(self, row: Feature) -> str:
        if isinstance(row.record, ReadableFeature):
            return row.record.contents.mime_type or EMPTY
        if not isinstance(row.record, ToolFeature):
            return EMPTY
        hints = [hint.replace(" ", "\xa0") for hint in words.short_hints(row.record.annotations)]
        return ", ".join(hints) or EMPTY

    @admin.display(description=_("hints to clients"))
    def hints(self, row: Any) -> str:
        if not row.record.annotations.to_wire():
            return gettext("None.")
        given = words.hints(row.record.annotations)
        return format_html_join(
            SafeString("<br>"), '{} <span class="mcp-quiet">({})</span>', ((s, n) for n, s in given)
        )

    @admin.display(description=_("MIME type"))
    def mime_type(self, row: Any) -> str:
        return particulars.mime_type(row.record)

    @admin.display(description=_("size"))
    def size(self, row: Feature) -> str:
        return particulars.size(row.record) or EMPTY

    @admin.display(description=_("hints to clients"))
    def audience(self, row: Any) -> str:
        return _lines(particulars.audience(row.record)) or gettext("None.")

    @admin.display(description=_("caching"))
    def caching(self, row: Any) -> str:
        return _lines(particulars.caching(row.record, row.owner))

    @admin.display(description=_("its resources in lists"))
    def instances(self, row: Any) -> str:
        return particulars.instances(row.record)

    @admin.display(description=_("made from the template"))
    def template_name(self, row: Any) -> str:
        name = particulars.template_name(row.record, row.owner)
        return name or gettext("None: its function writes it.")

    @admin.display(description=_("who may use it"))
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
