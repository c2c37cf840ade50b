"""Header fields, direction and flows of single packets."""

import struct

import pytest

from tests.extract.reading import read_of_client
from tests.extract.synthetic import (
    ACK,
    CLIENT,
    SYN,
    block,
    capture,
    ethernet,
    ipv4,
    section,
    tcp,
    tcp_frame,
    udp,
    write_compressed,
)

CLIENT6, SERVICE6 = bytes.fromhex("fd00" + "00" * 13 + "02"), bytes.fromhex("fd00" + "00" * 13 + "0a")


def extracted(tmp_path, frames, snaplen=128):
    """Rows and flows of a client's capture of these frames."""
    path = tmp_path / "capture.zst"
    write_compressed(path, capture(list(enumerate(frames)), snaplen) if frames else section())
    facts, rows, flows = read_of_client(path, CLIENT)
    assert facts["status"] == "ok"
    return rows, flows


def ipv6(up, protocol, body):
    ends = CLIENT6 + SERVICE6 if up else SERVICE6 + CLIENT6
    return struct.pack(">IHBB", 0x60000000 | 0x2B << 20, len(body), protocol, 63) + ends + body


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
            "capture": "capture.zst",
            "ip_version": 4,
            "ip_id": 0,
            "ip_ttl": 64,
            "ip_tos": 0,
            "fragment_offset": 0,
            "more_fragments": False,
            "vlan": None,
            "tcp_window": 500,
            "tcp_header_bytes": 32,
            "tcp_window_scale": None,
            "tcp_timestamp": None,
            "tcp_timestamp_echo": None,
            "tcp_sack": None,
            "quic_header": None,
        }
    ]


def test_the_options_of_tcp_in_any_order(tmp_path):
    timestamps = struct.pack(">BBII", 8, 10, 4_000_000_001, 3_000_000_002)
    sack = struct.pack(">BB4I", 5, 18, 10, 20, 30, 4_294_967_295)
    for options in (timestamps + sack, sack + b"\x01\x01\x03\x03\x07" + timestamps + b"\x00"):
        options += bytes(-len(options) % 4)
        rows, _ = extracted(tmp_path, [ethernet(False, 0x0800, ipv4(False, 6, tcp(False, options=options)))])
        assert (rows[0]["tcp_timestamp"], rows[0]["tcp_timestamp_echo"]) == (4_000_000_001, 3_000_000_002)
        assert rows[0]["tcp_sack"] == [10, 20, 30, 4_294_967_295]
        assert rows[0]["tcp_window_scale"] == (7 if b"\x03\x03\x07" in options else None)


def test_options_that_were_not_captured_are_absent_and_counted(tmp_path):
    options = b"\x01\x01" + struct.pack(">BBII", 8, 10, 1, 2)
    frame = ethernet(False, 0x0800, ipv4(False, 6, tcp(False, options=options)))
    path = tmp_path / "capture"
    for snaplen, known in ((66, True), (65, False), (54, False)):
        path.write_bytes(capture([(0, frame)], snaplen))
        facts, rows, _ = read_of_client(path, CLIENT)
        assert (rows[0]["tcp_timestamp"] is not None, facts["cut_headers"]) == (known, 0 if known else 1)


@pytest.mark.parametrize(("first", "expected"), [(0xC3, "long"), (0x41, "short"), (0x80, None), (0x01, None)])
def test_quic_is_detected_by_its_first_byte(tmp_path, first, expected):
    """The header form and the fixed bit are those of RFC 9000, 17.2 and 17.3."""
    body = udp(False, 50)[:8] + bytes([first]) + bytes(49)
    rows, _ = extracted(tmp_path, [ethernet(False, 0x0800, ipv4(False, 17, body))])
    assert rows[0]["quic_header"] == expected


def test_padding_is_not_payload(tmp_path):
    frame = ethernet(False, 0x0800, ipv4(False, 17, udp(False, 0))) + b"\xc3" * 18
    rows, _ = extracted(tmp_path, [frame])
    assert (rows[0]["payload_bytes"], rows[0]["quic_header"]) == (0, None)


def test_of_stacked_tags_the_outermost_is_read(tmp_path):
    inner = struct.pack(">HHH", 300, 0x8100, 7) + struct.pack(">H", 0x0800) + ipv4(False, 6, tcp(False))
    rows, _ = extracted(tmp_path, [ethernet(False, 0x88A8, inner)])
    assert (rows[0]["vlan"], rows[0]["protocol"], rows[0]["direction"]) == (300, 6, "down")


