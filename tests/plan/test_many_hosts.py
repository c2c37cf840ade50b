"""What the operator sees of a cycle on several hosts."""

from dataclasses import replace

import pytest

from scripts.plan.disk import packets, raw_bytes
from scripts.plan.expected_rounds import least_rounds
from scripts.plan.many_hosts import hosts_report, least_s, most_s, saturations
from scripts.plan.trial_work import FOLLOWING_PACKET_S, FOLLOWING_S, SLURM_S, Shared, trial_work
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
