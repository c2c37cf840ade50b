"""The documents are short and lead somewhere: every link, anchor, page and command that they name exists."""

import re
from functools import cache
from pathlib import Path

import pytest

from scripts.base.files import ROOT
from scripts.snapshot.code_archive import code_files

MOST_LINES = {"README.md": 150, "CONTRIBUTING.md": 130}
CODE = sorted(name for name in code_files(ROOT) if Path(name).suffix not in (".png", ".zst", ".json"))
DOCUMENTS = [name for name in CODE if name.endswith(".md") and not name.startswith("site/")]
"""Those in site/ are pages; tests/site/test_site_links.py follows their links."""


@cache
def text_of(path: Path) -> str:
    return path.read_text(encoding="utf-8", errors="replace")


def without_code(path: Path) -> str:
    """A document without its blocks of code, in which a bracket is no link and a hash no heading."""
    text = re.sub(r"^```.*?^```$", "", text_of(path), flags=re.MULTILINE | re.DOTALL)
    return re.sub(r"^ {4}.*$", "", text, flags=re.MULTILINE)


@cache
def anchors(path: Path) -> set[str]:
    """The anchors of the headings of a document, as GitHub makes them."""
    headings = re.findall(r"^#+ (.+)$", without_code(path), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("name", DOCUMENTS)
def test_every_link_leads_to_a_file_and_a_heading(name):
    missing = []
    for link in re.findall(r"\]\(([^)\s]+)\)", without_code(ROOT / name)):
        address, _, anchor = link.partition("#")
        target = (ROOT / name).parent / address if address else ROOT / name
        if "://" not in link and not (
            target.exists() and (not anchor or anchor in anchors(target.resolve()))
        ):
            missing.append(link)
    assert missing == []


@pytest.mark.parametrize("name", MOST_LINES)
def test_a_first_page_is_short(name):
    assert len(text_of(ROOT / name).splitlines()) <= MOST_LINES[name]


def test_ci_runs_the_test_command_of_the_readme():
    (command,) = re.findall(r"^    (make test) ", text_of(ROOT / "README.md"), re.MULTILINE)
    assert command in text_of(ROOT / ".ci/run").splitlines()


def test_every_page_can_be_reached_from_the_readme():
    reached, waiting = set(), {ROOT / "README.md"}
    while waiting:
        page = waiting.pop()
        reached.add(page)
        links = re.findall(r"\]\(([^)#\s:]+\.md)[)#]", text_of(page))
        waiting |= {(page.parent / link).resolve() for link in links} - reached
    assert {*(ROOT / "docs").glob("*.md"), ROOT / "CONTRIBUTING.md"} - reached == set()


def test_every_page_that_a_file_names_exists():
    named = {
        (name, page)
        for name in CODE
        for page in re.findall(r"\bdocs/[a-z-]+\.(?:md|png)\b", text_of(ROOT / name))
    }
    assert [one for one in sorted(named) if not (ROOT / one[1]).is_file()] == []
    assert 50 < len(named)


@pytest.mark.parametrize("name", [name for name in DOCUMENTS if name != "CHANGELOG.md"])
def test_every_command_that_a_document_names_exists(name):
    text = text_of(ROOT / name)
    targets = {*re.findall(r"^([a-z-]+):", text_of(ROOT / "Makefile"), re.MULTILINE)}
    assert {*re.findall(r"(?:`|^ {4,})make ([a-z][a-z-]*)", text, re.MULTILINE)} - targets == set()
    modules = {*re.findall(r"python -m ((?:scripts|services|testbed|tests)[\w.]*)", text)}
    paths = {module: ROOT / module.replace(".", "/") for module in modules}
    missing = {
        module
        for module, path in paths.items()
        if not (path.with_suffix(".py").is_file() or (path / "__main__.py").is_file())
    }
    assert missing == set()
