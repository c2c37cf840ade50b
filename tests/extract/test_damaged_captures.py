"""Captures with flipped bytes, whatever they are: an answer, and only what stood before the damage."""

from hypothesis import given, settings
from hypothesis import strategies as st

from scripts.extract.headers import decode
from scripts.extract.pcapng import CaptureError, CaptureReader
from tests.extract.synthetic import block, capture, section, tcp_frame

FRAMES = [tcp_frame(number % 2 == 0, seq=number, payload=40) for number in range(4)]
CONTENT = capture([(1_795_000_000_000_000_000 + number, frame) for number, frame in enumerate(FRAMES)])
POSITIONS = st.integers(min_value=0, max_value=len(CONTENT) - 1)


@settings(max_examples=300, deadline=None)
@given(st.lists(st.tuples(POSITIONS, st.integers(min_value=0, max_value=255)), min_size=1, max_size=6))
def test_packets_before_the_damage_are_kept(tmp_path_factory, flips):
    broken = bytearray(CONTENT)
    for position, value in flips:
        broken[position] = value
    path = tmp_path_factory.mktemp("damaged") / "capture"
    path.write_bytes(broken)
    found = []
    try:
        for packets in CaptureReader(path):
            decode(packets)
            found += [
                packets.data[start : start + size].tobytes()
                for start, size in zip(packets.start, packets.captured, strict=True)
            ]
    except CaptureError:
        assert min(position for position, _ in flips) < len(section())
        return
    first = min(position for position, _ in flips) - len(section())
    sound = max(first, 0) // len(block(0, FRAMES[0]))
    if first >= 0:
        assert [frame[:128] for frame in FRAMES[:sound]] == found[:sound]
