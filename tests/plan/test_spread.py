"""The hosts that a trial prefers."""

from collections import Counter
from itertools import pairwise

import pytest

from scripts.model.plan_file import PlanLine
from scripts.model.trials import TrialKey
from scripts.plan.spread import first_hosts, host_order

HOSTS = [f"host-{number}" for number in range(7)]


def round_of(number, cells, turns):
    """A round with so many trials of so many pairs, one trial of each pair after the other."""
    keys = [TrialKey("8mbps", f"a~b{cell}", turn) for turn in range(1, turns + 1) for cell in range(cells)]
    return [PlanLine(order, number, key, 600) for order, key in enumerate(keys, 1)]


def firsts(lines, hosts):
    return [host_order(lines, line.key, hosts)[0] for line in lines]


def test_three_pairs_on_two_hosts_by_hand():
    lines = round_of(1, cells=3, turns=2)
    assert ["y", "x", "y", "x", "y", "x"] == firsts(lines, ["x", "y"])
    assert ["y", "z", "x", "x", "y", "z"] == firsts(lines, ["x", "y", "z"])


def test_all_hosts_follow_in_turn():
    lines = round_of(1, cells=1, turns=2)
    assert ["y", "z", "x"] == host_order(lines, lines[0].key, ["x", "y", "z"])
    assert ["x", "y", "z"] == host_order(lines, lines[1].key, ["x", "y", "z"])


@pytest.mark.parametrize("count", [1, 2, 3, 4, 7])
@pytest.mark.parametrize("number", [1, 2, 9])
def test_each_turn_over_the_pairs_loads_all_hosts_equally(count, number):
    lines, hosts = round_of(number, cells=10, turns=4), HOSTS[:count]
    for turn in range(1, 5):
        chosen = [host_order(lines, line.key, hosts)[0] for line in lines if line.key.number == turn]
        loads = Counter(chosen)
        assert max(loads[host] for host in hosts) - min(loads[host] for host in hosts) <= 1


@pytest.mark.parametrize("cells", [18, 51, 180])
@pytest.mark.parametrize("count", [2, 4, 16, 24, 64, 128])
def test_a_whole_round_loads_no_host_with_more_than_its_part_and_two_trials(cells, count):
    loads = Counter(first_hosts(round_of(1, cells, turns=10), count))
    assert max(loads.values()) <= -(-cells * 10 // count) + 2


@pytest.mark.parametrize("count", [2, 3, 7])
def test_consecutive_trials_of_a_pair_are_on_different_hosts(count):
    lines = round_of(1, cells=5, turns=10)
    for cell in range(5):
        hosts = [
            host
            for line, host in zip(lines, firsts(lines, HOSTS[:count]), strict=True)
            if line.key.pair == f"a~b{cell}"
        ]
        assert all(one != other for one, other in pairwise(hosts))
        assert set(hosts[:count]) == set(HOSTS[:count])


@pytest.mark.parametrize("count", [2, 3, 7])
def test_a_trial_of_the_next_round_is_on_another_host(count):
    one, other = (firsts(round_of(number, cells=5, turns=3), HOSTS[:count]) for number in (1, 2))
    assert all(before != after for before, after in zip(one, other, strict=True))


def test_the_order_of_the_given_hosts_does_not_matter():
    lines = round_of(1, cells=5, turns=3)
    assert firsts(lines, HOSTS) == firsts(lines, HOSTS[::-1]) == firsts(lines, HOSTS + HOSTS[:2])


def test_trials_of_another_pair_at_the_end_change_nothing_for_the_others():
    lines = round_of(1, cells=5, turns=3)
    more = [PlanLine(16 + turn, 1, TrialKey("8mbps", "a~later", turn), 600) for turn in range(3)]
    assert firsts(lines, HOSTS) == firsts([*lines, *more], HOSTS)[: len(lines)]


def test_the_same_pair_in_two_settings_is_two_cells():
    lines = [PlanLine(order, 1, TrialKey(name, "a~b", 1), 600) for order, name in enumerate(("50", "8"), 1)]
    assert ["y", "x"] == firsts(lines, ["x", "y"])


def test_no_hosts_and_an_unplanned_trial_are_errors():
    lines = round_of(1, cells=1, turns=1)
    with pytest.raises(ValueError, match="no hosts"):
        host_order(lines, lines[0].key, [])
    with pytest.raises(ValueError, match="8mbps a~b0 #2 is not in the plan"):
        host_order(lines, TrialKey("8mbps", "a~b0", 2), HOSTS)
