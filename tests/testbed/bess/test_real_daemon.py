"""Tests with a real bessd on this machine, whose address OBSERVATORY_BESS names."""

import json
import os
import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest
import zstandard

from scripts.model.disciplines import DISCIPLINES, LINUX, VARIANT, switch_options
from testbed.bess.client import BessClient, BessError
from testbed.bess.daemon import make_ready
from tests.testbed.sample_specification import LINK, sample_specification, write_specification

pytestmark = pytest.mark.traffic

QUEUES = [(name, {}) for name in DISCIPLINES] + [
    (name, {VARIANT: LINUX}) for name, discipline in DISCIPLINES.items() if VARIANT in discipline.options
]
"""Every discipline with its options, those given here and otherwise the defaults."""


def read_log(path):
    """The queue log's records."""
    with path.open("rb") as packed:
        raw = zstandard.ZstdDecompressor().stream_reader(packed).read()
    length = int.from_bytes(raw[12:16], "little")
    head = json.loads(raw[16 : 16 + length])
    return np.frombuffer(raw[16 + length :], np.dtype([tuple(column) for column in head["record"]]))


def test_a_daemon_that_was_left_configured_and_paused_is_emptied(real_daemon):
    with BessClient(real_daemon.address) as client:
        make_ready(real_daemon)
        client.create_plugin_module("delay", "ObservatoryDelay", {"lines": []})
        client.pause()
        make_ready(real_daemon)
        with pytest.raises(BessError, match=r"No module .delay. found"):
            client.run_command("delay", "held")


def test_a_wrong_configuration_is_refused_by_the_switchs_own_parser(real_daemon):
    with BessClient(real_daemon.address) as client:
        make_ready(real_daemon)
        with pytest.raises(BessError, match="unknown key rate_mbps"):
            client.create_plugin_module("queue", "ObservatoryQueue", {"rate_mbps": 8})


def test_every_check_succeeds(real_daemon):
    command = [sys.executable, "-m", "testbed", "bess", "check"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert [line.split()[1] for line in done.stdout.splitlines()] == ["fine:"] * 7


@pytest.mark.parametrize(("discipline", "given"), QUEUES, ids=str)
def test_a_trial_accounts_for_every_packet(real_daemon, tmp_path, discipline, given):
    kind = DISCIPLINES[discipline]
    options = kind.defaults() | kind.in_link(given, 128 * 1514, LINK.rate_mbps) | given
    link = replace(LINK, discipline=discipline, discipline_options=options)
    trial = sample_specification("iperf-cubic", "iperf-reno", link=link, bottleneck="bess")
    spec = write_specification(trial, tmp_path / "spec.json")
    subprocess.run(
        [sys.executable, "-m", "testbed", "run", str(spec), "--into", str(tmp_path / "trial")], check=True
    )
    record = json.loads((tmp_path / "trial/trial.json").read_text())
    assert (record["status"], record["reason"]) == ("completed", None)
    report = record["bottleneck"]
    assert (report["backend"], report["parameters"]["discipline"]) == ("bess", discipline)
    assert report["parameters"]["discipline_options"] == switch_options(options)
    for counts in report["downlink"]["clients"]:
        for unit in ("packets", "bytes"):
            assert counts[f"arrived_{unit}"] == sum(
                counts[f"{fate}_{unit}"] for fate in ("forwarded", "dropped", "left")
            )
    for counts in report["uplink"]["clients"]:
        for unit in ("packets", "bytes"):
            assert counts[f"arrived_{unit}"] == counts[unit] + counts[f"left_{unit}"]
    for client in record["clients"]:
        assert {end: counts["sent_dropped"] for end, counts in client["devices"].items()} == {
            "client": 0,
            "service": 0,
        }
    seconds_ran = (record["stop_ns"] - report["lateness_ns"]["start_ns"]) / 1e9
    assert 0 < len(report["lateness_ns"]["by_second"]) <= seconds_ran + 1
    log = read_log(tmp_path / "trial/queue.bin.zst")
    assert len(log) == report["log"]["records"] == report["downlink"]["arrived_packets"]
    assert max(log["backlog_packets"]) <= report["parameters"]["queue_packets"]
    sent = log[(log["verdict"] == 0) | (log["verdict"] == 4)]
    bits = (sent["frame_bytes"][1:-1].astype(int) + 24).sum() * 8
    seconds = (int(sent["departure_ns"][-1]) - int(sent["departure_ns"][1])) / 1e9
    assert bits / seconds <= 8e6 * 1.001 + report["parameters"]["max_burst_bits"] / seconds
    assert not any(name.startswith("ifo-") for name in os.listdir("/sys/class/net"))
