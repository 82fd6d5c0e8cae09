from __future__ import annotations

from django.apps import AppConfig


class SampleConfig(AppConfig):
    name = "project.sample"
    verbose_name = "Sample data"
