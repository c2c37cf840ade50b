"""The worked example: which pair and trial the method page follows, and what it takes from the tables."""

import random
import re
from dataclasses import dataclass, replace
from itertools import combinations_with_replacement
from pathlib import Path

import pytest

from scripts.model.pairs import is_solo, pair_name
from scripts.site.cycle.example import worked_example
from scripts.site.cycle.inputs import Inputs, Provenance
from tests.charts.sample_campaign import SERVICES, campaign_of, merged_config
from tests.charts.sample_cycle import per_trial_rows, summarised, trial_rows

SETTING = "8mbps"
BBR, CUBIC = "iperf-bbr", "iperf-cubic"


@dataclass(frozen=True)
class Sample:
    """A cycle in memory."""

    inputs: Inputs

    def rows(self, table: str, **key: object) -> list[dict]:
        """The rows of a table with these values."""
        return [row for row in self.inputs.tables[table] if key.items() <= row.items()]


def sample(trials: int, names: list[str]) -> Sample:
    """These pairs and solos, each with so many trials."""
    rng = random.Random(4)
    rows = [
        row
        for name in sorted(names)
        for number in range(1, trials + 1)
        for row in trial_rows(rng, SETTING, name, number)
    ]
    campaign = campaign_of(merged_config())
    tables = summarised(per_trial_rows(rng, [rows]), campaign)
    lists = {"plan": []} | {name: table.to_pylist() for name, table in tables.items()}
    return Sample(Inputs(Path("cycle"), None, campaign, Provenance("demo", "one"), lists, {}))


EVERY = [*SERVICES, *map(pair_name, combinations_with_replacement(SERVICES, 2))]


@pytest.fixture(scope="module")
def seven() -> Sample:
    """A cycle with seven trials of each pair, of which one is invalid."""
    return sample(7, EVERY)


def valid_shares(cycle: Sample, service: str) -> list[float]:
    """The shares of a service in the valid trials of the example's pair."""
    rows = cycle.rows("trial_fairness", pair=pair_name([BBR, CUBIC]), service=service, valid=True)
    return [row["share"] for row in rows]


def test_it_is_the_pair_with_the_lowest_share_and_that_service_comes_first(seven):
    example = worked_example(seven.inputs)
    assert (SETTING, pair_name([BBR, CUBIC])) == (example["setting"], example["pair"])
    assert [BBR, CUBIC] == [side["incumbent"] for side in example["sides"]]
    others = [row for row in seven.inputs.tables["pairs"] if row["incumbent"] != row["contender"]]
    assert min(row["share_median"] for row in others) == example["sides"][0]["share_median"]


def test_its_numbers_are_those_of_the_tables(seven):
    example = worked_example(seven.inputs)
    for side, other in zip(example["sides"], [CUBIC, BBR], strict=True):
        (row,) = seven.rows("pairs", incumbent=side["incumbent"], contender=other)
        assert row.items() <= side.items()
        shares = valid_shares(seven, side["incumbent"])
        assert row["n"] == len(shares) == 6
        dots = "".join(mark["d"] for mark in side["strip"]["marks"] if mark["class"].startswith("d"))
        assert {min(200, round(100 * share)) for share in shares} == {
            int(place) for place in re.findall(r"M(\d+)", dots)
        }


def test_its_trial_is_valid_and_the_nearest_to_the_median(seven):
    example = worked_example(seven.inputs)
    median = example["sides"][0]["share_median"]
    nearest = min(valid_shares(seven, BBR), key=lambda share: abs(share - median))
    assert nearest == example["trial"]["share"]
    number = int(example["trial"]["nn"])
    for service, client in example["trial"]["clients"].items():
        (row,) = seven.rows("trial_services", pair=example["pair"], trial=number, service=service)
        assert row["valid"] and client.items() <= row.items()


def test_few_trials_have_no_interval_and_no_verdict():
    example = worked_example(sample(1, EVERY).inputs)
    assert [None, None] == [side["share_low"] for side in example["sides"]]
    assert {"too few trials"} == {side["words"] for side in example["sides"]}


@pytest.mark.parametrize("kept", [is_solo, lambda name: name in (pair_name([BBR, BBR]), BBR)])
def test_a_cycle_without_two_services_in_a_pair_has_none(kept):
    assert worked_example(sample(1, [name for name in EVERY if kept(name)]).inputs) is None


def test_the_test_of_the_pair_is_shown_if_the_cycle_has_it(seven):
    (row,) = seven.rows("verdicts", pair=pair_name([BBR, CUBIC]))
    assert row == worked_example(seven.inputs)["test"]
    without = {name: rows for name, rows in seven.inputs.tables.items() if name != "verdicts"}
    assert worked_example(replace(seven.inputs, tables=without))["test"] is None
