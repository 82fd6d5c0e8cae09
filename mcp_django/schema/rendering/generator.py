"""drf-spectacular's view of a serializer, made exact for the JSON that is sent and given.

Structure, models, relations and type hints are drf-spectacular's, and so are the extension
points; the schemas of DRF's own fields are this package's (``repairs``).
"""

from __future__ import annotations

import copy
import inspect
import itertools
import re
from typing import Any

from drf_spectacular.drainage import add_trace_message, get_override, has_override
from drf_spectacular.extensions import OpenApiSerializerExtension, OpenApiSerializerFieldExtension
from drf_spectacular.openapi import AutoSchema
from drf_spectacular.plumbing import (
    ComponentRegistry,
    ResolvedComponent,
    build_basic_type,
    force_instance,
    get_type_hints,
    is_basic_type,
    is_higher_order_type_hint,
)
from drf_spectacular.utils import PolymorphicProxySerializer
from rest_framework import serializers

from mcp_django.schema.keywords import DESCRIPTIVE, NULL, Direction, Schema
from mcp_django.schema.rendering.constraints import constrained
from mcp_django.schema.rendering.descriptions import described
from mcp_django.schema.rendering.hints import exact, hint_schema, refuse_tuples
from mcp_django.schema.rendering.presence import always_given
from mcp_django.schema.rendering.repairs import own_schema

# What a serializer may be made with that its own schema doesn't show.
_OUTER = {
    *inspect.signature(serializers.Field.__init__).parameters,
    *("instance", "data", "context", "many", "allow_empty", "min_length", "max_length"),
}


