"""Which trials have charts as files: the typical and the worst one of each cell."""

from dataclasses import replace

from scripts.charts.chosen_trials import Chosen, chosen_trials
from scripts.charts.table_rows import FairnessRow, ServiceRow
from scripts.model.pairs import members

PAIR = "a~b"


def trial(number: int, *rates: float | None, pair: str = PAIR, valid: bool = True) -> list[ServiceRow]:
    """The rows of a trial with these wire rates."""
    services = members(pair)
    instances = ["first"] * len(rates)
    if len(services) > len(set(services)):
        instances = ["worse_off" if rate == min(rates) else "better_off" for rate in rates]
    return [
        ServiceRow("8mbps", pair, number, f"c{place}", service, "", len(rates), valid, instance, rate)
        for place, (service, rate, instance) in enumerate(
            zip(services, rates, instances, strict=True), start=1
        )
    ]


def share(number: int, *shares: float | None, pair: str = PAIR) -> list[FairnessRow]:
    """The rows of a trial with these shares."""
    return [
        FairnessRow("8mbps", pair, number, f"c{place}", service, value)
        for place, (service, value) in enumerate(zip(members(pair), shares, strict=True), start=1)
    ]


def test_typical_is_nearest_to_the_median_of_the_first_service_and_worst_has_the_smallest_share():
    trials = [*trial(1, 4, 4), *trial(2, 5, 3), *trial(3, 2, 6), *trial(4, 3, 5)]
    shares = [*share(1, 1.0, 1.0), *share(2, 1.2, 0.1), *share(3, 0.5, 1.5), *share(4, 0.8, 1.2)]
    # The median of 0.5, 0.8, 1.0 and 1.2 is 0.9: trials 1 and 4 are as near to it.
    assert [Chosen("8mbps", PAIR, 1, 2, "share")] == chosen_trials(trials, shares)


def test_the_first_service_is_the_same_whoever_is_c1():
    trials = [*trial(1, 4, 4), *trial(2, 5, 3), *trial(3, 2, 6)]
    shares = [*share(1, 1.0, 1.0), *share(2, 1.2, 0.1), *share(3, 0.5, 1.5)]
    chosen = chosen_trials(trials, shares)
    other = {"c1": "c2", "c2": "c1"}
    drawn = [
        [replace(row, client=other[row.client]) if row.trial == 3 else row for row in rows]
        for rows in (trials, shares)
    ]
    assert [Chosen("8mbps", PAIR, 1, 2, "share")] == chosen == chosen_trials(*drawn)


def test_invalid_and_failed_trials_are_not_chosen():
    trials = [*trial(1, None, None, valid=False), *trial(2, 0.1, 7, valid=False), *trial(3, 4, 4)]
    shares = [*share(2, 0.01, 2.0), *share(3, 1.0, 1.0)]
    assert [Chosen("8mbps", PAIR, 3, 3, "share")] == chosen_trials(trials, shares)


def test_a_cell_without_a_valid_trial_has_its_first_completed_one():
    trials = [*trial(1, None, None, valid=False), *trial(2, 1, 7, valid=False), *trial(3, 4, 4, valid=False)]
    assert [Chosen("8mbps", PAIR, 2, 2, None)] == chosen_trials(trials, [])


def test_a_cell_without_a_completed_trial_has_none():
    assert [] == chosen_trials(trial(1, None, None, valid=False), [])


def test_a_solo_is_judged_by_its_wire_rate():
    trials = [*trial(10, 7.0, pair="a"), *trial(2, 6.0, pair="a"), *trial(3, 7.5, pair="a")]
    assert [Chosen("8mbps", "a", 10, 2, "wire_rate_mbps")] == chosen_trials(trials, [])


def test_a_self_pair_is_judged_by_its_worse_off_instance():
    trials = [
        *trial(1, 7, 1, pair="a~a"),
        *trial(2, 3, 5, pair="a~a"),
        *trial(3, 4.1, 3.9, pair="a~a"),
    ]
    assert [Chosen("8mbps", "a~a", 2, 1, "wire_rate_mbps")] == chosen_trials(trials, [])


def test_the_smallest_of_several_clients_of_one_service_is_the_worst():
    pair = "a~b_2"
    trials = [*trial(1, 2, 1, 5, pair=pair), *trial(2, 3, 2, 3, pair=pair)]
    assert 1 == chosen_trials(trials, [])[0].worst
