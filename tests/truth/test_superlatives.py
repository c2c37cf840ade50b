"""A service is called the first of all only where it is, with a number that is not that of a lucky draw."""

import pyarrow.parquet as pq
import pytest

from scripts.figures.figure import as_figures
from scripts.site.data.figures import figures
from scripts.site.data.summary import ServiceSummary
from scripts.site.story.cells import outcome_of, setting_sentences
from scripts.site.story.names import Names, plain
from tests.truth.worlds import World, measure, normal

SETTING = "draw-0"
NULL = World(normal(0.2), services=6, draws=1)
LOSER = World(normal(0.1), {"s01~s02": 0.4}, services=6, draws=1)


@pytest.fixture(scope="module")
def null(tmp_path_factory):
    """The tables of a world of equal services."""
    return measure(NULL, 1, tmp_path_factory.mktemp("null") / "tables")


@pytest.fixture(scope="module")
def loser(tmp_path_factory):
    """The tables of a world in which one service gets 40 % of its share against another."""
    return measure(LOSER, 1, tmp_path_factory.mktemp("loser") / "tables")


def extremes(folder):
    """The findings that are extremes of figures that scatter, by name."""
    rows = pq.read_table(folder / "findings.parquet").to_pylist()
    names = ("most_unfair", "most_contentious", "least_contentious", "most_sensitive", "least_sensitive")
    return {row["finding"]: row for row in rows if row["finding"] in names}


def sentences(folder):
    """The story of the setting."""
    services = [ServiceSummary(f"s0{number}", f"S{number}", "File", "throughput") for number in range(1, 7)]
    outcome = outcome_of(as_figures(figures(folder)), SETTING)
    return " ".join(map(plain, setting_sentences(outcome, Names(services))))


def test_among_equal_services_none_is_the_first(null):
    found = extremes(null)
    assert len(found) == 5
    assert {name for name, row in found.items() if "," not in row["may_be_first"]} == set()


def test_the_lowest_of_equal_shares_is_printed_near_its_truth(null):
    unfair = extremes(null)["most_unfair"]
    assert unfair["value"] < 0.95, "by chance"
    assert unfair["shrunk"] > unfair["value"] + 0.02
    assert unfair["shrunk_low"] <= 1 <= unfair["shrunk_high"]


def test_the_story_of_equal_services_names_none_as_the_lowest(null):
    told = sentences(null)
    assert "pairs cannot be told apart" in told
    assert "most unfair" not in told
    assert "lowest share" not in told


def test_a_large_lead_is_named_with_its_share(loser):
    unfair = extremes(loser)["most_unfair"]
    assert (unfair["rows"], unfair["may_be_first"]) == ("s01/s02", "s01/s02")
    assert unfair["shrunk"] == pytest.approx(0.4, abs=0.08)
    assert unfair["shrunk_low"] <= 0.4 <= unfair["shrunk_high"]
    assert "This is the most unfair pair." in sentences(loser)
