"""Published captures have the same packets, no payload and no information about the host."""

import struct
from ipaddress import IPv4Address

import pyarrow.parquet as pq
import pytest
import zstandard
from observatory_capture import Publication

from scripts.base.errors import UserError
from scripts.extract.extract_trial import extract
from scripts.extract.published_capture import main, publish
from tests.extract.reading import read
from tests.extract.synthetic import (
    CLIENT,
    block,
    ethernet,
    example_trial,
    ipv4,
    section,
    tcp,
    tcp_frame,
    udp,
    write_compressed,
)
from tests.extract.synthetic import capture as capture_of

FRAMES = [
    tcp_frame(True, payload=30),
    ethernet(False, 0x0800, ipv4(False, 6, tcp(False, payload=60, options=bytes(12)))),
    ethernet(False, 0x0800, ipv4(False, 17, udp(False, 90)), vlan=True),
    ethernet(False, 0x0800, ipv4(False, 1, b"P" * 80)),
    ethernet(False, 0x0800, ipv4(False, 17, b"P" * 80, fragment=100)),
]


ADDRESS = IPv4Address(CLIENT).packed


def tagged(tags, ether_type, body):
    """A frame with so many VLAN tags."""
    plain = ethernet(False, ether_type, body)
    return plain[:12] + struct.pack(">HH", 0x8100, 7) * tags + plain[12:]


def copies(tmp_path, content):
    """A capture's published copy, decompressed."""
    write_compressed(tmp_path / "private.zst", content)
    publish(tmp_path / "private.zst", tmp_path / "public.zst")
    with open(tmp_path / "public.zst", "rb") as file:
        return zstandard.ZstdDecompressor().stream_reader(file).read()


def test_no_byte_of_payload_is_copied(tmp_path):
    content = capture_of(list(enumerate(FRAMES)))
    assert b"PPP" in content
    assert b"PP" not in copies(tmp_path, content)


def test_two_bits_of_udp_payload_are_kept_to_distinguish_quic_headers(tmp_path):
    body = udp(False, 9)[:8] + b"\xd7" + b"P" * 8
    frame = ethernet(False, 0x0800, ipv4(False, 17, body))
    copy = copies(tmp_path, capture_of([(0, frame)]))
    assert body[:8] + b"\xc0" in copy
    assert b"P" not in copy


def test_the_link_type_of_each_interface_is_kept(tmp_path):
    cooked = bytes(14) + b"\x08\x00" + ipv4(False, 6, tcp(False, seq=7, payload=9))
    second = section(link_type=113)[28:]
    content = section() + second + block(5, cooked, interface=1) + block(6, FRAMES[0])
    copies(tmp_path, content)
    rows = [read(tmp_path / name)[1] for name in ("private.zst", "public.zst")]
    assert [{**row, "capture": None} for row in rows[0]] == [{**row, "capture": None} for row in rows[1]]
    assert [row["tcp_seq"] for row in rows[0]] == [7, 0]


def test_no_byte_of_an_unknown_link_type_is_published(tmp_path):
    assert b"Q" not in copies(tmp_path, section(link_type=147) + block(5, b"Q" * 60))


def test_options_about_the_host_are_not_copied(tmp_path):
    named = section().replace(b"\x09\x00\x01\x00\x09\x00\x00\x00", b"\x09\x00\x01\x00\x09HOS")
    assert b"HOS" in named
    assert b"HOS" not in copies(tmp_path, named + capture_of([(0, FRAMES[0])])[len(section()) :])


@pytest.mark.parametrize("tags", [0, 1, 20])
def test_packets_that_are_not_ip_keep_50_bytes_after_the_link_header(tmp_path, tags):
    frame = tagged(tags, 0x88CC, b"R" * 50 + b"Q" * 60)
    copy = copies(tmp_path, capture_of([(0, frame)], snaplen=512))
    assert b"R" * 50 in copy
    assert b"Q" not in copy


ARP = struct.pack(">HHBBH", 1, 0x0800, 6, 4, 1) + bytes(6) + ADDRESS + bytes(6) + ADDRESS
NOT_IP = {
    "arp": (0x0806, ARP),
    "ipv4": (0x0800, bytes(60)),
    "ipv6": (0x86DD, bytes(60)),
    "cut": (0x8100, b""),
}


@pytest.mark.parametrize("tags", [*range(9), 13, 14, 200])
@pytest.mark.parametrize("kind", NOT_IP)
def test_a_packet_behind_any_number_of_tags_is_published_as_it_was_read(tmp_path, kind, tags):
    content = capture_of([(0, tagged(tags, *NOT_IP[kind]))], snaplen=1024)
    asked = []
    write_compressed(tmp_path / "private", content)
    for name, find in (("plain", None), ("pseudonyms", lambda address: asked.append(address) or address)):
        (tmp_path / name).write_bytes(Publication(tmp_path / "private", find).next(1 << 20))
    found = []
    for name in ("private", "plain", "pseudonyms"):
        facts, (row,) = read(tmp_path / name, CLIENT)
        found.append((facts["cut_headers"], {**row, "capture": None}))
    assert [found[0]] * 3 == found
    assert asked == ([ADDRESS] if kind == "arp" else [])


@pytest.mark.parametrize(
    "damage",
    [
        lambda content: content,
        lambda content: content[:-7],
        lambda content: content[:-400] + bytes(400),
    ],
)
def test_extraction_gives_the_same_tables_from_the_published_captures(tmp_path, damage):
    trial = example_trial().write(tmp_path / "trial")
    write_compressed(trial / "client-c1.pcapng.zst", damage(capture_of(example_trial().packets(1))))
    for client in ("c1", "c2"):
        publish(trial / f"client-{client}.pcapng.zst", tmp_path / f"public/client-{client}.pcapng.zst")
    extract(trial, tmp_path / "a")
    extract(trial, tmp_path / "b", captures=tmp_path / "public")
    for table in ("clients", "flows", "queue"):
        paths = [tmp_path / folder / f"{table}.parquet" for folder in "ab"]
        assert paths[0].read_bytes() == paths[1].read_bytes(), table
    # The metadata of packets.parquet differ: the shorter copy ends at another offset.
    private, public = (pq.read_table(tmp_path / folder / "packets.parquet") for folder in "ab")
    assert private.num_rows > 0
    assert private.equals(public)


def test_the_same_capture_gives_the_same_bytes(tmp_path):
    content = capture_of([(number, FRAMES[number % 5]) for number in range(1000)])
    write_compressed(tmp_path / "private.zst", content)
    for name in ("first", "second"):
        publish(tmp_path / "private.zst", tmp_path / name)
    assert (tmp_path / "first").read_bytes() == (tmp_path / "second").read_bytes()


def test_a_missing_capture_is_named_and_nothing_is_written(tmp_path, capfd):
    with pytest.raises(UserError, match="absent"):
        publish(tmp_path / "absent", tmp_path / "copy")
    assert main([str(tmp_path / "absent"), "-o", str(tmp_path / "copy")]) == 2
    assert capfd.readouterr().err.startswith("error: ")
    (tmp_path / "empty").write_bytes(b"")
    with pytest.raises(UserError, match="is empty"):
        publish(tmp_path / "empty", tmp_path / "copy")
    assert [path.name for path in tmp_path.iterdir()] == ["empty"]
