"""``manage.py demo``, which ``scripts/demo`` ends in: what it prints, serves, and leaves."""

from __future__ import annotations

import contextlib
import http.client
import json
import os
import re
import shutil
import signal
import socket
import stat
import subprocess
import sys
import threading
import urllib.parse
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import pytest

from .conftest import ROOT

LAST_LINE = "Ctrl-C ends the server."
META = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {},
}


class Answer(NamedTuple):
    status: int
    body: str
    cookie: str


@dataclass
class Demo:
    process: subprocess.Popen[str]
    port: int
    lines: list[str]

    def told(self, label: str) -> str:
        (found,) = [line for line in self.lines if line.startswith(f"{label}: ")]
        return found.removeprefix(f"{label}: ")

    def fetch(self, method: str, path: str, body: str = "", **headers: str) -> Answer:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        with contextlib.closing(connection):
            connection.request(method, path, body or None, headers)
            response = connection.getresponse()
            return Answer(
                response.status, response.read().decode(), response.headers.get("Set-Cookie", "")
            )

    def post(self, token: str, method: str, path: str = "/mcp") -> Answer:
        message = {"jsonrpc": "2.0", "id": 1, "method": method, "params": {"_meta": META}}
        return self.fetch(
            "POST",
            path,
            json.dumps(message),
            **{
                "Authorization": f"Bearer {token}",
                "Content-Type": "application/json",
                "MCP-Protocol-Version": "2026-07-28",
                "Mcp-Method": method,
            },
        )

    def tools(self, token: str) -> set[str]:
        answer = self.post(token, "tools/list")
        assert answer.status == 200
        return {tool["name"] for tool in json.loads(answer.body)["result"]["tools"]}

    def resources(self, token: str) -> set[str]:
        answer = self.post(token, "resources/list")
        assert answer.status == 200
        return {one["uri"] for one in json.loads(answer.body)["result"]["resources"]}

    def end(self, number: signal.Signals) -> tuple[int, str, str]:
        """Exit code, and what was printed since the last line."""
        os.kill(self.process.pid, number)
        out, error = self.process.communicate(timeout=30)
        return self.process.returncode, out, error


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextlib.contextmanager
def demo(environment: dict[str, str]) -> Iterator[Demo]:
    port = free_port()
    process = subprocess.Popen(
        [sys.executable, str(ROOT / "manage.py"), "demo", "--port", str(port)],
        env=environment,
        cwd="/",
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    overdue = threading.Timer(120, process.kill)
    overdue.start()
    try:
        assert process.stdout is not None
        lines = []
        for line in process.stdout:
            lines.append(line.rstrip("\n"))
            if lines[-1] == LAST_LINE:
                break
        yield Demo(process, port, lines)
    finally:
        overdue.cancel()
        if process.poll() is None:
            process.terminate()
        process.communicate()


def test_it_serves_what_it_prints(environment: dict[str, str]) -> None:
    with demo(environment) as first:
        assert first.told("MCP endpoint") == f"http://127.0.0.1:{first.port}/mcp"
        tokens = {name: first.told(f"Token {name}") for name in ("ann", "ben", "cleo", "lena")}
        assert len(set(tokens.values())) == 4
        assert "find_books" in first.tools(tokens["ann"])
        assert "add_book" not in first.tools(tokens["ann"])
        assert "add_book" in first.tools(tokens["lena"])
        staff = first.told("Staff MCP endpoint")
        assert staff == f"http://127.0.0.1:{first.port}/staff/mcp"
        assert first.post(tokens["ann"], "prompts/list", "/staff/mcp").status == 403
        assert '"reminder"' in first.post(tokens["lena"], "prompts/list", "/staff/mcp").body
        assert any(
            line.startswith("  cleo is a member of the branch south") for line in first.lines
        )
        assert any(line.startswith("  lena is a librarian of the branch") for line in first.lines)
        named = re.findall(r"the resource (\w+://[\w/-]+)", "\n".join(first.lines))
        assert set(named) <= first.resources(tokens["ann"])
        assert len(named) == 2
        assert named[0] in first.resources(tokens["lena"])
        assert "  the prompt reading_list, on the subject Poetry" in first.lines
        assert '"reading_list"' in first.post(tokens["ann"], "prompts/list").body
        home = first.fetch("GET", "/").body
        for words in (first.told("MCP endpoint"), staff, named[0], "find_books", "reading_list"):
            assert words in home
        assert any(line.startswith("curl http://127.0.0.1:") for line in first.lines)
        assert "asyncio.run(main())" in first.lines

        url, user, password = first.told("Admin").split(" ")
        assert url == f"http://127.0.0.1:{first.port}/admin/"
        assert sign_in(first, user, password) == 302
        assert sign_in(first, user, password + "x") == 200
        assert first.end(signal.SIGINT) == (0, "", "")

    with demo(environment) as second:
        same = [line.replace(str(first.port), str(second.port)) for line in first.lines]
        assert second.lines == same
        assert second.end(signal.SIGTERM) == (0, "", "")

    for kept in Path(environment["STATE_DIR"]).iterdir():
        assert kept.parent.stat().st_mode & 0o077 == 0
        if kept.name in ("secret_key", "admin_password"):
            assert stat.S_IMODE(kept.stat().st_mode) == 0o600


def sign_in(running: Demo, user: str, password: str) -> int:
    """The status of signing in to the admin, whose page and style are served."""
    _, html, cookie = running.fetch("GET", "/admin/login/")
    style = re.search(r'href="(/static/admin/css/base[^"]*\.css)"', html)
    assert style is not None
    assert running.fetch("GET", style[1]).status == 200
    secret = re.search(r'name="csrfmiddlewaretoken" value="([^"]+)"', html)
    assert secret is not None
    form = {"username": user, "password": password, "csrfmiddlewaretoken": secret[1]}
    return running.fetch(
        "POST",
        "/admin/login/?next=/admin/",
        urllib.parse.urlencode(form),
        **{"Content-Type": "application/x-www-form-urlencoded", "Cookie": cookie.split(";")[0]},
    ).status


@pytest.mark.skipif(shutil.which("curl") is None, reason="needs curl")
def test_the_printed_curl_works(environment: dict[str, str]) -> None:
    with demo(environment) as running:
        start = next(i for i, line in enumerate(running.lines) if line.startswith("curl "))
        command = "\n".join(running.lines[start : running.lines.index("", start)])
        done = subprocess.run(
            ["sh", "-c", command], capture_output=True, text=True, check=True, timeout=60
        )
        result = json.loads(done.stdout)["result"]
        assert "isError" not in result
        assert {"Jules Verne"} == {
            name for book in result["structuredContent"] for name in book["authors"]
        }


def test_the_printed_client_works(environment: dict[str, str]) -> None:
    pytest.importorskip("mcp")
    with demo(environment) as running:
        start = running.lines.index("import asyncio")
        program = "\n".join(running.lines[start : running.lines.index("asyncio.run(main())") + 1])
        done = subprocess.run(
            [sys.executable, "-c", program], capture_output=True, text=True, check=False, timeout=60
        )
        assert done.returncode == 0, done.stderr
        assert "find_books\n" in done.stdout
        assert "'Jules Verne'" in done.stdout
        assert '"due_on":' in done.stdout
        assert "Put together a reading list on Poetry" in done.stdout


def test_a_busy_port_is_named(environment: dict[str, str]) -> None:
    with socket.socket() as busy:
        busy.bind(("127.0.0.1", 0))
        busy.listen()
        port = busy.getsockname()[1]
        done = subprocess.run(
            [sys.executable, str(ROOT / "manage.py"), "demo", "--port", str(port)],
            env=environment,
            capture_output=True,
            text=True,
            check=False,
            timeout=60,
        )
    assert done.returncode == 1
    assert done.stdout == ""
    assert f"Cannot listen on 127.0.0.1:{port}: Address already in use." in done.stderr
    assert "Traceback" not in done.stderr
