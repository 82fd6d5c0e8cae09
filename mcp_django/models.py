"""The catalog's model: one row for each declared feature, held in memory."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import models
from django.utils.translation import gettext_lazy as _

from mcp_django.catalog.queryset import RowQuerySet

# Models are imported before the registry of apps is ready: what needs it waits.
if TYPE_CHECKING:
    from mcp_django.dispatch.server import MCPServer
    from mcp_django.features.base import Feature as Record


class Kind(models.TextChoices):
    """The kinds of feature that a server may have."""

    TOOL = "tool", _("Tool")
    RESOURCE = "resource", _("Resource")
    RESOURCE_TEMPLATE = "resource_template", _("Resource template")
    PROMPT = "prompt", _("Prompt")


class Feature(models.Model):
    """A declared feature, as the admin lists it.

    It has no table: what a project declares is in its code, and a second copy could only
    disagree with it. ``objects`` is empty; ``Feature.objects.holding(rows)`` is a list of
    rows, and each has its ``record`` and the ``owner`` that publishes it. ``uri`` is that of
    a resource, or the text of a template.
    """

    key = models.CharField(max_length=255, primary_key=True, editable=False)
    name = models.CharField(_("name"), max_length=128)
    title = models.CharField(_("title"), max_length=255, blank=True)
    uri = models.CharField(_("URI"), max_length=2048, blank=True)
    description = models.TextField(_("description"), blank=True)
    kind = models.CharField(_("kind"), max_length=32, choices=Kind.choices)
    app = models.CharField(_("app"), max_length=255, blank=True)
    server = models.CharField(_("server"), max_length=255)
    tags = models.CharField(_("tags"), max_length=255, blank=True)
    source = models.CharField(_("source"), max_length=1024)

    objects = models.Manager.from_queryset(RowQuerySet)()

    record: Record
    owner: MCPServer

    class Meta:
        managed = False
        ordering = ("app", "name", "key")
        default_permissions = ("view",)
        verbose_name = _("MCP feature")
        verbose_name_plural = _("MCP features")

    def __str__(self) -> str:
        return self.name

    @staticmethod
    def key_of(owner: MCPServer, record: Record) -> str:
        """The primary key: ``server/kind/key``, the last a name, a URI or a template."""
        return f"{owner.name}/{record.kind}/{record.key}"

    @classmethod
    def of(cls, owner: MCPServer, record: Record) -> Feature:
        """The row of one record, with its texts in the language that is active now."""
        row = cls(
            key=cls.key_of(owner, record),
            name=record.name,
            title=str(record.title or ""),
            uri="" if record.key == record.name else record.key,
            description=str(record.description or ""),
            kind=record.kind,
            app=record.app_label,
            server=owner.name,
            tags=", ".join(record.tags),
            source=f"{record.source.path}:{record.source.line}",
        )
        row.record, row.owner = record, owner
        return row
