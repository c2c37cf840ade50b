"""The kinds of segments: cases worked by hand, and tshark's counts of the same captures."""

import random
import struct
from collections import Counter
from pathlib import Path

import pytest
import zstandard

from tests.extract.analysis import our_counts, read_flows, tshark_counts
from tests.extract.messages import datagram
from tests.extract.synthetic import ACK, CLIENT, MILLISECOND, SYN, capture, ethernet, ipv4

SNAPSHOT = Path(__file__).resolve().parents[2] / "data/snapshots/reference/trials/8mbps"
FIN, RST, PSH = 1, 4, 8
CIRCLE = 2**32


def frame(up, seq, ack=0, flags=ACK, payload=0, window=500, stamp=None, port=40000):
    """A segment of the first client's connection; `stamp` contains its timestamp and its timestamp echo."""
    ports = (port, 5201) if up else (5201, port)
    options = b"" if stamp is None else struct.pack(">HBBII", 0x0101, 8, 10, *stamp)
    words = (5 + len(options) // 4) << 4
    head = struct.pack(">HHIIBBHHH", *ports, seq % CIRCLE, ack % CIRCLE, words, flags, window, 0, 0)
    return ethernet(up, 0x0800, ipv4(up, 6, head + options + bytes(payload)))


def analysed(tmp_path, packets):
    """The rows of flows.parquet of a capture."""
    path = tmp_path / "capture.pcapng"
    path.write_bytes(packets if isinstance(packets, bytes) else capture(packets))
    return read_flows(path, CLIENT)


def assert_equal_to_tshark(tmp_path, packets):
    """Assert that all counts equal tshark's in each connection; return their totals."""
    found = our_counts(analysed(tmp_path, packets))
    assert tshark_counts(tmp_path / "capture.pcapng") == found
    return sum(found.values(), Counter())


def wandering(draw, port):
    """A random connection whose ends send all kinds of segments near the highest sequence number."""
    first = {
        up: draw.choice([1, draw.randrange(CIRCLE), CIRCLE - draw.randrange(20_000)]) for up in (True, False)
    }
    reached = dict(first)
    time_ns, packets = 0, []

    def send(up, seq, flags=ACK, payload=0, window=500):
        nonlocal time_ns
        time_ns += draw.choice([1, 1, 2, 5, 30, 200]) * MILLISECOND
        packets.append((time_ns, frame(up, seq, reached[not up], flags, payload, window, port=port)))
        reached[up] = max(reached[up], seq + payload + bool(flags & (SYN | FIN)))

    send(True, first[True], SYN)
    if draw.random() < 0.3:
        send(True, first[True], SYN)
    send(False, first[False], SYN | ACK)
    for _ in range(80):
        up = draw.random() < 0.5
        edge = reached[up]
        match draw.randrange(10):
            case 0 | 1 | 2:
                send(up, edge, payload=draw.choice([1, 100, 1448]))
            case 3:
                send(up, edge + 1448, payload=1448)
            case 4:
                send(
                    up,
                    max(first[up] + 1, edge - draw.choice([1, 100, 1448, 2896])),
                    payload=draw.choice([1, 100, 1448]),
                )
            case 5:
                send(up, edge - 1, payload=draw.randrange(2))
            case 6:
                send(up, edge, window=0)
            case 7 | 8:
                send(up, edge, window=draw.choice([500, 500, 501]))
            case 9:
                send(up, edge, PSH | ACK, payload=1)
    for up in (True, False):
        edge, payload = reached[up], draw.choice([0, 0, 100])
        send(up, edge, FIN | ACK, payload)
        if draw.random() < 0.5:
            send(up, edge, FIN | ACK, payload)
    if draw.random() < 0.3:
        send(True, reached[True], RST | ACK)
    if draw.random() < 0.5:
        # The ports are used again.
        reached = {up: reached[up] + 1_000_000 for up in reached}
        begin = reached[True]
        send(True, begin, SYN)
        send(False, reached[False], SYN | ACK)
        for _ in range(3):
            send(False, reached[False], payload=1448)
        send(False, reached[False] - 1448, payload=1448)
    return packets


def test_sums_equal_tsharks_for_random_connections(tmp_path):
    # With this seed no next sequence number is 0, which tshark takes for unknown.
    draw = random.Random(41)
    packets = [packet for port in range(40000, 40300) for packet in wandering(draw, port)]
    totals = assert_equal_to_tshark(tmp_path, sorted(packets))
    assert totals["late"] > 2000 and totals["duplicate_acks"] > 1000


@pytest.mark.parametrize("trial", ["iperf-bbr~iperf-cubic/01", "iperf-reno~iperf-reno/01", "iperf-cubic/01"])
def test_sums_equal_tsharks_on_real_trials(tmp_path, trial):
    with open(SNAPSHOT / trial / "client-c1.pcapng.zst", "rb") as file:
        content = zstandard.ZstdDecompressor().stream_reader(file).read()
    assert assert_equal_to_tshark(tmp_path, content)["bytes_in_flight"] > 0


def late_one(tmp_path, stamp, delay_ns, stamps=True):
    """The second of three segments comes `delay_ns` after the third; they are sent at 10, `stamp` and 12."""
    times = [(10, 1000, 0), (12, 3000, MILLISECOND), (stamp, 2000, MILLISECOND + delay_ns)]
    packets = [
        (when, frame(False, seq, payload=1000, stamp=(sent, 1) if stamps else None))
        for sent, seq, when in times
    ]
    (row,) = analysed(tmp_path, packets)
    return row["retransmissions_down"], row["out_of_order_down"]


def test_a_segment_sent_after_the_one_that_overtook_it_is_a_retransmission(tmp_path):
    assert (1, 0) == late_one(tmp_path, stamp=13, delay_ns=MILLISECOND)
    assert (0, 1) == late_one(tmp_path, stamp=11, delay_ns=500 * MILLISECOND)


def test_without_timestamps_a_segment_that_arrives_soon_is_out_of_order(tmp_path):
    assert (0, 1) == late_one(tmp_path, stamp=0, delay_ns=2 * MILLISECOND, stamps=False)
    assert (1, 0) == late_one(tmp_path, stamp=0, delay_ns=50 * MILLISECOND, stamps=False)


def test_a_repeated_segment_is_a_retransmission(tmp_path):
    packets = [(when, frame(False, 1000, payload=1000)) for when in (0, 1)]
    (row,) = analysed(tmp_path, packets)
    assert (1, 0) == (row["retransmissions_down"], row["out_of_order_down"])


def test_each_part_that_fills_a_hole_counts_once(tmp_path):
    order = [(0, 1000), (4000, 1000), (2000, 500), (1000, 1000), (2500, 1500), (2500, 1500)]
    packets = [(when, frame(False, 1 + seq, payload=size)) for when, (seq, size) in enumerate(order)]
    (row,) = analysed(tmp_path, packets)
    assert (1, 3) == (row["retransmissions_down"], row["out_of_order_down"])


def test_rtt_is_the_time_from_the_clients_packet_to_the_first_echo_of_its_timestamp(tmp_path):
    """TSval 7 goes up at 0 and 1 ms, 8 at 2 ms; the echoes arrive at 50, 51 (of 7) and 60 ms (of 8)."""
    up = [(0, 7), (1, 7), (2, 8)]
    down = [(50, 7), (51, 7), (60, 8)]
    packets = [(when * MILLISECOND, frame(True, 1, stamp=(stamp, 3), window=when)) for when, stamp in up]
    packets += [(when * MILLISECOND, frame(False, when, payload=1, stamp=(100, echo))) for when, echo in down]
    packets.append((70 * MILLISECOND, frame(True, 1, stamp=(9, 100))))
    (row,) = analysed(tmp_path, packets)
    assert (2, 50 * MILLISECOND, 50 * MILLISECOND) == (
        row["rtt_samples"],
        row["rtt_min_ns"],
        row["rtt_median_ns"],
    )


def test_timestamps_wrap_around(tmp_path):
    packets = []
    for step, stamp in enumerate((CIRCLE - 1, 0, 1)):
        packets.append((step * 100 * MILLISECOND, frame(True, 1, stamp=(stamp, 3))))
        packets.append(
            ((step * 100 + 20 + step) * MILLISECOND, frame(False, 1 + step, payload=1, stamp=(4, stamp)))
        )
    (row,) = analysed(tmp_path, packets)
    assert (3, 20 * MILLISECOND, 21 * MILLISECOND) == (
        row["rtt_samples"],
        row["rtt_min_ns"],
        row["rtt_median_ns"],
    )


def test_udp_has_no_counts_of_segments(tmp_path):
    (row,) = analysed(tmp_path, [(5, datagram(True, 443, b"x")), (9, datagram(False, 443, b"xyz"))])
    assert (1, 1, 29, 31) == tuple(
        row[f"{what}_{way}"] for what in ("packets", "ip_bytes") for way in ("up", "down")
    )
    assert (5, 9) == (row["first_ns"], row["last_ns"])
    assert {None} == {
        row[name] for name in ("retransmissions_down", "duplicate_acks_up", "rtt_samples", "rtt_min_ns")
    }
