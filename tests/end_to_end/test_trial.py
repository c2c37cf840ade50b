"""One real trial leaves its files, and its numbers agree with those of tshark and iperf3."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
import zstandard

from scripts.extract.sender_samples import senders_table
from testbed.hosts import SYSCTLS
from tests.end_to_end.conftest import make_spec


def run_trial(directory: Path, pair: str, duration_s: int) -> Path:
    """Run a trial; its directory."""
    spec, into = make_spec(directory, pair, duration_s), directory / "trials/01"
    subprocess.run([sys.executable, "-m", "testbed", "run", str(spec), "--into", str(into)], check=True)
    return into


@pytest.fixture(scope="module")
def pair_trial(tmp_path_factory) -> Path:
    """The directory of one trial of BBR against Cubic."""
    return run_trial(tmp_path_factory.mktemp("pair trial"), "iperf-bbr~iperf-cubic", duration_s=8)


@pytest.fixture(scope="module")
def record(pair_trial) -> dict:
    return json.loads((pair_trial / "trial.json").read_text())


def tshark(trial: Path, client: str, tmp_path: Path, display_filter: str, *fields: str) -> list[list[str]]:
    """The values of these fields in a client's capture, one list a packet, as tshark reads them."""
    capture = tmp_path / "capture.pcapng"
    with (trial / f"client-{client}.pcapng.zst").open("rb") as packed, capture.open("wb") as plain:
        zstandard.ZstdDecompressor().copy_stream(packed, plain)
    command = ["tshark", "-r", str(capture), "-o", "tcp.desegment_tcp_streams:FALSE", "-Y", display_filter]
    command += ["-T", "fields", *[word for field in fields for word in ("-e", field)]]
    lines = subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()
    return [line.split("\t") for line in lines]


def test_it_is_completed_and_leaves_exactly_its_files(pair_trial, record):
    assert (record["status"], record["reason"]) == ("completed", None)
    assert sorted(path.name for path in pair_trial.iterdir()) == [
        "client-c1.pcapng.zst", "client-c2.pcapng.zst", "flows.json", "logs",
        "qoe.json", "queue.bin.zst", "senders.jsonl.zst", "trial.json",
    ]  # fmt: skip
    assert [path.name for path in pair_trial.parent.iterdir()] == ["01"]


def test_its_programs_come_first_and_the_record_tells_how_long_they_waited(record):
    assert record["host"]["real_time"] == (os.geteuid() == 0)
    assert record["host"]["awake"] == os.access("/dev/cpu_dma_latency", os.W_OK)
    hosts = record["host"]["program_times"]
    assert {"client-c1", "client-c2", "service-c1", "service-c2", "testbed"} == hosts.keys()
    assert {"dumpcap", "iperf3"} <= hosts["client-c1"].keys()
    for times in (hosts["service-c1"]["iperf3"], hosts["testbed"]["observatory-switch"]):
        assert 0 < times["run_s"] < 2 * 8 * (os.cpu_count() or 1)
        assert times["wait_s"] >= 0


def test_arrived_is_forwarded_and_dropped_and_left(record):
    downlink = record["bottleneck"]["downlink"]
    for part in [downlink, *downlink["clients"]]:
        for unit in ("packets", "bytes"):
            accounted = part[f"forwarded_{unit}"] + part[f"dropped_{unit}"] + part[f"left_{unit}"]
            assert part[f"arrived_{unit}"] == accounted
    assert downlink["dropped_packets"] > 0, (
        "a queue of 4 BDP overflows when two controllers probe for capacity"
    )


@pytest.mark.parametrize("client", ["c1", "c2"])
def test_a_capture_holds_exactly_what_was_forwarded(pair_trial, record, tmp_path, client):
    address = next(part["address"] for part in record["clients"] if part["client"] == client)
    packets = tshark(pair_trial, client, tmp_path, f"ip.dst == {address}", "frame.len")
    forwarded = next(part for part in record["bottleneck"]["downlink"]["clients"] if part["name"] == client)
    assert forwarded["forwarded_packets"] == len(packets)
    assert forwarded["forwarded_bytes"] == sum(int(length) for (length,) in packets)


def test_the_first_handshake_takes_the_rtt_of_the_setting(quiet_host, tmp_path):
    """The link is still idle then; only work of others can delay it, so this trial has a quiet host."""
    trial = run_trial(tmp_path, "iperf-cubic", duration_s=5)
    asked_ms = json.loads((trial / "trial.json").read_text())["link"]["rtt_ms"]
    answers = "tcp.flags.syn == 1 and tcp.flags.ack == 1"
    (rtt_s,), *_ = tshark(trial, "c1", tmp_path, answers, "tcp.analysis.ack_rtt")
    assert float(rtt_s) * 1e3 == pytest.approx(asked_ms, abs=1.0)


