"""Builds the wheel and looks into it: python .ci/wheel.py PYTHON. What Django's loaders and
type checkers read beside the code must be in it, and nothing but the package.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "mcp_django"
LEFT_OUT = {".pyc"}


def build(python: str, folder: str) -> set[str]:
    """The names of the files in a freshly built wheel."""
    command = [python, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", folder, "."]
    subprocess.run(command, cwd=ROOT, check=True)
    (wheel,) = Path(folder).glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        return set(archive.namelist())


def main(python: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        packed = build(python, folder)
    wanted = {
        path.relative_to(ROOT).as_posix()
        for path in PACKAGE.rglob("*")
        if path.is_file() and path.suffix not in LEFT_OUT
    }
    missing = sorted(wanted - packed)
    foreign = sorted(name for name in packed - wanted if ".dist-info/" not in name)
    if missing or foreign:
        raise SystemExit(f"Not in the wheel: {missing}\nNot of the package: {foreign}")
    print(f"wheel: {len(wanted)} files, py.typed, templates and static files among them")


if __name__ == "__main__":
    main(sys.argv[1])
