"""Freezes and visual completeness, by hand and by their properties."""

import math
from itertools import accumulate

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scripts.metrics.qoe import (
    freezes,
    held_longest,
    mean_over_time,
    speed_index,
    visually_complete,
)

FRAMES = st.lists(st.floats(min_value=0, max_value=1), min_size=1, max_size=10)


def arrivals(gaps):
    return list(accumulate(gaps, initial=1000.0))


@pytest.mark.parametrize(
    ("gaps", "expected"),
    [
        ([1 / 30] * 100, 0),
        # d = (99 * 33.3 + 200) / 100 = 35 ms: the limit is d + 150 = 185 ms, not 3 d = 105 ms.
        ([1 / 30] * 99 + [0.200], 1),
        ([1 / 30] * 99 + [0.180], 0),
        ([1 / 30] * 49 + [0.200] + [1 / 30] * 49 + [0.300], 2),
        # d = (9 * 100 + 450) / 10 = 135 ms: the limit is 3 d = 405 ms, not d + 150 = 285 ms.
        ([0.1] * 9 + [0.450], 1),
        ([0.1] * 9 + [0.350], 0),
        ([0.5], 0),
        ([], 0),
    ],
)
def test_freezes_by_hand(gaps, expected):
    """A freeze is a gap above max(3 d, d + 150 ms), d being the mean gap: Prudentia, Table 2."""
    assert expected == freezes(arrivals(gaps))


def test_a_gap_equal_to_the_limit_is_not_a_freeze():
    """Four gaps of 1/8 s and one of 3/4 s give d = 1/4 s and 3 d = 3/4 s, all exact in binary."""
    assert freezes([0, 0.125, 0.25, 0.375, 0.5, 1.25]) == 0
    assert freezes([0, 0.125, 0.25, 0.375, 0.5, 1.2500001]) == 1


def test_no_frames_have_no_freeze_and_gaps_of_zero_count_in_the_mean():
    """Five gaps of 0 and one of 1 s: d = 1/6 s."""
    assert freezes([]) == 0
    assert freezes([1, 1, 1, 1, 1, 1, 2]) == 1


@given(st.lists(st.floats(min_value=0.001, max_value=2), max_size=30))
def test_at_most_a_third_of_the_gaps_can_freeze(gaps):
    """More than n/3 gaps above three times their mean would exceed the sum of all gaps."""
    assert 0 <= freezes(arrivals(gaps)) <= len(gaps) / 3


@pytest.mark.parametrize("times", [[0, 2, 1], [0, math.nan, 1], [0, math.inf], [-math.inf, 0]])
def test_freezes_reject_invalid_values(times):
    with pytest.raises(ValueError, match=r"a time must be finite|the times must not decrease"):
        freezes(times)


@pytest.mark.parametrize(
    ("completeness", "level", "expected"),
    [
        ([0, 0.5, 0.95, 1], 0.95, 1.5),
        ([0, 0.5, 0.94, 1], 0.95, 2.5),
        ([0, 0.96, 0.5, 1], 0.95, 2.5),
        ([0, 0.96, 0.96, 1], 0.95, 0.5),
        ([1, 1, 1, 1], 0.95, 0.25),
        ([0.2, 0.4, 0.6, 0.6], 0.6, 1.5),
        ([0, 0.5, 0.99, 1], 1, 2.5),
    ],
)
def test_visual_completeness_by_hand(completeness, level, expected):
    """A level that is lost again (an image moves the text) counts from the time it is regained."""
    assert expected == visually_complete([0.25, 0.5, 1.5, 2.5], completeness, level)


@given(FRAMES, st.floats(min_value=0.01, max_value=1))
def test_all_frames_from_that_time_reach_the_level_and_the_one_before_does_not(parts, level):
    completeness = [*parts, 1.0]
    times = [frame / 10 for frame in range(len(completeness))]
    first = times.index(visually_complete(times, completeness, level))
    assert all(part >= level for part in completeness[first:])
    assert first == 0 or completeness[first - 1] < level


