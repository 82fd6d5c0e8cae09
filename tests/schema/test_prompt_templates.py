"""Django templates as the text of prompts."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
from django.template.backends.base import BaseEngine
from django.test import override_settings
from django.utils.safestring import SafeString

from mcp_django.schema.errors import DeclarationError
from mcp_django.schema.returning.templates import template_renderer


@pytest.fixture
def folder(tmp_path: Path, settings: Any) -> Path:
    settings.TEMPLATES = [
        {
            "BACKEND": "django.template.backends.django.DjangoTemplates",
            "DIRS": [tmp_path],
            "OPTIONS": {"loaders": ["django.template.loaders.filesystem.Loader"]},
        }
    ]
    return tmp_path


def test_a_template_is_filled_and_nothing_is_escaped(folder: Path) -> None:
    (folder / "inner.txt").write_text("[{{ topic }}]")
    (folder / "outer.txt").write_text(
        "{% for b in books %}{{ b }};{% endfor %} {% include 'inner.txt' %}"
    )
    render = template_renderer("outer.txt")

    text = render({"topic": "<War> & 'Peace'", "books": ["a&b", "c"]})

    assert text == "a&b;c; [<War> & 'Peace']"
    assert not isinstance(text, SafeString)


def test_an_edit_holds_at_once_where_loaders_do_not_cache(folder: Path) -> None:
    (folder / "a.txt").write_text("old")
    render = template_renderer("a.txt")
    (folder / "a.txt").write_text("new")

    assert render({}) == "new"


def test_a_context_is_not_changed(folder: Path) -> None:
    (folder / "a.txt").write_text("{% with topic='b' %}{{ topic }}{% endwith %}{{ topic }}")
    context = {"topic": "a"}

    assert template_renderer("a.txt")(context) == "ba"
    assert context == {"topic": "a"}


def test_a_missing_template_names_where_django_looked(folder: Path) -> None:
    with pytest.raises(DeclarationError) as caught:
        template_renderer("prompts/none.txt")

    assert caught.value.problem == "There is no template prompts/none.txt."
    assert caught.value.fix == (
        "Correct its name, or put it into a templates/ folder of an installed app, or into DIRS; "
        f"of yours Django looks into {folder}."
    )


def test_folders_of_libraries_and_all_but_a_few_are_not_told(tmp_path: Path) -> None:
    foreign = tmp_path / "site-packages" / "shop" / "templates"
    own = [os.fspath(tmp_path / name) for name in "abcd"]
    backend = "django.template.backends.django.DjangoTemplates"
    engine = {"BACKEND": backend, "APP_DIRS": True, "DIRS": [foreign, *own]}
    with (
        override_settings(TEMPLATES=[engine]),
        pytest.raises(DeclarationError) as caught,
    ):
        template_renderer("none.txt")
    assert caught.value.fix.endswith(
        f"or into DIRS; of yours Django looks into {', '.join(own[:3])}, …."
    )


def test_templates_that_are_not_in_folders_have_none_to_tell() -> None:
    loaders = [("django.template.loaders.locmem.Loader", {"a.txt": "{% include 'b.txt' %}"})]
    backend = "django.template.backends.django.DjangoTemplates"
    with (
        override_settings(TEMPLATES=[{"BACKEND": backend, "OPTIONS": {"loaders": loaders}}]),
        pytest.raises(DeclarationError) as caught,
    ):
        template_renderer("a.txt")
    assert caught.value.problem == "There is no template b.txt, which a.txt names."
    assert caught.value.fix.endswith("folder of an installed app, or into DIRS.")


def test_what_a_template_extends_or_includes_is_found_beforehand(folder: Path) -> None:
    (folder / "leaf.txt").write_text("{% extends 'base.txt' %}{% block b %}x{% endblock %}")
    with pytest.raises(DeclarationError, match=r"no template base\.txt, which leaf\.txt names\."):
        template_renderer("leaf.txt")

    base = "{% block b %}{% endblock %}{% if no %}{% include './part.txt' %}{% endif %}"
    (folder / "base.txt").write_text(base)
    with pytest.raises(DeclarationError, match=r"There is no template part\.txt"):
        template_renderer("leaf.txt")

    recursive = "{% include name %}{% include 'no'|add:'ne' %}{% include 'base.txt' %}"
    (folder / "part.txt").write_text(recursive)
    assert template_renderer("leaf.txt")({}) == "x"

    (folder / "part.txt").write_text("{% if %}")
    with pytest.raises(DeclarationError, match=r"The template part\.txt cannot be parsed"):
        template_renderer("leaf.txt")


@override_settings(TEMPLATES=[])
def test_a_project_without_engines_has_no_template() -> None:
    with pytest.raises(DeclarationError, match=r"^There is no template a\.txt\. Correct its name"):
        template_renderer("a.txt")


def test_a_template_that_cannot_be_parsed(folder: Path) -> None:
    (folder / "a.txt").write_text("{% for %}")

    with pytest.raises(DeclarationError, match=r"a\.txt cannot be parsed: .*for.*\. Correct the"):
        template_renderer("a.txt")


class Shouting(BaseEngine):
    """Another backend, which has its own ideas of what is escaped."""

    app_dirname = "shouting"

    def __init__(self, params: dict[str, Any]) -> None:
        params.pop("OPTIONS")
        super().__init__(params)

    def get_template(self, template_name: str) -> Any:
        class Shout:
            def render(self, context: Any = None, request: Any = None) -> str:
                return f"{template_name}: {context['topic'].upper()}"

        return Shout()


def test_another_backend_renders_as_it_is_configured() -> None:
    backend = f"{__name__}.Shouting"
    with override_settings(TEMPLATES=[{"BACKEND": backend, "APP_DIRS": False, "DIRS": []}]):
        assert template_renderer("a")({"topic": "<b>"}) == "a: <B>"
