"""A cycle with generated flows: they are no cells of the matrix, and every later step knows them."""

import json
from dataclasses import replace

import pyarrow.parquet as pq
import pytest

from scripts.base.files import write_text
from scripts.charts.__main__ import main as make_charts
from scripts.model.services import Distribution, Generator
from scripts.tables.cycle import make_tables
from scripts.tables.table_list import every_table
from tests.charts.sample_files import cycle_json
from tests.simulated.campaign import configuration, run_cycle
from tests.simulated.testbed import SLOWDOWNS

CUBIC, FLOWS = "iperf-cubic", "flows-cubic"
PAIR = f"{FLOWS}~{CUBIC}"
TRIALS = 6


@pytest.fixture(scope="module")
def cycle(tmp_path_factory):
    """A finished cycle with its tables: a pair of bulk flows, and generated flows against one of them."""
    folder = tmp_path_factory.mktemp("a cycle")
    base = configuration(["iperf-bbr", CUBIC], ["iperf-bbr~iperf-cubic"], solo=1, counted=TRIALS)
    generator = Generator(Distribution("fixed", values=(2000,)), Distribution("exponential", mean=0.5))
    flows = replace(
        base.services[CUBIC],
        name=FLOWS,
        title="Generated flows (Cubic)",
        category="Flows",
        driver="flows",
        metric="completion",
        flows=None,
        generator=generator,
    )
    campaign = replace(base, services={**base.services, FLOWS: flows}, pairs=(*base.pairs, PAIR))
    run_cycle(campaign, {}, folder)
    make_tables(folder, every_table())
    return folder


def table(cycle, name):
    """The rows of a table."""
    return pq.read_table(cycle / f"tables/{name}.parquet").to_pylist()


def test_every_trial_with_generated_flows_is_valid_and_the_pair_closes_by_count(cycle):
    trials = [row for row in table(cycle, "trial_services") if row["service"] == FLOWS]
    assert {(FLOWS, 1), (PAIR, TRIALS)} == {
        (pair, sum(row["valid"] for row in trials if row["pair"] == pair)) for pair in (FLOWS, PAIR)
    }


def test_the_figures_are_those_of_the_flows_in_the_window(cycle):
    rows = [
        row
        for row in table(cycle, "completions")
        if (row["contender"], row["size_class"], row["metric"]) == (CUBIC, "all", "slowdown")
    ]
    found = {row["statistic"]: (row["n"], row["flows"], round(row["median"], 6)) for row in rows}
    first, second, _after_the_window = SLOWDOWNS
    assert (TRIALS, 2 * TRIALS, (first + second) / 2) == found["mean"]
    assert (TRIALS, 2 * TRIALS, second) == found["maximum"]


def test_generated_flows_are_no_cell_and_no_call(cycle):
    assert FLOWS not in {row["incumbent"] for row in table(cycle, "pairs")}
    for name in ("services", "stability", "findings", "qoe_pairs", "qoe_rtc", "qoe_web"):
        assert FLOWS not in str(table(cycle, name)), name


def test_charts_of_such_a_cycle_are_drawn(cycle, tmp_path):
    write_text(cycle / "tables/cycle.json", json.dumps(cycle_json()))
    words = ["cycle", str(cycle / "tables"), "--config", str(cycle / "plan/config.json"), "-o", str(tmp_path)]
    assert make_charts(words) == 0
    names = {path.stem for path in tmp_path.glob("*.svg")}
    assert "share-8mbps" in names and f"dots-8mbps-{PAIR}" in names
    assert {"slowdown-beside"} == {name for name in names if name.startswith(("slowdown", "completion"))}
