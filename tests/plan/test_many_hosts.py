"""What the operator sees of a cycle on several hosts."""

from dataclasses import replace

import pytest

from scripts.plan.disk import packets, raw_bytes
from scripts.plan.estimate import at_least
from scripts.plan.many_hosts import (
    FOLLOWING_PACKET_S,
    FOLLOWING_S,
    SLURM_S,
    Shared,
    hosts_report,
    least_s,
    least_work,
)
from tests.model.campaigns import campaign, paper


def test_the_work_of_a_cycle_by_hand():
    """One service alone has 10 trials of 600 s; at 8 Mbps each has 390,117 packets on the link."""
    cycle = campaign()
    one = replace(
        cycle,
        pairs=(),
        services={"a": cycle.services["a"]},
        settings={"8mbps": cycle.settings["8mbps"]},
    )
    work = least_work(one)
    assert 390_117 == round(packets(8, 600))
    assert (10, 10 * (618 + SLURM_S)) == (work.trials, work.measuring_s)
    assert pytest.approx(10 * raw_bytes(8, 600)) == work.stored_bytes
    assert pytest.approx(10 * (FOLLOWING_S + 390_117 * FOLLOWING_PACKET_S), abs=1e-2) == work.cpu_s


def test_the_least_work_has_the_trials_of_the_estimate():
    assert at_least(paper()).trials == least_work(paper()).trials


def test_raw_files_by_hand():
    """8 Mbps for 1538 * 8 microseconds are 8 packets, and 12.8 captured ones."""
    assert pytest.approx(12.8 * 25 + 8 * 11) == raw_bytes(8, 1538 * 8 / 1e6)


def test_the_papers_cycle_takes_less_than_a_day_on_sixteen_hosts():
    hours = [least_s(paper(), hosts, Shared(2)) / 3600 for hosts in (1, 4, 16)]
    assert pytest.approx([12.94 * 24, 12.94 * 24 / 4, 12.94 * 24 / 16], rel=0.001) == hours


@pytest.mark.parametrize(
    ("hosts", "shared", "expected"),
    [
        (2, Shared(100, 1e9), lambda work: work.measuring_s / 2),
        (100, Shared(1, 1e9), lambda work: work.cpu_s),
        (100, Shared(100, 0.5), lambda work: work.stored_bytes / 0.5e6),
    ],
    ids=["hosts", "cores", "store"],
)
def test_a_cycle_takes_at_least_as_long_as_the_busiest_of_three(hosts, shared, expected):
    assert pytest.approx(expected(least_work(paper()))) == least_s(paper(), hosts, shared)


def test_more_hosts_than_trials_leave_some_idle():
    trials = least_work(campaign()).trials
    many, more = (least_s(campaign(), hosts, Shared(1000, 1e9)) for hosts in (trials, 10 * trials))
    assert many == more


def test_the_report_has_a_line_for_each_number_of_hosts_with_what_limits_it():
    assert [
        "hosts       at least   over Slurm, limited by; "
        "what follows trials runs on 2 cores, not on the hosts",
        "1          12 d 22 h   the hosts",
        "16       19 h 24 min   the hosts",
        "1800      1 h 40 min   2 cores",
    ] == hosts_report(paper(), (1, 16, 1800), Shared(2))


def test_no_hosts_are_an_error():
    with pytest.raises(ValueError, match="no hosts"):
        least_s(campaign(), 0, Shared(2))
