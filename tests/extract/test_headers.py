"""Header fields, direction and flows of single packets."""

import struct

import pytest

from scripts.extract.flows import FlowTable
from scripts.extract.packets import COUNTERS, PACKETS_SCHEMA, write_capture
from scripts.extract.parquet import RowGroupWriter
from tests.extract.synthetic import (
    ACK,
    CLIENT,
    SYN,
    capture,
    ethernet,
    ipv4,
    section,
    tcp,
    tcp_frame,
    udp,
    write_compressed,
)

pq = pytest.importorskip("pyarrow.parquet")

CLIENT6, SERVICE6 = bytes.fromhex("fd00" + "00" * 13 + "02"), bytes.fromhex("fd00" + "00" * 13 + "0a")


def extracted(tmp_path, frames, snaplen=128):
    """Rows and flows of a capture of these frames."""
    path, out = tmp_path / "capture.zst", tmp_path / "packets.parquet"
    write_compressed(path, capture(list(enumerate(frames)), snaplen) if frames else section())
    flows = FlowTable()
    with RowGroupWriter(out, PACKETS_SCHEMA, COUNTERS) as writer:
        assert write_capture(path, "c1", CLIENT, flows, writer) == "ok"
    return pq.read_table(out).to_pylist(), flows.table().to_pylist()


def ipv6(up, protocol, body):
    ends = CLIENT6 + SERVICE6 if up else SERVICE6 + CLIENT6
    return struct.pack(">IHBB", 0x60000000, len(body), protocol, 64) + ends + body


def arp(up):
    ends = [bytes([198, 18, 1, host]) for host in ((2, 10) if up else (10, 2))]
    return ethernet(
        up, 0x0806, struct.pack(">HHBBH", 1, 0x0800, 6, 4, 1) + bytes(6) + ends[0] + bytes(6) + ends[1]
    )


def test_a_tcp_segment_with_options(tmp_path):
    frame = ethernet(
        False,
        0x0800,
        ipv4(False, 6, tcp(False, 4_000_000_000, 7, SYN | ACK, 300, bytes(12)), options=bytes(8)),
    )
    rows, _ = extracted(tmp_path, [frame])
    assert rows == [
        {
            "client": "c1",
            "time_ns": 0,
            "direction": "down",
            "flow": 0,
            "protocol": 6,
            "source_port": 5201,
            "destination_port": 40000,
            "frame_bytes": 14 + 28 + 32 + 300,
            "ip_bytes": 28 + 32 + 300,
            "payload_bytes": 300,
            "tcp_seq": 4_000_000_000,
            "tcp_ack": 7,
            "tcp_flags": 18,
        }
    ]


def test_both_directions_are_one_flow_oriented_downlink(tmp_path):
    rows, flows = extracted(
        tmp_path, [tcp_frame(True, flags=SYN), tcp_frame(False), tcp_frame(True, port=40001), tcp_frame(True)]
    )
    assert [(row["direction"], row["flow"]) for row in rows] == [("up", 0), ("down", 0), ("up", 1), ("up", 0)]
    assert flows[0] == {
        "flow": 0,
        "client": "c1",
        "protocol": 6,
        "source": "198.18.1.10",
        "source_port": 5201,
        "destination": "198.18.1.2",
        "destination_port": 40000,
    }
    assert [flow["destination_port"] for flow in flows] == [40000, 40001]


def test_a_tagged_udp_datagram(tmp_path):
    rows, flows = extracted(tmp_path, [ethernet(False, 0x0800, ipv4(False, 17, udp(False, 90)), vlan=True)])
    expected = ("down", 17, 443, 41000, 118, 90, None, None, None)
    assert expected == tuple(
        rows[0][name]
        for name in (
            "direction",
            "protocol",
            "source_port",
            "destination_port",
            "ip_bytes",
            "payload_bytes",
            "tcp_seq",
            "tcp_ack",
            "tcp_flags",
        )
    )
    assert flows[0]["protocol"] == 17


def test_ipv6_goes_by_the_clients_ethernet_address(tmp_path):
    frames = [tcp_frame(True)] + [
        ethernet(up, 0x86DD, ipv6(up, 6, tcp(up, payload=9))) for up in (True, False)
    ]
    rows, flows = extracted(tmp_path, frames)
    assert [(row["direction"], row["flow"], row["ip_bytes"], row["payload_bytes"]) for row in rows[1:]] == [
        ("up", 1, 69, 9),
        ("down", 1, 69, 9),
    ]
    assert (flows[1]["source"], flows[1]["destination"]) == ("fd00::a", "fd00::2")


def test_packets_without_ip_have_a_direction_and_nothing_else(tmp_path):
    rows, flows = extracted(tmp_path, [arp(True), arp(False), ethernet(False, 0x88CC, bytes(50))])
    assert [row["direction"] for row in rows] == ["up", "down", "down"]
    assert {None} == {row[name] for row in rows for name in ("flow", "protocol", "ip_bytes", "source_port")}
    assert flows == []


def test_a_later_fragment_has_no_ports(tmp_path):
    rows, _ = extracted(tmp_path, [ethernet(False, 0x0800, ipv4(False, 17, udp(False, 90), fragment=185))])
    assert tuple(
        rows[0][name]
        for name in ("direction", "protocol", "ip_bytes", "source_port", "payload_bytes", "flow")
    ) == ("down", 17, 118, None, None, None)


@pytest.mark.parametrize(
    "frame",
    [
        ethernet(False, 0x0800, b"\x65" + ipv4(False, 6, tcp(False))[1:]),
        ethernet(False, 0x0800, b"\x44" + ipv4(False, 6, tcp(False))[1:]),
        ethernet(False, 0x86DD, ipv4(False, 6, tcp(False)) + bytes(40)),
    ],
)
def test_a_header_that_contradicts_itself_is_not_ip(tmp_path, frame):
    rows, _ = extracted(tmp_path, [frame])
    assert (rows[0]["protocol"], rows[0]["ip_bytes"], rows[0]["tcp_seq"]) == (None, None, None)


def test_an_impossible_tcp_header_length_gives_no_payload(tmp_path):
    segment = bytearray(tcp(False, seq=5, payload=100))
    segment[12] = 0x10
    rows, _ = extracted(tmp_path, [ethernet(False, 0x0800, ipv4(False, 6, bytes(segment)))])
    assert (rows[0]["tcp_seq"], rows[0]["payload_bytes"]) == (5, None)


def test_short_captures_give_nulls_never_garbage(tmp_path):
    """Each field is either right or null, at every captured length."""
    frames = [tcp_frame(False, seq=77, ack=88, payload=200), tcp_frame(True)]
    whole, _ = extracted(tmp_path, frames)
    for snaplen in range(60):
        row = extracted(tmp_path, frames, snaplen)[0][0]
        assert all(value is None or value == whole[0][name] for name, value in row.items()), snaplen
        assert (snaplen >= 34) == (row["ip_bytes"] is not None)
        assert (snaplen >= 54) == (row["tcp_seq"] is not None)
