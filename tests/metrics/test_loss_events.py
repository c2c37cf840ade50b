"""Loss events: which drops count once, and how sure their rate is."""

import pytest

from scripts.metrics.loss_events import loss_event_rate_interval, loss_event_starts

MS = 1_000_000


@pytest.mark.parametrize(
    ("drops_ms", "events_ms"),
    [
        ([], []),
        ([0], [0]),
        ([0, 10], [0]),
        ([0, 200], [0, 200]),
        ([0, 100], [0]),
        ([0, 101], [0, 101]),
        ([0, 90, 180, 270], [0, 180]),
        ([0, 0, 0], [0]),
    ],
)
def test_drops_within_a_round_trip_of_the_first_one_are_one_event(drops_ms, events_ms):
    """The sender knows of each drop after 100 ms. The time counts from the first drop, not from the last."""
    known = [(at + 100) * MS for at in drops_ms]
    assert [at * MS for at in events_ms] == loss_event_starts([at * MS for at in drops_ms], known)


def test_the_round_trip_is_that_of_the_first_drop():
    assert [0] == loss_event_starts([0, 150], [200, 160])
    assert [0, 150] == loss_event_starts([0, 150], [100, 350])


@pytest.mark.parametrize(
    ("events", "low", "high"), [(0, 0, 3.689), (1, 0.0253, 5.572), (10, 4.795, 18.39), (100, 81.36, 121.6)]
)
def test_the_interval_is_that_of_poisson_counts(events, low, high):
    """Ulm 1990 prints these limits for counts of 0, 1, 10 and 100."""
    assert pytest.approx((low / 1000, high / 1000), rel=1e-3) == loss_event_rate_interval([events], [1000])


def test_trials_are_pooled_and_one_without_loss_counts():
    assert loss_event_rate_interval([4], [2000]) == loss_event_rate_interval([2, 2, 0], [1000, 900, 100])
    _, high = loss_event_rate_interval([2, 2], [1000, 1000])
    assert high > loss_event_rate_interval([2, 2, 0], [1000, 1000, 500])[1]


def test_trials_that_differ_more_than_poisson_counts_widen_the_interval():
    low, high = loss_event_rate_interval([10] * 4, [1000] * 4)
    wider_low, wider_high = loss_event_rate_interval([0, 0, 20, 20], [1000] * 4)
    assert wider_low < low < 0.01 < high < wider_high


@pytest.mark.parametrize(("events", "packets"), [([], []), ([-1], [10]), ([1], [0]), ([1, 1], [10, 0])])
def test_numbers_out_of_range_are_refused(events, packets):
    with pytest.raises(ValueError, match="each trial needs packets"):
        loss_event_rate_interval(events, packets)
