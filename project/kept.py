"""Values made at the first run and kept in files that only the owner can read."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable
from pathlib import Path


def kept(path: Path, make: Callable[[], str]) -> str:
    """The text in ``path``; where there is no such file, what ``make`` gives, kept there.

    Several processes may ask at once: the first file to be in place is everyone's.
    """
    if not path.exists():
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        descriptor, draft = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}-")  # mode 600
        with os.fdopen(descriptor, "w") as file:
            file.write(make())
        try:
            os.link(draft, path)  # refuses to replace, unlike a rename
        except FileExistsError:
            pass
        finally:
            Path(draft).unlink()
    return path.read_text().strip()
