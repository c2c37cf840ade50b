"""With a bessd that runs here: OBSERVATORY_BESS names its address."""

import json
import os
import subprocess
import sys

import numpy as np
import pytest
import zstandard

from scripts.plan.campaign_file import load_campaign
from scripts.plan.specification_writer import specification
from testbed.bess.client import BessClient, BessError
from testbed.bess.daemon import make_ready

pytestmark = pytest.mark.traffic


def read_log(path):
    """The queue log's records."""
    with path.open("rb") as packed:
        raw = zstandard.ZstdDecompressor().stream_reader(packed).read()
    length = int.from_bytes(raw[12:16], "little")
    head = json.loads(raw[16 : 16 + length])
    return np.frombuffer(raw[16 + length :], np.dtype([tuple(column) for column in head["record"]]))


def test_a_daemon_left_configured_and_paused_is_taken_over(real_daemon):
    with BessClient(real_daemon.address) as client:
        make_ready(real_daemon)
        client.create_own("delay", "ObservatoryDelay", {"lines": []})
        client.pause()
        make_ready(real_daemon)
        with pytest.raises(BessError, match=r"No module .delay. found"):
            client.ask("delay", "held")


def test_what_is_wrong_in_a_configuration_comes_from_the_switchs_own_parser(real_daemon):
    with BessClient(real_daemon.address) as client:
        make_ready(real_daemon)
        with pytest.raises(BessError, match="unknown key rate_mbps"):
            client.create_own("queue", "ObservatoryQueue", {"rate_mbps": 8})


def test_the_check_finds_all_fine(real_daemon):
    command = [sys.executable, "-m", "testbed", "bess", "check"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert [line.split()[1] for line in done.stdout.splitlines()] == ["fine:"] * 7


@pytest.mark.parametrize("discipline", ["droptail", "fq_codel"])
def test_a_trial_accounts_for_every_packet(real_daemon, tmp_path, discipline):
    config = load_campaign("demo")
    config["trial"] |= {"duration_s": 6, "ignore_first_s": 2}
    config["bottleneck"] = "bess"
    config["settings"]["8mbps"]["discipline"] = discipline
    spec = tmp_path / "spec.json"
    pair = "iperf-cubic~iperf-reno"
    spec.write_text(json.dumps(specification(config, "test", "8mbps", pair, 1)))
    subprocess.run(
        [sys.executable, "-m", "testbed", "run", str(spec), "--into", str(tmp_path / "trial")], check=True
    )
    record = json.loads((tmp_path / "trial/trial.json").read_text())
    assert (record["status"], record["reason"]) == ("completed", None)
    report = record["bottleneck"]
    assert (report["backend"], report["parameters"]["discipline"]) == ("bess", discipline)
    for counts in report["downlink"]["clients"]:
        for unit in ("packets", "bytes"):
            assert counts[f"arrived_{unit}"] == sum(
                counts[f"{fate}_{unit}"] for fate in ("forwarded", "dropped", "left")
            )
    log = read_log(tmp_path / "trial/queue.bin.zst")
    assert len(log) == report["log"]["records"] == report["downlink"]["arrived_packets"]
    assert max(log["backlog_packets"]) <= report["parameters"]["queue_packets"]
    sent = log[(log["verdict"] == 0) | (log["verdict"] == 4)]
    bits = (sent["frame_bytes"][1:-1].astype(int) + 24).sum() * 8
    seconds = (int(sent["departure_ns"][-1]) - int(sent["departure_ns"][1])) / 1e9
    assert bits / seconds <= 8e6 * 1.001 + report["parameters"]["max_burst_bits"] / seconds
    assert not any(name.startswith("ifo-") for name in os.listdir("/sys/class/net"))