def test_the_protocol_after_extension_headers_is_found(tmp_path):
    """The chain is hop by hop, destination options of 16 bytes, authentication (RFC 4302), TCP."""
    chain = bytes([60, 0]) + bytes(6) + bytes([51, 1]) + bytes(14) + bytes([6, 2]) + bytes(14)
    rows, _ = extracted(tmp_path, [ethernet(True, 0x86DD, ipv6(True, 0, chain + tcp(True, payload=9)))])
    row = rows[0]
    assert (row["protocol"], row["payload_bytes"], row["ip_ttl"], row["ip_tos"]) == (6, 9, 63, 0x2B)
    assert (row["ip_version"], row["ip_id"], row["fragment_offset"]) == (6, None, 0)


@pytest.mark.parametrize(("units", "known"), [(0, True), (185, False)])
def test_fragments_of_ipv6(tmp_path, units, known):
    head = struct.pack(">BBHI", 17, 0, units << 3 | 1, 0xDEADBEEF)
    rows, _ = extracted(tmp_path, [ethernet(True, 0x86DD, ipv6(True, 44, head + udp(True, 90)))])
    row = rows[0]
    assert (row["protocol"], row["ip_id"], row["more_fragments"]) == (17, 0xDEADBEEF, True)
    assert (row["fragment_offset"], row["source_port"] is not None) == (8 * units, known)


def test_a_chain_that_was_not_captured_has_no_protocol(tmp_path):
    body = ipv6(True, 0, bytes([6, 20]) + bytes(166) + tcp(True))
    rows, _ = extracted(tmp_path, [ethernet(True, 0x86DD, body)], 54)
    assert (rows[0]["ip_version"], rows[0]["protocol"], rows[0]["tcp_seq"]) == (6, None, None)


@pytest.mark.parametrize(
    ("link_type", "head"),
    [(113, bytes(14) + b"\x08\x00"), (276, b"\x08\x00" + bytes(18))],
)
def test_linux_cooked_captures(tmp_path, link_type, head):
    path = tmp_path / "capture"
    path.write_bytes(section(link_type=link_type) + block(5, head + ipv4(False, 6, tcp(False, seq=9))))
    facts, rows, _ = read_of_client(path, CLIENT)
    assert (facts["not_ip"], rows[0]["direction"], rows[0]["tcp_seq"]) == (0, "down", 9)


def test_other_links_have_times_and_lengths_only(tmp_path):
    path = tmp_path / "capture"
    path.write_bytes(section(link_type=147) + block(5, ipv4(False, 6, tcp(False))))
    facts, rows, _ = read_of_client(path, CLIENT)
    assert (facts["status"], facts["not_ip"]) == ("ok", 1)
    given = {name: value for name, value in rows[0].items() if value is not None}
    assert given == {"client": "c1", "capture": "capture", "time_ns": 5, "frame_bytes": 40}


def test_both_directions_are_one_flow_oriented_downlink(tmp_path):
    rows, flows = extracted(
        tmp_path, [tcp_frame(True, flags=SYN), tcp_frame(False), tcp_frame(True, port=40001), tcp_frame(True)]
    )
    assert [(row["direction"], row["flow"]) for row in rows] == [("up", 0), ("down", 0), ("up", 1), ("up", 0)]
    ends = {
        "flow": 0,
        "client": "c1",
        "protocol": 6,
        "source": "198.18.1.10",
        "source_port": 5201,
        "destination": "198.18.1.2",
        "destination_port": 40000,
    }
    assert ends == {name: flows[0][name] for name in ends}
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


def test_ipv6_gets_its_direction_from_the_clients_ethernet_address(tmp_path):
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
def test_an_inconsistent_header_is_not_ip(tmp_path, frame):
    rows, _ = extracted(tmp_path, [frame])
    assert (rows[0]["protocol"], rows[0]["ip_bytes"], rows[0]["tcp_seq"]) == (None, None, None)


def test_an_impossible_tcp_header_length_gives_no_payload(tmp_path):
    segment = bytearray(tcp(False, seq=5, payload=100))
    segment[12] = 0x10
    rows, _ = extracted(tmp_path, [ethernet(False, 0x0800, ipv4(False, 6, bytes(segment)))])
    assert (rows[0]["tcp_seq"], rows[0]["payload_bytes"]) == (5, None)


def test_fields_that_were_not_captured_are_null(tmp_path):
    """At every captured length each field is either correct or null."""
    frames = [tcp_frame(False, seq=77, ack=88, payload=200), tcp_frame(True)]
    whole, _ = extracted(tmp_path, frames)
    for snaplen in range(60):
        row = extracted(tmp_path, frames, snaplen)[0][0]
        assert all(value is None or value == whole[0][name] for name, value in row.items()), snaplen
        assert (snaplen >= 34) == (row["ip_bytes"] is not None)
        assert (snaplen >= 54) == (row["tcp_seq"] is not None)
