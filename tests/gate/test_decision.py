"""The verdict of the gate: worked by hand, what has no verdict, and properties of all verdicts."""

import math
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scripts.gate.decision import EXIT_STATUS, LOOKS, Arms, judge, look, verdict_of
from scripts.gate.margins import Margin
from tests.truth.gates import normal

SHARE = Margin("share", "candidate", "less", 0.1, "fraction", ".")
HARM = Margin("harm_throughput", "contender", "more", 0.1, "fraction", ".")
CHANGE = Margin("share_change", "candidate", "either", 0.1, "fraction", ".")

STEADY = (0.99, 1.0, 1.01, 1.0, 0.99, 1.01)


def arms(candidate, base=STEADY, margin=SHARE, contender="iperf-cubic"):
    return Arms(margin.metric, margin, "8mbps", contender, tuple(candidate), tuple(base))


def moved(by, values=STEADY):
    return tuple(value + by for value in values)


def verdict(*gate, looks=(1.0,)):
    return judge(gate, looks).verdict


def test_the_exit_statuses_leave_2_to_the_users_mistakes():
    assert {"pass": 0, "fail": 1, "inconclusive": 3} == EXIT_STATUS


@pytest.mark.parametrize(
    ("margin", "by", "expected"),
    [
        (SHARE, 0.0, "pass"),
        (SHARE, -0.3, "fail"),
        (SHARE, 0.3, "pass"),
        (HARM, 0.3, "fail"),
        (HARM, -0.3, "pass"),
        (CHANGE, 0.3, "fail"),
        (CHANGE, -0.3, "fail"),
        (CHANGE, 0.0, "pass"),
        (CHANGE, 0.1, "inconclusive"),
    ],
)
def test_only_what_is_worse_fails(margin, by, expected):
    assert expected == verdict(arms(moved(by), margin=margin))


def test_the_intervals_of_one_figure_by_hand():
    """Both arms: mean apart 0.02, variance 1e-4 of three; the error √(2e-4/3); t(4) at 97.5 % is 2.7764."""
    (figure,) = judge([arms((1.01, 1.02, 1.03), (0.99, 1.0, 1.01))], (1.0,)).figures
    width = 2.776445 * math.sqrt(2e-4 / 3)
    assert figure.difference == pytest.approx(0.02)
    assert figure.narrow == pytest.approx((0.02 - width, 0.02 + width))
    assert figure.wide == figure.narrow


def test_the_wide_interval_grows_with_the_gate_and_the_narrow_one_does_not():
    one, *_ = judge([arms(moved(0.01))], (1.0,)).figures
    of_five, *_ = judge([arms(moved(0.01))] * 5, (1.0,)).figures
    assert one.narrow == of_five.narrow
    assert of_five.wide[0] < one.wide[0] and one.wide[1] < of_five.wide[1]


def test_six_trials_of_each_arm_without_any_loss_pass():
    assert "pass" == verdict(arms((0.0,) * 6, (0.0,) * 6, HARM))
    assert "inconclusive" == verdict(arms((0.0,) * 5, (0.0,) * 6, HARM))
    assert "inconclusive" == verdict(arms((0.0,) * 6, (0.1,) * 6, HARM))


def test_a_look_at_the_beginning_needs_more_than_the_last_one():
    gate = [arms(moved(-0.12))]
    assert ["inconclusive", "fail"] == [judge(gate, looks).verdict for looks in (LOOKS[:1], LOOKS)]


def test_one_figure_fails_the_gate_and_all_must_pass():
    good, bad, unclear = arms(moved(0)), arms(moved(-0.3)), arms(moved(-0.1))
    assert ["fail", "pass", "inconclusive", "fail"] == [
        verdict(good, bad),
        verdict(good, good),
        verdict(good, unclear),
        verdict(unclear, bad),
    ]


