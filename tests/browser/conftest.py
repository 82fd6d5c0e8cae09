"""Chromium for the tests of pages. They are a run of their own: ``pytest tests/browser``.

Playwright keeps an event loop running in the main thread for the rest of the session, which
the other tests could not do with, and Django would refuse the database in it.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import axe_playwright_python
import pytest
from django.contrib.auth.models import User
from django.test import Client
from playwright.sync_api import BrowserContext, Page

os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"

AXE = (Path(axe_playwright_python.__file__).parent / "axe.min.js").read_text()


def pytest_configure(config: pytest.Config) -> None:
    # pytest-playwright uses what pytest 10 will remove.
    config.addinivalue_line("filterwarnings", "ignore::pytest.PytestRemovedIn10Warning")


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args: dict[str, Any]) -> dict[str, Any]:
    """The system's Chromium, where there is one; else what playwright has installed."""
    found = os.environ.get("CHROMIUM") or shutil.which("chromium")
    return {**browser_type_launch_args, **({"executable_path": found} if found else {})}


@pytest.fixture
def operator(live_server: Any, context: BrowserContext, client: Client) -> User:
    """A superuser, signed in both in the browser and in Django's client."""
    user = User.objects.create_superuser("root")
    client.force_login(user)
    cookie = client.cookies["sessionid"]
    context.add_cookies([{"name": "sessionid", "value": cookie.value, "url": live_server.url}])
    return user


@pytest.fixture
def visit(live_server: Any, page: Page) -> Callable[..., Page]:
    """Open a path in a width and a colour scheme; a miss fails soon."""
    page.set_default_timeout(5000)
    page.on("pageerror", lambda error: pytest.fail(f"script error: {error}"))

    def opened(path: str, *, width: int = 1280, scheme: Any = "light") -> Page:
        page.set_viewport_size({"width": width, "height": 800})
        page.emulate_media(color_scheme=scheme)
        page.goto(live_server.url + path)
        return page

    return opened


def violations(page: Page, root: str) -> list[tuple[str, str]]:
    """What axe finds wrong below an element: the rule, and the first place."""
    page.evaluate(AXE)
    found = page.evaluate("root => axe.run(root)", root)["violations"]
    return [(rule["id"], rule["nodes"][0]["html"]) for rule in found]


def overflow(page: Page) -> int:
    """By how many pixels the page is wider than its window."""
    return int(page.evaluate("document.documentElement.scrollWidth - innerWidth"))
