"""Every column of every packet of real traffic equals tshark's, in each format and compression."""

import gzip
import os
import shutil
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest
import zstandard

from scripts.extract.packets import PACKETS_SCHEMA
from scripts.extract.published_capture import publish
from tests.extract import mixed_traffic
from tests.extract.analysis import our_counts, read_flows, tshark_counts
from tests.extract.reading import read

ROOT = Path(__file__).resolve().parents[2]
pytestmark = pytest.mark.traffic

# The fields of tshark for each column. Of several, the first one that the packet has is taken.
FIELDS = {
    "time_ns": ["frame.time_epoch"],
    "protocol": ["ip.proto", "ipv6.fraghdr.nxt", "ipv6.dstopts.nxt", "ipv6.hopopts.nxt", "ipv6.nxt"],
    "source_port": ["tcp.srcport", "udp.srcport"],
    "destination_port": ["tcp.dstport", "udp.dstport"],
    "frame_bytes": ["frame.len"],
    "ip_bytes": ["ip.len", "ipv6.plen"],
    "payload_bytes": ["tcp.len", "udp.length"],
    "tcp_seq": ["tcp.seq_raw"],
    "tcp_ack": ["tcp.ack_raw"],
    "tcp_flags": ["tcp.flags"],
    "ip_version": ["ip.version", "ipv6.version"],
    "ip_id": ["ip.id", "ipv6.fraghdr.ident"],
    "ip_ttl": ["ip.ttl", "ipv6.hlim"],
    "ip_tos": ["ip.dsfield", "ipv6.tclass"],
    "fragment_offset": ["ip.frag_offset", "ipv6.fraghdr.offset"],
    "more_fragments": ["ip.flags.mf", "ipv6.fraghdr.more"],
    "vlan": ["ieee8021ad.id", "vlan.id"],
    "tcp_window": ["tcp.window_size_value"],
    "tcp_header_bytes": ["tcp.hdr_len"],
    "tcp_window_scale": ["tcp.options.wscale.shift"],
    "tcp_timestamp": ["tcp.options.timestamp.tsval"],
    "tcp_timestamp_echo": ["tcp.options.timestamp.tsecr"],
    "tcp_sack": ["tcp.options.sack_le", "tcp.options.sack_re"],
    "quic_header": ["quic.header_form"],
}
PREFERENCES = ["ip.defragment:FALSE", "ipv6.defragment:FALSE", "tcp.relative_sequence_numbers:FALSE"]
ODD_FRAMES = (40000, 5201)
TRANSPORT = {"source_port", "destination_port", "payload_bytes", "quic_header"}
TCP_ONLY = {name for name in FIELDS if name.startswith("tcp_")}


def tshark_rows(path):
    """The packets as tshark reads them, with the columns of packets.parquet."""
    columns = sorted({field for fields in FIELDS.values() for field in fields})
    command = ["tshark", "-n", "-r", str(path), "-T", "fields", "-E", "separator=;"]
    command += [word for preference in PREFERENCES for word in ("-o", preference)]
    command += [word for column in columns for word in ("-e", column)]
    text = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    for line in text.splitlines():
        values = dict(zip(columns, line.split(";"), strict=True))
        row = {name: number(name, fields, values) for name, fields in FIELDS.items()}
        yield converted(row, values)


def number(name, fields, values):
    """The value of a column, from tshark's fields."""
    if name == "tcp_sack":
        left, right = (values[field].split(",") for field in fields)
        return (
            [int(edge) for pair in zip(left, right, strict=True) for edge in pair] if left != [""] else None
        )
    text = next((values[field].split(",")[0] for field in fields if values[field]), None)
    if text is None:
        return None
    if name == "time_ns":
        seconds, fraction = text.split(".")
        return int(seconds) * 10**9 + int(fraction.ljust(9, "0"))
    return int(text, 0)


def converted(row, values):
    """The row with tshark's conventions replaced by ours."""
    if row["ip_version"] is None:
        return row
    row["more_fragments"] = bool(row["more_fragments"])
    row["fragment_offset"] = 8 * (row["fragment_offset"] or 0)
    if row["ip_version"] == 6:
        row["ip_bytes"] += 40
    if row["payload_bytes"] is not None and row["protocol"] == 17:
        row["payload_bytes"] -= 8
    if row["quic_header"] is not None:
        row["quic_header"] = "long" if row["quic_header"] else "short"
    # tshark also reads the headers that an ICMP error quotes.
    absent = set() if row["protocol"] in (6, 17) else TRANSPORT
    absent |= set() if row["protocol"] == 6 else TCP_ONLY
    return row | dict.fromkeys(absent)


