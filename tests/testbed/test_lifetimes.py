"""However a live trial ends, the machine is as before, and the next trial waits for that."""

import os

import pytest

from tests.testbed.internet import run_in_namespaces

KILLS = 200
SEED = 13

pytestmark = [
    pytest.mark.traffic,
    pytest.mark.skipif(os.geteuid() != 0, reason="needs root: live services"),
]


def test_a_late_keeper_does_not_undo_the_forwarding_of_the_next_trial():
    """The keeper of a killed trial is stopped for a while. The next trial waits for it."""
    found = run_in_namespaces("late_keeper", module="tests.testbed.lifetimes")
    assert found == {"ran_beside_keeper": False, "forwarding": "1", "status": "completed"}


def test_what_a_killed_keeper_left_is_repaired_by_the_next_trial():
    found = run_in_namespaces("lost_keeper", module="tests.testbed.lifetimes")
    assert "rules" in found["left"], "the kills left something"
    assert found["after"] == {}


@pytest.mark.soak(minutes=40)
def test_after_a_kill_at_any_time_the_machine_is_as_before():
    """The outermost process of a trial is killed, or any other."""
    found = run_in_namespaces("kills", str(KILLS), str(SEED), module="tests.testbed.lifetimes")
    assert found["differences"] == []
    assert len(found["killed"]) == KILLS
    assert (found["before"], found["after"]) == ("completed None", "completed None")
