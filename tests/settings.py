"""Settings of the test project: SQLite and local memory unless the environment names better."""

from __future__ import annotations

import os
from pathlib import Path

import dj_database_url

BASE_DIR = Path(__file__).resolve().parent
SECRET_KEY = "only-for-tests"
DEBUG = False
ALLOWED_HOSTS = ["*"]
USE_TZ = True
LANGUAGE_CODE = "en-us"
ROOT_URLCONF = "tests.urls"
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
STATIC_URL = "static/"

DATABASES = {
    "default": dj_database_url.parse(os.environ.get("DATABASE_URL") or "sqlite://:memory:")
}

if os.environ.get("REDIS_URL"):
    CACHES = {
        "default": {
            "BACKEND": "django.core.cache.backends.redis.RedisCache",
            "LOCATION": os.environ["REDIS_URL"],
            "KEY_PREFIX": "mcp_django_tests",
        }
    }
else:
    CACHES = {"default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}}

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
    "tests.app",
    "tests.docs.library",
    "mcp_django",
]
# The apps of the tests have no migrations and point to users: no foreign key may be made
# before its table is, and tables without migrations come first.
MIGRATION_MODULES = dict.fromkeys(["admin", "auth", "authtoken", "contenttypes", "sessions"])

MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
]

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

# Fast on purpose: the tests sign in often and no password is worth guessing.
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
