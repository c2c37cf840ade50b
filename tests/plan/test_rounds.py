"""A round as files: its lines, its specifications, and the output of the command."""

import json
from dataclasses import replace

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from scripts.base.records import to_json
from scripts.model.cycle_names import cycle_name
from scripts.model.plan_file import read_plan
from scripts.plan.campaign_file import load_campaign
from scripts.plan.rounds import main
from scripts.plan.trial_services import TrialService
from scripts.tables.table_schema import load_schema


class Cycle:
    """The smoke campaign with two trials per round, in a directory of the test."""

    def __init__(self, data):
        self.data = data
        self.folder = data / "smoke/first"
        self.write_config(load_campaign("smoke"))

    def write_config(self, campaign):
        trials = replace(campaign.trials, solo=1, solo_attempts=1, round=2, most=2, attempts=4)
        self.folder.mkdir(parents=True, exist_ok=True)
        (self.folder / "config.json").write_text(json.dumps(to_json(replace(campaign, trials=trials))))

    def plan(self, number):
        words = ["write", str(number), str(self.folder / "config.json"), "--cycle", "first"]
        words += ["--rows", str(self.folder / "rows"), "--trials", str(self.folder / "trials")]
        return main([*words, "-o", str(self.folder / "plan")])

    def round(self, number):
        return read_plan(self.folder / f"plan/round-{number:02d}.csv")

    def measure(self, number, invalid=()):
        """Rows of every trial of a round; those of the pairs in `invalid` do not count."""
        for line in self.round(number):
            key = line.key
            valid = key.pair not in invalid
            row = TrialService(key.setting, key.pair, key.number, "c1", "s", valid, None, 1.0, "first")
            folder = self.folder / "rows" / key.path
            folder.mkdir(parents=True)
            table = pa.Table.from_pylist([vars(row)], load_schema("trial_services").arrow)
            pq.write_table(table, folder / "trial_services.parquet")


@pytest.fixture
def cycle(tmp_path):
    return Cycle(tmp_path)


def test_each_round_follows_from_the_earlier_ones_until_one_is_empty(cycle, capsys):
    assert 0 == cycle.plan(1)
    cycle.measure(1, invalid=["iperf-bbr~iperf-cubic"])
    assert 0 == cycle.plan(2)
    planned = [("iperf-bbr~iperf-cubic", "03", 9, 2), ("iperf-bbr~iperf-cubic", "04", 10, 2)]
    assert planned == [(line.key.pair, line.key.nn, line.order, line.round) for line in cycle.round(2)]
    cycle.measure(2)
    assert 0 == cycle.plan(3)
    assert [] == cycle.round(3)
    assert capsys.readouterr().out.splitlines() == [
        "cycle first, round 1: 8 trials",
        "cycle first, round 2: 2 trials",
        "cycle first, round 3: none needed, every pair is closed",
    ]


def test_every_trial_of_a_round_has_its_specification(cycle):
    cycle.plan(1)
    specs = {path.relative_to(cycle.folder / "plan/specs") for path in cycle.folder.glob("plan/specs/*/*/*")}
    assert {line.key.path.with_suffix(".json") for line in cycle.round(1)} == specs


def test_the_same_trials_give_the_same_bytes(cycle):
    cycle.plan(1)
    before = (cycle.folder / "plan/round-01.csv").read_bytes()
    cycle.plan(1)
    assert before == (cycle.folder / "plan/round-01.csv").read_bytes()


def test_a_trial_without_rows_is_one_line_and_status_2(cycle, capsys):
    cycle.plan(1)
    assert 2 == cycle.plan(2)
    first = cycle.round(1)[0].key.path
    assert f"{first}/trial_services.parquet: is missing; measure the trial" in capsys.readouterr().err


def test_another_link_in_a_cycle_that_has_begun_is_refused(cycle, capsys):
    cycle.plan(1)
    smoke = load_campaign("smoke")
    cycle.write_config(replace(smoke, settings={"8mbps": replace(smoke.settings["8mbps"], rate_mbps=9)}))
    assert 2 == cycle.plan(1)
    assert "the configuration changed link since cycle first was planned" in capsys.readouterr().err


def test_the_cycle_is_remembered_until_another_is_named(cycle):
    cycle.plan(1)
    assert "first" == cycle_name(str(cycle.data), "smoke")
    assert "second" == cycle_name(str(cycle.data), "smoke", "second")


def test_the_whole_plan_is_the_rounds_one_after_the_other(cycle):
    cycle.plan(1)
    cycle.measure(1, invalid=["iperf-bbr~iperf-cubic"])
    cycle.plan(2)
    rounds = [str(cycle.folder / f"plan/round-0{number}.csv") for number in (1, 2)]
    assert 0 == main(["join", *rounds, "-o", str(cycle.folder / "plan/plan.csv")])
    lines = read_plan(cycle.folder / "plan/plan.csv")
    assert list(range(1, 11)) == [line.order for line in lines]
    assert cycle.round(1) + cycle.round(2) == lines
