"""The data of the pages papers/: which cycle a figure takes, and what its results get."""

from dataclasses import replace

import pytest

from scripts.site.root.archive_cycles import Archive, Cycle
from scripts.site.root.paper_pages import paper_pages
from scripts.snapshot.provisional import Provisional
from scripts.snapshot.tombstone import Tombstone, Withdrawn
from tests.site.root.sample_archive import SETTINGS
from tests.site.root.sample_papers import CAME_OUT, DID_NOT, FEW, PAPER, UNDECIDED, paper_summary

DAY, LATER = "2026-10-01", "2026-11-01"


def page_of(*summaries, tombstones=(), running=()):
    """The page of the paper if these cycles are published, in this order."""
    stones = [*tombstones, *[Tombstone()] * (len(summaries) - len(tombstones))]
    cycles = tuple(Cycle((one,), (stone,), ()) for one, stone in zip(summaries, stones, strict=True))
    return paper_pages(Archive(SETTINGS, cycles, running), {"paper": PAPER})["paper"]


def figure_of(*summaries, **others):
    """The only figure of the page."""
    (figure,) = page_of(*summaries, **others)["figures"]
    return figure


@pytest.mark.parametrize(
    ("checks", "word"),
    [
        ({"short": CAME_OUT}, "agrees"),
        ({"short": CAME_OUT, "shorter": CAME_OUT}, "agrees"),
        ({"short": CAME_OUT, "shorter": UNDECIDED}, "undecided"),
        ({"short": UNDECIDED, "shorter": DID_NOT}, "differs"),
        ({"largest": CAME_OUT}, "not measured here"),
        ({}, "not measured here"),
    ],
)
def test_a_result_agrees_if_all_that_judges_it_came_out(checks, word):
    result, *_others = figure_of(paper_summary("long-form", DAY, **checks))["results"]
    assert word == result["word"]


def test_the_long_form_is_taken_if_it_has_a_verdict():
    short = paper_summary("short-form", LATER, short=CAME_OUT, largest=CAME_OUT)
    judged = figure_of(paper_summary("long-form", DAY, short=DID_NOT), short)
    assert ["long-form", "short-form"] == [cycle["campaign"] for cycle in judged["cycles"]]
    assert ["long-form", "short-form"] == [one["cycle"]["campaign"] for one in judged["results"][:2]]
    unjudged = figure_of(paper_summary("long-form", DAY, short=FEW), short)
    assert ["short-form", "long-form"] == [cycle["campaign"] for cycle in unjudged["cycles"]]
    assert ["agrees", "agrees"] == [one["word"] for one in unjudged["results"][:2]]


def test_the_newest_cycle_that_is_not_withdrawn_counts():
    cycles = paper_summary("long-form", DAY, short=CAME_OUT), paper_summary("long-form", LATER, short=DID_NOT)
    assert "differs" == figure_of(*cycles)["results"][0]["word"]
    withdrawn = Tombstone(), Tombstone(withdrawn=Withdrawn("2026-12-06", "Wrong."))
    assert "agrees" == figure_of(*cycles, tombstones=withdrawn)["results"][0]["word"]


def test_a_result_that_nobody_measured_has_commands_or_a_reason():
    _first, second, third = figure_of()["results"]
    assert ["make cycle CAMPAIGN=long-form", "make cycle CAMPAIGN=short-form"] == second["commands"]
    assert ("No kernel has it.", False) == (third["reason"], "commands" in third)


def test_a_check_has_median_interval_and_n():
    first, second, _third = figure_of(paper_summary("long-form", DAY, short=CAME_OUT, largest=FEW))["results"]
    assert "What is expected of short." == first["expectations"][0]["says"]
    (check,), (few,) = (one["expectations"][0]["checks"] for one in (first, second))
    shown = ("median", "interval", "n", "verdict")
    assert ["2.04", "2.01 to 2.10", 6, "came out"] == [check[key] for key in shown]
    assert ["2.00", "", 5, "too few trials"] == [few[key] for key in shown]


def test_values_that_are_lower_bounds_say_so():
    bounded = replace(DID_NOT, at_least=3.5)
    result, *_others = figure_of(paper_summary("long-form", DAY, short=bounded))["results"]
    (check,) = result["expectations"][0]["checks"]
    assert ("≥\u00a03.50", "3.20 to ≥\u00a04.00") == (check["median"], check["interval"])


def test_a_cycle_without_a_valid_trial_has_dashes():
    result, *_others = figure_of(paper_summary("long-form", DAY, short=replace(FEW, n=0, median=None)))[
        "results"
    ]
    assert "–" == result["expectations"][0]["checks"][0]["median"]


def test_charts_are_found_by_name_and_by_beginning():
    (chart,) = figure_of(paper_summary("long-form", DAY, short=CAME_OUT))["charts"]
    assert "cycles/long-form/2026-10-01/charts/slowdown-by-size-8mbps.svg" == chart["address"]
    assert "Slowdown by size, Highly constrained (8 Mbps, 50 ms)" == chart["alt"]


def test_charts_are_those_of_the_first_cycle_that_has_some():
    old = replace(paper_summary("long-form", DAY, short=CAME_OUT), charts=())
    figure = figure_of(old, paper_summary("short-form", DAY, short=CAME_OUT))
    assert ["short-form"] == [chart["cycle"]["campaign"] for chart in figure["charts"]]


def test_results_are_counted_by_word():
    counts = page_of(paper_summary("long-form", DAY, short=CAME_OUT, largest=UNDECIDED))["counts"]
    assert [1, 0, 1, 1] == [one["count"] for one in counts]


def test_a_cycle_that_still_runs_is_named_and_judges_nothing():
    running = Provisional("short-form", LATER, 3, 12), Provisional("watchdog", LATER, 3, 12)
    figure = figure_of(running=running)
    assert ["short-form"] == [one["campaign"] for one in figure["running"]]
    assert "not measured here" == figure["results"][0]["word"]
