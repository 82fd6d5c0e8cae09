"""Django system checks: what works, but most likely not as its author believes.

What cannot work stops start-up instead. ``SILENCED_SYSTEM_CHECKS`` takes the ids.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from django.apps import AppConfig, apps
from django.conf import settings as django_settings
from django.core import checks
from django.core.checks import CheckMessage, Tags, register

from mcp_django.conf import settings
from mcp_django.dispatch.server import MCPServer, servers
from mcp_django.features.base import ToolFeature
from mcp_django.features.classes import Tool
from mcp_django.features.matching import serializer_of
from mcp_django.features.subjects import options_given
from mcp_django.schema.model_fields import ModelField
from mcp_django.schema.trees import walk

TAG = "mcp_django"

# Some clients, and the interfaces of some models, take no longer ones.
_LONGEST_NAME = 64


@register(TAG)
def check_installed_last(
    app_configs: Sequence[AppConfig] | None, **kwargs: Any
) -> list[CheckMessage]:
    """W001: what other apps provide must be there when tools are compiled."""
    names = [app.name for app in apps.get_app_configs()]
    behind = names[names.index("mcp_django") + 1 :] if "mcp_django" in names else []
    if not behind:
        return []
    return [
        checks.Warning(
            f"mcp_django is followed by {', '.join(behind)} in INSTALLED_APPS.",
            hint="Put mcp_django last: what other apps provide() or extend in their ready() is "
            "not seen otherwise.",
            id="mcp_django.W001",
        )
    ]


@register(TAG)
def check_tools(app_configs: Sequence[AppConfig] | None, **kwargs: Any) -> list[CheckMessage]:
    """W002 to W006: what a model or its user will stumble over."""
    return [
        message for server in servers() for message in (*_of_server(server), *_of_left_out(server))
    ]


@register(TAG, Tags.security, deploy=True)
def check_deployment(app_configs: Sequence[AppConfig] | None, **kwargs: Any) -> list[CheckMessage]:
    """W007: what exceptions say is not meant for strangers."""
    if settings.MASK_ERRORS:
        return []
    return [
        checks.Warning(
            "Callers of MCP tools see the text of every exception but those of the database.",
            hint='Set MCP_DJANGO["MASK_ERRORS"] to True; ToolError and the exceptions that '
            "Django and DRF make for callers are shown all the same.",
            id="mcp_django.W007",
        )
    ]


def _of_server(server: MCPServer) -> Iterator[CheckMessage]:
    registry = server.registry
    has_tenant = "TENANT" in getattr(django_settings, "MCP_DJANGO", {}) or any(
        binding.uses_tenant for tool in registry.tools.values() for binding in tool.bindings
    )
    for name, tool in registry.tools.items():
        if not tool.description:
            yield _warning(
                tool,
                "has no description, so a model can only guess when to call it.",
                "Write a docstring, or give description=.",
                "W002",
            )
        options = options_given(registry.declarations[name])
        given = options.get("name", "")
        if "." in given or len(name) > _LONGEST_NAME:
            why = "a dot" if "." in given else f"more than {_LONGEST_NAME} characters"
            yield _warning(
                tool,
                f"has {why} in its name, which some clients refuse.",
                "Give it another name with name=.",
                "W003",
            )
        if has_tenant:
            yield from _of_models(tool, serializer_of(tool.arguments, options.get("arguments")))
        if tool.annotations.read_only and tool.annotations.destructive:
            yield _warning(
                tool,
                "is declared both read_only and destructive.",
                "Keep one of them: clients ask their user before they call a destructive tool.",
                "W006",
            )


def _of_models(tool: ToolFeature, serializer: Any) -> Iterator[CheckMessage]:
    for field in walk(serializer) if serializer else ():
        if isinstance(field, ModelField) and field.lookup is None:
            model = field.model.__name__
            yield _warning(
                tool,
                f"looks {field.field_name or 'rows'} up among all rows of {model}, whatever "
                "the tenant.",
                f"Narrow it: Annotated[{model}, Lookup(function)], where function(context) "
                "returns a queryset.",
                "W004",
            )


def _of_left_out(server: MCPServer) -> Iterator[CheckMessage]:
    for declaration in server.registry.left_out:
        cls = declaration.target
        if (
            issubclass(cls, Tool)
            and not vars(cls).get("abstract")
            and not callable(getattr(cls, "call", None))
        ):
            yield checks.Warning(
                f"The class {cls.__qualname__} is decorated with @tool, but has no method call(), "
                "so it is not published.",
                hint="Write call(), or take it for a base class: abstract = True.",
                obj=str(declaration.source),
                id="mcp_django.W005",
            )


def _warning(tool: ToolFeature, problem: str, hint: str, number: str) -> CheckMessage:
    return checks.Warning(
        f"The tool {tool.name!r} {problem}",
        hint=hint,
        obj=str(tool.source),
        id=f"mcp_django.{number}",
    )
