"""A stall of the switch shows in its report, and what its devices lose meanwhile shows in their counters."""

import time

import pyarrow.parquet as pq
import pytest

from scripts.extract.extract_trial import extract
from testbed.hosts import TRANSMIT_QUEUE_PACKETS
from tests.end_to_end.stalled_switch import measure

STALL_S = 0.4
LEAST_STALL_NS = 350_000_000
PACKETS_IN_STALL = round(500e6 * STALL_S / 8 / 1514)


def longest_stall_ns(report: dict) -> int:
    return max(report["lateness_ns"]["by_second"])


def test_packets_that_a_device_drops_during_a_stall_are_counted():
    """Every other counter is clean: the packets that arrived are accounted for."""
    report, devices = measure(PACKETS_IN_STALL, STALL_S)
    assert longest_stall_ns(report) >= LEAST_STALL_NS
    assert devices.service.sent_dropped >= PACKETS_IN_STALL - TRANSMIT_QUEUE_PACKETS > 0
    assert devices.service.sent_packets == PACKETS_IN_STALL - devices.service.sent_dropped
    downlink = report["downlink"]
    assert downlink["arrived_packets"] == devices.service.sent_packets
    assert downlink["arrived_packets"] == sum(
        downlink[f"{fate}_packets"] for fate in ("forwarded", "dropped", "left")
    )


def test_a_stall_shows_although_no_packet_was_due():
    report, devices = measure(0, STALL_S)
    assert longest_stall_ns(report) >= LEAST_STALL_NS
    assert (0, 0) == (report["lateness_ns"]["count"], report["lateness_ns"]["max"])
    assert (0, 0) == (devices.client.dropped, devices.service.dropped)


@pytest.mark.parametrize("stall_s", [0, STALL_S])
def test_the_stall_of_a_trial_is_in_its_table(start_trial, tmp_path, stall_s):
    running = start_trial("iperf-cubic~iperf-cubic")
    running.wait_for("iperf3", "--client")
    time.sleep(2)  # every second that began before the first client did is over
    switch = running.wait_for("observatory-switch")
    if stall_s:
        switch.suspend()
        time.sleep(stall_s)
        switch.resume()
    assert running.record()["status"] == "completed"
    extract(running.into, tmp_path / "parquet")
    for row in pq.read_table(tmp_path / "parquet/clients.parquet").to_pylist():
        assert row["longest_stall_ns"] >= (LEAST_STALL_NS if stall_s else 0)
        assert row["device_dropped_packets"] == row["service_device_dropped_packets"] == 0
        assert row["service_sent_packets"] == row["arrived_packets"]
        assert row["uplink_arrived_packets"] == row["uplink_forwarded_packets"] > 0
        assert (row["uplink_left_packets"], row["self_hosted"]) == (0, True)
        windows = pq.read_table(tmp_path / "parquet/senders.parquet").column("snd_wnd_bytes").to_pylist()
        assert max(windows) >= row["receive_window_maximum_bytes"]
