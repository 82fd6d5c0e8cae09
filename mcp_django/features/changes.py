"""One change at a time: to all registries, and to the instances that they share.

One lock for everything. A ``setup()`` may register on another server, so with a lock for each
two threads could wait for each other.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

# At the end of all changes it says what there is to be told of them, if anything.
Conclusion = Callable[[], Callable[[], object] | None]

_lock = threading.RLock()
_depth = 0
_conclusions: dict[object, Conclusion] = {}


@contextmanager
def alone() -> Iterator[dict[object, Conclusion]]:
    """No other thread changes anything inside; a thread may enter again.

    Gives the conclusions, one for whoever has changed. They are drawn at the outermost end,
    and what they give is called after it, when nobody has to wait for us any more.
    """
    global _depth
    told: list[Callable[[], object] | None] = []
    try:
        with _lock:
            _depth += 1
            try:
                yield _conclusions
            finally:
                _depth -= 1
                if not _depth:
                    told = [conclude() for conclude in _conclusions.values()]
                    _conclusions.clear()
    finally:
        for tell in told:
            if tell is not None:
                tell()
