"""The drawings of a service's queue beside those of the nearest labelled traces."""

import numpy as np
import pytest

from scripts.model.campaign import read_campaign
from scripts.recognition.__main__ import build
from scripts.site.cycle.inputs import Inputs, Provenance
from scripts.site.cycle.recognition_drawings import recognition_drawings
from scripts.tables.cycle import keep_compared, make_tables
from tests.recognition.hand_cycle import hand_series, kernel_trials, trial, write_cycle
from tests.recognition.hand_traces import LINK, series_of


@pytest.fixture(scope="module")
def cycle(tmp_path_factory):
    """A cycle with labelled traces: Reno, and a service that is limited by itself."""
    folder = tmp_path_factory.mktemp("drawings")
    write_cycle(folder / "library", "2026-01-01", kernel_trials(0))
    build(folder / "library", folder)
    idle = np.concatenate([[LINK.bdp_packets * 1.5], np.full(699, LINK.bdp_packets * 0.2)])
    trials = [
        trial("iperf-bbr", 1, series_of(idle)),
        trial("iperf-reno", 1, hand_series("iperf-reno", 50)),
    ]
    made = write_cycle(folder / "data", "2026-02-01", trials)
    keep_compared(made, folder / "recognition.parquet")
    make_tables(made, {"recognition"})
    return made


def drawings(cycle):
    campaign = read_campaign(cycle / "plan/config.json")
    return recognition_drawings(Inputs(cycle, None, campaign, Provenance("recognition", cycle.name), {}))


def test_the_typical_trial_is_drawn_over_the_nearest_traces(cycle):
    (drawn,) = drawings(cycle)["iperf-reno"]
    assert ["pc", "pc", "pc", "pa"] == [path["class"] for path in drawn["series"]["paths"]]
    assert ("60\u00a0s", "1") == (drawn["series"]["seconds"], drawn["series"]["top"])
    assert "Reno-like" == drawn["row"]["family"]
    assert "50 ms" in drawn["title"]


def test_a_service_that_has_no_typical_trial_has_no_drawing(cycle):
    assert {"iperf-reno"} == {*drawings(cycle)}


def test_without_labelled_traces_there_are_none(cycle):
    labels = cycle / "compared/labels.parquet"
    labels.rename(cycle / "labels")
    try:
        assert {} == drawings(cycle)
    finally:
        (cycle / "labels").rename(labels)
