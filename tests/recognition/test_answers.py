"""The answer for a trace: the nearest family, if it is near enough and clearly the nearest."""

import numpy as np
import pytest

from scripts.recognition.answers import (
    MARGIN,
    NOT_CLEAR,
    NOTHING_NEAR,
    TOO_FAR,
    Answer,
    answer_of,
    limits_of,
)
from scripts.recognition.families import UNKNOWN

FAMILIES = ["Reno-like", "Reno-like", "Cubic-like", "Cubic-like"]
LIMITS = [0.1, 0.1, 0.05, 0.05]


def answer(*distances):
    return answer_of(np.array(distances), FAMILIES, LIMITS)


def test_the_nearest_family_within_its_limit_is_the_answer():
    found = answer(0.09, 0.04, 0.3, 0.2)
    assert ("Reno-like", None, "Cubic-like") == (found.family, found.reason, found.second)
    assert (0.04, 0.1, 5) == (found.distance, found.limit, pytest.approx(found.margin))
    assert (1, 0) == found.nearest


def test_it_is_unknown_if_every_family_is_far():
    found = answer(0.9, 0.8, 0.3, 0.2)
    assert (UNKNOWN, TOO_FAR, "Cubic-like") == (found.family, found.reason, found.nearest_family)
    assert (3, 2) == found.nearest


def test_the_limit_is_that_of_the_nearest_trace():
    assert "Reno-like" == answer(0.07, 0.9, 0.9, 0.9).family
    assert UNKNOWN == answer(0.9, 0.9, 0.07, 0.9).family
    of_two = answer_of(np.array([0.04, 0.07, 0.9, 0.9]), FAMILIES, [0.03, 0.1, 0.05, 0.05])
    assert (UNKNOWN, 0.03) == (of_two.family, of_two.limit)


@pytest.mark.parametrize(("factor", "family"), [(1.01, "Reno-like"), (0.99, UNKNOWN)])
def test_it_is_unknown_if_the_second_family_is_almost_as_near(factor, family):
    found = answer(0.05, 0.9, 0.05 * MARGIN * factor, 0.9)
    assert family == found.family
    assert (NOT_CLEAR if family == UNKNOWN else None) == found.reason


@pytest.mark.parametrize("families", [[], ["Reno-like", "Reno-like"]])
def test_one_family_alone_is_no_choice(families):
    assert Answer(UNKNOWN, NOTHING_NEAR) == answer_of(np.zeros(len(families)), families, LIMITS)


def test_the_limit_is_the_distance_between_traces_of_different_days():
    distances = np.array([[0, 0.9, 0.3, 0.4], [0.9, 0, 0.2, 0.5], [0.3, 0.2, 0, 0.8], [0.4, 0.5, 0.8, 0]])
    days = ["monday", "monday", "tuesday", "tuesday"]
    assert {"kernel reno": 0.5} == limits_of(distances, ["kernel reno"] * 4, days)


def test_of_one_day_it_is_the_distance_between_its_traces():
    distances = np.array([[0, 0.01, 0.3], [0.01, 0, 0.2], [0.3, 0.2, 0]])
    assert {"kernel reno": 0.3} == limits_of(distances, ["kernel reno"] * 3, ["monday"] * 3)


def test_another_implementation_of_the_family_does_not_widen_a_limit():
    distances = np.array([[0, 0.1, 9], [0.1, 0, 9], [9, 9, 0]])
    implementations = ["kernel reno", "kernel reno", "quinn reno"]
    assert {"kernel reno": 0.1, "quinn reno": 0} == limits_of(distances, implementations, ["a", "b", "a"])


def test_the_limit_leaves_out_one_of_a_hundred():
    """Three hundred traces are alike, and one is as far as none of them from all others."""
    at = np.concatenate([[5], np.zeros(300)])
    distances = np.abs(at[:, None] - at[None, :])
    assert {"kernel reno": 0} == limits_of(distances, ["kernel reno"] * 301, ["a"] * 301)
