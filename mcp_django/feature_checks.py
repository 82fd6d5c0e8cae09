"""What the system checks say of features, and of the classes that they are written as."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django.conf import settings as django_settings
from django.core import checks
from django.core.checks import CheckMessage

from mcp_django.catalog.limits import limits
from mcp_django.catalog.types import Schema, type_of
from mcp_django.completion_checks import Completing, completions_in_vain
from mcp_django.features.base import Feature, Source
from mcp_django.features.class_rules import publishes_nothing, strange_attributes
from mcp_django.features.classes import class_of, kind_of
from mcp_django.features.components import Component, origin_of
from mcp_django.features.declarations import Declaration
from mcp_django.features.matching import serializer_of
from mcp_django.features.model_permissions import nearest, problem_with
from mcp_django.features.records import PromptFeature, ToolFeature
from mcp_django.features.registry import Registry
from mcp_django.features.subjects import described_in_vain, options_given
from mcp_django.schema.model_fields import ModelField
from mcp_django.schema.trees import walk

# Some clients, and the interfaces of some models, take no longer ones.
_LONGEST_NAME = 64


def of_registry(registry: Registry, completing: Completing) -> Iterator[CheckMessage]:
    """All that there is to say of the features of one server.

    ``completing`` is what completes arguments on any server.
    """
    has_tenant = "TENANT" in getattr(django_settings, "MCP_DJANGO", {}) or any(
        feature.uses_tenant for feature in registry.features
    )
    for declaration, feature in registry.entries:
        options = options_given(declaration)
        yield from _of_name(feature, options.get("name", ""))
        serializer = serializer_of(feature.arguments, options.get("arguments"))
        yield from _of_models(feature, serializer, has_tenant)
        yield from _of_permissions(feature)
        yield from _of_texts(feature, declaration)
        if isinstance(feature, ToolFeature):
            yield from _of_hints(feature)
            yield from _of_completions(feature, completions_in_vain(declaration, completing))
        if isinstance(feature, PromptFeature):
            yield from _of_prompt(feature)
    declared = [*(declaration for declaration, _ in registry.entries), *registry.left_out]
    for cls in dict.fromkeys(class_of(declaration.target) for declaration in declared):
        if issubclass(cls, Component):
            yield from _of_class(cls)


def _of_completions(tool: ToolFeature, names: list[str]) -> Iterator[CheckMessage]:
    for name in names:
        yield _warning(
            tool.source,
            f"{_the(tool)} has a Completion on {name}, which does nothing: clients complete the "
            "arguments of prompts and the variables of resource templates alone.",
            "Take it away; a Literal or an Enum tells a model the values. A type that a prompt or "
            "a template has too is not reported.",
            "W017",
        )


def _of_hints(tool: ToolFeature) -> Iterator[CheckMessage]:
    if tool.annotations.read_only and tool.annotations.destructive:
        yield _warning(
            tool.source,
            f"{_the(tool)} is declared both read_only and destructive.",
            "Keep one of them: clients ask their user before they call a destructive tool.",
            "W006",
        )


def _of_name(feature: Feature, given: str) -> Iterator[CheckMessage]:
    """A dot counts where an author chose it: toolsets have one by default."""
    if feature.key != feature.name:  # asked for by a URI
        return
    if "." in given or len(feature.name) > _LONGEST_NAME:
        why = "a dot" if "." in given else f"more than {_LONGEST_NAME} characters"
        yield _warning(
            feature.source,
            f"{_the(feature)} has {why} in its name, which some clients refuse.",
            "Give it another name with name=. The dot that a Toolset's features have by default "
            "is not reported, for nobody chose it; name= on the method avoids it too.",
            "W003",
        )


def _of_models(feature: Feature, serializer: Any, has_tenant: bool) -> Iterator[CheckMessage]:
    for field in walk(serializer) if serializer else ():
        if not isinstance(field, ModelField) or field.lookup is not None:
            continue
        name, model = field.field_name or "rows", field.model.__name__
        fix = f"Annotated[{model}, Lookup(function)], where function(context) returns a queryset."
        if _is_user(field.model):
            yield _warning(
                feature.source,
                f"{_the(feature)} takes {name}, any {model}, as an argument from whoever "
                f"{_uses(feature)} it.",
                f"If you mean the caller, write CurrentUser. If not, narrow it: {fix}",
                "W008",
            )
        elif has_tenant:
            yield _warning(
                feature.source,
                f"{_the(feature)} looks {name} up among all rows of {model}, whatever the tenant.",
                f"Narrow it: {fix}",
                "W004",
            )


def _is_user(model: type) -> bool:
    """Whether it is the project's user, a proxy of it, or derived from it."""
    labels = [base._meta.label for base in model.__mro__ if hasattr(base, "_meta")]
    return django_settings.AUTH_USER_MODEL.lower() in map(str.lower, labels)


