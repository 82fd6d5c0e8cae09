"""The records of the four kinds of feature: what each has beyond ``Feature``.

Specification: server/tools, server/resources, server/prompts.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, get_args

from mcp_django.features.base import Binding, Feature
from mcp_django.features.completers import Completer
from mcp_django.protocol.content import Annotations
from mcp_django.protocol.definitions import ToolAnnotations
from mcp_django.protocol.uris import Address
from mcp_django.protocol.uritemplates import UriTemplate
from mcp_django.schema.results import ResultRule
from mcp_django.schema.returning.contents import ContentsRule
from mcp_django.schema.returning.messages import MessagesRule

RecordKind = Literal["tool", "resource", "resource_template", "prompt"]

KINDS: tuple[RecordKind, ...] = get_args(RecordKind)
"""As records name them, in the order in which they are told."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolFeature(Feature):
    """A tool: its result and its hints.

    ``headers`` maps an argument to the name of the header that mirrors it, such as
    ``Region`` for ``Mcp-Param-Region``.
    """

    result: ResultRule
    annotations: ToolAnnotations = field(default_factory=ToolAnnotations)
    headers: Mapping[str, str] = field(default_factory=dict)

    kind = "tool"


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadableFeature(Feature):
    """What is read: a resource, or a template of many.

    ``ttl_ms`` and ``is_public`` are caching hints of what is read; None leaves them to the
    server. ``has_serializer``: one of the author's writes it, and may ask for the caller.
    """

    contents: ContentsRule
    has_serializer: bool = False
    annotations: Annotations | None = None
    ttl_ms: int | None = None
    is_public: bool | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ResourceFeature(ReadableFeature):
    """A resource with a fixed URI, whose normal form is ``address``.

    ``size`` is in bytes, None where nobody said.
    """

    uri: str
    address: Address | None = field(repr=False)
    size: int | None = None

    kind = "resource"

    @property
    def key(self) -> str:
        """Its URI."""
        return self.uri


@dataclass(frozen=True, slots=True, kw_only=True)
class TemplateFeature(ReadableFeature):
    """A resource template (RFC 6570): its variables are the arguments.

    ``instances`` gives the resources of it that lists show; None where they show none.
    """

    template: UriTemplate
    instances: Binding | None = None
    completers: Mapping[str, Completer] = field(default_factory=dict)

    kind = "resource_template"

    @property
    def key(self) -> str:
        """The text of its template."""
        return self.template.text


@dataclass(frozen=True, slots=True, kw_only=True)
class PromptFeature(Feature):
    """A prompt: what its result becomes, and how its arguments are completed.

    ``blank`` are optional arguments that take no empty text: clients that have a form send
    one for what was left out.
    """

    messages: MessagesRule
    blank: frozenset[str] = frozenset()
    completers: Mapping[str, Completer] = field(default_factory=dict)

    kind = "prompt"


COMPLETED = (PromptFeature, TemplateFeature)
"""The records of what has arguments that are completed: their ``completers``."""
