"""Who is measured: a site, its environment and the server that it runs under."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from benchmarks import environments
from benchmarks.environments import HOME, Environment

TOKEN = "bench"  # of the one user in the database of the row with the defaults
DATABASE = HOME / "defaults.sqlite3"

GUNICORN = (
    "gunicorn",
    "--worker-class=gthread",
    "--workers=1",
    "--threads=4",
    "--log-level=warning",
    "--bind=127.0.0.1:{port}",
)
GRANIAN = (
    "granian",
    "--interface=wsgi",
    "--workers=1",
    "--no-ws",
    "--log-level=warning",
    "--host=127.0.0.1",
    "--port={port}",
)
# As `pip install mcp` brings it, and with the faster parts that uvicorn can be given.
UVICORN = (
    "uvicorn",
    "--loop=asyncio",
    "--http=h11",
    "--log-level=warning",
    "--no-access-log",
    "--host=127.0.0.1",
    "--port={port}",
)
FAST_UVICORN = (UVICORN[0], "--loop=uvloop", "--http=httptools", *UVICORN[3:])


@dataclass(frozen=True, slots=True, eq=False)
class Contender:
    """One server to measure: ``site`` is a module of ``benchmarks.sites``."""

    label: str
    site: str
    environment: Environment
    server: tuple[str, ...] = GUNICORN
    variables: Mapping[str, str] = field(default_factory=dict)
    headers: Mapping[str, str] = field(default_factory=dict)

    @property
    def module(self) -> str:
        return f"benchmarks.sites.{self.site}"

    def command(self, port: int) -> list[str]:
        """The command line that serves it on a port."""
        arguments = [part.format(port=port) for part in self.server]
        return [str(self.environment.python), "-m", *arguments, f"{self.module}:application"]


OURS = Contender("ours", "ours", environments.OURS)
BARE = Contender("bare view", "bare", environments.BARE)
MCPZ = Contender("django-mcpz", "mcpz", environments.MCPZ)
SDK = Contender("SDK", "sdk", environments.SDK, UVICORN)
FAST_SDK = Contender("SDK, uvloop", "sdk", environments.SDK, FAST_UVICORN)
OURS_GRANIAN = Contender("ours", "ours", environments.OURS, GRANIAN)
BARE_GRANIAN = Contender("bare view", "bare", environments.BARE, GRANIAN)
ORJSON = {"BENCH_ORJSON": "1"}
FAST_BARE = Contender("bare view, orjson", "bare", environments.BARE, variables=ORJSON)
FAST_BARE_GRANIAN = Contender("bare view, orjson", "bare", environments.BARE, GRANIAN, ORJSON)
MCPZ_GRANIAN = Contender("django-mcpz", "mcpz", environments.MCPZ, GRANIAN)
OURS_DEFAULTS = Contender(
    "ours",
    "ours",
    environments.OURS,
    variables={"BENCH_DEFAULTS": "1", "BENCH_DATABASE": str(DATABASE)},
    headers={"Authorization": f"Token {TOKEN}"},
)
OURS_OWN = Contender("ours", "ours", environments.OURS, variables={"BENCH_OWN": "1"})
