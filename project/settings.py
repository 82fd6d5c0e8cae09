"""Settings of the sample project. What a deployment changes comes from the environment.

``DATABASE_URL``   such as ``postgres://user:password@host/name``; SQLite where absent
``SECRET_KEY``     made once and kept in the state folder where absent
``ALLOWED_HOSTS``  host names with commas between; this machine alone where absent
``DEBUG``          ``1`` for Django's debug pages
``LOG_LEVEL``      ``INFO`` names every tool at start-up
``STATE_DIR``      the folder of what the project makes for itself; ``.demo`` where absent
``STATIC_ROOT``    the folder of ``collectstatic``; where absent files are served as they lie
"""

from __future__ import annotations

import os
from pathlib import Path

import dj_database_url
from django.core.management.utils import get_random_secret_key

from project.kept import kept

BASE_DIR = Path(__file__).resolve().parent.parent
STATE_DIR = Path(os.environ.get("STATE_DIR") or BASE_DIR / ".demo")

SECRET_KEY = os.environ.get("SECRET_KEY") or kept(STATE_DIR / "secret_key", get_random_secret_key)
DEBUG = os.environ.get("DEBUG") == "1"
ALLOWED_HOSTS = os.environ.get("ALLOWED_HOSTS", "127.0.0.1,localhost,[::1]").split(",")

INSTALLED_APPS = [
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "rest_framework",
    "rest_framework.authtoken",
    "drf_spectacular",
    "project.library",
    "project.lending",
    "project.sample",
    "mcp_django",  # last, so that it finds what all the others declare
]

MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
]

ROOT_URLCONF = "project.urls"
WSGI_APPLICATION = "project.wsgi.application"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ],
        },
    },
]

if os.environ.get("DATABASE_URL"):
    DATABASES = {"default": dj_database_url.config(conn_max_age=60, conn_health_checks=True)}
else:
    DATABASES = {
        "default": {
            "ENGINE": "django.db.backends.sqlite3",
            "NAME": str(STATE_DIR / "library.sqlite3"),
            # Several threads write: each transaction takes the lock at its start, and waits
            # for it, where SQLite's own way is to fail in the middle.
            "OPTIONS": {
                "transaction_mode": "IMMEDIATE",
                "timeout": 20,
                "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL;",
            },
        }
    }
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in ("MinimumLengthValidator", "CommonPasswordValidator", "NumericPasswordValidator")
]

LANGUAGE_CODE = "en-us"
TIME_ZONE = "UTC"
USE_TZ = True

STATIC_URL = "static/"
STATIC_ROOT = os.environ.get("STATIC_ROOT") or None
WHITENOISE_USE_FINDERS = STATIC_ROOT is None

REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "project.library.authentication.BearerTokenAuthentication",
        "rest_framework.authentication.SessionAuthentication",
    ],
}

MCP_DJANGO = {
    "SERVER": {
        "name": "library",
        "title": "Branch library",
        "version": "1.0",
        "instructions": (
            "A lending library with several branches. A signed-in member sees the books, loans "
            "and holds of the member's own branch. Find books with find_books and pass on the "
            "ids that it gives. Dates are days, written as 2026-07-28."
        ),
    },
    "TENANT": "project.library.tenancy.branch_of_request",
    "TEXTS": BASE_DIR / "project" / "texts.toml",
    "PAGE_SIZE": 100,
}

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "handlers": {"console": {"class": "logging.StreamHandler"}},
    "loggers": {
        "mcp_django": {
            "handlers": ["console"],
            "level": os.environ.get("LOG_LEVEL", "WARNING"),
            "propagate": False,
        },
    },
}
