"""The kernel's counters of a TCP connection are those that `ss` prints."""

import re
import socket
import subprocess
import time
from contextlib import contextmanager, suppress

import pytest

from testbed.tcp_info import COUNTERS, STATE_OF_BBR, connections, open_diagnosis

PLAIN = {
    "cwnd_packets": r"\bcwnd:(\d+)",
    "snd_mss_bytes": r"\smss:(\d+)",
    "bytes_sent": r"\bbytes_sent:(\d+)",
    "bytes_acked": r"\bbytes_acked:(\d+)",
}
GROWING = {"busy_us": r"\bbusy:(\d+)ms", "rwnd_limited_us": r"\brwnd_limited:(\d+)ms"}
MILLISECOND_US = 1000
LIMITED_MS = 100
TIMEOUT_S = 60


@pytest.fixture
def held_back():
    """The sender's port of a connection whose receiver reads nothing, so that its window stays closed."""
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
        wait_until_limited(port)
        yield port


def wait_until_limited(port):
    """Return once the receive window has limited the sender for LIMITED_MS."""
    deadline = time.monotonic() + TIMEOUT_S
    while reading(port).counters["rwnd_limited_us"] < LIMITED_MS * MILLISECOND_US:
        assert time.monotonic() < deadline, "the window never closed"
        time.sleep(0.02)


def reading(port):
    """The connection from this port, as the kernel describes it."""
    with open_diagnosis() as diagnosis:
        (connection,) = [found for found in connections(diagnosis) if found.source_port == port]
    return connection


def printed_by_ss(port):
    """What ss prints of the connection from this port."""
    command = ["ss", "-Htin", f"sport = :{port}"]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def test_every_figure_is_the_one_that_ss_prints(held_back):
    """The times grow while the window is closed: those of ss lie between two readings of ours."""
    connection = reading(held_back)
    before = connection.counters
    printed = printed_by_ss(held_back)
    after = reading(held_back).counters
    for name, pattern in PLAIN.items():
        assert before[name] == int(re.search(pattern, printed)[1]), name
    for name, pattern in GROWING.items():
        shown = int(re.search(pattern, printed)[1]) * MILLISECOND_US
        assert before[name] - MILLISECOND_US <= shown <= after[name], name
    assert before["rwnd_limited_us"] >= LIMITED_MS * MILLISECOND_US
    rtt_ms, min_rtt_ms = (
        re.search(r"\brtt:([\d.]+)/", printed)[1],
        re.search(r"\bminrtt:([\d.]+)", printed)[1],
    )
    assert (before["srtt_us"], before["min_rtt_us"]) == pytest.approx(
        (float(rtt_ms) * 1000, float(min_rtt_ms) * 1000), abs=1
    )
    assert connection.cca in printed.split()
    assert (" ssthresh:" in printed) == (before["ssthresh_packets"] is not None)
    pacing = re.search(r"pacing_rate ([\d.]+)bps", printed)
    assert before["pacing_rate_bytes_per_s"] * 8 == pytest.approx(float(pacing[1]), rel=0.01)


def window_that_ss_prints(port):
    """The window that the receiver advertises. ss does not print one of 0."""
    window = re.search(r"\bsnd_wnd:(\d+)", printed_by_ss(port))
    return int(window[1]) if window else 0


def test_the_advertised_window_is_the_one_that_ss_prints():
    with (
        socket.create_server(("127.0.0.1", 0)) as server,
        socket.create_connection(server.getsockname()) as sender,
        server.accept()[0],
    ):
        port = sender.getsockname()[1]
        assert reading(port).counters["snd_wnd_bytes"] == window_that_ss_prints(port) > 0


def test_a_window_that_is_closed_is_the_one_that_ss_prints(held_back):
    assert reading(held_back).counters["snd_wnd_bytes"] == window_that_ss_prints(held_back) < 65_536


def test_the_two_ends_of_a_connection_are_distinguished(held_back):
    connection = reading(held_back)
    assert ("127.0.0.1", "127.0.0.1") == (connection.source, connection.destination)
    assert 0 < connection.counters["bytes_acked"] <= connection.bytes_sent
    assert held_back == reading(connection.destination_port).destination_port


def test_columns_are_the_fields_and_counters_side_by_side(held_back):
    connection = reading(held_back)
    fields = ("source", "source_port", "destination", "destination_port", "cca")
    assert [*fields, *COUNTERS, *connection.bbr] == [*connection.columns()]


@contextmanager
def idle_after_sending(cca):
    """The sender's port of a connection under this congestion control, whose data is acknowledged."""
    with (
        socket.create_server(("127.0.0.1", 0)) as server,
        socket.socket() as sender,
    ):
        sender.setsockopt(socket.IPPROTO_TCP, socket.TCP_CONGESTION, cca.encode())
        sender.connect(server.getsockname())
        with server.accept()[0] as receiver:
            for _ in range(50):
                sender.sendall(b"x" * 10_000)
                assert receiver.recv(10_000, socket.MSG_WAITALL)
            port = sender.getsockname()[1]
            wait_until_acknowledged(port)
            yield port


def wait_until_acknowledged(port):
    """Return once nothing of the connection is under way, so that its state stands still."""
    deadline = time.monotonic() + TIMEOUT_S
    while reading(port).counters["bytes_acked"] <= 50 * 10_000:
        assert time.monotonic() < deadline, "the data was not acknowledged"
        time.sleep(0.02)


BANDWIDTH_UNITS = {"": 1, "k": 1e3, "M": 1e6, "G": 1e9, "T": 1e12}


def test_the_state_of_bbr_is_the_one_that_ss_prints():
    with idle_after_sending("bbr") as port:
        connection, printed = reading(port), printed_by_ss(port)
    shown = re.search(
        r"bbr:\(bw:([\d.]+)([kMGT]?)bps,mrtt:([\d.]+),pacing_gain:([\d.]+),cwnd_gain:([\d.]+)\)", printed
    )
    bandwidth, min_rtt_us, *gains = connection.bbr.values()
    assert [*STATE_OF_BBR] == [*connection.bbr]
    assert bandwidth * 8 == pytest.approx(float(shown[1]) * BANDWIDTH_UNITS[shown[2]], rel=0.01) and bandwidth
    assert min_rtt_us == pytest.approx(float(shown[3]) * MILLISECOND_US, abs=1)
    assert gains == pytest.approx([float(shown[4]), float(shown[5])], rel=1e-4)


@pytest.mark.parametrize("cca", ["cubic", "reno"])
def test_cubic_and_reno_have_no_state_to_tell(cca):
    with idle_after_sending(cca) as port:
        connection, printed = reading(port), printed_by_ss(port)
    assert (cca, {}) == (connection.cca, connection.bbr)
    assert ":(" not in printed


def test_a_connection_that_has_ended_is_not_listed():
    """Thousands of short flows leave as many connections in TIME-WAIT on the side that closed first."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        with socket.create_connection(server.getsockname()) as client:
            accepted = server.accept()[0]
            port = accepted.getsockname()[1]
            accepted.close()
            assert b"" == client.recv(1)
        assert (
            "TIME-WAIT"
            in subprocess.run(
                ["ss", "-Htan", f"sport = :{port}"], check=True, capture_output=True, text=True
            ).stdout
        )
    with open_diagnosis() as diagnosis:
        assert port not in [found.source_port for found in connections(diagnosis)]