@pytest.mark.parametrize(
    ("times", "completeness", "level", "reason"),
    [
        ([], [], 0.95, "times of"),
        ([0, 1], [1], 0.95, "times of"),
        ([0, 1], [0, 1.1], 0.95, "completeness"),
        ([0, 1], [-0.1, 1], 0.95, "completeness"),
        ([0, 1], [math.nan, 1], 0.95, "completeness"),
        ([0, 1], [0, 1], 0, "level"),
        ([0, 1], [0, 1], 95, "level"),
        ([0, 1], [0, 1], math.nan, "level"),
        ([0, 1], [1, 0.9], 0.95, "last frame"),
        ([1, 0], [0, 1], 0.95, "the times must not decrease"),
        ([0, math.nan], [0, 1], 0.95, "a time must"),
    ],
)
def test_visual_completeness_rejects_invalid_values(times, completeness, level, reason):
    with pytest.raises(ValueError, match=reason):
        visually_complete(times, completeness, level)


def test_speed_index_by_hand():
    """The page is empty for 0.5 s and half complete for 2 s: 0.5 + 2 * 0.5."""
    assert 1.5 == speed_index([0, 0.5, 2.5], [0, 0.5, 1])


def test_a_page_that_is_complete_at_once_has_a_speed_index_of_zero():
    assert 0 == speed_index([0, 1], [1, 1])


@given(FRAMES)
def test_speed_index_is_never_later_than_the_last_frame(parts):
    times = [frame / 10 for frame in range(len(parts) + 1)]
    assert 0 <= speed_index(times, [*parts, 1.0]) <= times[-1] + 1e-9


def test_speed_index_rejects_a_page_that_is_never_complete():
    with pytest.raises(ValueError, match="last frame"):
        speed_index([0, 1], [0, 0.9])


@pytest.mark.parametrize(
    ("times_s", "values", "span_s", "mean", "longest"),
    [
        # 2 s of 4, 3 s of 1, 5 s of 4: (2 * 4 + 3 * 1 + 5 * 4) / 10, and 4 for 7 s.
        ([0, 12, 15], [4, 1, 4], (10, 20), 3.1, 4),
        # No value before 12 s: 4 s of 6 and 4 s of 2; of equal durations the lower value.
        ([12, 16], [6, 2], (10, 20), 4.0, 2),
        # A value that starts at the end of the span, or ends at its start, is not in it.
        ([0, 10, 20], [9, 5, 1], (10, 20), 5.0, 5),
        ([3, 3], [9, 5], (0, 4), 5.0, 5),
    ],
)
def test_mean_and_longest_value_of_a_span_by_hand(times_s, values, span_s, mean, longest):
    assert pytest.approx(mean) == mean_over_time(times_s, values, *span_s)
    assert longest == held_longest(times_s, values, *span_s)


@pytest.mark.parametrize(
    ("times_s", "values", "message"),
    [
        ([20], [1], "there is no value between 10 s and 20 s"),
        ([], [], "there is no value"),
        ([1, 2], [1], "2 times of 1 values"),
        ([2, 1], [1, 1], "the times must not decrease"),
        ([math.nan], [1], "finite"),
    ],
)
@pytest.mark.parametrize("formula", [mean_over_time, held_longest])
def test_spans_without_a_result_are_rejected(formula, times_s, values, message):
    with pytest.raises(ValueError, match=message):
        formula(times_s, values, 10, 20)


STEPS = st.lists(st.tuples(st.floats(0, 20), st.integers(0, 9)), min_size=1, max_size=8)


@given(STEPS)
def test_the_mean_is_within_the_values_and_the_longest_is_one_of_them(steps):
    times_s = sorted(at for at, _ in steps)
    values = [value for _, value in steps]
    mean = mean_over_time(times_s, values, 0, 21)
    assert min(values) - 1e-9 <= mean <= max(values) + 1e-9
    assert held_longest(times_s, values, 0, 21) in values
