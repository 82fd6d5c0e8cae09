from __future__ import annotations

from django.apps import AppConfig


class LendingConfig(AppConfig):
    name = "project.lending"
    verbose_name = "Lending"
