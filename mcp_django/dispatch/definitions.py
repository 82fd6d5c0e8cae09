"""Records as a revision shows them.

Legacy revisions know objects only as structured results, so other results are wrapped as
``{"result": …}`` for them, schema and value alike. Specification: server/tools.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import orjson
from django.utils.functional import Promise

from mcp_django.features.base import Feature
from mcp_django.features.records import (
    PromptFeature,
    ResourceFeature,
    TemplateFeature,
    ToolFeature,
)
from mcp_django.protocol import definitions
from mcp_django.protocol.versions import Revision
from mcp_django.schema.results import ABSENT, Outcome
from mcp_django.schema.translation import translated


def definition(feature: Feature, revision: Revision) -> dict[str, Any]:
    """The feature as this revision defines it, in the language that is active."""
    return _DEFINITIONS[type(feature)](feature, revision)


def is_translated(feature: Feature) -> bool:
    """Whether its definition depends on the language that is active."""
    texts = (feature.title, feature.description)
    schemas = [feature.arguments.texts]
    if isinstance(feature, ToolFeature):
        schemas.append(feature.result.texts)
    return any(isinstance(text, Promise) for text in texts) or any(schemas)


def _said(feature: Feature) -> dict[str, Any]:
    """What all kinds have in common."""
    return {
        "title": str(feature.title or ""),
        "description": str(feature.description),
        "icons": feature.icons,
        "meta": feature.meta,
    }


def _tool(tool: ToolFeature, revision: Revision) -> dict[str, Any]:
    schema = tool.result.schema
    if schema is not None:
        schema = translated(schema, tool.result.texts)
    return definitions.tool(
        tool.name,
        translated(tool.arguments.schema, tool.arguments.texts),
        revision,
        output_schema=None if schema is None else output_schema(schema, revision),
        annotations=tool.annotations,
        **_said(tool),
    )


def _resource(resource: ResourceFeature, revision: Revision) -> dict[str, Any]:
    return definitions.resource(
        resource.name,
        revision,
        uri=resource.uri,
        mime_type=resource.contents.mime_type,
        size=resource.size,
        annotations=resource.annotations,
        **_said(resource),
    )


def _template(template: TemplateFeature, revision: Revision) -> dict[str, Any]:
    return definitions.resource_template(
        template.name,
        revision,
        uri_template=template.template.text,
        mime_type=template.contents.mime_type,
        annotations=template.annotations,
        **_said(template),
    )


def _prompt(prompt: PromptFeature, revision: Revision) -> dict[str, Any]:
    schema = translated(prompt.arguments.schema, prompt.arguments.texts)
    required = schema.get("required", ())
    arguments = [
        definitions.prompt_argument(
            name,
            revision,
            title=said.get("title", ""),
            description=said.get("description", ""),
            required=name in required,
        )
        for name, said in schema.get("properties", {}).items()
    ]
    return definitions.prompt(prompt.name, revision, arguments=arguments, **_said(prompt))


_DEFINITIONS: Mapping[type[Feature], Callable[[Any, Revision], dict[str, Any]]] = {
    ToolFeature: _tool,
    ResourceFeature: _resource,
    TemplateFeature: _template,
    PromptFeature: _prompt,
}


def output_schema(schema: dict[str, Any], revision: Revision) -> dict[str, Any]:
    """The schema of a structured result as this revision can hold it."""
    if revision.any_structured or not is_wrapped(schema):
        return schema
    inner = dict(schema)
    definitions = inner.pop("$defs", None)
    wrapped: dict[str, Any] = {
        "type": "object",
        "properties": {"result": inner},
        "required": ["result"],
    }
    if definitions:
        wrapped["$defs"] = definitions  # "#/$defs/…" points at the root, so they move there
    return wrapped


def is_wrapped(schema: dict[str, Any] | None) -> bool:
    """Whether legacy clients get this tool's values as ``{"result": value}``."""
    return schema is not None and schema.get("type") != "object"


def encoded_structured(
    outcome: Outcome, schema: dict[str, Any] | None, revision: Revision
) -> bytes | None:
    """The structured result in JSON as this revision can hold it, if there is any."""
    if outcome.structured is ABSENT or not revision.structured_content:
        return None
    encoded = outcome.encoded or orjson.dumps(outcome.structured)
    if revision.any_structured:
        return encoded
    # An error need not satisfy the tool's schema, so its own shape decides.
    by_schema = schema is not None and not outcome.is_error
    wrap = is_wrapped(schema) if by_schema else not isinstance(outcome.structured, dict)
    return b'{"result":' + encoded + b"}" if wrap else encoded
