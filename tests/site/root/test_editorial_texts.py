"""The editorial texts that come with the code: short, without typed numbers, answered by cycles that ship."""

import re
import shutil

import pytest

from scripts.base.files import ROOT
from scripts.model.campaign import read_campaign
from scripts.site.addresses import Place
from scripts.site.data.campaign_summary import service_summaries, setting_summaries
from scripts.site.data.expectation_summaries import expectation_summaries
from scripts.site.data.figures import figures
from scripts.site.data.summary import Summary
from scripts.site.data.tables_v1 import write_tables
from scripts.site.root.editorial_pages import TEXTS
from scripts.snapshot.identity import read_identity
from scripts.snapshot.lean_format import unpack
from tests.site.html_check import assert_valid
from tests.site.pages_read import text
from tests.site.root.sample_summaries import write_pages

FILES = sorted(TEXTS.glob("*.md"))
MOST_WORDS = 900


@pytest.fixture
def site(build, tmp_path):
    """The root's pages of the lean snapshots that come with the code."""

    def write(site):
        for file in sorted((ROOT / "data/snapshots/lean").glob("*.tar.zst")):
            write_cycle(site, unpack(file, tmp_path / "unpacked"))

    return build(write)


def write_cycle(site, snapshot):
    """What the root's pages read of a cycle: its summary, its charts and its table of figures."""
    identity, campaign = read_identity(snapshot), read_campaign(snapshot / "plan/config.json")
    place = Place(identity.campaign, identity.cycle)
    rows = figures(snapshot / "tables").to_pylist()
    charts = snapshot / "charts/cycle"
    summary = Summary(
        place.campaign,
        place.cycle,
        1,
        checksum="ab" * 32,
        title=campaign.title,
        planned=1,
        counted=1,
        excluded=0,
        settings=setting_summaries(campaign),
        services=service_summaries(campaign),
        pages=("", *sorted({f"pairs/{row['setting']}/{row['pair']}/" for row in rows})),
        tables=(),
        method={},
        expectations=expectation_summaries(campaign, snapshot / "tables"),
        charts=tuple(sorted(path.stem for path in charts.rglob("*.svg"))),
    )
    write_pages(site, summary, rows)
    for chart in charts.rglob("*.svg"):
        shutil.copy(chart, site / place.pages / "charts")
    (snapshot / "chosen/tables").mkdir(parents=True)
    shutil.copy(snapshot / "tables/figures.parquet", snapshot / "chosen/tables")
    write_tables(snapshot / "chosen", site, place)


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_no_number_is_typed(file):
    """Every number is a reference, or part of a name. One that defines a setting is written as a word."""
    body = file.read_text(encoding="utf-8").split("---\n", 2)[2]
    typed = re.sub(r"\{\{<.*?>\}\}|\]\([^)]*\)", "", body, flags=re.DOTALL)
    assert [] == re.findall(r".*(?:(?<![a-z])\d|%|\bper ?cent\b).*", typed)


def test_every_text_is_answered_by_the_cycles_that_ship_and_is_short(site, tmp_path):
    assert FILES
    for file in FILES:
        page = site.page(f"findings/{file.stem}/")
        assert len(text(page.find(".//main")).split()) <= MOST_WORDS, file
        assert 2 <= len(page.findall(".//main//figure//img"))
        links = [link for link in site.links(f"findings/{file.stem}/index.html") if "/cycles/" in link]
        assert len(links) > 5
        assert all(site.target(f"findings/{file.stem}/index.html", link)[0].is_file() for link in links)
    assert_valid(site.root / "findings", tmp_path)
