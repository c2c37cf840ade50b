"""The pages of docs/ that a command writes have what the code and the configuration say today."""

import re
from functools import cache

import pytest

from scripts.base.files import ROOT
from scripts.base.imports import file_of, modules
from scripts.plan.campaign_file import campaign_names
from scripts.reference.__main__ import PAGES
from scripts.site.root.paper_files import read_papers
from scripts.tables.table_list import every_table


@cache
def page(name):
    return PAGES[name]()


@pytest.mark.parametrize("name", PAGES)
def test_a_page_is_what_the_command_writes(name):
    assert page(name) == (ROOT / "docs" / name).read_text(encoding="utf-8"), "run python -m scripts.reference"


def test_every_key_of_a_setting_has_a_meaning():
    rows = [line for line in page("settings.md").splitlines() if line.startswith("| `")]
    assert [] == [row for row in rows if row.endswith("|  |")]
    assert 200 < len(rows)


def test_every_target_of_make_is_a_command():
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    targets = {*re.findall(r"^\.PHONY: (.*)", makefile, re.MULTILINE)[0].split()}
    assert targets == {*re.findall(r"^\| `make ([a-z-]+)` \|", page("commands.md"), re.MULTILINE)}


def test_every_program_is_a_command_or_says_that_it_is_internal():
    listed = {*re.findall(r"^### `python -m ([a-z_. ]+)`$", page("commands.md"), re.MULTILINE)}
    texts = {name: (ROOT / file_of(name)).read_text(encoding="utf-8") for name in modules()}
    programs = {name: text for name, text in texts.items() if 'parser_of("' in text and "__main__" in text}
    told = {name.removesuffix(".__main__") for name, text in programs.items() if "is internal" not in text}
    assert told - listed == set()
    assert {"scripts.snapshot", "scripts.operate", "testbed", "services.origin"} <= listed
    assert "scripts.operate submissions" in listed


def test_every_table_is_listed_once_with_what_a_row_is():
    rows = re.findall(r"^\| \[`([a-z_]+)`\]\(.*?\) \| (.+) \| (.+) \|$", page("tables.md"), re.MULTILINE)
    assert sorted(every_table()) == sorted(name for name, _, _ in rows)


def test_every_campaign_and_every_paper_is_listed():
    text = page("campaigns.md")
    assert campaign_names() == sorted(re.findall(r"^\| \[`([a-z0-9-]+)`\]", text, re.MULTILINE))
    papers = read_papers()
    for paper in papers.values():
        assert f"| {paper.title} |" in text
    measured = {name for paper in papers.values() for figure in paper.figures for name in figure.campaigns}
    rows = [
        line
        for line in text.splitlines()
        if line.startswith(tuple(f"| {paper.title} |" for paper in papers.values()))
    ]
    assert measured == {name for line in rows for name in re.findall(r"`([a-z0-9-]+)`", line)}
