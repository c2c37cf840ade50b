"""The points of lines over time: means of seconds, and no more values than a picture can show."""

from scripts.charts.series_points import MOST_MEANS, MOST_VALUES, extremes, means


def slots(count: int) -> list[tuple[int, float | None]]:
    """Slots with the values 0 to 9 again and again."""
    return [(slot, float(slot % 10)) for slot in range(count)]


def test_a_mean_is_at_the_middle_of_its_second():
    assert [(0.5, 4.5), (1.5, 4.5)] == means(slots(20), 20)


def test_the_last_second_may_be_short():
    assert [(0.5, 4.5), (1.2, 1.5)] == means(slots(14), 14)


def test_unknown_values_are_not_in_a_mean_and_a_second_without_a_known_one_has_none():
    values: list[tuple[int, float | None]] = [(slot, None) for slot in range(20)]
    values[3] = (3, 6.0)
    assert [(0.5, 6.0), (1.5, None)] == means(values, 20)


def test_a_trial_of_more_than_ten_minutes_has_means_of_several_seconds():
    found = means(slots(12_001), 12_001)
    assert len(found) <= MOST_MEANS and (1.5, 4.5) == found[0]


def test_a_short_trial_keeps_every_value():
    assert [(slot / 10, value) for slot, value in slots(MOST_VALUES)] == extremes(
        slots(MOST_VALUES), MOST_VALUES
    )


def test_a_long_trial_keeps_the_lowest_and_the_highest_value_of_each_group_in_order_of_time():
    values = slots(6000)
    values[7], values[3] = (7, -5.0), (3, 50.0)
    found = extremes(values, 6000)
    assert len(found) <= MOST_VALUES
    assert [(0.3, 50.0), (0.7, -5.0)] == found[:2]


def test_a_group_of_unknown_values_is_a_gap():
    assert [(0.0, None)] == extremes([(slot, None) for slot in range(20)], 6000)
