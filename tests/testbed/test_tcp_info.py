"""What the kernel says of its connections is what `ss` prints of them."""

import re
import socket
import subprocess
import time
from contextlib import suppress

import pytest

from testbed.tcp_info import connections, open_diagnosis

PLAIN = {
    "cwnd_packets": r"\bcwnd:(\d+)",
    "snd_mss_bytes": r"\smss:(\d+)",
    "bytes_sent": r"\bbytes_sent:(\d+)",
    "bytes_acked": r"\bbytes_acked:(\d+)",
}
GROWING = {"busy_us": r"\bbusy:(\d+)ms", "rwnd_limited_us": r"\brwnd_limited:(\d+)ms"}
MILLISECOND_US = 1000


@pytest.fixture
def held_back():
    """The port of a connection whose receiver reads nothing, so that its window closes; and its sender."""
    with (
        socket.create_server(("127.0.0.1", 0)) as server,
        socket.create_connection(server.getsockname()) as sender,
        server.accept()[0],
    ):
        sender.setblocking(False)
        with suppress(BlockingIOError):
            while True:
                sender.send(b"x" * 65_536)
        port = sender.getsockname()[1]
        deadline = time.monotonic() + 60
        while found_at(port)["rwnd_limited_us"] < 100 * MILLISECOND_US:
            assert time.monotonic() < deadline, "the closed window holds nothing back"
            time.sleep(0.02)
        yield port


def found_at(port):
    """Our reading of the connection from this port."""
    with open_diagnosis() as diagnosis:
        (found,) = [each for each in connections(diagnosis) if each["source_port"] == port]
    return found


def test_every_figure_is_the_one_that_ss_prints(held_back):
    """The times grow while the window is closed: what ss prints lies between two readings of ours."""
    before = found_at(held_back)
    printed = subprocess.run(
        ["ss", "-Htin", f"sport = :{held_back}"], check=True, capture_output=True, text=True
    ).stdout
    after = found_at(held_back)
    for name, pattern in PLAIN.items():
        assert before[name] == int(re.search(pattern, printed)[1]), name
    for name, pattern in GROWING.items():
        shown = int(re.search(pattern, printed)[1]) * MILLISECOND_US
        assert before[name] - MILLISECOND_US <= shown <= after[name], name
    assert before["rwnd_limited_us"] >= 100 * MILLISECOND_US
    rtt_ms, min_rtt_ms = (
        re.search(r"\brtt:([\d.]+)/", printed)[1],
        re.search(r"\bminrtt:([\d.]+)", printed)[1],
    )
    assert (before["srtt_us"], before["min_rtt_us"]) == pytest.approx(
        (float(rtt_ms) * 1000, float(min_rtt_ms) * 1000), abs=1
    )
    assert before["cca"] in printed.split()
    assert (" ssthresh:" in printed) == (before["ssthresh_packets"] is not None)
    pacing = re.search(r"pacing_rate ([\d.]+)bps", printed)
    assert before["pacing_rate_bytes_per_s"] * 8 == pytest.approx(float(pacing[1]), rel=0.01)


def test_both_ends_of_a_connection_are_told_apart(held_back):
    found = found_at(held_back)
    assert ("127.0.0.1", "127.0.0.1") == (found["source"], found["destination"])
    assert 0 < found["bytes_acked"] <= found["bytes_sent"]
    assert held_back == found_at(found["destination_port"])["destination_port"]
