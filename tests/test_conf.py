"""The one setting: every key, what it becomes, and every refusal."""

from __future__ import annotations

from typing import Any

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.test import override_settings
from django.utils.translation import gettext_lazy
from rest_framework.authentication import BasicAuthentication, SessionAuthentication
from rest_framework.permissions import AllowAny, IsAdminUser, IsAuthenticated

from mcp_django.conf import Settings, settings
from mcp_django.protocol.content import Icon

ICON = Icon("https://example.com/a.png")


def test_what_stands_where_nothing_is_given() -> None:
    with override_settings(MCP_DJANGO={}, REST_FRAMEWORK={}, DATA_UPLOAD_MAX_MEMORY_SIZE=5000):
        settings.load()
        assert settings.__dict__ == {
            "SERVER": {},
            "MODULES": (),
            "AUTHENTICATION_CLASSES": [SessionAuthentication, BasicAuthentication],
            "PERMISSION_CLASSES": [AllowAny],
            "TENANT": "request.tenant",
            "PARAMETER_RESOLVERS": (),
            "ALLOWED_ORIGINS": frozenset(),
            "MASK_ERRORS": False,
            "MAX_BODY_BYTES": 5000,
            "MAX_RESULT_BYTES": 1024 * 1024,
            "MAX_DEPTH": 64,
            "MAX_MEMBERS": 10_000,
            "MAX_BATCH": 50,
            "TEXTS": {},
            "MAX_INSTANCES": 1_000,
            "PAGE_SIZE": None,
            "TTL_MS": {"lists": 60_000, "read": 0},
            "CACHE_SCOPE": {"lists": "public", "read": "private"},
        }


def test_without_a_limit_of_djangos_there_is_a_high_one() -> None:
    with override_settings(MCP_DJANGO={}, DATA_UPLOAD_MAX_MEMORY_SIZE=None):
        assert settings.MAX_BODY_BYTES == 2**31


@pytest.mark.parametrize(
    ("key", "given", "got"),
    [
        ("SERVER", {"name": "x", "title": None}, {"name": "x", "title": None}),
        ("SERVER", {"website_url": "http://example.com"}, {"website_url": "http://example.com"}),
        ("SERVER", {"icons": [ICON, {"src": ICON.src}]}, {"icons": (ICON, ICON)}),
        ("SERVER", {"icons": ICON.src}, {"icons": (ICON,)}),
        ("SERVER", {"icons": ["data:image/png;base64,"]}, None),
        ("MODULES", ["library.more_tools"], ("library.more_tools",)),
        ("AUTHENTICATION_CLASSES", [BasicAuthentication], (BasicAuthentication,)),
        (
            "AUTHENTICATION_CLASSES",
            ["rest_framework.authentication.BasicAuthentication"],
            (BasicAuthentication,),
        ),
        ("PERMISSION_CLASSES", ("rest_framework.permissions.AllowAny",), (AllowAny,)),
        ("PERMISSION_CLASSES", [IsAuthenticated & IsAdminUser], None),
        ("TENANT", "request.branch", "request.branch"),
        ("TENANT", len, len),
        ("PARAMETER_RESOLVERS", ["builtins.int"], (int,)),
        ("ALLOWED_ORIGINS", ["https://App.example.com"], frozenset({"https://app.example.com"})),
        ("MASK_ERRORS", True, True),
        ("MAX_BODY_BYTES", 1, 1),
        ("MAX_RESULT_BYTES", 2, 2),
        ("MAX_DEPTH", 3, 3),
        ("MAX_MEMBERS", 4, 4),
        ("MAX_BATCH", 5, 5),
        ("MAX_INSTANCES", 6, 6),
        ("PAGE_SIZE", 7, 7),
        ("PAGE_SIZE", None, None),
        ("TTL_MS", {"lists": 0}, {"lists": 0, "read": 0}),
        ("TTL_MS", {"tools": 1, "read": 2}, {"lists": 60_000, "tools": 1, "read": 2}),
        ("TTL_MS", {}, {"lists": 60_000, "read": 0}),
        ("CACHE_SCOPE", {"read": "public"}, {"lists": "public", "read": "public"}),
    ],
)
def test_what_is_given(key: str, given: Any, got: Any) -> None:
    with override_settings(MCP_DJANGO={key: given}):
        value = getattr(settings, key)
        assert got is None or value == got


