"""The tutorial works: it is followed here, command by command, in an empty folder."""

from __future__ import annotations

import os
import re
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from http.cookiejar import CookieJar
from pathlib import Path
from urllib.error import HTTPError
from urllib.parse import urlencode
from urllib.request import HTTPCookieProcessor, Request, build_opener, urlopen

import pytest

from tests.docs.markdown import ROOT, Block, blocks

PAGE = ROOT / "docs" / "tutorial" / "first-server.md"


class Reader:
    """Somebody who follows the tutorial: a folder, a shell, a server in the background."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.port = _free_port()
        self.server: subprocess.Popen[bytes] | None = None
        tools = Path(sys.executable).parent
        self.environment = {
            "PATH": f"{tools}{os.pathsep}{os.environ['PATH']}",
            "PYTHONPATH": str(ROOT),
            "LANG": "C.UTF-8",
            "HOME": str(folder),
        }

    def follow(self, block: Block) -> None:
        match block.kind:
            case "write":
                self.write(block, "w")
            case "append":
                self.write(block, "a")
            case "import":
                self.replace_import(block)
            case "run":
                for command, output in commands(block.text):
                    self.run(block, command, output)
            case "serve":
                self.serve(block)
            case "skip":
                pass
            case _:
                raise AssertionError(f"{block.place}: nobody knows what {block.kind!r} means")

    def write(self, block: Block, mode: str) -> None:
        path = self.folder / block.argument
        with path.open(mode, encoding="utf-8") as file:
            file.write(self.local(block.text))

    def replace_import(self, block: Block) -> None:
        """The line of a file that imports from the same module becomes this one."""
        path = self.folder / block.argument
        start = block.text.split("import")[0]
        [line] = [one for one in path.read_text().splitlines() if one.startswith(start)]
        path.write_text(path.read_text().replace(line, block.text.strip()))

    def run(self, block: Block, command: str, expected: str) -> None:
        # The shell's variables are kept for the next command.
        kept = f"{self.local(command)}\ncode=$?; export -p > .variables; exit $code"
        if (self.folder / ".variables").exists():
            kept = f". ./.variables\n{kept}"
        done = subprocess.run(
            ["bash", "-c", kept],
            cwd=self.folder,
            env=self.environment,
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
        shown = (done.stdout + done.stderr).strip()
        if expected:
            pattern = ".+".join(map(re.escape, self.local(expected).strip().split("…")))
            assert re.fullmatch(pattern, shown, re.DOTALL), f"{block.place}: {command}\n{shown}"
        else:
            assert done.returncode == 0, f"{block.place}: {command}\n{shown}"

    def serve(self, block: Block) -> None:
        [(command, _output)] = commands(block.text)
        self.server = subprocess.Popen(
            [*command.split(), "--noreload", str(self.port)],
            cwd=self.folder,
            env=self.environment,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        until = time.monotonic() + 30
        while time.monotonic() < until:
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", self.port)) == 0:
                    return
            assert self.server.poll() is None, "the server has ended"
            time.sleep(0.05)
        raise AssertionError("the server does not answer")

    def local(self, text: str) -> str:
        return text.replace("127.0.0.1:8000", f"127.0.0.1:{self.port}")

    def close(self) -> None:
        if self.server is not None:
            self.server.kill()
            self.server.wait()


def _free_port() -> int:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port: int = taken.getsockname()[1]
        return port


def commands(text: str) -> Iterator[tuple[str, str]]:
    """Each command of a transcript and its output; a command may go on for several lines."""
    command, output = "", ""
    for line in text.splitlines(keepends=True):
        if line.startswith("$ "):
            if command:
                yield command, output
            command, output = line[2:], ""
        elif output == "" and (command.rstrip().endswith("\\") or command.count("'") % 2):
            command += line
        else:
            output += line
    if command:
        yield command, output


@pytest.fixture(scope="module")
def reader(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Reader]:
    """A reader who has come to the end."""
    someone = Reader(tmp_path_factory.mktemp("first-server"))
    try:
        for block in blocks(PAGE):
            if block.scheme == "tutorial":
                someone.follow(block)
        yield someone
    finally:
        someone.close()


def test_it_leads_to_the_catalog(reader: Reader) -> None:
    path = "/admin/mcp_django/feature/"
    cookies = CookieJar()
    browser = build_opener(HTTPCookieProcessor(cookies))
    login = f"http://127.0.0.1:{reader.port}/admin/login/?next={path}"
    browser.open(login).close()
    token = next(cookie.value for cookie in cookies if cookie.name == "csrftoken")
    form = {"username": "admin", "password": "admin", "csrfmiddlewaretoken": token}

    with browser.open(login, urlencode(form).encode()) as answer:
        page = answer.read().decode()

    assert answer.url.endswith(path)
    assert "find_loans" in page
    assert "renew_loan" in page


def test_a_browser_is_told_how_to_connect(reader: Reader) -> None:
    request = Request(f"http://127.0.0.1:{reader.port}/mcp", headers={"Accept": "text/html"})

    with pytest.raises(HTTPError) as caught:
        urlopen(request)

    assert caught.value.status == 405
    assert "claude mcp add --transport http" in caught.value.read().decode()
