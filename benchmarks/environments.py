"""An environment of its own for each contender, under ``.bench/``, made when first needed."""

from __future__ import annotations

import subprocess
import sys
import venv
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
HOME = ROOT / ".bench"


@dataclass(frozen=True, slots=True)
class Environment:
    """Packages to install, as pip is told; ``like_ours`` takes the versions that ours has."""

    name: str
    packages: tuple[str, ...]
    like_ours: bool = False

    @property
    def home(self) -> Path:
        return HOME / "envs" / self.name

    @property
    def python(self) -> Path:
        return self.home / "bin" / "python"


OURS = Environment("ours", ("--editable", str(ROOT), "gunicorn", "granian"))
BARE = Environment(
    "bare",
    ("Django", "djangorestframework", "drf-spectacular", "orjson", "gunicorn", "granian"),
    like_ours=True,
)
MCPZ = Environment("mcpz", ("django-mcpz==1.2.0", "gunicorn", "granian"), like_ours=True)
SDK = Environment("sdk", ("mcp==2.3.0", "uvicorn[standard]"))


def ensure(environment: Environment) -> None:
    """Make the environment, unless it stands already with these very packages."""
    stamp = environment.home / "installed.txt"
    wanted = _recipe(environment)
    if stamp.exists() and stamp.read_text() == wanted:
        return
    print(f"Making the environment of {environment.name} ...", flush=True)
    venv.create(environment.home, clear=True, with_pip=True)
    constraints: list[str] = []
    if environment.like_ours:
        ensure(OURS)
        constraints = ["--constraint", str(_versions_of(OURS))]
    _pip(environment, "install", "--quiet", *constraints, *environment.packages)
    stamp.write_text(wanted)


def _recipe(environment: Environment) -> str:
    """What decides whether an environment is still the right one."""
    lines = [sys.version, *environment.packages]
    if environment is OURS or environment.like_ours:
        lines.append((ROOT / "pyproject.toml").read_text())
    return "\n".join(lines)


def _versions_of(environment: Environment) -> Path:
    """A constraints file with what is installed there."""
    listing = _pip(environment, "list", "--format=freeze", "--exclude-editable")
    path = environment.home / "constraints.txt"
    path.write_text(listing)
    return path


def _pip(environment: Environment, *arguments: str) -> str:
    command = [str(environment.python), "-m", "pip", "--disable-pip-version-check", *arguments]
    run = subprocess.run(command, check=False, text=True, capture_output=True)
    if run.returncode:
        raise SystemExit(f"{' '.join(command)} failed:\n{run.stdout}{run.stderr}")
    return run.stdout


def versions(environment: Environment) -> dict[str, str]:
    """The installed packages of an environment, by name."""
    listing = _pip(environment, "list", "--format=freeze").split()
    return dict(line.partition("==")[::2] for line in listing)