def in_order_bytes(segments: list[list[str]], seconds: float) -> int:
    """Bytes that a receiver can hand to its program `seconds` after the first one arrived.

    Segments are times, sequence numbers and lengths of one direction of a connection.
    """
    until = min(float(time) for time, _, _ in segments) + seconds
    parts = sorted((int(seq), int(length)) for time, seq, length in segments if float(time) <= until)
    reached = first = parts[0][0]
    for seq, length in parts:
        if seq > reached:
            break
        reached = max(reached, seq + length)
    return reached - first


def test_iperf3_counts_the_bytes_that_the_capture_shows(pair_trial, record, tmp_path):
    """Checked for the client that started first.

    The clock of the other's iperf3 starts late: its first messages wait in a queue that is full already.
    """
    first = min(record["clients"], key=lambda part: part["start_ns"])
    fields = ("tcp.stream", "frame.time_epoch", "tcp.seq", "tcp.len")
    received = f"ip.dst == {first['address']} and tcp.len > 0"
    streams: dict[str, list[list[str]]] = {}
    for stream, *segment in tshark(pair_trial, first["client"], tmp_path, received, *fields):
        streams.setdefault(stream, []).append(segment)
    workload = max(streams.values(), key=len)
    result = json.loads((pair_trial / "qoe.json").read_text())[first["client"]]
    # One retransmission can release many bytes at once, and iperf3 counts at some moment near the end.
    least, most = (in_order_bytes(workload, result["seconds"] + margin_s) for margin_s in (-0.05, 0.05))
    assert 0.99 * least <= result["received_bytes"] <= 1.01 * most


def test_the_kernel_confirms_the_congestion_controls(record):
    assert [["bbr"], ["cubic"]] == [part["cca"] for part in record["clients"]]


def test_services_start_apart_and_run_through_the_window(record):
    first, second = record["clients"]
    assert first["start_ns"] != second["start_ns"]
    for part in (first, second):
        assert part["start_ns"] <= record["window_start_ns"] < record["window_stop_ns"] <= part["stop_ns"]


def test_a_trial_that_exists_is_not_run_again(pair_trial, tmp_path):
    before = (pair_trial / "trial.json").stat()
    command = [
        sys.executable,
        "-m",
        "testbed",
        "run",
        str(tmp_path / "no-such-spec.json"),
        "--into",
        str(pair_trial),
    ]
    assert subprocess.run(command, check=False).returncode == 0
    assert before == (pair_trial / "trial.json").stat()


def test_published_captures_hold_no_payload(pair_trial, tmp_path):
    from scripts.extract.published_trial import publish

    publish(pair_trial, tmp_path / "published")
    published = sorted(path.name for path in (tmp_path / "published").iterdir())
    assert "logs" not in published
    assert "names.json" not in published, "iperf3 names nothing, so no handshakes are captured"
    lengths = tshark(
        tmp_path / "published", "c1", tmp_path, "tcp.len > 0", "frame.cap_len", "tcp.hdr_len", "ip.hdr_len"
    )
    assert lengths
    assert all(int(captured) == 14 + int(ip) + int(tcp) for captured, tcp, ip in lengths)


def test_the_congestion_window_is_the_limit_of_every_sender(pair_trial, record):
    """The buffer sizes are in effect in every namespace, and no buffer limited the bulk flows."""
    for host, found in record["sysctls"].items():
        assert SYSCTLS.items() <= found.items(), host
    assert {"client-c1", "client-c2", "service-c1", "service-c2"} == record["sysctls"].keys()
    rows = senders_table(pair_trial / "senders.jsonl.zst").to_pylist()
    for client, controller in (("c1", "bbr"), ("c2", "cubic")):
        mine = [row for row in rows if row["client"] == client and row["bytes_sent"] > 100_000]
        assert {controller} == {row["cca"] for row in mine}
        assert {0} == {row["rwnd_limited_us"] + row["sndbuf_limited_us"] for row in mine}
        assert all(row["bytes_acked"] <= row["bytes_sent"] for row in mine)
        sent = [row["bytes_sent"] for row in sorted(mine, key=lambda row: row["time_ns"])]
        assert sent == sorted(sent) and len(sent) >= 4


def test_bbr_tells_what_it_estimates_and_cubic_has_nothing_to_tell(pair_trial, record):
    """The estimate of the RTT is at least that of the path, that of the bandwidth about the link at most."""
    rows = senders_table(pair_trial / "senders.jsonl.zst").to_pylist()
    state = ("bbr_bandwidth_bytes_per_s", "bbr_min_rtt_us", "bbr_pacing_gain", "bbr_cwnd_gain")
    assert {None} == {row[name] for row in rows if row["cca"] == "cubic" for name in state}
    *_, last = sorted(
        (row for row in rows if row["cca"] == "bbr" and row["bytes_sent"] > 100_000),
        key=lambda row: row["time_ns"],
    )
    assert 0 < last["bbr_bandwidth_bytes_per_s"] * 8 / 1e6 < 1.5 * record["link"]["rate_mbps"]
    assert last["bbr_min_rtt_us"] / 1000 > record["link"]["rtt_ms"] - 1
    assert last["bbr_pacing_gain"] > 0 and last["bbr_cwnd_gain"] >= 1
