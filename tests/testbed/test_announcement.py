"""What the operator is told when a trial begins."""

import json

import pytest

from scripts.model.plan_file import PlanLine, write_plan_table
from scripts.model.trials import TrialKey
from testbed.announcement import announcement

SPEC = {"setting": "8mbps", "pair": "a~b", "trial": 1, "duration_s": 600}


def make_cycle(directory, rounds, done):
    """A plan of rounds of that many trials each, or of these lengths, the first `done` of them measured."""
    lengths = [[600] * trials if isinstance(trials, int) else trials for trials in rounds]
    numbers = iter(range(1, sum(map(len, lengths)) + 1))
    for count, of in enumerate(lengths, start=1):
        specs = [SPEC | {"trial": next(numbers), "duration_s": seconds} for seconds in of]
        lines = [PlanLine(1, count, TrialKey("8mbps", "a~b", s["trial"]), s["duration_s"]) for s in specs]
        write_plan_table(lines, directory / f"plan/round-{count:02d}.csv")
        for spec in specs:
            path = directory / f"plan/specs/8mbps/a~b/{spec['trial']:02d}.json"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(json.dumps(spec))
    for number in range(1, done + 1):
        (directory / f"trials/8mbps/a~b/{number:02d}").mkdir(parents=True)
    return lambda number: announcement(
        SPEC | {"trial": number}, directory / f"plan/specs/8mbps/a~b/{number:02d}.json"
    )


@pytest.mark.parametrize(
    ("number", "done", "message"),
    [
        (4, 3, "trial 4 of 10 of round 1: 8mbps a~b #4, 600 s; about 1 h 12 min left for this round"),
        (12, 11, "trial 2 of 3 of round 2: 8mbps a~b #12, 600 s; about 21 min left for this round"),
    ],
)
def test_it_counts_the_round_and_tells_its_time_left(tmp_path, number, done, message):
    announce = make_cycle(tmp_path, rounds=[10, 3], done=done)
    assert announce(number) == message


def test_each_trial_takes_its_own_time(tmp_path):
    """After a trial of 12 s, 38 minutes and one of 56 s: with what they take beside it 40 min 9 s."""
    announce = make_cycle(tmp_path, rounds=[[12, 38 * 60, 56]], done=1)
    assert "about 40 min left for this round" in announce(2)


def test_days_are_told_as_days(tmp_path):
    assert "about 2 d 20 h left" in make_cycle(tmp_path, rounds=[400], done=0)(1)


def test_a_trial_that_is_there_already_has_no_count(tmp_path):
    announce = make_cycle(tmp_path, rounds=[3], done=3)
    assert announce(3) == "trial 8mbps a~b #3: 600 s"


def test_a_specification_outside_a_cycle_has_no_count(tmp_path):
    assert announcement(SPEC, tmp_path / "x.json") == "trial 8mbps a~b #1: 600 s"
