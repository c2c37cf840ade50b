"""A real calibration trial at 8 Mbps: the testbed measures the rate, queue and delay of the setting."""

import json
import subprocess
import sys

import pytest

from scripts.base.records import to_json
from scripts.model.specification import CalibrationRound
from scripts.plan.calibration import FLOOD_BYTES
from scripts.plan.campaign_file import load_campaign
from scripts.tables.calibration_gate import judge, next_number, row_of

BEFORE = CalibrationRound(1, "here")


@pytest.fixture(scope="module")
def cycle(tmp_path_factory):
    """The directory of a cycle with its first calibration."""
    directory = tmp_path_factory.mktemp("a cycle")
    (directory / "config.json").write_text(json.dumps(to_json(load_campaign("demo"))))
    number = next_number(directory / "config.json", "test", "8mbps", BEFORE, directory)
    name = f"8mbps/calibration/{number:02d}"
    command = [sys.executable, "-m", "testbed", "run", str(directory / f"plan/specs/{name}.json")]
    subprocess.run([*command, "--into", str(directory / "trials" / name)], check=True)
    return directory


@pytest.fixture(scope="module")
def row(cycle):
    """The row of this calibration in the table `calibration`."""
    return row_of(cycle, "8mbps", 1, cycle / "config.json")


def test_rate_and_capacity_are_those_of_the_setting(row):
    assert (row["status"], row["round"], row["trial"]) == ("completed", 1, 1)
    assert 128 == row["capacity_packets"] == row["queue_packets"]
    for name in ("small", "medium", "large"):
        assert row[f"{name}_rate_mbps"] == pytest.approx(8, rel=0.01), name


def test_probes_find_the_queue_empty_and_take_at_least_the_delay(row):
    assert (200, 0) == (row["probes_sent"], row["lost_probes"])
    assert row["delay_ms"] == pytest.approx(25, abs=1), "half of the RTT without the base RTT"
    assert (
        row["delay_ms"] <= row["added_delay_p50_ms"] <= row["added_delay_p99_ms"] <= row["added_delay_max_ms"]
    )


def test_every_packet_sent_is_accounted_for(cycle):
    trial = cycle / "trials/8mbps/calibration/01"
    counts = json.loads((trial / "trial.json").read_text())["bottleneck"]["downlink"]["clients"][0]
    for unit in ("packets", "bytes"):
        after = counts[f"forwarded_{unit}"] + counts[f"dropped_{unit}"] + counts[f"left_{unit}"]
        assert after == counts[f"arrived_{unit}"]
    report = json.loads((trial / "qoe.json").read_text())["c1"]
    sent = report["probes_sent"] + sum(report["sent"][str(size)] for size in FLOOD_BYTES)
    assert sent <= counts["arrived_packets"] < sent + 100, "plus the messages of the control connection"


def test_a_calibration_that_passed_is_not_measured_again(cycle, row):
    config = cycle / "config.json"
    generous = json.loads(config.read_text())
    generous["calibration"] |= {"rate_error_fraction": 0.01}
    config.write_text(json.dumps(generous))
    assert "calibration of 8mbps, round 1: " in judge(config, "8mbps", 1, cycle)
    assert 1 == next_number(config, "test", "8mbps", BEFORE, cycle)


def test_every_round_and_every_host_has_a_calibration_of_its_own(cycle):
    config = cycle / "config.json"
    assert 2 == next_number(config, "test", "8mbps", CalibrationRound(2, "here"), cycle)
    assert 3 == next_number(config, "test", "8mbps", CalibrationRound(1, "there"), cycle)
    assert 2 == next_number(config, "test", "8mbps", CalibrationRound(2, "here"), cycle), "not measured yet"
