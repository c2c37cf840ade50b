"""Captures of every format, complete and damaged: their endings and their packets."""

import gzip
import struct

import pytest
import zstandard

from scripts.base.errors import UserError
from tests.extract.reading import read
from tests.extract.synthetic import block, capture, pcap, section, tcp_frame

TIME = 1_795_000_000_123_456_789
FRAMES = [tcp_frame(False, seq=number, payload=100) for number in range(5)]
TIMES = [TIME + number for number in range(5)]
PACKET_BYTES = len(block(TIME, FRAMES[0]))


def saved(tmp_path, content):
    path = tmp_path / "client-c1.pcapng"
    path.write_bytes(content)
    return path


def found(tmp_path, content):
    """Status, times and sequence numbers of a capture."""
    facts, rows = read(saved(tmp_path, content))
    assert facts["packets"] == len(rows)
    return facts["status"], [row["time_ns"] for row in rows], [row["tcp_seq"] for row in rows]


def five_packets():
    return capture([(TIME + number, frame) for number, frame in enumerate(FRAMES)])


@pytest.mark.parametrize(
    "compressed",
    [
        bytes,
        gzip.compress,
        lambda content: gzip.compress(content[:200]) + gzip.compress(content[200:]),
        zstandard.ZstdCompressor().compress,
        lambda content: zstandard.compress(content[:200]) + zstandard.compress(content[200:]),
    ],
    ids=["plain", "gzip", "two gzip members", "zstd", "two zstd frames"],
)
@pytest.mark.parametrize("container", [capture, pcap])
def test_every_container_and_compression_reads_the_same(tmp_path, compressed, container):
    content = container(list(zip(TIMES, FRAMES, strict=True)))
    assert ("ok", TIMES, [0, 1, 2, 3, 4]) == found(tmp_path, compressed(content))


