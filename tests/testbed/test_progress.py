"""What the operator is told when a trial begins."""

import json

from testbed.progress import announcement

SPEC = {"setting": "8mbps", "pair": "a~b", "trial": 1, "duration_s": 600}


def make_cycle(directory, planned, done):
    for number in range(1, planned + 1):
        spec = directory / f"plan/specs/8mbps/a~b/{number:02d}.json"
        spec.parent.mkdir(parents=True, exist_ok=True)
        spec.write_text(json.dumps(SPEC))
    for number in range(1, done + 1):
        (directory / f"trials/8mbps/a~b/{number:02d}").mkdir(parents=True)
    return directory / "plan/specs/8mbps/a~b/01.json"


def test_it_counts_what_is_done_and_tells_the_time_left(tmp_path):
    spec = make_cycle(tmp_path, planned=10, done=3)
    assert (
        announcement(SPEC, spec) == "trial 4 of 10: 8mbps a~b #1, 600 s; about 1 h 10 min left for the trials"
    )


def test_days_are_told_as_days(tmp_path):
    spec = make_cycle(tmp_path, planned=400, done=0)
    assert "about 2 d 19 h left" in announcement(SPEC, spec)


def test_a_specification_outside_a_cycle_has_no_count(tmp_path):
    assert announcement(SPEC, tmp_path / "x.json") == "trial 8mbps a~b #1: 600 s"
