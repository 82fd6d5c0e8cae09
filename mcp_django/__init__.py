"""Make a Django project a Model Context Protocol (MCP) server.

Everything that ``mcp_tools.py`` needs is imported from here; each name is loaded at its
first use, so that importing the package costs nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from mcp_django.dispatch.server import MCPServer as MCPServer
    from mcp_django.dispatch.server import server as server
    from mcp_django.features.completers import Completion as Completion
    from mcp_django.features.components import Prompt as Prompt
    from mcp_django.features.components import Resource as Resource
    from mcp_django.features.components import Tool as Tool
    from mcp_django.features.components import Toolset as Toolset
    from mcp_django.features.decorators import prompt as prompt
    from mcp_django.features.decorators import resource as resource
    from mcp_django.features.decorators import tool as tool
    from mcp_django.features.errors import AlreadyRegistered as AlreadyRegistered
    from mcp_django.features.errors import NotRegistered as NotRegistered
    from mcp_django.features.services import provide as provide
    from mcp_django.invocation.context import Context as Context
    from mcp_django.invocation.faults import ToolError as ToolError
    from mcp_django.invocation.resolvers import CurrentTenant as CurrentTenant
    from mcp_django.invocation.resolvers import CurrentUser as CurrentUser
    from mcp_django.invocation.resolvers import Inject as Inject
    from mcp_django.invocation.resolvers import ParameterResolver as ParameterResolver
    from mcp_django.protocol.content import Annotations as Annotations
    from mcp_django.protocol.content import Audio as Audio
    from mcp_django.protocol.content import EmbeddedResource as EmbeddedResource
    from mcp_django.protocol.content import Icon as Icon
    from mcp_django.protocol.content import Image as Image
    from mcp_django.protocol.content import ResourceLink as ResourceLink
    from mcp_django.protocol.content import Text as Text
    from mcp_django.protocol.contents import ResourceContents as ResourceContents
    from mcp_django.protocol.messages import PromptMessage as PromptMessage
    from mcp_django.protocol.messages import PromptResult as PromptResult
    from mcp_django.schema.results import ToolResult as ToolResult
    from mcp_django.schema.signatures import Lookup as Lookup
    from mcp_django.schema.signatures import ParamHeader as ParamHeader
    from mcp_django.schema.validation import Arguments as Arguments

__version__ = "0.1.0"

_WHERE = {
    "AlreadyRegistered": "features.errors",
    "Annotations": "protocol.content",
    "Arguments": "schema.validation",
    "Audio": "protocol.content",
    "Completion": "features.completers",
    "Context": "invocation.context",
    "CurrentTenant": "invocation.resolvers",
    "CurrentUser": "invocation.resolvers",
    "EmbeddedResource": "protocol.content",
    "Icon": "protocol.content",
    "Image": "protocol.content",
    "Inject": "invocation.resolvers",
    "Lookup": "schema.signatures",
    "MCPServer": "dispatch.server",
    "NotRegistered": "features.errors",
    "ParamHeader": "schema.signatures",
    "ParameterResolver": "invocation.resolvers",
    "Prompt": "features.components",
    "PromptMessage": "protocol.messages",
    "PromptResult": "protocol.messages",
    "Resource": "features.components",
    "ResourceContents": "protocol.contents",
    "ResourceLink": "protocol.content",
    "Text": "protocol.content",
    "Tool": "features.components",
    "ToolError": "invocation.faults",
    "ToolResult": "schema.results",
    "Toolset": "features.components",
    "prompt": "features.decorators",
    "provide": "features.services",
    "resource": "features.decorators",
    "server": "dispatch.server",
    "tool": "features.decorators",
}

__all__ = sorted(_WHERE)


def __getattr__(name: str) -> Any:
    if name not in _WHERE:
        raise AttributeError(f"module 'mcp_django' has no attribute {name!r}")
    value = getattr(import_module(f"mcp_django.{_WHERE[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return [*globals(), *_WHERE]
