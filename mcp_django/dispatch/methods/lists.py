"""The four list methods. Specification: server/tools, server/resources, server/prompts."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from mcp_django.dispatch.caching import hint_list, is_list_private
from mcp_django.dispatch.instances import instances_of
from mcp_django.dispatch.listings import Listing, array
from mcp_django.dispatch.paging import Item, Page, page_of, paging_of
from mcp_django.features.records import RecordKind
from mcp_django.invocation.context import Context
from mcp_django.invocation.flows import BLOCKING, Flow
from mcp_django.invocation.permissions import is_visible
from mcp_django.protocol import types

Result = dict[str, Any]


def list_of(kind: RecordKind, params: Mapping[str, Any], context: Context) -> Flow[Result]:
    """What of a kind this caller may use, in the order of registration."""
    listing: Listing = context.server.listing(kind, context.revision)
    private = listing.is_private or is_list_private(f"{kind}s", context.server)
    cursor = params.get("cursor")
    if listing.constant is not None and cursor is None and context.server.page_size is None:
        result = types.list_result(kind, listing.constant, None)
        hint_list(result, f"{kind}s", context, private=private)
        return result
    paging = paging_of(kind, cursor, context)
    items = yield from _items(listing, context)
    return _paged(kind, page_of(items, paging), context, private=private)


def list_resources(params: Mapping[str, Any], context: Context) -> Flow[Result]:
    """Resources, and those that templates say they have."""
    templates = [one for one in context.server.registry.templates.values() if one.instances]
    if not templates:
        return (yield from list_of("resource", params, context))
    paging = paging_of("resource", params.get("cursor"), context)
    items = yield from _items(context.server.listing("resource", context.revision), context)
    yield BLOCKING
    for template in templates:
        if is_visible(template, context):
            items += yield from instances_of(template, context)
    return _paged("resource", page_of(_once(items), paging), context, private=True)


def _once(items: list[Item]) -> list[Item]:
    """Each URI at its first place: reading it gives one resource."""
    found: dict[str, Item] = {}
    for item in items:
        found.setdefault(item.key, item)
    return list(found.values())


def _items(listing: Listing, context: Context) -> Flow[list[Item]]:
    if listing.constant is None:
        yield BLOCKING
    return listing.visible(context)


def _paged(kind: str, page: Page, context: Context, *, private: bool) -> Result:
    result = types.list_result(kind, array(page.items), page.next_cursor)
    hint_list(result, f"{kind}s", context, private=private)
    return result


list_tools = partial(list_of, "tool")
list_templates = partial(list_of, "resource_template")
list_prompts = partial(list_of, "prompt")
