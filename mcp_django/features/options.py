"""What the options of a feature may be."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, cast

from django.utils.functional import Promise

from mcp_django.features.texts import filled
from mcp_django.protocol.content import Annotations, Icon
from mcp_django.protocol.icons import checked_icon
from mcp_django.protocol.uris import address, with_plain_scheme
from mcp_django.schema.errors import DeclarationError
from mcp_django.schema.writing import refuse_unwritable


def checked_text(option: str, options: Mapping[str, Any]) -> str | None:
    """A text with its keys filled in, or None.

    A lazy translation stays one: it is read in the caller's language.
    """
    text: Any = options.get(option)
    if text is not None and not isinstance(text, str | Promise):
        raise DeclarationError(f"{option}={text!r} is no text.", "Give a string.")
    text = None if text is None else filled(text)
    if isinstance(text, str):  # a lazy one is read when a list is first written
        refuse_unwritable(option, text, "Write the whole character.")
    return cast("str | None", text.strip() if isinstance(text, str) else text)


def checked_flag(option: str, options: Mapping[str, Any]) -> bool | None:
    """True, False, or None where nothing is said."""
    value = options.get(option)
    if value is not None and not isinstance(value, bool):
        raise DeclarationError(f"{option}={value!r} is neither True nor False.", "Give a bool.")
    return value


def checked_strings(option: str, options: Mapping[str, Any]) -> tuple[str, ...]:
    """One string or several."""
    value = options.get(option, ())
    several = (value,) if isinstance(value, str) else value
    if not isinstance(several, Iterable) or isinstance(several, Mapping):
        raise DeclarationError(f"{option}={value!r} is no string.", "Give one, or a list.")
    found = tuple(several)
    if not all(isinstance(one, str) and one for one in found):
        raise DeclarationError(f"{option}={value!r} holds more than strings.", "Give strings.")
    return found


def checked_mapping(option: str, options: Mapping[str, Any]) -> dict[str, str]:
    """Strings by string."""
    value = options.get(option, {})
    if not isinstance(value, Mapping):
        raise DeclarationError(f"{option}={value!r} is no mapping.", "Give a dict.")
    if not all(isinstance(one, str) for pair in value.items() for one in pair):
        raise DeclarationError(f"{option}={value!r} holds more than strings.", "Give strings.")
    return dict(value)


def checked_sequence(option: str, options: Mapping[str, Any]) -> tuple[Any, ...]:
    """Several things of any kind."""
    value = options.get(option, ())
    if not isinstance(value, Sequence) or isinstance(value, str):
        raise DeclarationError(f"{option}={value!r} is no list.", "Put it in a list.")
    return tuple(value)


def checked_permissions(options: Mapping[str, Any]) -> tuple[str, ...]:
    """Django's permissions, each as ``app.codename``."""
    _refuse_class_as_permission(options.get("permission"))
    found = checked_strings("permission", options)
    for permission in found:
        label, _, codename = permission.partition(".")
        if not label or not codename:
            raise DeclarationError(
                f"permission={permission!r} names no app.",
                'Write "app.codename", such as "library.add_book".',
            )
    return found


def _refuse_class_as_permission(value: Any) -> None:
    given = value if isinstance(value, list | tuple) else [value]
    names = [one.__name__ for one in given if isinstance(one, type)]
    if names:
        raise DeclarationError(
            f"permission= holds the class {names[0]}, and takes permissions of Django's.",
            f"Write permission_classes=[{', '.join(names)}].",
        )


def checked_permission_classes(options: Mapping[str, Any]) -> tuple[Any, ...]:
    """DRF's permission classes, or combinations of them."""
    found = checked_sequence("permission_classes", options)
    for rule in found:
        # A combination (A & B) is no class, but is called like one.
        if not callable(rule) or not (
            hasattr(rule, "has_permission") or not isinstance(rule, type)
        ):
            fix = "Import it, and give the class." if isinstance(rule, str) else ""
            raise DeclarationError(
                f"permission_classes holds {rule!r}, which is no permission class of DRF.",
                fix or "Give classes, not instances.",
            )
    return found


def checked_number(option: str, options: Mapping[str, Any]) -> int | None:
    """A whole number from 0, or None where nothing is said."""
    value = options.get(option)
    if value is not None and (isinstance(value, bool) or not isinstance(value, int) or value < 0):
        raise DeclarationError(f"{option}={value!r} is no whole number from 0.", "Correct it.")
    return value


def is_template(uri: str) -> bool:
    """Whether it has variables, or something that is no URI but may have been meant as one."""
    return "{" in uri or "}" in uri


def checked_uri(options: Mapping[str, Any]) -> str:
    """The URI of a resource, absolute."""
    uri = options.get("uri")
    if uri is None:
        raise DeclarationError(
            "It has no URI.", 'Give one to @resource("scheme://path"), or as the attribute uri.'
        )
    if not isinstance(uri, str) or with_plain_scheme(uri) is None:
        raise DeclarationError(
            f"uri={uri!r} is no absolute URI.", "Begin it with a scheme, such as library://."
        )
    if not is_template(uri) and address(uri) is None:
        raise DeclarationError(
            f"uri={uri!r} has characters that no URI has.", "Write them percent-encoded."
        )
    return uri


def checked_annotations(options: Mapping[str, Any]) -> Annotations | None:
    """``Annotations``, or a dict of what it takes."""
    value = options.get("annotations")
    try:
        return Annotations(**value) if isinstance(value, Mapping) else _annotations(value)
    except (TypeError, ValueError) as error:
        raise DeclarationError(
            f"annotations={value!r} cannot be read: {error}", "Give Annotations(…)."
        ) from error


def _annotations(value: Any) -> Annotations | None:
    if value is not None and not isinstance(value, Annotations):
        raise TypeError(f"{type(value).__name__} is none.")
    return value


def checked_icons(options: Mapping[str, Any]) -> tuple[Icon, ...]:
    """Icons, each an ``Icon``, a dict of what it takes, or its ``src`` alone."""
    value = options.get("icons", ())
    several = (value,) if isinstance(value, str | Icon | Mapping) else tuple(value)
    return tuple(_icon(one) for one in several)


def _icon(value: Any) -> Icon:
    try:
        return checked_icon(value)
    except TypeError as error:
        raise DeclarationError(f"icons holds {value!r}: {error}.", "Give an Icon.") from error
    except ValueError as error:
        raise DeclarationError(
            f"icons holds {str(value)[:80]!r}: {error}.",
            "Serve it by https and give its whole URL, or write it as a data URI.",
        ) from error
