"""The command on captures outside a trial: its files, output and exit status."""

import gzip
import json

import pyarrow.parquet as pq
import pytest

from scripts.extract.packets import PACKETS_SCHEMA
from tests.extract.reading import run
from tests.extract.synthetic import CLIENT, SECOND, capture, ethernet, ipv4, pcap, tcp_frame, udp

START = 1_795_000_000 * SECOND
FRAMES = [tcp_frame(number % 3 == 0, payload=100) for number in range(6)]


@pytest.fixture
def captures(tmp_path):
    """A pcap capture and a compressed pcapng capture with the same connection."""
    packets = [(START + number * SECOND // 2, frame) for number, frame in enumerate(FRAMES)]
    datagram = ethernet(False, 0x0800, ipv4(False, 17, udp(False, 90)))
    (tmp_path / "one.pcap").write_bytes(pcap(packets))
    (tmp_path / "two.pcapng.gz").write_bytes(gzip.compress(capture([*packets[:2], (START, datagram)])))
    return [tmp_path / "one.pcap", tmp_path / "two.pcapng.gz"]


def test_whole_captures_go_into_one_file(captures, tmp_path, capfd):
    status, output, errors = run(capfd, *captures, "-o", tmp_path / "out.parquet", "--client", CLIENT)
    table = pq.read_table(tmp_path / "out.parquet")
    assert (status, errors) == (0, "")
    assert table.schema.remove_metadata().equals(PACKETS_SCHEMA)
    assert table["capture"].to_pylist() == ["one.pcap"] * 6 + ["two.pcapng.gz"] * 3
    assert table["client"].null_count == 9
    assert table["direction"].to_pylist() == [*["up", "down", "down"] * 2, "up", "down", "down"]
    assert table["flow"].to_pylist() == [0] * 8 + [1]
    assert output.splitlines() == [
        "one.pcap: ok: 6 packets, 2.500 s from 2026-11-18 11:06:40 UTC",
        "two.pcapng.gz: ok: 3 packets, 0.500 s from 2026-11-18 11:06:40 UTC, 1 time jumps",
        "in all: 9 packets, 2 flows",
    ]
    flows = pq.read_table(tmp_path / "out.flows.parquet").to_pylist()
    assert [(flow["flow"], flow["protocol"], flow["source"]) for flow in flows] == [
        (0, 6, "198.18.1.10"),
        (1, 17, "198.18.1.10"),
    ]


def test_without_a_client_packets_have_a_flow_and_no_direction(captures, tmp_path, capfd):
    assert run(capfd, captures[0], "-o", tmp_path / "out.parquet")[0] == 0
    table = pq.read_table(tmp_path / "out.parquet")
    assert table["direction"].null_count == 6
    assert table["flow"].to_pylist() == [0] * 6


def test_a_damaged_capture_is_kept_up_to_the_damage_and_reported(captures, tmp_path, capfd):
    whole = captures[0].read_bytes()
    captures[0].write_bytes(whole[:-7])
    status, output, _ = run(capfd, *captures, "-o", tmp_path / "out.parquet")
    left = 16 + 128 - 7
    assert status == 1
    assert f"one.pcap: cut at byte {len(whole) - left - 7:,}, {left} bytes left: 5 packets" in output
    found = json.loads(pq.read_metadata(tmp_path / "out.parquet").metadata[b"captures"])
    assert [(facts["capture"], facts["status"], facts["bytes_left"]) for facts in found] == [
        ("one.pcap", "cut", left),
        ("two.pcapng.gz", "ok", 0),
    ]


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("text", b"neither of the two", "text: is not a capture"),
        ("empty", b"", "empty: is empty"),
        ("absent", None, "absent: no such file"),
    ],
)
def test_a_file_that_is_not_a_capture_leaves_no_output(captures, tmp_path, capfd, name, content, message):
    if content is not None:
        (tmp_path / name).write_bytes(content)
    (tmp_path / "out").mkdir()
    status, _, errors = run(capfd, captures[0], tmp_path / name, "-o", tmp_path / "out/x.parquet")
    assert status == 2
    assert errors.startswith("error: ") and message in errors
    assert list((tmp_path / "out").iterdir()) == []


@pytest.mark.parametrize("wrong", [("--captures", "x"), ("--client", "a.b.c.d")])
def test_invalid_options_are_rejected(captures, tmp_path, capfd, wrong):
    with pytest.raises(SystemExit) as ended:
        run(capfd, captures[0], "-o", tmp_path / "out.parquet", *wrong)
    assert ended.value.code == 2


def test_a_capture_is_not_overwritten(captures, capfd):
    before = captures[0].read_bytes()
    assert run(capfd, captures[0], "-o", captures[0])[0] == 2
    assert captures[0].read_bytes() == before
