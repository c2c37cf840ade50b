"""Trials of a cell are far apart, places are drawn, and intervals hold what days add: the fast form."""

from dataclasses import replace

import pytest

from scripts.model.trials import TrialKey
from scripts.plan.planner import in_turns
from scripts.plan.specification_writer import specification
from tests.truth.independence import (
    NOISY,
    SD,
    coverage,
    followers,
    least_distance,
    small_p,
    three_rounds,
)
from tests.truth.rates import told
from tests.truth.worlds import World, normal

WORLD = World(normal(SD), draws=1)
CELLS = 12 + 78


@pytest.mark.parametrize("open_pairs", [NOISY[:1], NOISY[:2], NOISY, WORLD.pairs])
def test_two_trials_of_a_pair_are_most_of_a_turn_apart_also_from_round_to_round(open_pairs):
    rounds = three_rounds(WORLD, open_pairs)
    least = least_distance(rounds, [CELLS, len(open_pairs), len(open_pairs)])
    told(f"least distance of two trials of a pair, {len(open_pairs)} open, in turns", least, ">= 2/3")
    assert least >= 2 / 3


def test_few_open_pairs_take_turns():
    _, second, third = three_rounds(WORLD, NOISY)
    order = [key.pair for key in second[:5]]
    assert set(NOISY) == set(order)
    assert order * 20 == [key.pair for key in [*second, *third]]


def test_the_first_round_begins_with_each_service_alone_and_spreads_the_rest():
    first, *_ = three_rounds(WORLD, NOISY)
    assert {*WORLD.names} == {key.pair for key in first[:12]}
    alone = [place for place, key in enumerate(first) if key.pair in WORLD.names]
    assert 120 == len(alone)
    assert all(5 <= sum(place // 90 == turn for place in alone) <= 20 for turn in range(10))


def test_every_turn_has_one_trial_of_each_pair_in_an_order_of_its_own():
    first, *_ = three_rounds(WORLD, NOISY)
    pairs = [key for key in first if key.pair not in WORLD.names]
    turns = [pairs[start : start + 78] for start in range(0, 780, 78)]
    assert all({*WORLD.pairs} == {key.pair for key in turn} for turn in turns)
    assert 10 == len({tuple(key.pair for key in turn) for turn in turns})
    assert sum(len(found) for found in followers(pairs).values()) > 4 * 78


def test_the_order_follows_from_the_seed_and_the_cycle():
    campaign = WORLD.campaign
    assert three_rounds(WORLD, NOISY) == three_rounds(WORLD, NOISY)
    orders = {tuple(in_turns(campaign, lambda cell: [1], cycle)) for cycle in ("one", "one", "another")}
    assert 2 == len(orders)
    assert 3 == len(orders | {tuple(in_turns(replace(campaign, seed=2), lambda cell: [1], "one"))})


def test_each_service_of_a_pair_is_c1_in_half_of_the_trials():
    campaign = WORLD.campaign
    specs = [
        specification(campaign, "c", TrialKey("draw-0", pair, number))
        for pair in NOISY
        for number in range(1, 61)
    ]
    assert all(["c1", "c2"] == [client.client for client in spec.clients] for spec in specs)
    for pair in NOISY:
        firsts = [spec.clients[0].service.name for spec in specs if spec.pair == pair]
        assert 17 <= firsts.count(pair[:3]) <= 43, "a fair coin does this in 99.9 %"
    drawn = sum(spec.clients[0].service.name == spec.pair[:3] for spec in specs) / len(specs)
    told("trials of a pair in which c1 is the first by name", drawn, "0.5")
    assert 0.42 <= drawn <= 0.58


def test_the_interval_holds_what_days_add(tmp_path):
    """Rounds 2 and 3 of five pairs are on a few days. Taken as independent, their trials promise too much."""
    by_trials, published = coverage(SD, 6, tmp_path / "world")
    assert by_trials < 0.9 <= published


def test_equal_places_are_seldom_told_apart(tmp_path):
    assert small_p(15, tmp_path / "world") <= 0.2
