"""Captures with any changed bytes: the packets before the damage are read."""

from hypothesis import given, settings
from hypothesis import strategies as st

from scripts.base.errors import UserError
from tests.extract.reading import read
from tests.extract.synthetic import block, capture, pcap, section, tcp_frame

FRAMES = [tcp_frame(number % 2 == 0, seq=number, payload=40) for number in range(4)]
PACKETS = [(1_795_000_000_000_000_000 + number, frame) for number, frame in enumerate(FRAMES)]
LENGTHS = {
    capture: (len(section()), len(block(0, FRAMES[0]))),
    pcap: (len(pcap([])), len(pcap(PACKETS[:1])) - len(pcap([]))),
}


@settings(max_examples=300, deadline=None)
@given(st.data(), st.sampled_from([capture, pcap]))
def test_packets_before_the_damage_are_kept(tmp_path_factory, data, container):
    broken = bytearray(container(PACKETS))
    positions = st.integers(min_value=0, max_value=len(broken) - 1)
    flips = data.draw(st.lists(st.tuples(positions, st.integers(0, 255)), min_size=1, max_size=6))
    for position, value in flips:
        broken[position] = value
    path = tmp_path_factory.mktemp("damaged") / "capture"
    path.write_bytes(broken)
    head, record = LENGTHS[container]
    first = min(position for position, _ in flips)
    try:
        _, rows = read(path)
    except UserError:
        assert first < head
        return
    if first >= head:
        sound = (first - head) // record
        assert [(time, 94, seq) for seq, (time, _) in enumerate(PACKETS[:sound])] == [
            (row["time_ns"], row["frame_bytes"], row["tcp_seq"]) for row in rows[:sound]
        ]
