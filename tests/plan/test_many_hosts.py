"""What the operator sees of a cycle on several hosts."""

from dataclasses import replace

import pytest

from scripts.model.plan_file import PlanLine
from scripts.model.trials import TrialKey
from scripts.plan.disk import packets, raw_bytes
from scripts.plan.many_hosts import (
    FOLLOWING_PACKET_S,
    FOLLOWING_S,
    NEXT_ROUND_S,
    SLURM_S,
    SUBMISSIONS_PER_S,
    Shared,
    calibration_s,
    cycle_s,
    hosts_report,
    least_rounds,
    least_s,
    most_s,
    saturations,
    trial_work,
)
from tests.model.campaigns import campaign, paper


def test_the_work_of_a_trial_by_hand():
    """8 Mbps for 600 s are 390,117 packets on the link."""
    line = next(line for line in least_rounds(campaign())[0] if line.key.setting == "8mbps")
    work = trial_work(campaign(), line)
    assert 390_117 == round(packets(8, 600))
    assert (618 + SLURM_S, raw_bytes(8, 600)) == (work.measuring_s, work.stored_bytes)
    assert pytest.approx(FOLLOWING_S + 390_117 * FOLLOWING_PACKET_S, abs=1e-3) == work.cpu_s
    assert pytest.approx(raw_bytes(8, 600) / 50e6) == work.stored_s(Shared(2, 50))


def test_raw_files_by_hand():
    """8 Mbps for 1538 * 8 microseconds are 8 packets, and 12.8 captured ones."""
    assert pytest.approx(12.8 * 25 + 8 * 11) == raw_bytes(8, 1538 * 8 / 1e6)


def test_the_papers_cycle_takes_less_than_a_day_on_sixteen_hosts():
    hours = [least_s(paper(), hosts, Shared(2)) / 3600 for hosts in (1, 4, 16)]
    assert pytest.approx([12.95 * 24, 12.95 * 24 / 4, 12.95 * 24 / 16], rel=0.03) == hours


def test_the_longest_cycle_has_more_rounds_and_gains_less():
    cycle, shared = paper(), Shared(16)
    gain = most_s(cycle, 1, shared) / most_s(cycle, 64, shared)
    assert gain < least_s(cycle, 1, shared) / least_s(cycle, 64, shared) < 64


def test_what_needs_the_fewest_hosts_saturates_first():
    """One trial has 621 s, and 1 s in the store of 1 Mbyte/s for each Mbyte."""
    cycle = campaign()
    lines = [line for line in least_rounds(cycle)[0] if line.key.setting == "8mbps"][:50]
    work = trial_work(cycle, lines[0])
    stored_s = work.stored_bytes / 1e6
    slow = saturations(cycle, lines, Shared(2, 1))
    assert ["the store of 1 MB/s is busy", "what follows trials keeps 2 cores busy"] == [
        one.resource for one in slow[:2]
    ]
    assert -(-(621 + stored_s) // stored_s) == slow[0].hosts
    assert -(-(621 + stored_s) // (work.cpu_s / 2)) == slow[1].hosts
    assert "what follows trials keeps 1 core busy" == saturations(cycle, lines, Shared(1))[0].resource


def test_twice_the_cores_saturate_at_twice_the_hosts():
    (lines,) = least_rounds(paper())
    one, two = (saturations(paper(), lines, Shared(cores))[0].hosts for cores in (1, 2))
    assert 2 * one - 1 <= two <= 2 * one


def test_the_report_has_a_line_for_each_number_of_hosts_and_then_the_limits():
    lines = hosts_report(paper(), (1, 16), Shared(2))
    assert ["hosts", "at", "least", "at", "most"] == lines[0].split()[:5]
    assert ["1", "12", "d", "22", "h", "53", "d", "3", "h"] == lines[1].split()
    assert ["16", "19", "h"] == lines[2].split()[:3]
    assert lines[3].startswith("saturates first: what follows trials keeps 2 cores busy from 187 hosts on")
    assert lines[4].startswith("then: the store of 110 MB/s is busy from ")
    assert "the first round has 1,800 trials, so no work for more hosts than that" == lines[5]


def test_more_hosts_than_trials_leave_some_idle():
    one = replace(campaign(), pairs=(), services={"a": campaign().services["a"]})
    many, more = (least_s(one, hosts, Shared(2)) for hosts in (100, 1000))
    assert pytest.approx(many) == more


def round_of(trials, number=1, setting="8mbps"):
    """A round with so many trials of one pair."""
    keys = [TrialKey(setting, "a~b", trial) for trial in range(1, trials + 1)]
    return [PlanLine(order, number, key, 600) for order, key in enumerate(keys, 1)]


@pytest.mark.parametrize(
    ("trials", "hosts", "shared", "seconds"),
    [
        (
            3,
            1,
            Shared(4),
            lambda one, stored_s: calibration_s(campaign().settings["8mbps"]) + 3 * (621 + stored_s),
        ),
        (3, 3, Shared(4), lambda one, stored_s: calibration_s(campaign().settings["8mbps"]) + 621 + stored_s),
        (900, 900, Shared(1, 1e9), lambda one, stored_s: 900 * one.cpu_s),
        (100, 100, Shared(100, 1), lambda one, stored_s: 100 * stored_s),
        (9000, 9000, Shared(9000, 1e9), lambda one, stored_s: 9180 / SUBMISSIONS_PER_S),
    ],
    ids=["one host", "a host each", "cores", "store", "submitting"],
)
def test_a_round_takes_as_long_as_its_busiest_part(trials, hosts, shared, seconds):
    lines = round_of(trials)
    work = trial_work(campaign(), lines[0])
    expected = seconds(work, work.stored_s(shared)) + NEXT_ROUND_S
    assert pytest.approx(expected) == cycle_s(campaign(), [lines], hosts, shared)


def test_each_round_waits_for_the_one_before_and_calibrates_again():
    rounds = [round_of(1), round_of(1, number=2)]
    once = cycle_s(campaign(), rounds[:1], 1, Shared(2))
    assert pytest.approx(2 * once) == cycle_s(campaign(), rounds, 1, Shared(2))


def test_a_host_calibrates_each_setting_that_it_measures():
    lines, shared = [*round_of(2), *round_of(2, setting="50mbps")], Shared(2, 1e9)
    calibrations = sum(calibration_s(campaign().settings[name]) for name in ("8mbps", "50mbps"))
    found = cycle_s(campaign(), [lines], 1, shared) - NEXT_ROUND_S
    assert pytest.approx(4 * 621 + calibrations, abs=1) == found


def test_no_hosts_are_an_error():
    with pytest.raises(ValueError, match="no hosts"):
        cycle_s(campaign(), [round_of(1)], 0, Shared(2))
