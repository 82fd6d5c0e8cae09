"""Every Python example of the documentation works, and says what it gives."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.docs.markdown import PAGES, ROOT, anchors, blocks, links, name_of
from tests.docs.runner import Runner

SHARED = ROOT / "docs" / "how-to" / "README.md"


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_examples_work(page: Path, runner: Runner) -> None:
    for block in blocks(SHARED):
        if block.kind == "module":
            runner.run(block)
    for block in blocks(page):
        if block.scheme == "example":
            runner.run(block)


def test_the_features_of_the_readme(runner: Runner) -> None:
    for page in (SHARED, ROOT / "README.md"):
        for block in blocks(page):
            if block.scheme == "example":
                runner.run(block)
    client, ann = runner.names["client"], runner.names["ann"]
    assert client.list_tools() == []

    client.login(ann)
    emma = {"id": 1, "title": "Emma", "due_on": "2030-01-15", "returned": False}
    assert client.call_tool("find_loans").structured == [emma]
    assert client.call_tool("find_loans", status="returned").structured == []
    renewed = client.call_tool("renew_loan", loan_id=1)
    assert renewed.structured == {**emma, "due_on": "2030-01-29"}
    refused = client.call_tool("renew_loan", loan_id=2)
    assert refused.text == "You have no open loan with this number. find_loans lists yours."
    assert client.call_tool("renew_loan", loan_id=1, user=2).is_error
    at_home = [{**emma, "due_on": "2030-01-29"}]
    assert json.loads(client.read_resource("library://loans/mine").text) == at_home
    assert "something serious to read" in client.get_prompt("read_next", mood="serious").text

    client.logout()
    assert client.list_resources() == []
    assert [one["name"] for one in client.list_prompts()] == ["read_next"]


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_all_python_is_run(page: Path) -> None:
    unmarked = [
        block.place for block in blocks(page) if block.language == "python" and not block.scheme
    ]

    assert not unmarked


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_all_json_is_valid(page: Path) -> None:
    for block in blocks(page):
        if block.language == "json":
            json.loads(block.text)


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_links_lead_somewhere(page: Path) -> None:
    for target, anchor in links(page):
        assert target.exists(), f"{name_of(page)} links to {target}"
        if anchor:
            assert anchor in anchors(target), f"{name_of(page)} links to {target.name}#{anchor}"
