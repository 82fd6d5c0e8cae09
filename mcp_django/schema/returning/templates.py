"""Django templates as the text of prompts."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from django.template import Context, TemplateDoesNotExist, TemplateSyntaxError
from django.template.backends.django import Template as DjangoTemplate
from django.template.loader import get_template
from django.template.loader_tags import ExtendsNode, IncludeNode

from mcp_django.schema.errors import DeclarationError

_MOST = 3  # folders told
_LIBRARIES = frozenset({"site-packages", "dist-packages"})
_OURS = Path(__file__).parents[2]


def template_renderer(template_name: str) -> Callable[[Mapping[str, Any]], str]:
    """A function from a context to the text of a template, which is found and parsed now.

    So are those that it extends and includes by name. The template is asked for at each call,
    so that an edit holds as soon as Django's own loaders see it. Nothing is escaped for HTML
    by Django's backend: a prompt is no page. Other backends escape as they are configured to.
    Rendering may block the thread: it runs loaders, tags and whatever the context holds.
    Raises ``DeclarationError``.
    """
    _check(template_name)

    def render(context: Mapping[str, Any]) -> str:
        template = get_template(template_name)
        if isinstance(template, DjangoTemplate):
            bare = Context(dict(context), autoescape=False)
            return str.__str__(template.template.render(bare))  # a SafeString is for pages
        return template.render(dict(context))

    return render


def _check(template_name: str) -> None:
    """Find and parse a template, and then what it names."""
    waiting, seen = [(template_name, "")], {template_name}
    while waiting:
        name, namer = waiting.pop()
        named = set(_named_by(_found(name, namer)))
        waiting += [(one, name) for one in named - seen]
        seen |= named


def _found(name: str, namer: str) -> Any:
    """The template, which ``namer`` extends or includes if it is the name of another one."""
    try:
        return get_template(name)
    except TemplateDoesNotExist as error:
        raise _missing(name, namer, error) from error
    except TemplateSyntaxError as error:
        raise DeclarationError(
            f"The template {name} cannot be parsed: {str(error).rstrip('.')}.",
            "Correct the template.",
        ) from error


def _named_by(template: Any) -> Iterator[str]:
    """What a template extends and includes, where it is a name and not a variable."""
    if not isinstance(template, DjangoTemplate):
        return
    nodes: Any = template.template.nodelist
    for kind, attribute in ((ExtendsNode, "parent_name"), (IncludeNode, "template")):
        for node in nodes.get_nodes_by_type(kind):
            expression = getattr(node, attribute)
            if isinstance(expression.var, str) and not expression.filters:
                yield expression.var


def _missing(name: str, namer: str, error: TemplateDoesNotExist) -> DeclarationError:
    """Which template is not there, and where of the project's own it could be."""
    tried = [str(origin) for one in (error, *(error.chain or ())) for origin, _why in one.tried]
    folders = list(dict.fromkeys(folder for one in tried if (folder := _own_folder(one, name))))
    more = ", …" if folders[_MOST:] else ""
    own = f"; of yours Django looks into {', '.join(folders[:_MOST])}{more}" if folders else ""
    return DeclarationError(
        f"There is no template {name}{f', which {namer} names' if namer else ''}.",
        "Correct its name, or put it into a templates/ folder of an installed app, or into "
        f"DIRS{own}.",
    )


def _own_folder(path: str, name: str) -> str:
    """The folder that was searched; empty for that of a library, and where it is no folder."""
    folder = Path(path.removesuffix(os.path.normpath(name)))
    is_foreign = not _LIBRARIES.isdisjoint(folder.parts) or folder.is_relative_to(_OURS)
    return "" if is_foreign or str(folder) == path or not folder.is_absolute() else str(folder)