def test_a_lazy_translation_is_a_string() -> None:
    title = gettext_lazy("Library")
    with override_settings(MCP_DJANGO={"SERVER": {"title": title}}):
        assert settings.SERVER["title"] is title


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ([], "MCP_DJANGO is []. It takes a dict."),
        ({"MODULE": []}, "MCP_DJANGO has an unknown key 'MODULE'. Did you mean 'MODULES'?"),
        ({"SERVER": []}, 'MCP_DJANGO["SERVER"] is []. It takes a dict with any of name, title, '),
        ({"SERVER": {"nam": ""}}, "MCP_DJANGO[\"SERVER\"] has an unknown key 'nam'. Did you mean"),
        ({"SERVER": {"?": ""}}, "MCP_DJANGO[\"SERVER\"] has an unknown key '?'. The keys are name"),
        ({"SERVER": {"name": 5}}, 'MCP_DJANGO["SERVER.name"] is 5. It takes a string.'),
        ({"SERVER": {"website_url": "javascript:x"}}, 'MCP_DJANGO["SERVER.website_url"] is \'java'),
        ({"SERVER": {"icons": 5}}, 'MCP_DJANGO["SERVER.icons"] is 5. It takes a list of mcp_djang'),
        ({"SERVER": {"icons": [{"url": "x"}]}}, "MCP_DJANGO[\"SERVER.icons\"] is {'url': 'x'}."),
        ({"SERVER": {"icons": ["javascript:x"]}}, 'MCP_DJANGO["SERVER.icons"] is \'javascript:x'),
        ({"SERVER": {"icons": [{"src": 5}]}}, 'MCP_DJANGO["SERVER.icons"] is '),
        (
            {"MODULES": "library"},
            "MCP_DJANGO[\"MODULES\"] is 'library'. It takes a list of strings",
        ),
        ({"MODULES": [5]}, 'MCP_DJANGO["MODULES"] is [5]. It takes a list of strings.'),
        ({"MODULES": [".x"]}, "MCP_DJANGO[\"MODULES\"] is '.x'. It takes import paths such as lib"),
        ({"MODULES": [""]}, "MCP_DJANGO[\"MODULES\"] is ''. It takes import paths"),
        (
            {"AUTHENTICATION_CLASSES": [5]},
            'MCP_DJANGO["AUTHENTICATION_CLASSES"] is 5. It takes authentication classes of DRF, '
            "or their import paths.",
        ),
        (
            {"AUTHENTICATION_CLASSES": ["rest_framework.permissions.IsAuthenticated"]},
            'MCP_DJANGO["AUTHENTICATION_CLASSES"] is <class ',
        ),
        ({"AUTHENTICATION_CLASSES": "x.Y"}, "MCP_DJANGO[\"AUTHENTICATION_CLASSES\"] is 'x.Y'. It "),
        (
            {"AUTHENTICATION_CLASSES": ["nowhere.Class"]},
            "MCP_DJANGO[\"AUTHENTICATION_CLASSES\"] names 'nowhere.Class', which cannot be "
            "imported: No module named 'nowhere'. Correct the path.",
        ),
        ({"PERMISSION_CLASSES": [int]}, "MCP_DJANGO[\"PERMISSION_CLASSES\"] is <class 'int'>. It "),
        ({"TENANT": 5}, 'MCP_DJANGO["TENANT"] is 5. It takes "request.<attribute>", a callable'),
        ({"PARAMETER_RESOLVERS": 5}, 'MCP_DJANGO["PARAMETER_RESOLVERS"] is 5. It takes a list of '),
        ({"ALLOWED_ORIGINS": ["*"]}, "MCP_DJANGO[\"ALLOWED_ORIGINS\"] is '*'. It takes exact orig"),
        ({"ALLOWED_ORIGINS": ["https://a/b"]}, "MCP_DJANGO[\"ALLOWED_ORIGINS\"] is 'https://a/b'."),
        ({"MASK_ERRORS": 1}, 'MCP_DJANGO["MASK_ERRORS"] is 1. It takes True or False.'),
        ({"MAX_DEPTH": True}, 'MCP_DJANGO["MAX_DEPTH"] is True. It takes a whole number from 1.'),
        ({"MAX_MEMBERS": 0}, 'MCP_DJANGO["MAX_MEMBERS"] is 0. It takes a whole number from 1.'),
        ({"MAX_BATCH": "5"}, "MCP_DJANGO[\"MAX_BATCH\"] is '5'. It takes a whole number from 1."),
        (
            {"TTL_MS": {"x": 1}},
            "MCP_DJANGO[\"TTL_MS\"] has an unknown key 'x'. The keys are lists, tools, ",
        ),
        ({"TTL_MS": {"lists": -1}}, 'MCP_DJANGO["TTL_MS.lists"] is -1. It takes milliseconds, fro'),
        ({"PAGE_SIZE": 0}, 'MCP_DJANGO["PAGE_SIZE"] is 0. It takes a whole number from 1'),
        (
            {"CACHE_SCOPE": {"tools": "shared"}},
            'MCP_DJANGO["CACHE_SCOPE.tools"] is \'shared\'. It takes "public" or "private".',
        ),
        ({"TTL_MS": {"lists": True}}, 'MCP_DJANGO["TTL_MS.lists"] is True. It takes milliseconds'),
    ],
)
def test_what_is_refused(given: Any, message: str) -> None:
    with override_settings(MCP_DJANGO=given):
        with pytest.raises(ImproperlyConfigured) as caught:
            settings.load()
        assert str(caught.value).startswith(message)


def test_a_change_takes_effect_at_once() -> None:
    with override_settings(MCP_DJANGO={"MAX_BATCH": 7}):
        assert settings.MAX_BATCH == 7
        with override_settings(MCP_DJANGO={"MAX_BATCH": 8}):
            assert settings.MAX_BATCH == 8
        assert settings.MAX_BATCH == 7
        with override_settings(DEBUG=True):  # none of ours
            assert "MAX_BATCH" in settings.__dict__


def test_there_are_no_other_attributes() -> None:
    with pytest.raises(AttributeError, match="MAX_BATCHES"):
        _ = Settings().MAX_BATCHES