class Generator(AutoSchema):
    """One schema's worth of drf-spectacular: fields, then the serializers that hold them."""

    def __init__(self, view: Any) -> None:
        super().__init__()
        self.view = view
        self.method, self.path = "POST", "/"
        self.registry = ComponentRegistry()
        self._identities: dict[str, Any] = {}

    def components(self) -> dict[str, Schema]:
        """What references point to, by name."""
        schemas: dict[str, Schema] = self.registry.build({}).get("schemas", {})
        return schemas

    def _map_serializer_field(
        self, field: Any, direction: Direction, bypass_extensions: bool = False
    ) -> Schema | None:
        if _is_left_out(field, direction):
            return None
        if has_override(field, "field"):
            schema = self._overridden(get_override(field, "field"), direction)
        elif not bypass_extensions and (match := OpenApiSerializerFieldExtension.get_match(field)):
            schema = match.map_serializer_field(self, direction)
        else:
            schema = self._derived(field, direction)
        return None if schema is None else described(schema, field, direction)

    def _overridden(self, override: Any, direction: Direction) -> Schema | None:
        """What ``@extend_schema_field`` says, to the letter."""
        if isinstance(override, dict):
            return copy.deepcopy(override)
        if is_basic_type(override):
            schema: Schema | None = build_basic_type(override)
            return schema
        if is_higher_order_type_hint(override):
            return hint_schema(override)
        made: Any = force_instance(override)  # type: ignore[no-untyped-call]
        return self._map_serializer_field(made, direction)

    def _derived(self, field: Any, direction: Direction) -> Schema:
        if not hasattr(field, "json_schema"):
            own = own_schema(field, direction)
            if own is not None:
                return own
            schema = self._structure(field, direction)
            if schema is None:
                schema = super()._map_serializer_field(field, direction, True)  # type: ignore[no-untyped-call]
        else:
            schema = field.json_schema(lambda child: self._inner(child, direction))
        if direction == "response" or not isinstance(field, serializers.Field):
            return schema
        if isinstance(field, serializers.RelatedField):
            schema = {key: value for key, value in schema.items() if key != NULL}  # the column's
        return constrained(field, schema)

    def _structure(self, field: Any, direction: Direction) -> Schema | None:
        """The schema of what holds other fields."""
        if isinstance(field, serializers.ListSerializer):
            if OpenApiSerializerExtension.get_match(field):
                return self._map_serializer(field, direction)
            return {"type": "array", "items": _bare(self._inner(field.child, direction))}
        if isinstance(field, serializers.ManyRelatedField):
            return {"type": "array", "items": _bare(self._inner(field.child_relation, direction))}
        if isinstance(field, serializers.ListField):
            return {"type": "array", "items": self._inner(field.child, direction)}
        if isinstance(field, serializers.DictField):
            return {"type": "object", "additionalProperties": self._inner(field.child, direction)}
        return None

    def _inner(self, child: Any, direction: Direction) -> Schema:
        return self._map_serializer_field(child, direction) or {}

    def _insert_field_validators(self, field: Any, schema: Schema) -> None:
        """Nothing: ``constrained`` adds it."""

    def _get_serializer_field_meta(self, field: Any, direction: Direction) -> Schema:
        """Nothing: ``described`` adds it."""
        return {}

    def _map_response_type_hint(self, method: Any) -> Schema:
        hint = get_override(method, "field") or get_type_hints(method).get("return")
        refuse_tuples(hint)
        schema: Schema = super()._map_response_type_hint(method)  # type: ignore[no-untyped-call]
        return dict(schema) if isinstance(hint, dict) else exact(schema)

    def resolve_serializer(
        self, serializer: Any, direction: Direction, bypass_extensions: bool = False
    ) -> ResolvedComponent:
        """The component of a serializer, even of one without fields."""
        serializer = force_instance(serializer)  # type: ignore[no-untyped-call]
        with add_trace_message(type(serializer)):
            component = ResolvedComponent(  # type: ignore[no-untyped-call]
                name=self._get_serializer_name(serializer, direction, bypass_extensions),
                type=ResolvedComponent.SCHEMA,
                object=self.get_serializer_identity(serializer, direction),
            )
            if component in self.registry:
                return self.registry[component]
            self.registry.register(component)
            component.schema = self._map_serializer(serializer, direction, bypass_extensions)
            return component

    def _map_serializer(
        self, serializer: Any, direction: Direction, bypass_extensions: bool = False
    ) -> Schema:
        spectacular: Any = super()
        schema: Schema = spectacular._map_serializer(serializer, direction, bypass_extensions)
        # Two of the alternatives may hold for the same result.
        return exact(schema) if isinstance(serializer, PolymorphicProxySerializer) else schema

    def _map_basic_serializer(self, serializer: Any, direction: Direction) -> Schema:
        schema: Schema = super()._map_basic_serializer(serializer, direction)  # type: ignore[no-untyped-call]
        properties = schema.setdefault("properties", {})
        required = schema.pop("required", ())
        if direction == "response":
            fields = serializer.fields
            required = [name for name in properties if always_given(fields[name])]
        if required:
            schema["required"] = [name for name in properties if name in required]
        if direction == "request":
            schema["additionalProperties"] = False
        return schema

    def get_serializer_name(self, serializer: Any, direction: Direction) -> str:
        return _safe(type(serializer).__name__)

    def _get_serializer_name(
        self, serializer: Any, direction: Direction, bypass_extensions: bool = False
    ) -> str:
        """A name that no other class has, and no differently made serializer of this class."""
        name = super()._get_serializer_name(serializer, direction, bypass_extensions)
        name = _safe(name.removesuffix("Request"))
        identity = _identity(serializer)
        numbered = (f"{name}{number}" for number in itertools.count(2))
        return next(
            candidate
            for candidate in itertools.chain([name], numbered)
            if self._identities.setdefault(candidate, identity) == identity
        )


def _is_left_out(field: Any, direction: Direction) -> bool:
    """Whether a member of a serializer is only for the other direction."""
    if not isinstance(getattr(field, "parent", None), serializers.Serializer):
        return False
    return bool(field.read_only if direction == "request" else field.write_only)


def _bare(schema: Schema) -> Schema:
    """The schema of items whose field was made with what describes the list."""
    return {key: value for key, value in schema.items() if key not in (*DESCRIPTIVE, NULL)}


def _identity(serializer: Any) -> Any:
    """What tells serializers apart: class, and what its members may depend on."""
    if not isinstance(serializer, serializers.BaseSerializer):
        return serializer
    made: Any = serializer  # how it was made is kept by DRF, and unknown to its stubs
    inner = {key: value for key, value in made._kwargs.items() if key not in _OUTER}
    return type(serializer), made._args, inner, serializer.partial


def _safe(name: str) -> str:
    return re.sub(r"[^A-Za-z0-9_.-]", "_", name)
