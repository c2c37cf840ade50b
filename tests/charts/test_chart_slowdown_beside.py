"""The slowdown of generated flows beside another service: a row for each setting."""

import math
from dataclasses import replace

import pytest

from scripts.charts.chart_labels import make_labels
from scripts.charts.completion_rows import CompletionRow
from scripts.charts.render import to_spec
from scripts.charts.slowdown_beside import PART, slowdown_beside
from scripts.model.campaign import Campaign
from tests.charts.sample_campaign import TITLES
from tests.charts.sample_completions import (
    BULK,
    ONE,
    OTHER,
    OTHER_BULK,
    SETTING,
    WEB,
    completions_campaign,
    few,
    figure,
)
from tests.charts.specs import layers_of, marked, rows_of, subtitle_of, title_of

CAMPAIGN = completions_campaign()
LABELS = make_labels(CAMPAIGN.services)
LINE = f"{WEB} against {BULK}"


def cell(setting: str, contender: str, mean: float, maximum: float) -> list[CompletionRow]:
    """The figures of flows in one setting, and those of the same flows on an ideal link."""
    return [
        figure(WEB, contender, value, setting=setting, metric=metric, statistic=statistic)
        for metric, values in (("slowdown", (mean, maximum)), ("srpt_slowdown", (1.0, 1.125)))
        for statistic, value in zip(("mean", "maximum"), values, strict=True)
    ]


ROWS = [*cell(SETTING, BULK, 8.0, 93.0), *cell(OTHER, BULK, 3.0, 5.0), *cell(SETTING, "", 2.5, 4.0)]


def spec_of(rows: list[CompletionRow] = ROWS, campaign: Campaign = CAMPAIGN) -> dict:
    return to_spec(slowdown_beside(rows, campaign, LABELS))


def shown(spec: dict, flows: str) -> dict[tuple[str, str], float]:
    """The figures of these flows by row and statistic."""
    rows = [row for mark in ("point", "rule") for row in marked(spec, mark) if row.get("flows") == flows]
    return {(row["row"], row["statistic"]): row["slowdown"] for row in rows}


def test_a_row_has_mean_and_maximum_of_the_flows_beside_the_other_service():
    assert shown(spec_of(), "beside") == {
        (TITLES[SETTING], "mean"): 8.0,
        (TITLES[SETTING], "maximum"): 93.0,
        (TITLES[OTHER], "mean"): 3.0,
        (TITLES[OTHER], "maximum"): 5.0,
    }


def test_beside_them_are_the_flows_alone_and_those_on_an_ideal_link():
    spec = spec_of()
    assert shown(spec, "alone") == {(TITLES[SETTING], "mean"): 2.5, (TITLES[SETTING], "maximum"): 4.0}
    assert set(shown(spec, "ideal").values()) == {1.0, 1.125} and len(shown(spec, "ideal")) == 4
    assert "Hollow" in subtitle_of(spec)
    assert "Hollow" not in subtitle_of(spec_of(ROWS[:8]))


def test_the_axis_is_logarithmic_from_the_ideal_with_room_for_the_longest_number():
    (scale,) = {
        str(layer["encoding"]["x"]["scale"])
        for layer in layers_of(spec_of(), "point") + layers_of(spec_of(), "text")
        if "scale" in layer["encoding"]["x"]
    }
    domain = layers_of(spec_of(), "point")[-1]["encoding"]["x"]["scale"]["domain"]
    assert "'type': 'log'" in scale and domain[0] == 1
    assert 310 * (1 - math.log(93) / math.log(domain[1])) > 45


def test_every_maximum_has_its_number():
    (layer,) = [one for one in layers_of(spec_of(), "text") if "row" in rows_of({}, one)[0]]
    assert layer["transform"] == [{"filter": "datum.statistic == 'maximum'"}]
    numbers = [row["text"] for row in rows_of({}, layer) if row["statistic"] == "maximum"]
    assert sorted(numbers) == ["5.0", "93.0"]


def test_settings_are_in_the_order_of_the_campaign_and_equal_titles_have_the_name():
    turned = dict(reversed(CAMPAIGN.settings.items()))
    points = marked(spec_of(campaign=replace(CAMPAIGN, settings=turned)), "point")
    upper = min((row for row in points if row["flows"] == "beside"), key=lambda row: row["y"])
    assert upper["row"] == TITLES[next(iter(turned))]
    alike = {name: replace(one, title="Link") for name, one in CAMPAIGN.settings.items()}
    names = {setting for setting, _ in shown(spec_of(campaign=replace(CAMPAIGN, settings=alike)), "beside")}
    assert names == {f"Link: {SETTING}", f"Link: {OTHER}"}


def test_two_pairs_are_below_each_other_and_differ_in_shape():
    spec = spec_of([*ROWS, *cell(SETTING, OTHER_BULK, 4.0, 9.0)])
    beside = [row for row in marked(spec, "point") if row["flows"] == "beside"]
    places = {(row["line"], row["y"]) for row in beside if row["row"] == TITLES[SETTING]}
    (first, upper), (second, lower) = sorted(places)
    assert (first, second) == (f"{WEB} against {OTHER_BULK}", LINE) and lower - upper == PART
    shapes = layers_of(spec, "point")[-1]["encoding"]["shape"]["scale"]["range"]
    assert len(set(shapes)) == 2


def test_the_title_has_the_highest_maximum_of_those_with_enough_trials():
    assert title_of(spec_of()) == f"Highest median slowdown 93.0, {LINE}, {TITLES[SETTING]}"
    some = [few(row) if row.setting == SETTING else row for row in ROWS]
    assert title_of(spec_of(some)) == f"Highest median slowdown 5.0, {LINE}, {TITLES[OTHER]}"
    seen = spec_of([few(row) for row in ROWS])
    assert title_of(seen).startswith("Seen: highest median slowdown 93.0")


def test_the_subtitle_has_the_campaign_and_its_links():
    assert subtitle_of(spec_of()).startswith(f"{CAMPAIGN.title} 8 Mbps; RTT 50 ms ")


def test_a_flow_that_had_not_ended_makes_a_lower_bound():
    rows = [replace(row, at_least=90.0, censored=3) if row.median == 93.0 else row for row in ROWS]
    spec = spec_of(rows)
    assert "≥ 93.0" in {row["text"] for row in marked(spec, "text") if "row" in row}
    assert f"at least 93.0, {LINE}" in title_of(spec) and "≥: at least so much" in subtitle_of(spec)
    assert "≥: at least" not in subtitle_of(spec_of())
    assert f"{LINE}, maximum slowdown beside: ≥ 93.00" in spec["description"]


@pytest.mark.parametrize(
    "rows",
    [
        [],
        ROWS[8:],
        [replace(row, service=ONE) for row in ROWS],
        [replace(row, contender=WEB) for row in ROWS],
        [replace(row, median=None) for row in ROWS],
    ],
)
def test_without_such_a_pair_there_is_no_chart(rows):
    assert slowdown_beside(rows, CAMPAIGN, LABELS) is None
