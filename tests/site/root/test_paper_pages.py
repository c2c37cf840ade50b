"""The data of the pages papers/: which cycle a figure takes, and what its results get."""

from dataclasses import replace

import pytest

from scripts.site.data.expectation import NotComparable
from scripts.site.data.summary import ServiceSummary
from scripts.site.root.archive_cycles import Archive, Cycle
from scripts.site.root.paper_pages import MOST_CHARTS, paper_pages
from scripts.snapshot.absent import Tombstone, Withdrawn
from scripts.snapshot.identity import Provisional
from tests.site.root.sample_archive import SETTINGS
from tests.site.root.sample_papers import (
    CAME_OUT,
    DID_NOT,
    FEW,
    FIGURE,
    MOVING,
    OUTSIDE,
    PAPER,
    UNDECIDED,
    paper_summary,
)
from tests.site.sample_figures import share

DAY, LATER = "2026-10-01", "2026-11-01"


def page_of(*summaries, tombstones=(), running=(), paper=PAPER):
    """The page of the paper if these cycles are published, in this order."""
    stones = [*tombstones, *[Tombstone()] * (len(summaries) - len(tombstones))]
    cycles = tuple(Cycle((one,), (stone,), ()) for one, stone in zip(summaries, stones, strict=True))
    return paper_pages(Archive(SETTINGS, cycles, running), {"paper": paper})["paper"]


def figure_of(*summaries, **others):
    """The only figure of the page."""
    (figure,) = page_of(*summaries, **others)["figures"]
    return figure


def results_of(*summaries, **others):
    """The results of the paper, in its order; each has its word."""
    page = page_of(*summaries, **others)
    every = [
        *page["results"],
        *({"word": "not judged"} | one for one in page["shown"]),
        *({"word": "not measured"} | one for one in page["unmeasured"]),
    ]
    return sorted(every, key=lambda one: [result.of for result in FIGURE.results].index(one["of"]))


def campaigns_of(result):
    """The campaigns that judge a result."""
    return [one["campaign"] for one in result["cycles"]]


def causes(result):
    """Why a result is not comparable."""
    return [one["cause"] for one in result["why"]]


def check_of(figure):
    """The first comparison of a figure's first expectation."""
    return figure["expected"][0]["checks"][0]


def test_the_list_of_papers_has_the_first_author():
    alone = replace(PAPER, authors=("A. Author",))
    page = paper_pages(Archive(SETTINGS, (), ()), {"alone": alone})["alone"]
    assert ("A. Author et al.", "A. Author") == (page_of()["first_author"], page["first_author"])


def test_slides_have_neither_year_nor_doi():
    assert ("Venue 2023", "10.1/x") == (page_of()["published"], page_of()["doi"])
    slides = replace(PAPER, year=None, doi=None)
    page = paper_pages(Archive(SETTINGS, (), ()), {"slides": slides})["slides"]
    assert ("Venue", None) == (page["published"], page["doi"])


@pytest.mark.parametrize(
    ("checks", "word"),
    [
        ({"short": CAME_OUT}, "agrees"),
        ({"short": CAME_OUT, "shorter": CAME_OUT}, "agrees"),
        ({"short": CAME_OUT, "shorter": UNDECIDED}, "undecided"),
        ({"short": UNDECIDED, "shorter": DID_NOT}, "differs"),
        ({"short": OUTSIDE}, "not comparable"),
        ({"short": OUTSIDE, "shorter": CAME_OUT}, "agrees"),
        ({"short": OUTSIDE, "shorter": UNDECIDED}, "undecided"),
        ({"short": MOVING}, "not comparable"),
        ({"short": MOVING, "shorter": CAME_OUT}, "not comparable"),
        ({"short": MOVING, "shorter": OUTSIDE}, "not comparable"),
        ({"short": MOVING, "shorter": UNDECIDED}, "undecided"),
        ({"short": MOVING, "shorter": DID_NOT}, "differs"),
        ({"short": FEW}, "not comparable"),
        ({"short": FEW, "shorter": CAME_OUT}, "not comparable"),
        ({"largest": CAME_OUT}, "not measured"),
        ({}, "not measured"),
    ],
)
def test_a_result_agrees_if_all_that_judges_it_came_out(checks, word):
    result, *_others = results_of(paper_summary("form", DAY, **checks))
    assert word == result["word"]


