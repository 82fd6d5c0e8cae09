from __future__ import annotations

import contextlib
import fcntl
import socket
from collections.abc import Callable, Iterator
from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.core.wsgi import get_wsgi_application
from django.db import connections
from gunicorn.app.base import BaseApplication  # type: ignore[import-untyped]

from project.sample.access import access_lines

HOST = "127.0.0.1"


class Command(BaseCommand):
    help = "Loads the sample library, serves it, and says how to reach it."
    requires_system_checks = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--port", type=int, default=8000)

    def handle(self, *args: Any, **options: Any) -> None:
        port = options["port"]
        _check_port(port)
        with _alone():
            call_command("migrate", verbosity=0, interactive=False)
            call_command("load_sample", verbosity=0)
        lines = list(access_lines(f"http://{HOST}:{port}"))
        connections.close_all()  # the server's worker is a fork of this process
        Server(port, when_ready=lambda: self._say(lines)).run()

    def _say(self, lines: list[str]) -> None:
        self.stdout.write("\n".join([*lines, "", "Ctrl-C ends the server."]))
        self.stdout.flush()


class Server(BaseApplication):  # type: ignore[misc] # gunicorn has no types
    """Gunicorn: one process with threads. ``when_ready`` is called when it listens."""

    def __init__(self, port: int, when_ready: Callable[[], None]) -> None:
        self.port = port
        self.when_ready = when_ready
        super().__init__()

    def load_config(self) -> None:
        self.cfg.set("bind", f"{HOST}:{self.port}")
        self.cfg.set("worker_class", "gthread")
        self.cfg.set("threads", 4)
        self.cfg.set("graceful_timeout", 5)
        self.cfg.set("loglevel", "warning")
        self.cfg.set("preload_app", True)  # so that nothing listens before all is loaded
        self.cfg.set("when_ready", lambda arbiter: self.when_ready())
        if "control_socket_disable" in self.cfg.settings:  # of newer versions
            self.cfg.set("control_socket_disable", True)

    def load(self) -> Any:
        return get_wsgi_application()


def _check_port(port: int) -> None:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((HOST, port))
        except (OSError, OverflowError) as error:
            reason = getattr(error, "strerror", None) or str(error)
            raise CommandError(
                f"Cannot listen on {HOST}:{port}: {reason}. "
                "Choose another port, for example: PORT=8765 scripts/demo"
            ) from error


@contextlib.contextmanager
def _alone() -> Iterator[None]:
    """One process at a time: a second demo waits until the database of the first is made."""
    settings.STATE_DIR.mkdir(mode=0o700, parents=True, exist_ok=True)
    with (settings.STATE_DIR / "lock").open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield
