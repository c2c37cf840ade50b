"""How often the intervals of loss events and of the ratio to Mathis cover the truth, over many cells."""

from dataclasses import replace

import numpy as np
import pytest

from tests.tables.built import built
from tests.tables.campaigns import REFERENCE, campaign, service
from tests.truth.rates import told
from tests.truth.sawtooth import Flow, client, windows

pytestmark = pytest.mark.soak(minutes=1)

CELLS, LONG = 400, 4000
"""The cells of a world, and the trials that tell its truth."""


@pytest.mark.parametrize("between", [0.0, 0.2, 0.4])
@pytest.mark.parametrize(("trials", "rounds"), [(6, 60), (10, 600), (30, 60)])
def test_the_intervals_cover_the_truth(between, trials, rounds, tmp_path):
    """Trials of 60 round trips have three loss events, those of 600 thirty; `between` is how trials differ.

    The interval of the ratio is that of the median at the pooled p. It leaves the error of p out, which shows
    only where trials are equal in all else.
    """
    flow, draw = Flow(between=between, rounds=rounds), np.random.default_rng(11)
    p, ratio = _truth([client(1, windows(flow, draw)) for _ in range(LONG)])
    rows = [
        client(trial, windows(flow, draw)) | {"setting": f"draw-{cell}"}
        for cell in range(CELLS)
        for trial in range(1, trials + 1)
    ]
    settings = {f"draw-{cell}": REFERENCE.settings["8mbps"] for cell in range(CELLS)}
    merged = replace(campaign(service("reno", cca="reno")), settings=settings)
    found = built("models", {"trial_services": rows}, tmp_path, merged).to_pylist()
    found = [row for row in found if row["metric"] == "mathis_ratio"]
    rate = np.mean([row["event_rate_low"] <= p <= row["event_rate_high"] for row in found])
    median = np.mean([row["low"] <= ratio <= row["high"] for row in found])
    world = f"{trials} trials of {rounds} round trips that differ by {between:.0%}"
    told(f"interval of loss events per packet covers it, {world}", f"{rate:.3f}", "≥ 0.92")
    told(f"interval of the ratio to Mathis covers it, {world}", f"{median:.3f}", "≥ 0.88")
    assert rate >= 0.92 and median >= 0.88


def _truth(trials):
    """The loss events per packet, and the median ratio at this rate."""
    p = sum(trial["loss_events"] for trial in trials) / sum(trial["arrived_packets"] for trial in trials)
    per_round = np.median([trial["arrived_packets"] / trial["window_s"] * 0.1 for trial in trials])
    return p, float(per_round * np.sqrt(p))