def test_a_check_outside_the_domain_of_its_model_says_why():
    summary = paper_summary("form", DAY, short=OUTSIDE)
    result, *_others = results_of(summary)
    why = "outside the domain of the model (fewer than five ProbeRTT cycles)"
    assert f"not comparable: {why}" == check_of(figure_of(summary))["verdict"]
    assert (["outside the domain of the model"], [why]) == (causes(result), page_of(summary)["reasons"])


def test_a_result_that_is_not_comparable_says_why_once():
    result, *_others = results_of(paper_summary("form", DAY, short=MOVING, shorter=MOVING))
    assert [{"cause": "not settled", "reason": 1}] == result["why"]
    both, *_others = results_of(paper_summary("form", DAY, short=MOVING, shorter=FEW))
    assert [1, None] == [one["reason"] for one in both["why"]], "the cause of the other says all"
    assert ["not settled", "fewer trials than it needs"] == causes(both)


def test_an_experiment_that_is_not_comparable_leaves_the_word_to_the_others():
    moving = paper_summary("form", DAY, short=MOVING)
    for check, word in ((CAME_OUT, "agrees"), (DID_NOT, "differs"), (MOVING, "not comparable")):
        result, *_others = results_of(moving, paper_summary("other", DAY, largest=check))
        assert (word, word == "not comparable") == (result["word"], causes(result) != [])


@pytest.mark.parametrize(
    ("cause", "check", "word"),
    [
        ("another figure than the printed one", CAME_OUT, "agrees"),
        ("another figure than the printed one", DID_NOT, "not comparable"),
        ("another figure than the printed one", UNDECIDED, "undecided"),
        *(
            ("the stand-in cannot show it", check, "not comparable")
            for check in (CAME_OUT, DID_NOT, UNDECIDED)
        ),
    ],
)
def test_another_figure_is_no_evidence_against_a_result_and_a_stand_in_none_at_all(cause, check, word):
    asked = NotComparable(cause, "the paper does not print it")
    first, *others = FIGURE.results
    paper = replace(
        PAPER, figures=(replace(FIGURE, results=(replace(first, not_comparable=asked), *others)),)
    )
    result, *_others = results_of(paper_summary("form", DAY, short=check), paper=paper)
    expected = [cause] if word == "not comparable" else []
    assert (word, expected) == (result["word"], causes(result))


def test_the_long_form_is_taken_if_it_has_a_verdict():
    short = paper_summary("form-short", LATER, short=CAME_OUT, largest=CAME_OUT)
    judged = paper_summary("form", DAY, short=DID_NOT), short
    assert ["form", "form-short"] == [cycle["campaign"] for cycle in figure_of(*judged)["cycles"]]
    assert [["form"], ["form-short"]] == [campaigns_of(one) for one in results_of(*judged)[:2]]
    unjudged = paper_summary("form", DAY, short=FEW), short
    assert ["form-short", "form"] == [cycle["campaign"] for cycle in figure_of(*unjudged)["cycles"]]
    assert ["agrees", "agrees"] == [one["word"] for one in results_of(*unjudged)[:2]]


def test_the_newest_cycle_that_is_not_withdrawn_counts():
    cycles = paper_summary("form", DAY, short=CAME_OUT), paper_summary("form", LATER, short=DID_NOT)
    assert "differs" == results_of(*cycles)[0]["word"]
    withdrawn = Tombstone(), Tombstone(withdrawn=Withdrawn("2026-12-06", "Wrong."))
    assert "agrees" == results_of(*cycles, tombstones=withdrawn)[0]["word"]


def test_a_result_that_nobody_measured_has_commands_or_a_reason():
    _first, second, third, fourth = results_of(paper_summary("other", DAY))
    assert ["make cycle CAMPAIGN=form", "make cycle CAMPAIGN=form-short"] == second["commands"]
    assert ("No kernel has it.", []) == (third["reason"], third["commands"])
    assert ["make cycle CAMPAIGN=form"] == fourth["commands"]
    assert {"not measured"} == {one["word"] for one in (second, third, fourth)}


def test_a_result_of_which_nothing_is_expected_is_not_judged():
    *_others, result = results_of(paper_summary("form", DAY), paper_summary("other", DAY))
    assert ("not judged", "chart a", ["form"]) == (
        result["word"],
        result["by"],
        campaigns_of(result),
    )


