"""The simulated cycle against times worked out by hand, and against bounds of every schedule."""

from dataclasses import replace

import pytest

from scripts.model.durations import takes_s
from scripts.model.plan_file import PlanLine
from scripts.model.trials import TrialKey
from scripts.plan.calibration import duration_s
from scripts.plan.cycle_simulation import Servers, SimulatedClock, simulate
from scripts.plan.expected_rounds import least_rounds, most_rounds
from scripts.plan.trial_work import NEXT_ROUND_S, SLURM_S, SUBMISSIONS_PER_S, Shared, trial_work
from tests.model.campaigns import campaign, paper

SUBMITTED_S = 1 / SUBMISSIONS_PER_S


def calibrating_s(setting="8mbps"):
    return takes_s(duration_s(campaign().settings[setting])) + SLURM_S


def round_of(trials, number=1, setting="8mbps"):
    """A round with so many trials of one pair."""
    keys = [TrialKey(setting, "a~b", trial) for trial in range(1, trials + 1)]
    return [PlanLine(order, number, key, 600) for order, key in enumerate(keys, 1)]


def works_of(lines):
    return [trial_work(campaign(), line) for line in lines]


def test_one_trial_by_hand():
    """It is submitted, measured after the calibration, handed in, and followed by a submitted batch."""
    lines, shared = round_of(1), Shared(2, 10)
    (work,) = works_of(lines)
    stored_s = work.stored_bytes / 10e6
    seconds = SUBMITTED_S + calibrating_s() + 618 + SLURM_S + stored_s + SUBMITTED_S + work.cpu_s
    outcome = simulate(campaign(), [lines], 1, shared)
    assert pytest.approx(seconds + NEXT_ROUND_S) == outcome.seconds
    assert pytest.approx(calibrating_s() + 621) == outcome.hosts * outcome.seconds
    assert pytest.approx(work.cpu_s / 2) == outcome.cores * outcome.seconds
    assert pytest.approx(stored_s) == outcome.store * outcome.seconds


def test_trials_on_one_host_follow_each_other_and_share_a_calibration():
    one, three = (simulate(campaign(), [round_of(count)], 1, Shared(4)) for count in (1, 3))
    stored_s = works_of(round_of(1))[0].stored_s(Shared(4))
    assert pytest.approx(2 * (621 + stored_s)) == three.seconds - one.seconds


def test_trials_on_two_hosts_run_at_the_same_time_and_hand_in_one_after_the_other():
    """The second trial is submitted later by less than the store takes for the first, and waits for that."""
    lines, shared = round_of(2), Shared(2, 1)
    stored_s, cpu_s = works_of(lines)[0].stored_bytes / 1e6, works_of(lines)[0].cpu_s
    assert stored_s > SUBMITTED_S
    seconds = 2 * SUBMITTED_S + calibrating_s() + 621 + 2 * stored_s + cpu_s + NEXT_ROUND_S
    assert pytest.approx(seconds) == simulate(campaign(), [lines], 2, shared).seconds


def test_what_follows_three_trials_takes_two_turns_on_two_cores():
    outcomes = [simulate(campaign(), [round_of(3)], 3, Shared(cores)) for cores in (1, 2, 3)]
    cpu_s = works_of(round_of(1))[0].cpu_s
    one, two, three = (outcome.seconds for outcome in outcomes)
    assert pytest.approx([cpu_s, cpu_s]) == [one - two, two - three]


def test_each_round_waits_for_the_one_before_and_calibrates_again():
    one = simulate(campaign(), [round_of(1)], 1, Shared(2)).seconds
    two = simulate(campaign(), [round_of(1), round_of(1, number=2)], 1, Shared(2)).seconds
    assert pytest.approx(2 * one) == two


def test_a_host_calibrates_each_setting_that_it_measures():
    lines = [*round_of(2), *round_of(2, setting="50mbps")]
    outcome = simulate(campaign(), [lines], 1, Shared(2))
    busy_s = 4 * 621 + calibrating_s("8mbps") + calibrating_s("50mbps")
    assert pytest.approx(busy_s) == outcome.hosts * outcome.seconds


@pytest.mark.parametrize("rounds", [least_rounds, most_rounds])
@pytest.mark.parametrize("hosts", [1, 4, 16, 64])
@pytest.mark.parametrize(("cores", "store"), [(2, 110), (16, 110), (16, 1)])
def test_no_cycle_is_faster_than_its_busiest_part(rounds, hosts, cores, store):
    cycle, shared = paper(), Shared(cores, store)
    planned = rounds(cycle)
    works = [trial_work(cycle, line) for lines in planned for line in lines]
    outcome = simulate(cycle, planned, hosts, shared)
    assert outcome.seconds >= sum(work.measuring_s + work.stored_s(shared) for work in works) / hosts
    assert outcome.seconds >= sum(work.cpu_s for work in works) / cores
    assert outcome.seconds >= sum(work.stored_s(shared) for work in works)
    assert max(outcome.hosts, outcome.cores, outcome.store) <= 1


def test_a_core_saturates_and_further_hosts_help_no_more():
    cycle = paper()
    few, many = (simulate(cycle, least_rounds(cycle), hosts, Shared(1)) for hosts in (150, 300))
    assert pytest.approx(few.seconds, rel=0.1) == many.seconds
    assert many.cores > 0.8


def test_a_cycle_of_short_trials_is_longer_over_slurm_by_what_slurm_takes():
    short = replace(campaign(), trial=replace(campaign().trial, duration_s=10))
    (lines,) = least_rounds(short)
    outcome = simulate(short, [lines], 1, Shared(2))
    alone_s = len(lines) * takes_s(10) + sum(
        takes_s(duration_s(setting)) for setting in short.settings.values()
    )
    assert pytest.approx(alone_s + SLURM_S * (len(lines) + 2)) == outcome.hosts * outcome.seconds


def test_no_hosts_are_an_error():
    with pytest.raises(ValueError, match="no hosts"):
        simulate(campaign(), [round_of(1)], 0, Shared(2))


def test_work_waits_for_the_server_that_is_free_first():
    servers = Servers(2)
    assert [4, 2, 5, 6] == [servers.serve(0, seconds) for seconds in (4, 2, 3, 2)]
    assert 11 == servers.serve(10, 1)
    assert 12 == servers.busy_s


def test_actions_of_one_time_run_as_they_were_planned():
    clock, ran = SimulatedClock(), []
    clock.at(2, lambda: ran.append("c"))
    clock.at(1, lambda: clock.at(2, lambda: ran.append("e")))
    clock.at(2, lambda: ran.append("d"))
    clock.run()
    assert (["c", "d", "e"], 2) == (ran, clock.now)
