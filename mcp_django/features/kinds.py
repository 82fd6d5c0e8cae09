"""The kinds of feature that are declared, and the options that each of them takes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal, TypedDict

from mcp_django.conf.values import did_you_mean
from mcp_django.features.errors import Misuse
from mcp_django.protocol.content import Annotations, Icon

Kind = Literal["tool", "resource", "prompt"]

REGISTER = "register()"  # what takes options beside the decorators


class FeatureOptions(TypedDict, total=False):
    """What every kind takes: in its decorator, ``register()``, or as class attributes.

    ``name``: default, that of the function. ``description``: default, the docstring.
    ``permission``: one or several of ``"app.codename"``. ``permission_classes``: DRF's.
    ``enabled``: a function of the ``Context``, or of nothing, asked for each request: where
    it says False, the feature is not there. ``resolvers``: parameter resolvers that are asked
    first. ``atomic``: False for no transaction under ``ATOMIC_REQUESTS``, True for one without
    it. ``server``: the ``MCPServer`` that has it, or several; default, the default one.
    """

    name: str
    title: Any  # a string or a lazy translation
    description: Any
    icons: Icon | str | Sequence[Icon | str]
    meta: Mapping[str, Any]
    tags: Sequence[str]
    permission: str | Sequence[str]
    permission_classes: Sequence[Any]
    enabled: Callable[..., bool]
    resolvers: Sequence[Any]
    atomic: bool
    server: Any


class ToolOptions(FeatureOptions, total=False):
    """What ``@tool(...)`` takes beside ``FeatureOptions``.

    ``arguments``: a serializer class or instance, or a dict of DRF fields. ``input_schema``: a
    JSON schema in place of it. ``returns``: a serializer of the result. ``headers``: header by
    argument, as ``ParamHeader`` would say it.
    """

    arguments: Any
    input_schema: Mapping[str, Any]
    returns: Any
    read_only: bool
    destructive: bool
    idempotent: bool
    open_world: bool
    headers: Mapping[str, str]


class ResourceOptions(FeatureOptions, total=False):
    """What ``@resource(uri, ...)`` takes beside ``FeatureOptions``.

    ``uri``: of a resource; with variables in braces that of a template (RFC 6570).
    ``mime_type``: of what is read. ``size``: in bytes, of a fixed resource. ``annotations``:
    ``Annotations``, or a dict of what it takes. ``returns``: a serializer. ``arguments``: a
    serializer of the template's variables. ``instances``: the resources of a template that
    lists show, a function or a queryset. ``completers``: by variable. ``ttl_ms``: how long
    clients may keep what they read, in milliseconds; ``cache_scope``: "public" lets caches
    share it between callers, "private" does not.
    """

    uri: str
    mime_type: str
    size: int
    annotations: Annotations | Mapping[str, Any]
    returns: Any
    arguments: Any
    instances: Any
    completers: Mapping[str, Any]
    ttl_ms: int
    cache_scope: Literal["public", "private"]


class PromptOptions(FeatureOptions, total=False):
    """What ``@prompt(...)`` takes beside ``FeatureOptions``.

    ``arguments``: a serializer class or instance, or a dict of DRF fields. ``template``: the
    name of a Django template, rendered with the arguments. ``completers``: by argument.
    """

    arguments: Any
    template: str
    completers: Mapping[str, Any]


_OPTIONS: Mapping[Kind, type] = {
    "tool": ToolOptions,
    "resource": ResourceOptions,
    "prompt": PromptOptions,
}
OPTION_NAMES: Mapping[Kind, tuple[str, ...]] = {
    kind: tuple(dict.fromkeys(["uri"] * (kind == "resource") + list(options.__annotations__)))
    for kind, options in _OPTIONS.items()
}


def checked_options(kind: Kind, options: Mapping[str, Any], taker: str) -> dict[str, Any]:
    """The options that are given; ``Misuse`` for one that does not exist."""
    for name in options:
        if name not in OPTION_NAMES[kind]:
            raise _unknown(name, kind, taker)
    return {name: value for name, value in options.items() if value is not None}


_MADE_BY: Mapping[Kind, str] = {
    "tool": "without uri= and kind= a function is one",
    "resource": "a function with uri= is one",
    "prompt": 'a function with kind="prompt" is one',
}


def _unknown(name: str, kind: Kind, taker: str) -> Misuse:
    """The refusal of an option: of other kinds it may be one, or nearly one of this kind."""
    others = [other for other, names in OPTION_NAMES.items() if name in names]
    if others and taker == REGISTER:
        of = " and ".join(f"a {other}" for other in others)
        return Misuse(
            f"{taker} of a {kind} has no option {name!r}; of {of} it has. "
            f"Leave it out, or register a {others[0]}: {_MADE_BY[others[0]]}."
        )
    if others:
        having = " and ".join(f"@{other}" for other in others)
        have = "have" if others[1:] else "has"
        return Misuse(f"{taker} has no option {name!r}; {having} {have}. Leave it out.")
    known = [one for one in OPTION_NAMES[kind] if (taker, one) != (REGISTER, "server")]
    return Misuse(f"{taker} has no option {name!r}. {did_you_mean(name, known, 'It has')}")
