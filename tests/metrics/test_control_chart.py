"""The control chart: limits worked by hand, the rate of false alarms, and what follows an alarm."""

import math

import numpy as np
import pytest
from scipy.stats import t

from scripts.metrics.control_chart import FEWEST, Charted, control_chart

STEADY = [10.0, 10.2, 9.8, 10.1, 9.9, 10.0]


def test_the_first_values_have_no_limits():
    assert [Charted(earlier) for earlier in range(FEWEST)] == control_chart(STEADY, 0.01)


def test_the_limit_is_that_of_the_prediction_interval():
    last = control_chart([*STEADY, 10.1], 0.05)[-1]
    spread = math.sqrt((0.04 + 0.04 + 0.01 + 0.01) / 5)
    assert pytest.approx(10.0) == last.mean
    assert pytest.approx(t.ppf(0.975, 5) * spread * math.sqrt(7 / 6)) == last.limit
    assert last.alarm is False


def test_after_an_alarm_the_chart_begins_anew():
    charted = control_chart([*STEADY, 12.0, 12.0], 0.01)
    assert charted[-2].alarm and charted[-1] == Charted(1)


def test_values_that_do_not_vary_give_no_alarm():
    assert not any(one.alarm for one in control_chart([0.1] * 20, 0.01))


def test_false_alarms_are_as_rare_as_asked_for():
    draw = np.random.default_rng(1)
    charted = [one for _ in range(60) for one in control_chart(draw.normal(1, 0.05, 26), 0.02)]
    judged = [one.alarm for one in charted if one.alarm is not None]
    assert np.mean(judged) == pytest.approx(0.02, abs=0.012)


@pytest.mark.parametrize(("values", "rate"), [([1.0], 0), ([math.inf], 0.1)])
def test_wrong_arguments_are_rejected(values, rate):
    with pytest.raises(ValueError, match="must be"):
        control_chart(values, rate)