def _of_permissions(feature: Feature) -> Iterator[CheckMessage]:
    for permission in feature.permissions:
        problem = problem_with(permission)
        if problem:
            near = nearest(permission)
            fix = f"Did you mean {near!r}?" if near else "Correct the name."
            yield _warning(
                feature.source,
                f"{_the(feature)} needs the permission {permission!r}, {problem}.",
                f"{fix} If a migration or a backend of yours makes it, silence this check.",
                "W009",
            )


def _of_texts(feature: Feature, declaration: Declaration) -> Iterator[CheckMessage]:
    if not feature.description:
        use = "call" if feature.kind == "tool" else "use"
        yield _warning(
            feature.source,
            f"{_the(feature)} has no description, so a model can only guess when to {use} it.",
            "Write a docstring, or give description=.",
            "W002",
        )
    for name in described_in_vain(declaration, feature.arguments.names):
        yield _warning(
            feature.source,
            f"The docstring of {_the(feature)} describes {name!r}, which is no parameter.",
            "Correct the name: otherwise no model reads what is said of it.",
            "W011",
        )


def _of_prompt(prompt: PromptFeature) -> Iterator[CheckMessage]:
    """Clients have a text field for each argument of a prompt, whatever it takes."""
    schema = prompt.arguments.schema
    for name, said in schema.get("properties", {}).items():
        if said.get("type") in ("array", "object"):
            yield _warning(
                prompt.source,
                f"{_the(prompt)} takes {name}, an {said['type']}: people fill in prompts by hand, "
                "and would have to write JSON.",
                "Take a text and split it, or make it a tool.",
                "W014",
            )
        elif name not in prompt.completers and not said.get("description"):
            yield from _of_argument(prompt, name, said)


def _of_argument(prompt: PromptFeature, name: str, schema: Schema) -> Iterator[CheckMessage]:
    """What only a schema tells, and nobody is told, for clients get none of a prompt."""
    facts = [type_of(schema), *limits(schema, prompt.arguments.schema)]
    if facts == [type_of({"type": "string"})]:  # its name says as much
        return
    yield checks.Info(
        f"{_capitalized(_the(prompt))} does not describe {name} ({', '.join(facts)}): of a "
        "prompt's arguments clients get no schema, so that people see this name alone.",
        hint="Say what may be filled in: in the docstring, or as a text in Annotated.",
        obj=str(prompt.source),
        id="mcp_django.I018",
    )


def _the(feature: Feature) -> str:
    """``the resource template 'library://books/{isbn}'``."""
    return f"the {feature.noun} {feature.key!r}"


def _uses(feature: Feature) -> str:
    """What a caller does with it."""
    return {"tool": "calls", "prompt": "gets"}.get(feature.kind, "reads")


def _of_class(cls: type[Component]) -> Iterator[CheckMessage]:
    source, kind = origin_of(cls).source, (kind_of(cls) or "toolset").capitalize()
    why = publishes_nothing(cls)
    if why:
        yield _warning(
            source,
            f"The {kind} {cls.__qualname__} {why}, so it publishes nothing.",
            "Write one, or take it for a base class: abstract = True.",
            "W005",
        )
    for name, option in strange_attributes(cls):
        fix = f"Did you mean {option!r}?"
        if kind == "Toolset" and option != "name":
            fix = f"Give the decorators of its methods {option}=."
        yield _warning(
            source,
            f"The {kind} {cls.__qualname__} has the attribute {name!r}, which is no option of a "
            f"{kind}.",
            f"{fix} If it is one of your own, rename it.",
            "W010",
        )


def _warning(source: Source, problem: str, hint: str, number: str) -> CheckMessage:
    id_ = f"mcp_django.{number}"
    return checks.Warning(_capitalized(problem), hint=hint, obj=str(source), id=id_)


def _capitalized(sentence: str) -> str:
    return sentence[0].upper() + sentence[1:]
