"""A real trial of generated flows: their times and retransmissions agree with capture and queue log."""

import json
import subprocess
import sys
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pyarrow.parquet as pq
import pytest
import zstandard

from scripts.extract.queue_log import queue_writer, write_log
from scripts.extract.sender_samples import senders_table
from scripts.model.services import FlowSchedule, Schedule
from tests.testbed.sample_specification import LINK, sample_specification, write_specification

FIRST_PORT = 10_000
SEGMENT_BYTES = 1448
LONGEST_HEADERS_BYTES = 14 + 20 + 60
"""Ethernet, IPv4 and TCP with all options, such as SACK. Every segment with data is longer here."""

RTT_S = LINK.rtt_ms / 1000
SCHEDULE = FlowSchedule(
    starts_us=(500_000, *range(1_000_000, 2_000_000, 100_000)), sizes_bytes=(SEGMENT_BYTES, *[200_000] * 10)
)
"""A flow of one segment on an idle link, then flows that overfill the short queue."""


@pytest.fixture(scope="module")
def trial(tmp_path_factory) -> Path:
    """The directory of the trial."""
    folder = tmp_path_factory.mktemp("flows")
    short_queue = replace(LINK, queue_packets=32, queue_bdp=None)
    sample = sample_specification("flows-web-cubic", link=short_queue, duration_s=8)
    (client,) = sample.clients
    service = replace(client.service, schedule=Schedule(flows=SCHEDULE))
    specification = replace(sample, clients=(replace(client, service=service),))
    path, into = write_specification(specification, folder / "01.json"), folder / "trials/01"
    subprocess.run([sys.executable, "-m", "testbed", "run", str(path), "--into", str(into)], check=True)
    return into


@pytest.fixture(scope="module")
def flows(trial) -> dict:
    """What the driver observed of the flows."""
    assert "completed" == json.loads((trial / "trial.json").read_text())["status"]
    observation = json.loads((trial / "qoe.json").read_text())["c1"]
    assert "unmet" not in observation
    assert observation["received_bytes"] == sum(SCHEDULE.sizes_bytes)
    return observation["flows"]


def first_times(trial: Path, folder: Path, display_filter: str, port: str) -> dict[int, list[float]]:
    """When each sequence number first was in a matching packet, in Unix seconds, by the flow's number."""
    capture = folder / "capture.pcapng"
    with (trial / "client-c1.pcapng.zst").open("rb") as packed, capture.open("wb") as plain:
        zstandard.ZstdDecompressor().copy_stream(packed, plain)
    command = ["tshark", "-r", str(capture), "-Y", display_filter, "-T", "fields", "-e", port]
    command += ["-e", "tcp.seq_raw", "-e", "frame.time_epoch"]
    times: dict[int, dict[str, float]] = {}
    for line in subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines():
        number, sequence, time_s = line.split("\t")
        times.setdefault(int(number) - FIRST_PORT, {}).setdefault(sequence, float(time_s))
    return {number: list(firsts.values()) for number, firsts in times.items()}


def test_completion_times_agree_with_the_capture(trial, flows, tmp_path):
    """From the first SYN to the last new data: a segment may arrive once more after that."""
    from_client = first_times(trial, tmp_path, "tcp.flags.syn == 1 and tcp.flags.ack == 0", "tcp.srcport")
    to_client = first_times(trial, tmp_path, "tcp.len > 0 and tcp.srcport == 5203", "tcp.dstport")
    for number, (started_ns, last_ns) in enumerate(zip(flows["started_ns"], flows["last_ns"], strict=True)):
        captured_s = max(to_client[number]) - min(from_client[number])
        assert (last_ns - started_ns) / 1e9 == pytest.approx(captured_s, abs=0.02), number


def test_a_flow_of_one_segment_alone_takes_two_rtts(quiet_host, flows):
    ideal_s = SEGMENT_BYTES * 8 / (LINK.rate_mbps * 1e6) + RTT_S
    assert (flows["last_ns"][0] - flows["started_ns"][0]) / 1e9 / ideal_s == pytest.approx(2, abs=0.1)


def test_retransmissions_are_the_segments_that_came_to_the_queue_again(trial, flows, tmp_path):
    """A segment with data or a SYN comes again if an earlier one of its flow had the same sequence number."""
    listed = json.loads((trial / "flows.json").read_text())
    with queue_writer(tmp_path / "queue.parquet") as writer:
        write_log(trial / "queue.bin.zst", [flow["protocol"] for flow in listed], 1, writer)
    rows = pq.read_table(tmp_path / "queue.parquet").sort_by("arrival_ns").to_pylist()
    syns: dict[int, int] = {}
    for row in rows:
        syns.setdefault(row["flow"], row["tcp_seq"])
    sent = Counter(
        (row["flow"], row["tcp_seq"])
        for row in rows
        if row["frame_bytes"] > LONGEST_HEADERS_BYTES or row["tcp_seq"] == syns[row["flow"]]
    )
    again: Counter[int] = Counter()
    for (flow, _), count in sent.items():
        again[listed[flow]["destination_port"] - FIRST_PORT] += count - 1
    assert again.total() > 0, "the short queue dropped segments"
    assert flows["retransmissions"] == [again[number] for number in range(len(SCHEDULE.starts_us))]


def test_no_buffer_of_ours_limited_a_flow(trial, flows):
    rows = senders_table(trial / "senders.jsonl.zst").to_pylist()
    assert {"cubic"} == {row["cca"] for row in rows}
    assert {0} == {row["rwnd_limited_us"] + row["sndbuf_limited_us"] for row in rows}
