"""Which services can be ranked."""

from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from scripts.metrics.ranking import rankable

SERVICES = "abcdefg"
MET = st.sets(st.sampled_from(list(combinations(SERVICES, 2))))


def test_in_a_full_panel_all_are_ranked():
    services = [f"service-{number:02d}" for number in range(12)]
    assert services == rankable(combinations(services, 2))


def test_a_service_that_met_only_some_of_the_others_does_not_shrink_what_the_others_are_ranked_over():
    """As in a demo: three baselines met each other, three more services met only one of them."""
    panel = [("bbr", "cubic"), ("bbr", "reno"), ("cubic", "reno")]
    assert rankable([*panel, ("cubic", "file"), ("cubic", "video"), ("cubic", "call")]) == [
        "bbr",
        "cubic",
        "reno",
    ]


def test_of_two_that_never_met_the_first_is_ranked():
    met = set(combinations("abcd", 2)) - {("b", "d")}
    assert rankable(met) == ["a", "b", "c"]


def test_two_services_have_no_opponent_in_common():
    assert rankable([("a", "b"), ("c", "d"), ("a", "a")]) == []


@given(MET)
def test_the_group_is_the_first_of_the_largest_whose_services_all_met(met):
    groups = [
        list(group)
        for size in range(len(SERVICES), 2, -1)
        for group in combinations(SERVICES, size)
        if set(combinations(group, 2)) <= met
    ]
    assert rankable(met) == (groups[0] if groups else [])
    assert rankable((other, one) for one, other in met) == rankable(met)
