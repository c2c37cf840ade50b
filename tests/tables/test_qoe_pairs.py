"""Medians of censored and of correlated loads, on cells drawn from seeds whose truth is known."""

import random

import pytest

from tests.tables.built import built
from tests.tables.campaigns import campaign

FIGURES = ("q1", "median", "q3", "low", "high")
TRUE_MEDIAN_S = 20.0


def load_row(setting: str, trial: int, load: int, lower_bound_s: float, censored: bool) -> dict:
    return {
        "setting": setting,
        "pair": "iperf~page",
        "trial": trial,
        "client": "c2",
        "service": "page",
        "contender": "iperf",
        "valid": True,
        "load": load,
        "censored": censored,
        "visually_complete_s": lower_bound_s,
        "speed_index_s": lower_bound_s,
    }


def page_load_times(loads: list[dict], folder) -> dict[str, dict]:
    """The row of qoe_pairs for the page load time, by setting."""
    trials = {(row["setting"], row["trial"]): row | {"instance": "first"} for row in loads}
    given = {"trial_services": [*trials.values()], "qoe_web": loads}
    found = built("qoe_pairs", given, folder, campaign()).to_pylist()
    return {row["setting"]: row for row in found if row["metric"] == "web_visually_complete_s"}


def one_load_a_trial(cells: dict[str, list[tuple[float, bool]]], folder) -> dict[str, dict]:
    """The rows of cells with one load in each trial: (lower bound, censored)."""
    loads = [
        load_row(setting, trial, 1, *value)
        for setting, values in cells.items()
        for trial, value in enumerate(values, start=1)
    ]
    return page_load_times(loads, folder)


@pytest.mark.parametrize(
    ("values", "lower_bound", "kaplan_meier"),
    [
        # S(1) = 4/5, S(2) = 3/5, S(3) = 2/5
        ([(1, False), (2, False), (3, False), (45, True), (45, True)], 3, 3),
        # S(1) = 4/5, S(2) = 3/5, and no load is seen to end later
        ([(1, False), (2, False), (45, True), (45, True), (45, True)], 45, None),
        # S(1) = 4/5, S(2) = 3/5, S(4) = 3/5 · 1/2: Kaplan-Meier also uses that 3 was passed
        ([(1, False), (2, False), (3, True), (4, False), (5, True)], 3, 4),
    ],
)
def test_the_median_agrees_with_kaplan_and_meier(values, lower_bound, kaplan_meier, tmp_path):
    row = one_load_a_trial({"link": values}, tmp_path)["link"]
    assert lower_bound == row["median"]
    if row["median"] < row["at_least"]:
        assert kaplan_meier == row["median"]
    else:
        assert kaplan_meier is None or kaplan_meier >= row["median"]


def test_a_figure_is_that_of_the_true_times_or_marked_and_below_it(tmp_path):
    rng = random.Random(7)
    true = {f"link{cell}": [rng.uniform(0, 60) for _ in range(rng.randrange(1, 16))] for cell in range(300)}
    limits = {setting: [rng.choice((15, 30, 45)) for _ in times] for setting, times in true.items()}
    bounded = {
        setting: [(min(t, limit), t > limit) for t, limit in zip(times, limits[setting], strict=True)]
        for setting, times in true.items()
    }
    found = one_load_a_trial(bounded, tmp_path)
    expected = one_load_a_trial({s: [(t, False) for t in times] for s, times in true.items()}, tmp_path)
    marked = 0
    for setting, row in found.items():
        assert sum(censored for _time, censored in bounded[setting]) == row["censored"]
        for figure in (name for name in FIGURES if row[name] is not None):
            if row["at_least"] is None or row[figure] < row["at_least"]:
                assert expected[setting][figure] == row[figure]
            else:
                marked += 1
                assert expected[setting][figure] >= row[figure]
    assert marked > 300


@pytest.mark.parametrize("limit_s", [1000.0, 20.4])
def test_the_interval_keeps_its_confidence_if_the_loads_of_a_trial_are_alike(limit_s, tmp_path):
    """Half of the variance is between trials. An interval over loads covers the median in 70 % of cells."""
    rng, cells, loads = random.Random(3), 1000, []
    for cell in range(cells):
        for trial in range(1, 11):
            of_trial = rng.gauss(0, 0.5**0.5)
            for load in range(1, 11):
                true_s = TRUE_MEDIAN_S + of_trial + rng.gauss(0, 0.5**0.5)
                loads.append(load_row(f"{cell}", trial, load, min(true_s, limit_s), true_s > limit_s))
    rows = page_load_times(loads, tmp_path).values()
    covered = [row["low"] <= TRUE_MEDIAN_S and TRUE_MEDIAN_S <= high_end(row) for row in rows]
    assert sum(covered) / cells > 0.95


def high_end(row: dict) -> float:
    """The high end of the interval, which is open if it is a lower bound."""
    open_ended = row["at_least"] is not None and row["high"] >= row["at_least"]
    return float("inf") if open_ended else row["high"]
