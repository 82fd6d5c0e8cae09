"""What this floor and those above it know of the server that a request is for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

from mcp_django.features.base import Feature
from mcp_django.features.records import RecordKind
from mcp_django.features.registry import Registry
from mcp_django.protocol.versions import Revision


class Server(Protocol):
    """A server as its requests see it: ``MCPServer`` says what each of these is.

    What is made of rows and definitions is known two floors above, and here only passed on.
    """

    name: str
    registry: Registry

    @property
    def tenant(self) -> Any: ...

    @property
    def blocks(self) -> bool: ...

    @property
    def is_private(self) -> bool: ...

    @property
    def authentication_classes(self) -> tuple[Any, ...]: ...

    @property
    def endpoint_permissions(self) -> tuple[Any, ...]: ...

    @property
    def feature_permissions(self) -> tuple[Any, ...]: ...

    @property
    def capabilities(self) -> frozenset[str]: ...

    @property
    def instructions(self) -> str | None: ...

    @property
    def page_size(self) -> int | None: ...

    @property
    def ttl_ms(self) -> Mapping[str, int]: ...

    @property
    def cache_scope(self) -> Mapping[str, str]: ...

    def depends_on_caller(self, feature: Feature) -> bool: ...

    def info(self, revision: Revision) -> dict[str, Any]: ...

    def listing(self, kind: RecordKind, revision: Revision) -> Any: ...

    def result_meta(self) -> tuple[Any, Mapping[str, Any]]: ...
