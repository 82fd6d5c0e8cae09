"""What a record says of itself, in words: its hints, who may use it, what it is given."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator, Sequence
from typing import Any

from django.apps import apps
from django.contrib.auth import get_permission_codename
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from rest_framework.permissions import IsAdminUser, IsAuthenticated, IsAuthenticatedOrReadOnly

from mcp_django.dispatch.server import MCPServer
from mcp_django.features.base import Feature
from mcp_django.features.caller_only import CALLER_ONLY
from mcp_django.features.records import ToolFeature
from mcp_django.models import Kind
from mcp_django.protocol.definitions import ToolAnnotations


def kind_name(kind: str) -> str:
    """``Resource template``."""
    return str(Kind(kind).label)


def kinds_name(kind: str) -> str:
    """``Resource templates``: the heading above several."""
    names = {
        "tool": _("Tools"),
        "resource": _("Resources"),
        "resource_template": _("Resource templates"),
        "prompt": _("Prompts"),
    }
    return names[kind]


def counted(kind: str, number: int) -> str:
    """``1 tool``, ``3 resource templates``."""
    words = {
        "tool": ngettext("%(count)s tool", "%(count)s tools", number),
        "resource": ngettext("%(count)s resource", "%(count)s resources", number),
        "resource_template": ngettext(
            "%(count)s resource template", "%(count)s resource templates", number
        ),
        "prompt": ngettext("%(count)s prompt", "%(count)s prompts", number),
    }
    return words[kind] % {"count": number}


def app_name(label: str) -> str:
    """The name of an app as its configuration gives it; "" outside of any app."""
    if not label:
        return ""
    try:
        return str(capfirst(str(apps.get_app_config(label).verbose_name)))
    except LookupError:
        return label


# What lets signed-in users in: the endpoint is called by POST, never only read.
_SIGNED_IN = (IsAuthenticated, IsAuthenticatedOrReadOnly)

_STARTS_A_LINE = re.compile(r"[-*+•#>|]|\d+[.)]|\s")


def unwrapped(text: str) -> str:
    """A text without the line breaks of a docstring: one line a paragraph or list item."""
    lines: list[str] = []
    for line in text.strip().splitlines():
        joins = lines and lines[-1] and line and not _STARTS_A_LINE.match(line)
        if joins:
            lines[-1] = f"{lines[-1]} {line}"
        else:
            lines.append(line.rstrip())
    return "\n".join(lines)


def summary(text: str) -> str:
    """The first paragraph of a description, as one line."""
    return unwrapped(text).partition("\n")[0]


def short_hints(annotations: ToolAnnotations) -> list[str]:
    """The hints as single words, for lists: ``read-only``, ``idempotent``."""
    words = (
        (annotations.read_only, _("read-only"), _("writes")),
        (annotations.destructive, _("destructive"), _("not destructive")),
        (annotations.idempotent, _("idempotent"), _("not idempotent")),
        (annotations.open_world, _("open world"), _("closed world")),
    )
    return [yes if hint else no for hint, yes, no in words if hint is not None]


def hints(annotations: ToolAnnotations) -> list[tuple[str, str]]:
    """Each hint that is given, by its name on the wire, with what it tells a client."""
    meanings = {
        "readOnlyHint": (_("It only reads."), _("It changes something.")),
        "destructiveHint": (
            _("It may delete or overwrite what is there."),
            _("It only adds: nothing that is there gets lost."),
        ),
        "idempotentHint": (
            _("Calling it again with the same arguments changes nothing more."),
            _("Each call has an effect of its own."),
        ),
        "openWorldHint": (
            _("It reaches systems outside of this one."),
            _("It stays within this system."),
        ),
    }
    return [
        (f"{name}: {'true' if value else 'false'}", meanings[name][0 if value else 1])
        for name, value in annotations.to_wire().items()
    ]


def access(feature: Feature, server: MCPServer) -> list[str]:
    """Who sees and may use a feature: sentences that must all hold."""
    sentences = endpoint_rules(server)
    if feature.permissions:
        sentences += [
            _("Only users with the permission “%(name)s” (%(codename)s).")
            % {"name": permission_name(codename), "codename": codename}
            for codename in feature.permissions
        ]
    elif feature.requires_user:
        sentences.append(_("Only users who are signed in."))
    sentences += [_of_class(rule) for rule in feature.permission_classes]
    if feature.requires_tenant:
        sentences.append(_("Only requests within a tenant."))
    if feature.enabled is not None:
        sentences.append(
            _("Only where %(function)s says so, which is asked for each request.")
            % {"function": _function_name(feature.enabled.function)}
        )
    return sentences or [_("Anyone who reaches the endpoint.")]


def endpoint_rules(server: MCPServer) -> list[str]:
    """Whom a server lets in at all: a sentence for each of its permission classes."""
    return [_of_class(rule) for rule in server.endpoint_permissions]


def anyone() -> str:
    """What ``callers`` says where nothing is asked of them."""
    return _("anyone")


def callers(feature: Feature, server: MCPServer) -> str:
    """Which users may use a feature, in a few words for lists; ``access`` says all."""
    rules = (*server.endpoint_permissions, *feature.permission_classes)
    who = [
        _users(feature, rules),
        *(_class_name(rule) for rule in rules if rule not in CALLER_ONLY),
    ]
    told = ", ".join(part for part in dict.fromkeys(who) if part) or anyone()
    return told if feature.enabled is None else _("%(who)s, if enabled") % {"who": told}


def _users(feature: Feature, rules: Sequence[Any]) -> str:
    """The users that permissions and DRF's own classes let in; "" for all."""
    staff = IsAdminUser in rules
    if feature.permissions:
        names = ", ".join(f"“{permission_name(codename)}”" for codename in feature.permissions)
        words = _("staff with %(permissions)s") if staff else _("with %(permissions)s")
        return words % {"permissions": names}
    if staff:
        return _("staff")
    signed_in = feature.requires_user or any(rule in _SIGNED_IN for rule in rules)
    return _("signed-in users") if signed_in else ""


