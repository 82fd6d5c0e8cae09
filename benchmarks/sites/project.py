"""Settings that our site and the bare one share, so that they differ by ``mcp_django`` alone.

``BENCH_DEFAULTS=1`` leaves what all rows but one turn off: Django's own middleware, and
signing in by a token that stands in a database.
"""

from __future__ import annotations

import os
from typing import Any

DEFAULTS = os.environ.get("BENCH_DEFAULTS") == "1"
MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
]
SETTINGS: dict[str, Any] = {
    "SECRET_KEY": "bench",
    "ALLOWED_HOSTS": ["127.0.0.1"],
    "MIDDLEWARE": MIDDLEWARE if DEFAULTS else [],
    "INSTALLED_APPS": [
        "django.contrib.auth",
        "django.contrib.contenttypes",
        "django.contrib.sessions",
        "django.contrib.messages",
        "rest_framework",
        "rest_framework.authtoken",
        "drf_spectacular",
    ],
    "DATABASES": {
        "default": {
            "ENGINE": "django.db.backends.sqlite3",
            "NAME": os.environ.get("BENCH_DATABASE", ":memory:"),
            "CONN_MAX_AGE": 60,
        }
    },
    "REST_FRAMEWORK": {
        "DEFAULT_AUTHENTICATION_CLASSES": ["rest_framework.authentication.TokenAuthentication"]
    },
    "DEFAULT_AUTO_FIELD": "django.db.models.BigAutoField",
    "USE_TZ": True,
}
