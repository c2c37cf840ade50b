"""What the tables publish about trials drawn from known distributions is true, on 300 draws of a cycle."""

from collections import Counter
from dataclasses import replace

import pyarrow.compute as pc
import pyarrow.parquet as pq
import pytest

from scripts.tables.database import build, connect
from scripts.tables.formulas import add_formulas
from scripts.tables.parameters import bind_parameters
from tests.model.campaigns import NUMBERS
from tests.truth.known_cycle import (
    CAP_MBPS,
    CAPACITY_MBPS,
    EARLIER,
    FULL_MBPS,
    LOAD_S,
    TRUTH,
    WIRE,
    measure,
    median_mbps,
    summarised,
    truth_campaign,
)

pytestmark = pytest.mark.soak(minutes=2)

DRAWS = 300
PAPER = truth_campaign(DRAWS, NUMBERS)
TEN = truth_campaign(DRAWS, replace(NUMBERS, most=NUMBERS.round, attempts=NUMBERS.round))
"""The same with ten trials of every pair, whatever their interval."""

EQUAL_MBPS = CAPACITY_MBPS / 2
CAPPED_MBPS = CAP_MBPS * WIRE
ALLOCATIONS_MBPS = {
    ("bimodal", "steady"): EQUAL_MBPS,
    ("steady", "bimodal"): EQUAL_MBPS,
    ("capped", "steady"): CAPPED_MBPS,
    ("steady", "capped"): CAPACITY_MBPS - CAPPED_MBPS,
    ("noisy", "steady"): EQUAL_MBPS,
    ("steady", "noisy"): EQUAL_MBPS,
    ("starved", "steady"): EQUAL_MBPS,
    ("steady", "starved"): EQUAL_MBPS,
}
"""Max-min fair rates, of incumbent and contender."""
SELF_PAIR_MBPS = {"worse_off": FULL_MBPS / 2 - 0.15, "better_off": FULL_MBPS / 2 + 0.15}


def true_shares():
    """The median share of every cell, by incumbent, contender and instance."""
    shares = {
        ("steady", "steady", instance): rate_mbps * WIRE / EQUAL_MBPS
        for instance, rate_mbps in SELF_PAIR_MBPS.items()
    }
    for (incumbent, contender), allocation_mbps in ALLOCATIONS_MBPS.items():
        first_mbps = median_mbps(TRUTH["~".join(sorted((incumbent, contender)))])
        rate_mbps = first_mbps if incumbent < contender else FULL_MBPS - first_mbps
        shares[incumbent, contender, "first"] = rate_mbps * WIRE / allocation_mbps
    return shares


def rows(folder, table):
    return pq.read_table(folder / f"{table}.parquet").to_pylist()


def by_cell(folder, table):
    """The rows of a table about each cell, one for each draw."""
    cells = {key: [] for key in true_shares()}
    for row in rows(folder, table):
        cells.get((row["incumbent"], row["contender"], row["instance"]), []).append(row)
    assert {DRAWS} == {len(found) for found in cells.values()}
    return cells


def fraction(flags):
    flags = list(flags)
    return sum(flags) / len(flags)


def coverage(folder):
    """The fraction of the intervals of each cell's share that contain the truth."""
    cells = by_cell(folder, "pairs")
    return {
        cell: fraction(
            row["share_low"] <= truth + 1e-9 and truth - 1e-9 <= row["share_high"] for row in cells[cell]
        )
        for cell, truth in true_shares().items()
    }


@pytest.fixture(scope="module")
def cycle(tmp_path_factory):
    """The tables of the cycle as the planner measures it."""
    return summarised(measure(PAPER, TRUTH, 1, tmp_path_factory.mktemp("truth") / "now"), PAPER)


@pytest.fixture(scope="module")
def ten_trials(tmp_path_factory):
    """The tables of the cycle with ten trials of every pair."""
    return summarised(measure(TEN, TRUTH, 1, tmp_path_factory.mktemp("truth") / "ten"), TEN)


