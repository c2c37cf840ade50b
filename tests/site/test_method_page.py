"""The method as one text of four screens, and the definitions that it leads to."""

import re
import shutil

import pyarrow.compute as pc
import pyarrow.parquet as pq
import pytest

from scripts.site.addresses import provisional
from scripts.site.cycle.build_cycle import PagesTarget
from scripts.snapshot.identity import Provisional
from scripts.snapshot.trials_so_far import mark_provisional
from tests.charts.sample_cycle import sample_tables
from tests.site.pages_read import text

SCREEN_PX, SCREENS = 800, 4

FORMER = (
    *("the-testbed", "switches", "calibration", "hosts", "a-trial", "what-the-figures-mean", "models"),
    *("quality-of-experience", "completion-times", "validity", "exclusion-bias", "neighbours", "files"),
    *("stalls-and-drops-of-the-testbed", "loss-before-the-bottleneck", "limits-of-senders-and-clients"),
    *("limits", "rebuild"),
)
"""The anchors of the method page when it had the definitions. Pages of other sites may link to them."""


def test_what_was_a_section_of_the_method_is_found_there_and_among_the_definitions(either):
    method, definitions = either.page("method/"), either.page("definitions/")
    links = {link.get("href") for link in method.iter("a")}
    for anchor in FORMER:
        assert method.find(f".//*[@id='{anchor}']") is not None, anchor
        assert definitions.find(f".//*[@id='{anchor}']") is not None, anchor
        assert f"../definitions/#{anchor}" in links


def test_the_text_has_at_most_four_screens(reader, published):
    for address in (name for name in published.pages if re.fullmatch("cycles/.*/method/index.html", name)):
        reader.open(address.removesuffix("index.html"))
        (end,) = reader.all("#definitions")
        assert end.location["y"] <= SCREENS * SCREEN_PX, address


def test_the_example_follows_a_pair_of_the_cycle(site):
    words = text(site.page("method/"))
    row = min(
        (row for row in sample_tables()["pairs"].to_pylist() if row["incumbent"] != row["contender"]),
        key=lambda row: row["share_median"],
    )
    share = f"{100 * row['share_median']:.1f} %"
    assert (1, 1) == (row["n"], row["excluded"])
    assert "Of 2 trials of this pair, 1 counts." in words
    assert f"Its median share is {share} in one trial. That is too few for an interval." in words
    assert f"Its fair share is {row['allocation_mbps']:.2f} Mbps" in words
    trials = [link.get("href") for link in site.page("method/").iter("a") if text(link).startswith("trial ")]
    assert [f"../trials/{row['setting']}/{row['pair']}/{int(row['trials']):02d}/"] == trials


@pytest.mark.parametrize(
    ("pages", "shown"), [("site", True), ("panel", True), ("flows", False), ("fmp", True)]
)
def test_a_cycle_without_a_pair_to_follow_has_no_example(pages, shown, request):
    page = request.getfixturevalue(pages).page("method/")
    headings = [text(heading) for heading in page.iter("h2")]
    assert shown == ("An example: from packets to a verdict" in headings)
    assert (3 if shown else 1) == len(page.findall(".//figure"))


def test_the_method_takes_its_times_and_counts_from_the_cycle(site):
    words = text(site.page("method/"))
    assert "It lasts 11 s. The first 3 s and the last 1 s are ignored" in words
    assert "The 7 s between them are the steady window" in words
    assert "In this cycle, 34 of 36 trials count" in words


def test_a_pair_against_itself_is_no_example(cycle, build, tmp_path):
    """It may be the only one with shares, as in the first minutes of a cycle."""
    folder = tmp_path / "own kind"
    for part in ("plan", "tables", "charts"):
        shutil.copytree(cycle / part, folder / part)
    path = folder / "tables/pairs.parquet"
    pairs = pq.read_table(path)
    against_itself = pc.equal(pairs["incumbent"], pairs["contender"])
    shares = pc.if_else(against_itself, pairs["share_median"], None)
    pq.write_table(
        pairs.set_column(pairs.schema.get_field_index("share_median"), "share_median", shares), path
    )
    mark_provisional(folder / "tables")
    target = PagesTarget(provisional("demo"), None, None, Provisional("demo", "2026-11-21", 36, 180))
    page = build(tmp_path / "public", folder, target).page("method/")
    assert "An example: from packets to a verdict" not in map(text, page.iter("h2"))
