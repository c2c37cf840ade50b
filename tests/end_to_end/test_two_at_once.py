"""Two trials at once on one host: ten cycles calibrate, and no trial waits for a processor."""

import subprocess
import sys

import duckdb
import pytest
import yaml

from scripts.base.files import ROOT

CYCLES = 10
CAMPAIGN = {
    "title": "Two at once",
    "parallel": 2,
    "services": ["iperf-bbr", "iperf-cubic"],
    "pairs": ["iperf-bbr~iperf-cubic"],
    "trials": {"solo": 1, "solo_attempts": 1, "round": 1, "most": 1, "attempts": 1},
    "trial": {"duration_s": 8, "ignore_first_s": 3, "ignore_last_s": 1},
}
TABLES = ("calibration", "validity")

pytestmark = pytest.mark.soak(minutes=12)


@pytest.fixture(scope="module")
def measured(tmp_path_factory):
    """The folder with ten cycles of the campaign."""
    folder = tmp_path_factory.mktemp("two at once")
    (folder / "definition/services").mkdir(parents=True)
    (folder / "definition/campaign.yaml").write_text(yaml.safe_dump(CAMPAIGN))
    command = [sys.executable, "-m", "snakemake", "--nolock", "--cores", "2", "--scheduler", "greedy"]
    for number in range(1, CYCLES + 1):
        tables = f"{folder}/data/two-at-once/{number}/tables"
        variables = [f"data={folder}/data", "campaign=two-at-once", f"cycle={number}", "provisional=False"]
        targets = [f"{tables}/{name}.parquet" for name in TABLES]
        words = ["--config", *variables, f"definition={folder}/definition", "--", *targets]
        subprocess.run([*command, *words], cwd=ROOT, check=True, capture_output=True)
    return folder


def rows(folder, table, what):
    """Rows of a table over all cycles."""
    files = f"{folder}/data/two-at-once/*/tables/{table}.parquet"
    return duckdb.sql(f"select {what} from read_parquet('{files}')").fetchall()


def test_every_calibration_passes_although_another_trial_runs(measured):
    found = rows(measured, "calibration", "verdict, reason")
    assert 2 * CYCLES == len(found)
    assert [] == [row for row in found if row[0] == "failed"]


def test_no_trial_waited_for_a_processor(measured):
    broken = rows(measured, "validity", "pair, trial, rule, figure, valid, class")
    assert [] == [row for row in broken if "wait" in row[2] and not row[4]]