def test_the_medians_are_the_true_ones(ten_trials):
    for cell, truth in true_shares().items():
        shares = sorted(row["share_median"] for row in by_cell(ten_trials, "pairs")[cell])
        assert pytest.approx(truth, abs=0.01) == shares[DRAWS // 2], cell


def test_the_intervals_of_ten_trials_have_their_confidence(ten_trials):
    """By the binomial distribution the 2nd to the 9th of ten values cover the median in 97.9 % of draws."""
    assert all(covered >= 0.95 for covered in coverage(ten_trials).values()), coverage(ten_trials)


def test_intervals_that_decided_when_measuring_stopped_keep_it_here(cycle):
    """A cell may stop on an interval that is narrow by luck, so this holds for no other distributions."""
    assert all(covered >= 0.95 for covered in coverage(cycle).values()), coverage(cycle)


def test_a_second_mode_is_marked_where_it_was_seen_although_the_interval_is_narrow(cycle):
    """Of ten trials the 2nd to the 9th are the interval: one trial in the other mode leaves it narrow.

    Such a cell closes at ten. In a tenth of the draws no trial of ten is in the other mode.
    """
    stability = by_cell(cycle, "stability")
    bimodal = stability["bimodal", "steady", "first"]
    assert fraction(not row["unstable"] for row in bimodal) > 0.9
    assert [row["range_mbps"] > 1.5 for row in bimodal] == [row["bimodal"] for row in bimodal]
    assert fraction(row["bimodal"] for row in bimodal) > 0.85
    for cell in (("capped", "steady", "first"), ("steady", "steady", "worse_off")):
        assert not any(row["bimodal"] for row in stability[cell]), cell


def test_the_planner_closes_cells_at_tens(cycle):
    counts = {cell: Counter(row["n"] for row in found) for cell, found in by_cell(cycle, "pairs").items()}
    assert all({10, 20, 30} >= count.keys() for count in counts.values())
    assert {10: DRAWS} == counts["capped", "steady", "first"] == counts["steady", "steady", "worse_off"]
    assert {10, 20, 30} == counts["bimodal", "steady", "first"].keys()


def test_the_findings_name_the_cells_that_lose_and_win(cycle):
    named = {(row["setting"], row["finding"]): row for row in rows(cycle, "findings")}
    true = {
        "cells_losing": "starved/steady",
        "cells_winning": "steady/starved",
        "most_unfair": "starved/steady",
    }
    for finding, cells in true.items():
        found = [named[setting, finding]["rows"] for setting in PAPER.settings]
        assert fraction(cells == one for one in found) > 0.95, finding


def test_page_load_times_have_their_confidence_although_the_loads_of_a_trial_are_alike(cycle):
    """Loads that had not ended at their limit are lower bounds; an interval that reaches them is open."""
    found = [
        row
        for row in rows(cycle, "qoe_pairs")
        if (row["metric"], row["contender"]) == ("web_visually_complete_s", "steady")
    ]
    assert DRAWS == len(found) and {NUMBERS.counted} == {row["n"] for row in found}
    covered = fraction(row["low"] <= LOAD_S <= high_end(row) for row in found)
    assert covered > 0.93, "six values cover the median in 96.9 % of draws; 300 draws have a deviation of 1 %"


def high_end(row):
    """The high end of an interval, which is open if it is a lower bound."""
    is_open = row["at_least"] is not None and row["high"] >= row["at_least"]
    return float("inf") if is_open else row["high"]


BATCH = 10
"""So many draws are one table `changes`: 100 cells, of which 40 changed."""
APART = {("capped", "steady"), ("steady", "capped")}
"""Cells whose trials lie wholly apart from those of the earlier cycle."""
OVERLAPPING = {("starved", "steady"), ("steady", "starved")}
"""Cells that changed in three trials of five."""


@pytest.fixture(scope="module")
def changes(cycle, tmp_path_factory):
    """Tables `changes`, each of BATCH settings, against an earlier cycle."""
    folder = tmp_path_factory.mktemp("changes")
    before = measure(PAPER, EARLIER, 2, folder / "before")
    sources = {"trial_services": cycle, "earlier_trial_services": before}
    tables = {name: pq.read_table(path / "trial_services.parquet") for name, path in sources.items()}
    settings = list(PAPER.settings)
    return [
        changes_of(tables, settings[first : first + BATCH], folder)
        for first in range(0, len(settings), BATCH)
    ]


def changes_of(tables, settings, folder):
    """The rows of `changes` about some settings."""
    inputs = bind_parameters(["beyond", "controls"], PAPER)
    for name, table in tables.items():
        inputs = inputs | {name: folder / f"{name}.parquet"}
        pq.write_table(table.filter(pc.is_in(table["setting"], pc.cast(settings, "string"))), inputs[name])
    with connect() as connection:
        add_formulas(connection)
        return build(connection, "changes", inputs).to_pylist()


def test_changes_are_found_and_nothing_else_is_called_one(changes):
    """Holm's correction keeps the probability of any false change in a table below 5 %."""
    assert fraction(bool(called(table) - APART - OVERLAPPING) for table in changes) <= 0.1
    assert all(row["changed"] for table in changes for row in table if cell_of(row) in APART)
    found = [row["changed"] for table in changes for row in table if cell_of(row) in OVERLAPPING]
    assert 0.3 < fraction(found) < 0.9, "some trials of both cycles are alike"


def called(table):
    """The cells that the table calls changed."""
    return {cell_of(row) for row in table if row["changed"]}


def cell_of(row):
    return row["incumbent"], row["contender"]