def test_a_result_is_judged_by_every_experiment_and_once_by_each():
    forms = (
        paper_summary("form", DAY, short=CAME_OUT),
        paper_summary("form-short", DAY, short=DID_NOT),
    )
    agrees, *_others = results_of(*forms, paper_summary("other", DAY, largest=CAME_OUT))
    assert (["form", "other"], "agrees") == (campaigns_of(agrees), agrees["word"])
    differs, *_others = results_of(*forms, paper_summary("other", DAY, largest=DID_NOT))
    assert "differs" == differs["word"]
    missing, *_others = results_of(*forms)
    assert (["form"], "agrees") == (campaigns_of(missing), missing["word"])


def test_a_check_has_median_interval_and_n():
    figure = figure_of(paper_summary("form", DAY, short=CAME_OUT, largest=FEW))
    first, second = figure["expected"]
    assert "What is expected of short." == first["says"]
    shown = ("median", "interval", "n", "verdict")
    assert ["2.04", "2.01 to 2.10", 6, "came out"] == [first["checks"][0][key] for key in shown]
    few = ["2.00", "", 5, "not comparable: fewer trials than it needs"]
    assert few == [second["checks"][0][key] for key in shown]


def test_an_expectation_of_two_results_is_listed_once():
    both = replace(FIGURE.results[1], of="the same", expectations={"form": ("short",)})
    paper = replace(PAPER, figures=(replace(FIGURE, results=(*FIGURE.results, both)),))
    figure = figure_of(paper_summary("form", DAY, short=CAME_OUT), paper=paper)
    assert ["What is expected of short."] == [one["says"] for one in figure["expected"]]


def test_a_number_is_beside_the_figures_that_measure_it_in_the_first_cycle_that_has_some():
    short = paper_summary("form-short", DAY, short=DID_NOT)
    result, *_others = results_of(paper_summary("form", DAY, short=CAME_OUT), short)
    (drawing,) = result["drawings"]
    assert ("2.04\u00a0times", "2.01 to 2.10", "n\u00a0=\u00a06") == (
        drawing["words"],
        drawing["interval"],
        drawing["trials"],
    )
    result, *_others = results_of(paper_summary("form", DAY, short=CAME_OUT, shorter=DID_NOT))
    assert "2 figures, n\u00a0=\u00a06" == result["drawings"][0]["trials"]
    assert "2.04 to 3.50\u00a0times" == result["drawings"][0]["words"]


def test_a_number_has_the_figures_of_every_experiment_and_says_whose_if_some_are_missing():
    form = paper_summary("form", DAY, short=CAME_OUT)
    result, *_others = results_of(form)
    assert "short" in result["drawings"][0]["only"].lower()
    result, *_others = results_of(form, paper_summary("other", DAY, largest=DID_NOT))
    drawing = result["drawings"][0]
    assert ("2 figures, n\u00a0=\u00a06", "2.04 to 3.50\u00a0times", "") == (
        drawing["trials"],
        drawing["words"],
        drawing["only"],
    )


def test_a_number_that_no_figure_measures_has_no_axis():
    unmeasured = replace(CAME_OUT, n=0, median=None)
    result, *_others = results_of(paper_summary("form", DAY, short=unmeasured))
    assert [] == result["drawings"] and result["says"]


def test_a_result_says_how_many_trials_the_figures_have_that_judge_it():
    cycle = paper_summary("form", DAY, short=CAME_OUT, largest=FEW)
    first, second, *others = results_of(cycle)
    assert ["n\u00a0=\u00a06", "n\u00a0=\u00a05"] == sorted((first["trials"], second["trials"]), reverse=True)
    assert all("trials" not in one for one in others), "nothing judges them"


def test_a_number_of_a_result_without_expectations_is_beside_the_figure_of_the_summary():
    summary = paper_summary("form", DAY)
    measured = (share("bbr", "cubic", 0.75), share("cubic", "bbr", 1.2))
    archive = Archive(SETTINGS, (Cycle((summary,), (Tombstone(),), measured),), ())
    (row,) = paper_pages(archive, {"paper": PAPER})["paper"]["results"]
    (drawing,) = row["drawings"]
    assert ("not judged", "75\u00a0%", True) == (row["word"], drawing["words"], drawing["strip"]["shares"])
    assert "M60 1H90" in [mark["d"] for mark in drawing["strip"]["marks"]]