def needs_sign_in(feature: Feature, server: MCPServer) -> bool:
    """Whether a caller has to send credentials, as far as declarations tell."""
    rules = (*server.endpoint_permissions, *feature.permission_classes)
    return bool(feature.requires_user or rules)


def permission_name(codename: str) -> str:
    """What the admin calls a permission (``Can add book``), found without a query."""
    label, _dot, name = codename.partition(".")
    try:
        models = apps.get_app_config(label).get_models()
    except LookupError:
        return name
    for model in models:
        for action in model._meta.default_permissions:
            if name == get_permission_codename(action, model._meta):
                return f"Can {action} {model._meta.verbose_name_raw}"
        for known, words in model._meta.permissions:
            if name == known:
                return str(words)
    return name


def _function_name(function: Any) -> str:
    """``lending.is_open()``; a function without a name by the option that it is given to."""
    name = getattr(function, "__qualname__", "").rpartition("<locals>.")[2]
    if not name or "<lambda>" in name:
        return _("the function in enabled=")
    return f"{function.__module__}.{name}()"


def _of_class(rule: Any) -> str:
    """A DRF permission class, or a combination of some, in words."""
    name = _class_name(rule)
    own = inspect.cleandoc(rule.__doc__ or "") if inspect.isclass(rule) else ""
    first_line = own.partition("\n")[0]
    return f"{name}: {first_line}" if first_line else name


def _class_name(rule: Any) -> str:
    operator = getattr(getattr(rule, "operator_class", None), "__name__", "")
    if operator == "NOT":
        return _("not %(rule)s") % {"rule": _class_name(rule.op1_class)}
    if operator in ("AND", "OR"):
        sides = {"left": _class_name(rule.op1_class), "right": _class_name(rule.op2_class)}
        words = _("(%(left)s and %(right)s)") if operator == "AND" else _("(%(left)s or %(right)s)")
        return words % sides
    return str(getattr(rule, "__name__", None) or type(rule).__name__)


def injected(feature: Feature) -> list[str]:
    """The parameters that the server fills in, and no caller ever does."""
    return [binding.name for binding in feature.bindings]


def execution(feature: Feature) -> Iterator[str]:
    """How it runs."""
    if feature.is_async:
        yield _("An async function.")
    elif feature.atomic:
        yield _("In a transaction: an error undoes its work.")
    else:
        yield _("Without a transaction: what it has saved before an error stays.")
    for argument, header in feature.headers.items() if isinstance(feature, ToolFeature) else ():
        yield _("The argument %(argument)s is repeated in the header Mcp-Param-%(header)s.") % {
            "argument": argument,
            "header": header,
        }
