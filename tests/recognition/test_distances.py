"""The distance of traces: dynamic time warping within a band."""

import numpy as np
import pytest

from scripts.recognition.distances import BAND, distances
from scripts.recognition.traces import SAMPLES, trace_of
from tests.recognition.hand_traces import LINK, bbr, cubic, reno


def dip(at, samples=SAMPLES):
    """A full queue with one empty sample."""
    trace = np.ones((samples, 2))
    trace[at] = 0
    return trace


def test_a_trace_is_no_distance_from_itself():
    trace = trace_of(cubic(6), LINK)
    assert [[0]] == distances([trace], [trace]).tolist()


def test_a_shift_within_the_band_costs_nothing_and_beyond_it_does():
    assert distances([dip(100)], [dip(100 + BAND - 1)])[0, 0] == pytest.approx(0)
    assert distances([dip(100)], [dip(100 + BAND + 5)])[0, 0] > 0.05


def test_it_is_the_root_mean_square_difference_of_what_cannot_be_warped():
    low, high = np.full((SAMPLES, 2), 0.3), np.full((SAMPLES, 2), 0.4)
    assert distances([low], [high])[0, 0] == pytest.approx(np.sqrt(2) * 0.1, abs=1e-6)


def test_it_has_no_digits_in_which_processors_may_differ():
    found = distances([trace_of(reno(15, 1), LINK)], [trace_of(cubic(6, 1), LINK)])[0, 0]
    assert found == round(found, 6) > 0


def test_rows_are_traces_and_columns_the_others():
    some, others = [dip(10), dip(300)], [dip(10), dip(300), np.zeros((SAMPLES, 2))]
    found = distances(some, others)
    assert (2, 3) == found.shape
    assert (0, 0) == (found[0, 0], found[1, 1])
    assert found[0, 2] > found[0, 1] > 0
    assert (0, 3) == distances([], others).shape


def test_controllers_are_nearer_to_themselves_than_to_others():
    made = {"reno": lambda seed: reno(15, seed), "cubic": lambda seed: cubic(6.5, seed), "bbr": bbr}
    first = [trace_of(make(1), LINK) for make in made.values()]
    second = [trace_of(make(2), LINK) for make in made.values()]
    assert [0, 1, 2] == distances(first, second).argmin(axis=1).tolist()
