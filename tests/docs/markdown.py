"""The documentation as text: its pages, their examples, and their links.

An example is a fenced block behind a comment that says how it is run:

``same as PATH``      the file of the app ``library`` has this text
``module PATH``       a module of the app ``library``
``file PATH``         any other file of it; its folder ``templates`` is one of Django's
``tools``             ``library/mcp_tools.py``: a new server starts with it. ``tools typed``: and
                      ``mypy --strict`` finds nothing in it
``refused``           the same, but it stops start-up; a ``prints`` may follow
``settings``          the settings from here on; ``BASE_DIR`` is the folder of ``library``
``urls``              the URLs from here on: with several servers, or with what they capture
``calls``             run with ``client``, ``ann``, ``ben`` and ``librarian``
``pytest``            test functions, which pass
``unittest``          test cases, which pass
``compiled``          Python that is not run
``shows``             the last value, as JSON
``prints``            the last value, as text; ``…`` stands for anything
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]

_FENCE = re.compile(
    r"(?:^[ ]*<!-- (?P<scheme>example|tutorial): (?P<kind>[^\n]*?) -->\n)?"
    r"^(?P<indent>[ ]*)```(?P<language>\w*)\n(?P<text>.*?)^(?P=indent)```$",
    re.DOTALL | re.MULTILINE,
)
_LINK = re.compile(r"(?<!!)\[[^\]]*\]\(([^)\s]+)\)")
_HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)


@dataclass(frozen=True)
class Block:
    """A fenced block: where it stands, how it is marked, what is in it."""

    page: Path
    line: int
    scheme: str
    kind: str
    argument: str
    language: str
    text: str

    @property
    def place(self) -> str:
        return f"{name_of(self.page)}:{self.line}"


def name_of(page: Path) -> str:
    """The path of a page from the root of the repository."""
    return page.relative_to(ROOT).as_posix()


def blocks(page: Path) -> Iterator[Block]:
    """All fenced blocks of a page; ``line`` is that of their first line of content."""
    source = page.read_text(encoding="utf-8")
    for match in _FENCE.finditer(source):
        kind, _, argument = (match["kind"] or "").partition(" ")
        yield Block(
            page=page,
            line=source.count("\n", 0, match.start("text")) + 1,
            scheme=match["scheme"] or "",
            kind=kind,
            argument=argument,
            language=match["language"],
            text=re.sub(f"^{match['indent']}", "", match["text"], flags=re.MULTILINE),
        )


def links(page: Path) -> Iterator[tuple[Path, str]]:
    """The files that a page links to, and the anchors in them ("" for none)."""
    for target in _LINK.findall(prose(page)):
        if re.match(r"[a-z]+:", target):
            continue
        path, _, anchor = target.partition("#")
        yield (page.parent / path).resolve() if path else page, anchor


def prose(page: Path) -> str:
    """A page without its fenced blocks."""
    return _FENCE.sub("", page.read_text(encoding="utf-8"))


def anchors(page: Path) -> set[str]:
    """What can be linked to in a page: its headings, as GitHub spells them."""
    headings = (re.sub(r"[`*]", "", heading) for heading in _HEADING.findall(prose(page)))
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}
