"""References are put in place; what contains itself is defined once, by class."""

from __future__ import annotations

from typing import Any

import jsonschema
from rest_framework import serializers

from mcp_django.schema.jsonschema import arguments_schema, result_schema
from tests.schema.samples import arguments, results


class Node(serializers.Serializer[Any]):
    name = serializers.CharField(trim_whitespace=False, allow_blank=True)

    def get_fields(self) -> dict[str, Any]:
        children = Node(many=True, required=False)
        return {**super().get_fields(), "children": children, "next": Node(allow_null=True)}


def test_references_are_put_in_place_and_recursion_is_defined() -> None:
    schema = arguments_schema(Node())
    assert schema["properties"]["children"] == {"type": "array", "items": {"$ref": "#/$defs/Node"}}
    assert schema["properties"]["next"] == {"anyOf": [{"$ref": "#/$defs/Node"}, {"type": "null"}]}
    root = {key: value for key, value in schema.items() if key != "$defs"}
    assert schema["$defs"] == {"Node": root}
    validator = jsonschema.Draft202012Validator(schema)
    leaf = {"name": "c", "next": None}
    assert validator.is_valid(
        {"name": "a", "next": {"name": "b", "children": [leaf], "next": leaf}}
    )
    assert not validator.is_valid(
        {"name": "a", "next": {"name": "b", "children": [{}], "next": None}}
    )


def test_a_recursive_result_is_a_reference_inside_of_an_array() -> None:
    schema = result_schema(Node(many=True))
    assert schema["items"] == {"$ref": "#/$defs/Node"}
    assert "additionalProperties" not in schema["$defs"]["Node"]
    both = results(one=Node(), two=Node(help_text="Another."))
    assert both["properties"]["two"] == {"$ref": "#/$defs/Node", "description": "Another."}
    assert list(both["$defs"]) == ["Node"]


def test_classes_of_the_same_name_do_not_collide() -> None:
    inner = [
        type("Inner", (serializers.Serializer,), {name: serializers.IntegerField()})
        for name in ("a", "b")
    ]
    schema = arguments(one=inner[0](), two=inner[1](), three=inner[0](many=True))
    properties = schema["properties"]
    assert list(properties["one"]["properties"]) == ["a"]
    assert list(properties["two"]["properties"]) == ["b"]
    assert list(properties["three"]["items"]["properties"]) == ["a"]


def test_serializers_of_one_class_made_differently_do_not_collide() -> None:
    class Picky(serializers.Serializer[Any]):
        def __init__(self, *args: Any, names: tuple[str, ...] = (), **kwargs: Any) -> None:
            super().__init__(*args, **kwargs)
            self.names = names

        def get_fields(self) -> dict[str, Any]:
            return {name: serializers.IntegerField() for name in self.names}

    schema = arguments(one=Picky(names=("a",)), two=Picky(names=("b",), required=False))
    assert list(schema["properties"]["one"]["properties"]) == ["a"]
    assert list(schema["properties"]["two"]["properties"]) == ["b"]