@pytest.mark.parametrize("order", ["<", ">"])
@pytest.mark.parametrize(("resolution", "expected_ns"), [(9, TIME), (6, TIME // 1000 * 1000)])
def test_pcap_captures_of_both_byte_orders_and_resolutions(tmp_path, order, resolution, expected_ns):
    content = pcap([(TIME, FRAMES[3])], order=order, resolution=resolution)
    assert ("ok", [expected_ns], [3]) == found(tmp_path, content)


@pytest.mark.parametrize(
    ("resolution", "ticks", "expected_ns"),
    [
        (9, TIME, TIME),
        (6, TIME // 1000, TIME // 1000 * 1000),
        (3, TIME // 10**6, TIME // 10**6 * 10**6),
        (10, TIME * 10 + 9, TIME),
        (29, 2**64 - 1, 0),
        (0x80 | 30, 1_795_000_000 << 30 | 1 << 29, 1_795_000_000_500_000_000),
        (0x80 | 20, (1_795_000_000 << 20) + 1, 1_795_000_000_000_000_953),
        (9, 2**64 - 1, 2**63 - 1),
        (0, 2**64 - 1, 2**63 - 1),
    ],
)
@pytest.mark.parametrize("order", ["<", ">"])
def test_times_are_exact_in_any_resolution_and_byte_order(tmp_path, resolution, ticks, expected_ns, order):
    content = section(order, resolution) + block(ticks, FRAMES[0], order=order)
    assert ("ok", [expected_ns], [0]) == found(tmp_path, content)


def test_a_second_section_has_its_own_byte_order_and_interfaces(tmp_path):
    content = (
        section("<", 9) + block(TIME, FRAMES[0]) + section(">", 6) + block(TIME // 1000, FRAMES[1], order=">")
    )
    assert found(tmp_path, content) == ("ok", [TIME, TIME // 1000 * 1000], [0, 1])


def test_several_interfaces_have_their_own_links_and_times(tmp_path):
    second = section(resolution=6, link_type=113)[28:]
    cooked = bytes(14) + b"\x08\x00" + FRAMES[4][14:]
    content = section() + second + block(TIME, FRAMES[0]) + block(TIME // 1000, cooked, interface=1)
    assert found(tmp_path, content) == ("ok", [TIME, TIME // 1000 * 1000], [0, 4])


def test_a_time_offset_is_added(tmp_path):
    """if_tsoffset contains the seconds to add to each timestamp."""
    plain = section()
    interface = struct.pack("<IIHHI", 1, 32, 1, 0, 128) + struct.pack("<HHq", 14, 8, 1_795_000_000)
    content = plain[:28] + interface + struct.pack("<I", 32) + block(2_000_000, FRAMES[0])
    assert found(tmp_path, content)[:2] == ("ok", [1_795_000_002_000_000_000])


def test_unknown_blocks_are_skipped(tmp_path):
    unknown = struct.pack("<III", 0x0BAD, 16, 7) + struct.pack("<I", 16)
    content = section() + unknown + block(TIME, FRAMES[0]) + unknown
    assert ("ok", [TIME], [0]) == found(tmp_path, content)


def test_simple_packets_have_no_time_and_obsolete_ones_are_read(tmp_path):
    """Section 4.4 and appendix A of pcapng; the interface has a snapshot length of 128."""
    data = FRAMES[2][:128]
    simple = struct.pack("<III", 3, 16 + len(data), len(FRAMES[2])) + data + struct.pack("<I", 16 + len(data))
    old = bytearray(block(TIME, FRAMES[1]))
    old[0] = 2
    assert found(tmp_path, section() + simple + bytes(old)) == ("ok", [0, TIME], [2, 1])


@pytest.mark.parametrize("container", [capture, pcap])
def test_a_capture_cut_at_any_byte_of_its_last_record_keeps_the_packets_before(tmp_path, container):
    content = container(list(zip(TIMES, FRAMES, strict=True)))
    before = len(container(list(zip(TIMES[:4], FRAMES[:4], strict=True))))
    for size in range(before + 1, len(content)):
        facts, rows = read(saved(tmp_path, content[:size]))
        assert ("cut", 4, before, size - before) == (
            facts["status"],
            len(rows),
            facts["offset"],
            facts["bytes_left"],
        )


@pytest.mark.parametrize("container", [capture, pcap])
def test_a_zero_filled_hole_gives_no_packet(tmp_path, container):
    """No packet is read after the start of a hole of two pages, between two packets or inside one."""
    packets = [(TIME + number, FRAMES[number % 5]) for number in range(200)]
    content = container(packets)
    before = len(container(packets[:40]))
    for begin in (before, before + 50):
        facts, rows = read(saved(tmp_path, content[:begin] + bytes(8192) + content[begin + 8192 :]))
        assert facts["status"] == "corrupt"
        assert [row["time_ns"] for row in rows[:40]] == [time for time, _ in packets[:40]]
        # A pcap record whose head precedes the hole has the stated length, whatever its content.
        assert len(rows) == (41 if container is pcap and begin > before else 40)
        assert facts["offset"] + facts["bytes_left"] == len(content)


def test_two_different_lengths_of_a_block_are_corrupt(tmp_path):
    content = bytearray(five_packets())
    content[-4:] = struct.pack("<I", 999)
    facts, rows = read(saved(tmp_path, bytes(content)))
    assert (facts["status"], len(rows), facts["bytes_left"]) == ("corrupt", 4, PACKET_BYTES)


@pytest.mark.parametrize(
    ("position", "value"),
    [
        (20, 5000),  # more captured bytes than the block has
        (20, len(FRAMES[0]) + 1),  # more captured bytes than the packet had
        (24, 1 << 31),  # an impossible length of a packet
        (8, 3),  # an undescribed interface
        (4, 1 << 30),  # a block of a gigabyte
        (4, 13),  # a length that is not a multiple of four
    ],
)
def test_impossible_blocks_are_corrupt(tmp_path, position, value):
    broken = bytearray(block(TIME, FRAMES[0]))
    broken[position : position + 4] = struct.pack("<I", value)
    content = section() + block(TIME, FRAMES[0]) + bytes(broken)
    assert found(tmp_path, content) == ("corrupt", [TIME], [0])


@pytest.mark.parametrize(
    ("position", "value"),
    [
        (4, 10**9),  # a fraction of a whole second
        (8, 300_000),  # longer than the largest snapshot
        (8, len(FRAMES[0]) + 1),  # more captured bytes than the packet had
        (12, 1 << 31),  # an impossible length of a packet
    ],
)
def test_impossible_record_heads_are_corrupt(tmp_path, position, value):
    content = bytearray(pcap([(TIME, FRAMES[0])]) + pcap([(TIME, FRAMES[1])])[24:])
    at = len(content) - len(FRAMES[1][:128]) - 16 + position
    content[at : at + 4] = struct.pack("<I", value)
    assert found(tmp_path, bytes(content) + bytes(300_000)) == ("corrupt", [TIME], [0])


@pytest.mark.parametrize(("packed", "name"), [(gzip.compress, "gz"), (zstandard.compress, "zst")])
def test_a_cut_compressed_stream_keeps_what_can_be_read(tmp_path, packed, name):
    packets = [(TIME + number, FRAMES[number % 5]) for number in range(20_000)]
    whole = packed(capture(packets))
    status, times, _ = found(tmp_path, whole[: len(whole) // 2])
    assert status == "cut"
    assert [TIME + number for number in range(len(times))] == times
    assert 0 < len(times) < 20_000


@pytest.mark.parametrize("packed", [gzip.compress, zstandard.compress])
def test_a_compressed_stream_followed_by_other_bytes_is_corrupt(tmp_path, packed):
    content = packed(five_packets()) + b"\x00\x01\x02\x03\x04\x05\x06\x07\x08\x09"
    assert found(tmp_path, content) == ("corrupt", TIMES, [0, 1, 2, 3, 4])


def test_a_damaged_checksum_is_corrupt(tmp_path):
    content = bytearray(gzip.compress(five_packets()))
    content[-6] ^= 1
    assert found(tmp_path, bytes(content))[0] == "corrupt"


def test_anomalies_are_counted(tmp_path):
    """1 ms back and 1 h forward are not jumps yet; a packet without a captured byte is a packet."""
    hour = 3600 * 10**9
    times = [TIME, TIME - 1_000_000, TIME - 2_000_001, TIME + hour, TIME + 2 * hour, TIME + 3 * hour + 1]
    packets = [(time, FRAMES[0]) for time in times]
    content = capture(packets) + block(times[-1], b"") + block(times[-1], FRAMES[0][:12] + b"\x88\xcc", 14)
    facts, rows = read(saved(tmp_path, content))
    assert len(rows) == 8
    assert {"time_jumps": 3, "zero_length": 1, "not_ip": 2} == {
        name: facts[name] for name in ("time_jumps", "zero_length", "not_ip")
    }
    assert (facts["first_ns"], facts["last_ns"]) == (TIME - 2_000_001, TIME + 3 * hour + 1)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "is empty"),
        (gzip.compress(b"", mtime=0), "is empty"),
        (b"\xd4\xc3\xb2", "head is incomplete"),
        (b"\xd4\xc3\xb2\xa1" + bytes(19), "head is incomplete"),
        (section()[:27], "head is incomplete"),
        (struct.pack("<II", 0x0A0D0D0A, 60) + section()[8:28], "head is incomplete"),
        (b"PK\x03\x04" + bytes(100), "is not a capture"),
        (section()[:8] + bytes(60), "names no byte order"),
    ],
)
def test_a_file_that_is_not_a_capture_is_named(tmp_path, content, message):
    with pytest.raises(UserError, match=rf"client-c1\.pcapng: .*{message}"):
        read(saved(tmp_path, content))
    assert [path.name for path in tmp_path.iterdir()] == ["client-c1.pcapng"]


def test_packets_come_in_order_over_many_batches(tmp_path):
    """There are several row groups, and records across the borders of the read buffer."""
    count = 140_000
    content = capture([(TIME + number, FRAMES[number % 5]) for number in range(count)])
    status, times, numbers = found(tmp_path, content)
    assert ("ok", [TIME + number for number in range(count)]) == (status, times)
    assert [number % 5 for number in range(count)] == numbers


def test_a_block_larger_than_the_read_buffer(tmp_path):
    large = b"\x00" * (3 << 20)
    comment = struct.pack("<II", 0x0BAD, 12 + len(large)) + large + struct.pack("<I", 12 + len(large))
    assert found(tmp_path, section() + comment + block(TIME, FRAMES[1])) == ("ok", [TIME], [1])


def test_a_decompression_bomb_is_read_in_pieces(tmp_path):
    """A few kilobytes contain one packet and a quarter of a gigabyte of zeros."""
    content = capture([(TIME, FRAMES[0])]) + bytes(256 << 20)
    facts, rows = read(saved(tmp_path, zstandard.compress(content)))
    assert (facts["status"], len(rows), facts["bytes_left"]) == ("corrupt", 1, 256 << 20)
