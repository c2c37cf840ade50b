"""The order of services by result."""

from scripts.figures.order import by_result


def test_the_service_with_the_highest_median_share_is_first():
    shares = [("a", "b", 0.4), ("b", "a", 1.6), ("a", "c", 0.8)]
    shares += [("c", "a", 1.2), ("b", "c", 1.1), ("c", "b", 0.9)]
    assert ["b", "c", "a"] == by_result(shares)


def test_a_share_against_itself_does_not_count():
    shares = [("a", "b", 1.2), ("b", "a", 0.8), ("b", "b", 9.0)]
    assert ["a", "b"] == by_result(shares)


def test_of_equal_services_the_one_that_leaves_less_is_first_and_one_without_a_share_is_last():
    shares = [("a", "c", 1.0), ("b", "c", 1.0), ("c", "a", 0.9), ("c", "b", 0.7), ("c", "d", 0.8)]
    assert ["b", "a", "c", "d"] == by_result(shares)


def test_names_decide_between_services_that_do_not_differ_in_any_order_of_rows():
    shares = [("b", "a", 1.0), ("a", "b", 1.0)]
    assert ["a", "b"] == by_result(shares) == by_result(reversed(shares))
