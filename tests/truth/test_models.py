"""Loss events and the models that get them, in trials whose loss events are known."""

from dataclasses import replace

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from scripts.tables.database import build, connect
from scripts.tables.formulas import add_trial_formulas
from tests.tables.built import built
from tests.tables.campaigns import REFERENCE, campaign, service
from tests.truth.sawtooth import CONSTANT, Flow, client, extracted, windows

TRIALS = 10
CAMPAIGN = replace(campaign(service("reno", cca="reno")), settings={"8mbps": REFERENCE.settings["8mbps"]})


def ratio_row(rows, folder):
    """The row of mathis_ratio for these rows of trial_services."""
    found = built("models", {"trial_services": rows}, folder, CAMPAIGN).to_pylist()
    return next(row for row in found if row["metric"] == "mathis_ratio")


def trial_services(tables, folder):
    """The table of one trial from what was extracted."""
    for name, table in tables.items():
        pq.write_table(table, folder / f"{name}.parquet")
    with connect() as connection:
        add_trial_formulas(connection)
        return build(connection, "trial_services", {name: folder / f"{name}.parquet" for name in tables})


def test_the_drops_of_a_sawtooth_give_its_events_and_the_constant_of_mathis(tmp_path):
    """Two trials from packets on. Three drops an event in the mean would make the ratio 1.7 times larger."""
    draw = np.random.default_rng(9)
    trials = [windows(Flow(peak=24, rounds=150), draw) for _ in range(2)]
    tables = [
        trial_services(extracted(number, rounds, draw), tmp_path)
        for number, rounds in enumerate(trials, start=1)
    ]
    row = ratio_row(pa.concat_tables(tables), tmp_path)
    events = sum(lost for rounds in trials for _, lost in rounds)
    drops = sum(pa.concat_tables(tables)["dropped_packets"].to_pylist())
    print(f"drops counted as events | {row['events']} of {drops} | {events}")
    print(f"goodput over the bound of Mathis | {row['median']:.2f} | {CONSTANT:.2f}")
    assert (events, 2) == (row["events"], row["n"]) and drops > 2 * events
    assert pytest.approx(CONSTANT, rel=0.1) == row["median"]


@pytest.mark.parametrize("rounds", [20, 600])
def test_trials_without_a_loss_event_do_not_move_the_ratio(rounds, tmp_path):
    """A cycle has 20 round trips, so some trials of 20 have no event: they leave no median any more."""
    draw = np.random.default_rng(3)
    trials = [client(number, windows(Flow(rounds=rounds), draw)) for number in range(1, 61)]
    lossless = sum(not trial["loss_events"] for trial in trials)
    row = ratio_row(trials, tmp_path)
    print(f"goodput over the bound, {lossless} of 60 trials lossless | {row['median']:.2f} | {CONSTANT:.2f}")
    assert 60 == row["n"] and (lossless > 0) == (rounds == 20)
    assert pytest.approx(CONSTANT, rel=0.1) == row["median"]