@pytest.mark.parametrize(
    ("candidate", "base", "because"),
    [
        ((1.0, 1.1), STEADY, "the candidate has 2 trials; 3 are needed"),
        (STEADY, (), "the base has 0 trials; 3 are needed"),
        (STEADY, (None, *STEADY), "1 of 7 trials of the base have no value"),
        ((0.5,) * 9, STEADY, "all trials of the candidate have the same value"),
        ((0.0,) * 3, (0.0,) * 4, "all trials of the candidate have the same value"),
    ],
)
def test_what_cannot_be_compared_has_no_verdict(candidate, base, because):
    judged = judge([arms(candidate, base), arms(moved(0))], (1.0,))
    (figure, other) = judged.figures
    assert ("inconclusive", because) == (figure.verdict, figure.because)
    assert (None, None, None) == (figure.difference, figure.narrow, figure.wide)
    assert ("pass", None, "inconclusive") == (other.verdict, other.because, judged.verdict)


def test_a_figure_that_fails_decides_though_another_one_has_no_verdict():
    assert "fail" == verdict(arms(()), arms(moved(-0.3)))


def test_arms_of_unequal_size_are_compared_by_their_means():
    (figure,) = judge([arms((1.0, 1.2, 1.4, 1.2, 1.2), (1.0, 1.1, 0.9))], (0.5,)).figures
    assert figure.difference == pytest.approx(0.2)


def test_a_look_has_the_part_of_equal_arms_with_the_same_error():
    assert [0.5, 0.4, 1.0] == [look(12, 12, 24), pytest.approx(look(6, 12, 20)), look(30, 30, 24)]


@pytest.mark.parametrize("gate", [[], [arms((*STEADY, math.nan))], [arms((*STEADY, math.inf))]])
def test_wrong_arguments_are_rejected(gate):
    with pytest.raises(ValueError, match=r"at least one figure|is not finite"):
        judge(gate, (1.0,))


VALUES = st.lists(st.integers(0, 100).map(lambda number: number / 50), min_size=3, max_size=8)
GATES = st.lists(
    st.builds(arms, VALUES, VALUES, st.sampled_from([SHARE, HARM, CHANGE])), min_size=1, max_size=4
)
SO_FAR = st.integers(1, 4).map(lambda count: LOOKS[:count])


@given(GATES, SO_FAR)
@settings(max_examples=25)
def test_a_verdict_has_its_interval_where_it_says(gate, looks):
    for figure in judge(gate, looks).figures:
        if figure.narrow is None:
            continue
        assert figure.wide[0] <= figure.narrow[0] <= figure.difference <= figure.narrow[1] <= figure.wide[1]
        assert figure.verdict == verdict_of(figure.narrow, figure.wide, figure.arms.margin)
        if figure.verdict == "fail":
            assert abs(figure.difference) > figure.arms.margin.margin


@given(GATES, SO_FAR)
@settings(max_examples=25)
def test_more_and_less_are_mirror_images(gate, looks):
    def mirrored(one):
        worse = {"more": "less", "less": "more", "either": "either"}[one.margin.worse]
        return replace(one, margin=replace(one.margin, worse=worse), candidate=one.base, base=one.candidate)

    expected = [figure.verdict for figure in judge(gate, looks).figures]
    assert expected == [figure.verdict for figure in judge([mirrored(one) for one in gate], looks).figures]


@given(GATES, SO_FAR, st.randoms())
@settings(max_examples=25)
def test_the_order_of_trials_does_not_matter(gate, looks, random):
    shuffled = [
        replace(one, base=tuple(random.sample(one.base, len(one.base))), candidate=one.candidate[::-1])
        for one in gate
    ]
    for figure, other in zip(judge(gate, looks).figures, judge(shuffled, looks).figures, strict=True):
        assert figure.narrow is None or figure.narrow == pytest.approx(other.narrow)


def test_the_rule_for_many_simulated_gates_is_the_same():
    gates = normal(40, tests=3, trials=8, scatter=0.05, seed=1)
    shifts = (0.0, 0.02, 0.1)

    def end(base, candidate):
        """The verdict of the first look that has one."""
        for count in range(1, len(LOOKS) + 1):
            until = round(8 * LOOKS[count - 1])
            figures = [
                arms((other + shift)[:until], one[:until], HARM)
                for one, other, shift in zip(base, candidate, shifts, strict=True)
            ]
            if (found := judge(figures, LOOKS[:count]).verdict) != "inconclusive":
                break
        return found

    expected = [end(base, candidate) for base, candidate in zip(gates.base, gates.candidate, strict=True)]
    assert expected == [*gates.verdicts(shifts)]
    assert len({*expected}) > 1
