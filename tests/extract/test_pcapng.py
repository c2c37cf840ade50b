"""Captures whole, foreign and broken."""

import struct

import pytest

from scripts.extract.pcapng import CaptureError, CaptureReader
from tests.extract.synthetic import block, capture, section, tcp_frame, write_compressed

TIME = 1_795_000_000_123_456_789
FRAMES = [tcp_frame(False, seq=number, payload=100) for number in range(5)]


def read(path):
    """Status, times and captured bytes of a capture."""
    reader = CaptureReader(path)
    times, contents = [], []
    for packets in reader:
        times += packets.time_ns.tolist()
        contents += [
            packets.data[start : start + size].tobytes()
            for start, size in zip(packets.start, packets.captured, strict=True)
        ]
    return reader.status, times, contents


def saved(tmp_path, content):
    path = tmp_path / "client-c1.pcapng"
    path.write_bytes(content)
    return path


def five_packets():
    return capture([(TIME + number, frame) for number, frame in enumerate(FRAMES)])


@pytest.mark.parametrize("compressed", [False, True])
def test_plain_and_compressed_captures_read_the_same(tmp_path, compressed):
    path = tmp_path / "capture"
    write_compressed(path, five_packets()) if compressed else path.write_bytes(five_packets())
    expected = ("ok", [TIME + number for number in range(5)], [frame[:128] for frame in FRAMES])
    assert expected == read(path)


@pytest.mark.parametrize(
    ("resolution", "ticks", "expected_ns"),
    [
        (9, TIME, TIME),
        (6, TIME // 1000, TIME // 1000 * 1000),
        (3, TIME // 10**6, TIME // 10**6 * 10**6),
        (10, TIME * 10 + 9, TIME),
        (0x80 | 30, 1_795_000_000 << 30 | 1 << 29, 1_795_000_000_500_000_000),
        (0x80 | 20, (1_795_000_000 << 20) + 1, 1_795_000_000_000_000_953),
    ],
)
@pytest.mark.parametrize("order", ["<", ">"])
def test_times_are_exact_in_any_resolution_and_byte_order(tmp_path, resolution, ticks, expected_ns, order):
    content = section(order, resolution) + block(ticks, FRAMES[0], order=order)
    assert ("ok", [expected_ns], [FRAMES[0][:128]]) == read(saved(tmp_path, content))


def test_a_second_section_has_its_own_byte_order_and_interfaces(tmp_path):
    content = (
        section("<", 9) + block(TIME, FRAMES[0]) + section(">", 6) + block(TIME // 1000, FRAMES[1], order=">")
    )
    status, times, _ = read(saved(tmp_path, content))
    assert (status, times) == ("ok", [TIME, TIME // 1000 * 1000])


def test_unknown_blocks_are_passed_over(tmp_path):
    unknown = struct.pack("<III", 0x0BAD, 16, 7) + struct.pack("<I", 16)
    content = section() + unknown + block(TIME, FRAMES[0]) + unknown
    assert ("ok", [TIME], [FRAMES[0][:128]]) == read(saved(tmp_path, content))


def test_a_capture_cut_at_any_byte_of_its_last_block_keeps_the_packets_before(tmp_path):
    content = five_packets()
    last = len(content) - len(block(TIME, FRAMES[4]))
    for size in range(last + 1, len(content)):
        status, times, contents = read(saved(tmp_path, content[:size]))
        assert ("cut", 4, FRAMES[3][:128]) == (status, len(times), contents[-1]), size


def test_a_zero_filled_hole_ends_the_capture_before_it(tmp_path):
    """Wherever a hole of 64 bytes lies, nothing behind the first packet it touches is given."""
    content = five_packets()
    begin, size = len(section()), len(block(TIME, FRAMES[0]))
    for hole in range(begin, len(content) - 64):
        broken = content[:hole] + bytes(64) + content[hole + 64 :]
        status, _, contents = read(saved(tmp_path, broken))
        touched = (hole - begin) // size
        assert [frame[:128] for frame in FRAMES[:touched]] == contents[:touched]
        if status == "ok":
            assert len(contents) == 5
        else:
            assert len(contents) <= touched + 1


def test_a_length_that_contradicts_itself_is_corrupt(tmp_path):
    content = bytearray(five_packets())
    content[-4:] = struct.pack("<I", 999)
    status, times, _ = read(saved(tmp_path, bytes(content)))
    assert (status, len(times)) == ("corrupt", 4)


def test_a_captured_length_beyond_its_block_is_corrupt(tmp_path):
    broken = bytearray(block(TIME, FRAMES[0]))
    broken[20:24] = struct.pack("<I", 5000)
    status, times, _ = read(saved(tmp_path, section() + block(TIME, FRAMES[0]) + bytes(broken)))
    assert (status, times) == ("corrupt", [TIME])


def test_a_packet_of_an_undescribed_interface_is_corrupt(tmp_path):
    broken = bytearray(block(TIME, FRAMES[0]))
    broken[8:12] = struct.pack("<I", 3)
    assert read(saved(tmp_path, section() + bytes(broken))) == ("corrupt", [], [])


def test_a_cut_compressed_stream_keeps_what_can_be_read(tmp_path):
    path = tmp_path / "capture.zst"
    write_compressed(path, capture([(TIME + number, FRAMES[number % 5]) for number in range(20_000)]))
    whole = path.read_bytes()
    path.write_bytes(whole[: len(whole) // 2])
    status, times, _ = read(path)
    assert status == "cut"
    assert [TIME + number for number in range(len(times))] == times
    assert 0 < len(times) < 20_000


def test_a_damaged_compressed_stream_is_corrupt(tmp_path):
    path = tmp_path / "capture.zst"
    write_compressed(path, five_packets())
    path.write_bytes(path.read_bytes() + b"\x00\x01\x02\x03\x04\x05\x06\x07\x08\x09")
    assert read(path)[0] == "corrupt"


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "is empty"),
        (b"\xd4\xc3\xb2\xa1" + bytes(20), "no pcapng"),
        (section(link_type=113), "link type 113"),
    ],
)
def test_what_is_no_ethernet_capture_is_an_error_that_names_the_file(tmp_path, content, message):
    with pytest.raises(CaptureError, match=rf"client-c1\.pcapng: .*{message}"):
        read(saved(tmp_path, content))


def test_packets_come_in_order_over_many_pieces(tmp_path):
    """More than one piece of the stream, with blocks across its borders."""
    count = 70_000
    path = saved(tmp_path, capture([(TIME + number, FRAMES[number % 5]) for number in range(count)]))
    status, times, contents = read(path)
    assert ("ok", [TIME + number for number in range(count)]) == (status, times)
    assert all(contents[number] == FRAMES[number % 5][:128] for number in range(count))


def test_a_time_offset_is_added(tmp_path):
    """if_tsoffset: seconds to add to each timestamp."""
    plain = section()
    interface = struct.pack("<IIHHI", 1, 32, 1, 0, 128) + struct.pack("<HHq", 14, 8, 1_795_000_000)
    content = plain[:28] + interface + struct.pack("<I", 32) + block(2_000_000, FRAMES[0])
    assert read(saved(tmp_path, content))[:2] == ("ok", [1_795_000_002_000_000_000])
