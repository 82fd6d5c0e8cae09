"""The resources of a template that lists show, as its ``instances=`` gives them."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from typing import Any

import orjson
from django.db.models import Manager, QuerySet

from mcp_django.conf import settings
from mcp_django.dispatch.paging import Item
from mcp_django.features.records import TemplateFeature
from mcp_django.invocation.context import Context
from mcp_django.invocation.faults import is_interrupt, told
from mcp_django.invocation.flows import ENDINGS, Flow, settle
from mcp_django.protocol import definitions
from mcp_django.protocol.cleaning import clean
from mcp_django.protocol.content import ResourceLink
from mcp_django.protocol.errors import INTERNAL_ERROR, MCPError

logger = logging.getLogger("mcp_django")


def instances_of(template: TemplateFeature, context: Context) -> Flow[list[Item]]:
    """The rows of a list, of at most ``MAX_INSTANCES`` instances.

    Each is a mapping of the template's variables, an object that has them as attributes, or a
    ``ResourceLink`` that says all by itself. What is raised is -32603: a list that lacks
    something in silence would be believed.
    """
    binding = template.instances
    if binding is None or (binding.requires_user and context.user is None):
        return []
    if binding.uses_tenant:
        tenant = yield from context.find_tenant()
        if tenant is None and binding.requires_tenant:
            return []
    context.feature = template
    try:
        found = yield from settle(binding.resolve(context, {}))
        return list(_items(_limited(found, template), template, context))
    except (Exception, BaseExceptionGroup, *ENDINGS) as error:
        if is_interrupt(error):
            raise
        raise MCPError(INTERNAL_ERROR, told(error, template)) from error


def _limited(found: Any, template: TemplateFeature) -> Iterator[Any]:
    """The first ``MAX_INSTANCES``; a queryset is asked for no more of its rows."""
    limit = settings.MAX_INSTANCES
    if isinstance(found, Manager | QuerySet):
        found = found.all()[: limit + 1]
    if not isinstance(found, Iterable) or isinstance(found, str | Mapping):
        raise TypeError(
            f"instances= gave {type(found).__name__}, not several: let it return a list"
        )
    for number, one in enumerate(islice(found, limit + 1), start=1):
        if number > limit:
            logger.warning(
                "%s: The list shows the first %d instances of %s alone: see MAX_INSTANCES.",
                template.source,
                limit,
                template.key,
            )
            return
        yield one


def _items(found: Iterator[Any], template: TemplateFeature, context: Context) -> Iterator[Item]:
    """The rows of those that have a URI, and that no declared resource has."""
    is_declared = context.server.registry.resource_at
    for one in found:
        link = one if isinstance(one, ResourceLink) else _link(one, template)
        if link is not None and not is_declared(link.uri):
            yield _item(link, template, context)


def _link(one: Any, template: TemplateFeature) -> ResourceLink | None:
    names = template.template.names
    if isinstance(one, Mapping):
        values = {name: one[name] for name in names if name in one}
        name = str(one.get("name") or ", ".join(str(value) for value in values.values()))
    else:
        values = {name: getattr(one, name) for name in names if hasattr(one, name)}
        name = str(one)
    missing = [n for n in names if n not in values and n not in template.template.optional]
    if missing:
        raise TypeError(f"instances= gave {type(one).__name__} without {', '.join(missing)}")
    try:
        return ResourceLink(template.template.expand(values), name)
    except ValueError as error:  # this one alone: an empty value, say, which no URI can hold
        logger.warning("%s: The list leaves an instance out: %s.", template.source, error)
        return None


def _item(link: ResourceLink, template: TemplateFeature, context: Context) -> Item:
    if template.template.match(link.uri) is None:
        raise ValueError(f"instances= gave {link.uri!r}, which {template.key!r} does not match")
    wire = definitions.resource(
        clean(str(link.name)),
        context.revision,
        uri=link.uri,
        title=clean(str(link.title or "")),
        description=clean(str(link.description or "")),
        mime_type=link.mime_type or template.contents.mime_type,
        size=link.size,
        icons=link.icons or template.icons,
        annotations=link.annotations or template.annotations,
        meta=link.meta,
    )
    return Item(link.uri, orjson.dumps(wire))
