"""The line that is printed when a trial begins."""

from scripts.model.trials import TrialKey
from testbed.__main__ import announcement


def test_a_trial_is_announced_with_its_duration():
    assert announcement(TrialKey("8mbps", "a~b", 1), 600) == "trial 8mbps a~b #1: 600 s"
