"""The files of config/papers/ name campaigns, expectations and charts that exist. Errors name the key."""

import re
from dataclasses import replace
from functools import cache
from itertools import chain

import pytest

from scripts.base.errors import UserError
from scripts.base.files import ROOT
from scripts.base.yaml_files import load_yaml
from scripts.model.expectations import Check, Expectation
from scripts.plan.campaign_file import campaign_names, load_campaign
from scripts.plan.expectations import check_expectations
from scripts.site.data.claims import FIGURES as CLAIMED
from scripts.site.root.paper_files import PAPERS, read_papers
from scripts.snapshot.choice import OF_ALL_SETTINGS

PAPERS_READ = read_papers()
EXPECTED = {
    name: [one["name"] for one in load_yaml(ROOT / f"config/campaigns/{name}.yaml").get("expectations", [])]
    for name in campaign_names()
}

KINDS = (*CLAIMED, "dots", *(kind.removesuffix("-") for kind in OF_ALL_SETTINGS))
BEGINNINGS = tuple(f"{kind}-" for kind in KINDS)
"""How the names of charts begin."""


@cache
def loaded(campaign):
    """A campaign."""
    return load_campaign(campaign)


@cache
def places_of(campaign):
    """The settings of a campaign; its sweeps, and each with every pair."""
    found = loaded(campaign)
    sweeps = {setting.sweep.of for setting in found.settings.values() if setting.sweep}
    return found.settings, (*sweeps, *(f"{sweep}-{pair}" for sweep in sweeps for pair in found.pairs))


def may_have(campaign, chart):
    """Whether a campaign may have a chart of this name, or with this beginning."""
    if chart.endswith("-") or chart in KINDS:
        return chart.startswith(BEGINNINGS) or chart in KINDS
    settings, sweeps = places_of(campaign)
    of_setting = {f"{kind}-{setting}" for kind in KINDS for setting in settings}
    of_sweep = chart.startswith(BEGINNINGS) and chart.endswith(tuple(f"-{sweep}" for sweep in sweeps))
    return chart in of_setting or of_sweep


def charts_in(words):
    """The charts that a text names."""
    words = re.findall("[a-z0-9~-]+", words)
    return {word for word in words if word.startswith(BEGINNINGS)}


@pytest.mark.parametrize("paper", PAPERS_READ)
def test_the_campaigns_of_a_figure_exist_and_each_judges_or_shows_a_result(paper):
    for figure in PAPERS_READ[paper].figures:
        used = {name for one in figure.results for name in (*one.expectations, *one.shown_in)}
        assert used == set(figure.campaigns) <= set(EXPECTED), figure.name


@pytest.mark.parametrize("paper", PAPERS_READ)
def test_the_charts_that_show_a_result_are_charts_of_its_figure(paper):
    for figure in PAPERS_READ[paper].figures:
        for result in figure.results:
            assert charts_in(result.shown_by or "") <= set(figure.charts), figure.name


@pytest.mark.parametrize("paper", PAPERS_READ)
def test_the_charts_of_a_figure_are_charts_of_one_of_its_campaigns(paper):
    for figure in PAPERS_READ[paper].figures:
        for chart in figure.charts:
            assert any(may_have(name, chart) for name in figure.campaigns), (figure.name, chart)


@pytest.mark.parametrize("paper", PAPERS_READ)
def test_every_expectation_of_a_result_is_one_of_its_campaign(paper):
    for figure in PAPERS_READ[paper].figures:
        for result in figure.results:
            for campaign, names in result.expectations.items():
                assert set() == set(names) - set(EXPECTED[campaign]), (figure.name, campaign)


@pytest.mark.parametrize("paper", PAPERS_READ)
def test_every_figure_of_a_number_is_measured_by_a_campaign_of_its_result(paper):
    for figure in PAPERS_READ[paper].figures:
        for result in figure.results:
            campaigns = {*result.expectations, *result.shown_in}
            for number in result.numbers:
                for key in number.measured:
                    assert any(measures(campaign, key) for campaign in campaigns), (result.of, key)


def measures(campaign, key) -> bool:
    """Whether a campaign measures a figure."""
    expected = Expectation("a", "A.", "a paper", (Check(key, below=1),))
    try:
        check_expectations(replace(loaded(campaign), expectations=(expected,)), campaign)
    except UserError:
        return False
    return True


@pytest.mark.parametrize("paper", PAPERS_READ)
def test_every_number_stands_in_the_text_of_its_result(paper):
    """Percents of fractions, else the number itself; the text of a result writes it as the paper does."""
    for figure in PAPERS_READ[paper].figures:
        for result in figure.results:
            texts = {one.rstrip(".") for one in re.findall("[0-9.]+", result.result)}
            for value in chain.from_iterable(number.numbers for number in result.numbers):
                assert {f"{100 * value:.0f}", f"{value:g}", f"{value:.2f}"} & texts, (result.of, value)


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("year: 2023", "year: soon", r"zapletal\.yaml: year: is 'soon'; it must be a whole number"),
        ("venue: HotNets\n", "", r"zapletal\.yaml: venue: is missing; add it"),
        ("charts: [slowdown-beside]", "chart: a", r"zapletal\.yaml: figures\.3\.chart: unknown key"),
        (
            "not_measured: *traces",
            "",
            r"figures\.0\.results\.1: give exactly one of: expectations; or shown_",
        ),
        ("not_measured: *traces", "shown_in: [zapletal-rtt]", r"results\.1\.shown_by: is missing; add it"),
        (
            "metric: slowdown}",
            "metric: speed}",
            r"Fig 5: Maximum slowdown with FIFO .*: unknown metric speed",
        ),
        (
            "metric: slowdown",
            "metric: fness",
            r"the shortest flows: a number has the metrics fness and slowdown; keep",
        ),
        (", metric: slowdown}", "}", r"Fig 5: Maximum slowdown with FIFO .*: a number has no metric; add"),
        ("{high: 93, ", "{", r"figures\.3\.results\.0\.numbers\.0: "),
        ("low: 6", "low: 13", r"Maximum slowdown with FIFO .*: low: 13 is more than 12; exchange them"),
        ("[zapletal-rtt, ", "[", r"zapletal\.yaml: Fig 6: zapletal-rtt is not in its `campaigns`; add it"),
    ],
)
def test_an_error_names_file_and_key(tmp_path, old, new, problem):
    text = (PAPERS / "zapletal.yaml").read_text(encoding="utf-8")
    assert old in text
    (tmp_path / "zapletal.yaml").write_text(text.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(UserError, match=problem):
        read_papers(tmp_path)