def test_a_campaign_without_expectations_shows_a_result_until_one_with_expectations_is_measured():
    printed = replace(
        FIGURE.results[1], expectations={"other": ("largest",)}, shown_in=("form",), shown_by="chart a"
    )
    paper = replace(PAPER, figures=(replace(FIGURE, results=(printed,)),))
    page = page_of(paper_summary("form", DAY), paper=paper)
    assert (["chart a"], []) == ([result["by"] for result in page["shown"]], page["results"])
    (result,) = results_of(
        paper_summary("form", DAY), paper_summary("other", DAY, largest=DID_NOT), paper=paper
    )
    assert "differs" == result["word"]


def test_differences_come_first():
    summary = paper_summary("form", DAY, short=CAME_OUT, largest=DID_NOT)
    assert ["differs", "agrees"] == [one["word"] for one in page_of(summary)["results"]]


def test_values_that_are_lower_bounds_say_so():
    bounded = replace(DID_NOT, at_least=3.5)
    check = check_of(figure_of(paper_summary("form", DAY, short=bounded)))
    assert ("≥\u00a03.50", "3.20 to ≥\u00a04.00") == (check["median"], check["interval"])


def test_a_cycle_without_a_valid_trial_has_dashes():
    empty = paper_summary("form", DAY, short=replace(FEW, n=0, median=None))
    assert "–" == check_of(figure_of(empty))["median"]


def test_charts_are_found_by_name_and_by_beginning():
    (chart,) = figure_of(paper_summary("form", DAY, short=CAME_OUT))["charts"]
    assert "cycles/form/2026-10-01/charts/slowdown-by-size-8mbps.svg" == chart["address"]
    assert "How much longer flows of each size take alone, 8\u00a0Mbps" == chart["alt"]


@pytest.mark.parametrize(
    ("chart", "words"),
    [
        ("slowdown-beside", "How much longer short flows take beside a bulk flow"),
        ("sweep-queue-a~b", "Slowdown by size, sweep queue, A against b"),
        ("sweep-queue-a~c", "Slowdown by size, sweep queue a~c"),
        ("dots-8mbps", "Slowdown by size, 8\u00a0Mbps"),
    ],
)
def test_a_chart_has_the_words_of_its_kind_or_else_the_title_of_the_figure(chart, words):
    summary = replace(
        paper_summary("form", DAY), charts=(chart,), services=(ServiceSummary("a", "A", "", ""),)
    )
    cycle = Cycle((summary,), (Tombstone(),), (share("a", "b", 1.0), share("c", "d", 1.0)))
    paper = replace(PAPER, figures=(replace(FIGURE, charts=(chart,)),))
    page = paper_pages(Archive(SETTINGS, (cycle,), ()), {"paper": paper})["paper"]
    assert [words] == [one["alt"] for one in page["figures"][0]["charts"]]


def test_a_figure_has_few_charts_of_a_cycle():
    names = tuple(f"slowdown-by-size-{number}" for number in range(MOST_CHARTS + 1))
    summary = replace(paper_summary("form", DAY, short=CAME_OUT), charts=names)
    charts = [chart["address"].split("/")[-1] for chart in figure_of(summary)["charts"]]
    assert [f"{name}.svg" for name in names[:MOST_CHARTS]] == charts


def test_each_experiment_has_its_charts():
    summaries = paper_summary("form", DAY), paper_summary("form-short", DAY), paper_summary("other", DAY)
    assert ["form", "other"] == [chart["cycle"]["campaign"] for chart in figure_of(*summaries)["charts"]]


def test_charts_are_those_of_the_first_cycle_that_has_some():
    old = replace(paper_summary("form", DAY, short=CAME_OUT), charts=())
    figure = figure_of(old, paper_summary("form-short", DAY, short=CAME_OUT))
    assert ["form-short"] == [chart["cycle"]["campaign"] for chart in figure["charts"]]


def test_results_are_counted_by_word_and_are_parts_of_a_bar():
    counts = page_of(paper_summary("form", DAY, short=CAME_OUT, largest=UNDECIDED))["counts"]
    assert [0, 1, 1, 0, 1, 1] == [one["count"] for one in counts]
    assert [0, 0, 25, 50, 50, 75] == [one["start"] for one in counts]
    assert 100 == sum(one["part"] for one in counts)


def test_a_cycle_that_still_runs_is_named_and_judges_nothing():
    running = Provisional("form-short", LATER, 3, 12), Provisional("watchdog", LATER, 3, 12)
    assert ["form-short"] == [cycle.campaign for cycle in figure_of(running=running)["running"]]
    assert "not measured" == results_of(running=running)[0]["word"]
