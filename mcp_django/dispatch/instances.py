"""The resources of a template that lists show, as its ``instances=`` gives them."""

from __future__ import annotations

import inspect
import logging
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from typing import Any

import orjson
from django.db.models import Manager, QuerySet

from mcp_django.conf import settings
from mcp_django.dispatch.paging import Item
from mcp_django.features.base import Binding
from mcp_django.features.records import TemplateFeature
from mcp_django.invocation.context import Context, NoTenant
from mcp_django.invocation.faults import CAUGHT, goes_through, parts_of, told_of_all
from mcp_django.invocation.flows import Flow, settle
from mcp_django.invocation.tenants import meet_tenant
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
    context.feature = template
    try:
        if binding.uses_tenant and not (yield from _has_tenant(binding, context)):
            return []
        found = yield from settle(binding.resolve(context, {}))
        return list(_items(_limited(found, template), template, context))
    except CAUGHT as error:
        if goes_through(error):
            raise
        raise MCPError(INTERNAL_ERROR, _words(error, template)) from error


def _has_tenant(binding: Binding, context: Context) -> Flow[bool]:
    """Look the tenant up; False where one must be there and is not."""
    try:
        yield from meet_tenant(binding, context)
    except NoTenant:
        return False
    return True


def _words(error: BaseException, template: TemplateFeature) -> str:
    """What the client is told; the log has where the template was written."""
    note = f"In instances= of {template.key}, {template.source}."
    found = parts_of(error)
    for one in found:
        if note not in getattr(one, "__notes__", ()):  # the same may be raised for ever
            one.add_note(note)
    words = told_of_all(found, template)
    return words if settings.MASK_ERRORS else f"The list of {template.key} failed: {words}"


def _limited(found: Any, template: TemplateFeature) -> Iterator[Any]:
    """The first ``MAX_INSTANCES``; a queryset is asked for no more of its rows."""
    limit = settings.MAX_INSTANCES
    if isinstance(found, Manager | QuerySet):
        found = _in_order(found.all())[: limit + 1]
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


def _in_order(rows: QuerySet[Any]) -> QuerySet[Any]:
    """The same rows in a fixed order: without one, a database may give others each time.

    What is sliced or combined has its own, and for what is distinct or grouped another order
    would mean other rows.
    """
    query = rows.query
    settled = rows.ordered or query.is_sliced or query.combinator or query.distinct
    return rows if settled or query.group_by is not None else rows.order_by("pk")


def _items(found: Iterator[Any], template: TemplateFeature, context: Context) -> Iterator[Item]:
    """The rows of those that have a URI, and that reading it gives: nothing else has it first."""
    readable_at = context.server.registry.readable_at
    for one in found:
        link = _matching(one, template) if isinstance(one, ResourceLink) else _link(one, template)
        read = None if link is None else readable_at(link.uri)
        if link is not None and read is not None and read[0].key == template.key:
            yield _item(link, template, context)


def _matching(link: ResourceLink, template: TemplateFeature) -> ResourceLink:
    """What the author wrote; what is expanded is known to match."""
    if template.template.match(link.uri) is None:
        raise ValueError(f"instances= gave {link.uri!r}, which {template.key!r} does not match")
    return link


def _link(one: Any, template: TemplateFeature) -> ResourceLink | None:
    names = template.template.names
    if isinstance(one, Mapping):
        values = {name: one[name] for name in names if name in one}
        name = str(one.get("name") or ", ".join(str(value) for value in values.values()))
    else:
        found = {name: getattr(one, name) for name in names if hasattr(one, name)}
        # The methods of a row, or of a text, are no values.
        values = {name: value for name, value in found.items() if not inspect.isroutine(value)}
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
