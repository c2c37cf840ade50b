"""The capture of handshakes cannot be filled by other packets, and says what it lost."""

import io
import json
import os
import struct
import subprocess
import sys
import time

import pytest

from scripts.base.files import ROOT
from scripts.extract.host_names import names_of
from scripts.extract.trial_files import HANDSHAKES
from testbed.capture import CaptureError, capture_handshakes
from testbed.handshake_selection import (
    ANSWER_BYTES,
    CONNECTION_BYTES,
    TOTAL_BYTES,
    Selected,
    Selection,
    select,
)
from testbed.hosts import Host
from tests.extract.messages import client_hello, datagram, dns, segment
from tests.extract.synthetic import CLIENT, capture, write_compressed

LONG_HEADER = b"\xc3" + bytes(1199)
FRAME_BYTES = 1242
START = 1_795_000_000_123_456_789


def selected(frames):
    """The bytes that are kept of a capture of these frames, one ns apart, and the counts."""
    selection, kept = Selection(CLIENT), io.BytesIO()
    packets = [(START + number, frame) for number, frame in enumerate(frames)]
    select(io.BytesIO(capture(packets, snaplen=65535)), kept, selection)
    return kept.getvalue(), selection.counts


def test_the_first_16_kb_of_a_connection_are_kept_and_the_rest_is_cut():
    frames = [datagram(True, 443, LONG_HEADER)] * 100
    most = -(-CONNECTION_BYTES // FRAME_BYTES)
    content, counts = selected(frames)
    assert counts == Selected(kept_packets=most, cut_packets=100 - most)
    assert content == capture([(START + number, frames[0]) for number in range(most)], snaplen=65535)


def test_of_the_answers_only_the_first_2_kb_are_kept():
    most = -(-ANSWER_BYTES // FRAME_BYTES)
    _, counts = selected([datagram(False, 443, LONG_HEADER)] * 100)
    assert counts == Selected(kept_packets=most, cut_packets=100 - most)


def test_dns_has_no_limit_of_a_connection():
    frames = [datagram(False, 53, dns("a.test", [])), datagram(True, 53, dns("a.test", []))] * 2000
    assert selected(frames)[1] == Selected(kept_packets=4000)


def test_every_connection_has_its_own_limit():
    flood = [datagram(True, 443, LONG_HEADER)] * 100
    other = [
        datagram(True, 443, LONG_HEADER, client_port=9),
        segment(True, 443, 1, b"x"),
        datagram(False, 443, LONG_HEADER),
    ]
    assert selected(flood)[1].kept_packets + 3 == selected([*flood, *other])[1].kept_packets


def test_what_does_not_fit_into_the_total_is_lost_and_not_cut():
    """The connection that had enough before stays cut."""
    count = TOTAL_BYTES // FRAME_BYTES + 10
    frames = [datagram(True, 443, LONG_HEADER)] * 100
    frames += [datagram(True, port, LONG_HEADER) for port in range(1000, 1000 + count)]
    _, counts = selected([*frames, frames[0]])
    assert counts.kept_packets == TOTAL_BYTES // FRAME_BYTES
    assert counts.cut_packets == 100 - -(-CONNECTION_BYTES // FRAME_BYTES) + 1
    assert counts.kept_packets + counts.cut_packets + counts.lost_packets == len(frames) + 1


@pytest.mark.parametrize("cut", [1, 5, 100])
def test_a_cut_last_block_is_left_out(cut):
    frame = datagram(True, 443, LONG_HEADER)
    whole, kept = capture([(1, frame), (2, frame)], snaplen=65535), io.BytesIO()
    select(io.BytesIO(whole[:-cut]), kept, Selection(CLIENT))
    assert kept.getvalue() == capture([(1, frame)], snaplen=65535)


@pytest.mark.parametrize("frame", [b"", b"\0" * 13, b"\0" * 14 + b"\x4f", b"\xff" * 40])
def test_a_frame_without_all_its_headers_is_counted(frame):
    assert selected([frame])[1].kept_packets == 1


def test_a_block_of_an_impossible_length_is_refused():
    with pytest.raises(ValueError, match="4294967295 bytes"):
        select(io.BytesIO(struct.pack("=II", 6, 0xFFFFFFFF)), io.BytesIO(), Selection(CLIENT))


def test_a_client_hello_in_two_segments_keeps_its_name(tmp_path):
    hello = client_hello("www.example.test")
    content, _ = selected([segment(True, 443, 100, hello[:1400]), segment(True, 443, 1500, hello[1400:])])
    write_compressed(tmp_path / HANDSHAKES, content)
    assert [found.name for found in names_of(tmp_path).observations] == ["www.example.test"]


class Speaking(Host):
    """A host on which dumpcap is replaced by a program that writes this and waits."""

    output = ""

    def command(self, *argv):
        return ["sh", "-c", f"echo File: - >&2; printf '{self.output}'; exec sleep 60"]


def test_a_selection_that_breaks_fails_the_trial(tmp_path):
    host = Speaking("client-c1", CLIENT, "02:00:00:00:01:02")
    Speaking.output = r"\377" * 8
    running = capture_handshakes(host, tmp_path / "handshakes.pcapng", tmp_path / "dumpcap.log")
    deadline = time.monotonic() + 20
    with pytest.raises(CaptureError, match=r"^the selection of handshakes on client-c1 ended with status 1$"):
        while time.monotonic() < deadline:
            running.check()
            time.sleep(0.05)
    running.abandon()
    assert "a block of 4294967295 bytes" in (tmp_path / "dumpcap-selection.json").read_text()


def flooded(directory, ports, megabytes):
    """The counts of a real capture under a flood, and the names found in it."""
    if os.geteuid() != 0:
        pytest.skip("needs root")
    isolated = ["unshare", "--mount", "--net", "--pid", "--fork", "--kill-child", "--mount-proc"]
    command = [*isolated, sys.executable, "-m", "tests.testbed.handshake_flood", str(directory)]
    subprocess.run([*command, str(ports), str(megabytes)], cwd=ROOT, check=True, timeout=120)
    write_compressed(directory / HANDSHAKES, (directory / "handshakes.pcapng").read_bytes())
    names = names_of(directory)
    assert names.status == "ok"
    counts = json.loads((directory / "counts.json").read_text())
    return counts, [found.name for found in names.observations]


@pytest.mark.traffic
def test_a_flood_in_one_connection_hides_no_name(tmp_path):
    counts, names = flooded(tmp_path, ports=1, megabytes=50)
    assert names == ["after.test"]
    assert counts["lost_packets"] == 0
    assert counts["kept_packets"] + counts["cut_packets"] == 50 * 834 + 2


@pytest.mark.traffic
def test_a_flood_over_many_connections_is_recorded(tmp_path):
    counts, _ = flooded(tmp_path, ports=2000, megabytes=30)
    assert counts["lost_packets"] > 0
