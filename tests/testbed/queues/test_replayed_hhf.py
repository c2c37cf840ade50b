"""HHF at the boundaries of its rules, and with flows that share counters: as a second implementation does."""

import pytest

from tests.testbed.queues import reference_hhf
from tests.testbed.queues.hhf_sequences import (
    COLLISION_OPTIONS,
    NEIGHBOURS,
    A,
    boundaries,
    collisions,
    flow_hash,
)
from tests.testbed.queues.reference_fq_codel import mix
from tests.testbed.queues.replayed import by_reference, replay


class PlainFilter(reference_hhf.Filter):
    """The filter without conservative update: every packet raises all counters of its flow by its bytes."""

    def exceeds(self, number: int, frame_bytes: int) -> bool:
        places = self.places(number)
        if min(self.counters.get(place, 0) for place in places) + frame_bytes > self.options["admit_bytes"]:
            return True
        self.counters |= {place: self.counters.get(place, 0) + frame_bytes for place in places}
        return False


@pytest.mark.parametrize("boundary", boundaries(), ids=lambda boundary: boundary.name)
def test_both_decide_alike_at_a_boundary(switch_build, boundary):
    case = boundary.case()
    events = replay(switch_build / "replay", "hhf", boundary.options, case)
    assert by_reference(reference_hhf.Reference(boundary.options, case), case) == events
    dropped = [event.number for event in events if event.verdict == "tail"]
    assert dropped == [len(boundary.before) if boundary.is_heavy else 1]


@pytest.mark.parametrize("case", collisions(), ids=lambda case: case.name)
def test_both_do_the_same_with_flows_that_share_counters(switch_build, case):
    events = replay(switch_build / "replay", "hhf", COLLISION_OPTIONS, case)
    queue = reference_hhf.Reference(COLLISION_OPTIONS, case)
    assert by_reference(queue, case) == events
    plain = reference_hhf.Reference(COLLISION_OPTIONS, case)
    plain.filter = PlainFilter(plain.filter.options, case.seed)
    assert by_reference(plain, case) != events


def test_each_neighbour_shares_one_counter_with_flow_a():
    places = reference_hhf.Filter.places
    assert [set(places(flow)) & set(places(A)) for flow in NEIGHBOURS] == [{place} for place in places(A)]
    assert mix(flow_hash(A, 97) ^ 97) == A