def comparable(row, expected):
    """Our row, without the values on which tshark and we differ by design."""
    row = {name: row[name] for name in FIELDS}
    if row["more_fragments"] and row["payload_bytes"] is not None:
        row["payload_bytes"] = expected["payload_bytes"]  # tshark: the datagram's; here: the fragment's
    if expected["quic_header"] is None:
        row["quic_header"] = None  # tshark needs more than the first byte to detect QUIC
    return row


@pytest.fixture(scope="module")
def capture(tmp_path_factory):
    needed = ("dumpcap", "tshark", "editcap", "tc", "nsenter", "unshare")
    if os.geteuid() != 0 or not all(map(shutil.which, needed)):
        pytest.skip(f"needs root and {', '.join(needed)}")
    path = tmp_path_factory.mktemp("mixed") / "mixed.pcapng"
    command = ["unshare", "--net", sys.executable, "-m", mixed_traffic.__name__, str(path)]
    subprocess.run(command, cwd=ROOT, check=True, timeout=60)
    return path


@pytest.fixture(scope="module")
def expected(capture):
    return list(tshark_rows(capture))


@pytest.mark.parametrize(
    "compressed", [bytes, gzip.compress, zstandard.compress], ids=["plain", "gzip", "zstd"]
)
@pytest.mark.parametrize("container", ["pcapng", "nsecpcap", "pcap"])
def test_every_column_equals_tshark(capture, expected, tmp_path, container, compressed):
    converted, path = tmp_path / "converted", tmp_path / "capture"
    subprocess.run(["editcap", "-F", container, str(capture), str(converted)], check=True)
    path.write_bytes(compressed(converted.read_bytes()))
    facts, rows = read(path)
    tick_ns = 1000 if container == "pcap" else 1
    wanted = [row | {"time_ns": row["time_ns"] // tick_ns * tick_ns} for row in expected]
    assert (facts["status"], len(rows)) == ("ok", len(wanted))
    for row, want in zip(rows, wanted, strict=True):
        assert want == comparable(row, want)


def test_the_capture_contains_all_kinds_of_packets(expected):
    """Every column has values, and every kind of traffic occurs."""
    for name in FIELDS:
        assert any(row[name] is not None for row in expected), name
    assert set(FIELDS) | {"client", "direction", "flow", "capture"} == set(PACKETS_SCHEMA.names)
    assert {row["ip_version"] for row in expected} == {4, 6, None}
    assert {row["quic_header"] for row in expected} == {"long", "short", None}
    assert {row["vlan"] for row in expected} == {7, 300, None}
    assert {True, False} <= {row["more_fragments"] for row in expected}


@pytest.mark.parametrize("clients", [(), (mixed_traffic.CLIENT, mixed_traffic.CLIENT6)])
def test_counts_of_late_segments_and_duplicate_acks_equal_tsharks(capture, clients):
    found, expected = our_counts(read_flows(capture, *clients)), tshark_counts(capture)
    for counts in (found, expected):
        # Without any acknowledgement, tshark counts all sent bytes as in flight.
        del counts[ODD_FRAMES]["bytes_in_flight"]
    assert expected == found
    assert sum(found.values(), Counter())["late"] > 0


def test_directions_are_those_of_the_addresses(capture):
    _, rows = read(capture, mixed_traffic.CLIENT, mixed_traffic.CLIENT6)
    service = {mixed_traffic.DOWNLOAD, mixed_traffic.QUIC, mixed_traffic.DNS}
    seen = {(row["direction"], row["source_port"] in service) for row in rows if row["tcp_seq"] is not None}
    assert seen == {("down", True), ("up", False)}


def test_tshark_reads_the_published_copy_the_same(capture, expected, tmp_path):
    publish(capture, tmp_path / "public.pcapng.zst")
    facts, rows = read(tmp_path / "public.pcapng.zst")
    assert facts["status"] == "ok"
    for row, want in zip(rows, expected, strict=True):
        assert want == comparable(row, want)
    columns = TCP_ONLY | {"time_ns", "frame_bytes", "ip_bytes", "ip_id"}
    for ours, theirs in zip(expected, tshark_rows(tmp_path / "public.pcapng.zst"), strict=True):
        assert {name: ours[name] for name in columns} == {name: theirs[name] for name in columns}
    information = subprocess.run(
        ["capinfos", "-M", str(tmp_path / "public.pcapng.zst")], capture_output=True, text=True, check=True
    ).stdout
    assert "Dumpcap" not in information
