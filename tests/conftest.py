"""What all tests share: the services that they may need, and hypothesis without a clock."""

from __future__ import annotations

import os

import hypothesis
import pytest

# Shared machines stall for a moment now and then: a slow example is not a failure.
hypothesis.settings.register_profile("mcp_django", deadline=None, print_blob=True)
hypothesis.settings.load_profile("mcp_django")

SERVICES = {
    "postgresql": ("PostgreSQL", "DATABASE_URL", "postgres"),
    "redis": ("Redis", "REDIS_URL", "redis"),
}


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Skip what needs a service that the environment does not name."""
    for marker, (service, variable, scheme) in SERVICES.items():
        if os.environ.get(variable, "").startswith(scheme):
            continue
        skip = pytest.mark.skip(reason=f"needs {service}: set {variable}")
        for item in items:
            if item.get_closest_marker(marker):
                item.add_marker(skip)
