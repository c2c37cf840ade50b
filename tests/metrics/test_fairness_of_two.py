"""Unfairness of one flow to another: fness, harm, and K of a session."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scripts.metrics.fairness import fmp, fness, harm, jain, linear_weights

BYTES = st.integers(min_value=0, max_value=10**9)
SESSIONS = st.lists(st.tuples(BYTES, BYTES), min_size=1, max_size=12)
AMOUNTS = st.floats(min_value=1e-6, max_value=1e6)


@pytest.mark.parametrize(
    ("bytes_a", "bytes_b", "expected"),
    [
        (1_000, 2_000, 0.5),
        (2_000, 1_000, -0.5),
        (700, 700, 0),
        (0, 5, 1),
        (5, 0, -1),
        (3, 4, 0.25),
        (10, 1, -0.9),
        (10**300, 4 * 10**300, 0.75),
    ],
)
def test_fness_by_hand_and_of_the_paper(bytes_a, bytes_b, expected):
    """It is 0.5 if b transmitted twice as much, -1 if a got everything: Kunze et al. 2020, IV-F."""
    assert pytest.approx(expected) == fness(bytes_a, bytes_b)


@given(BYTES, BYTES.filter(bool), st.integers(min_value=1, max_value=1000))
def test_fness_changes_its_sign_with_the_flows_and_is_independent_of_the_unit(bytes_a, bytes_b, factor):
    value = fness(bytes_a, bytes_b)
    assert -1 <= value <= 1
    assert (value < 0, value > 0) == (bytes_a > bytes_b, bytes_b > bytes_a)
    assert pytest.approx(-value) == fness(bytes_b, bytes_a)
    assert pytest.approx(value) == fness(factor * bytes_a, factor * bytes_b)


@pytest.mark.parametrize("counts", [(0, 0), (-1, 2), (2, -1), (math.nan, 1), (1, math.nan), (math.inf, 1)])
def test_fness_rejects_invalid_values(counts):
    with pytest.raises(ValueError, match=r"all values are 0|at least 0"):
        fness(*counts)


@pytest.mark.parametrize(
    ("solo", "contended", "more_is_better", "expected"),
    [
        (10, 4, True, 0.6),
        (10, 10, True, 0),
        (10, 0, True, 1),
        (10, 15, True, -0.5),
        (0, 0, True, 0),
        (8, 21, False, 13 / 21),
        (20, 20, False, 0),
        (0, 0.01, False, 1),
        (30, 20, False, -0.5),
        (0, 0, False, 0),
    ],
)
def test_harm_by_hand(solo, contended, more_is_better, expected):
    """A page that loads in 8 s alone and in 21 s beside Mega (Prudentia, 5.2) is harmed by 13/21."""
    assert pytest.approx(expected) == harm(solo, contended, more_is_better)


@given(AMOUNTS, AMOUNTS)
def test_harm_in_a_rate_is_harm_in_the_time_it_takes(solo, contended):
    """A transfer at half the rate takes twice as long: both are harm 1/2."""
    in_time = harm(1 / solo, 1 / contended, False)
    assert pytest.approx(harm(solo, contended, True), rel=1e-9, abs=1e-9) == in_time
    assert harm(solo, contended, True) <= 1


@pytest.mark.parametrize(("solo", "contended", "more_is_better"), [(0, 3, True), (3, 0, False)])
def test_a_gain_against_nothing_has_no_harm(solo, contended, more_is_better):
    with pytest.raises(ValueError, match="a gain, which has no ratio"):
        harm(solo, contended, more_is_better)


@pytest.mark.parametrize("values", [(-1, 2), (2, -1), (math.nan, 1), (1, math.nan), (math.inf, 1)])
@pytest.mark.parametrize("more_is_better", [True, False])
def test_harm_rejects_invalid_values(values, more_is_better):
    with pytest.raises(ValueError, match="at least 0"):
        harm(*values, more_is_better)


def test_linear_weights_by_hand():
    assert linear_weights(1) == [1]
    assert pytest.approx([3 / 6, 2 / 6, 1 / 6]) == linear_weights(3)


@pytest.mark.parametrize("slots", [2, 7, 6000])
def test_linear_weights_fall_to_a_sum_of_one(slots):
    weights = linear_weights(slots)
    assert len(weights) == slots
    assert sorted(set(weights), reverse=True) == weights
    assert weights[-1] > 0
    assert pytest.approx(1) == math.fsum(weights)


@pytest.mark.parametrize(
    ("slot_bytes_a", "slot_bytes_b", "weights", "expected"),
    [
        ([9], [0], [1], -0.5),
        ([0], [9], [1], 0.5),
        ([5], [5], [1], 0),
        ([1], [3], [1], 1 - 16 / 20),
        ([3, 0], [1, 7], [0.7, 0.3], -0.7 * 0.2 + 0.3 * 0.5),
        ([0, 4], [0, 1], [0.6, 0.4], -0.4 * (1 - 25 / 34)),
        ([8, 0, 2], [0, 8, 2], None, -3 / 6 / 2 + 2 / 6 / 2),
        ([0, 0], [0, 0], None, 0),
        ([1, 0], [0, 1], [1, 0], -0.5),
        ([0.75], [0.25], [1], -(1 - 16 / 20)),
        ([10**300], [3 * 10**300], [1], 1 - 16 / 20),
    ],
)
def test_k_by_hand(slot_bytes_a, slot_bytes_b, weights, expected):
    """J of 1 : 3 is 16/20, J of 4 : 1 is 25/34, an empty slot counts 0: Corbel et al., IV-A."""
    assert pytest.approx(expected) == fmp(slot_bytes_a, slot_bytes_b, weights)


def test_a_fair_share_has_a_k_of_zero_all_the_session():
    """Fig. 1a of Corbel et al.: 80 s of 100 ms at half of 1 Mbit/s each."""
    session = [6_250] * 800
    assert all(fmp(session[:slots], session[:slots], None) == 0 for slots in (1, 400, 800))


def test_an_unfair_share_has_one_minus_k_near_its_jain_index():
    """Fig. 1b, where b dominates: 1 - |K| is 0.57, close to the final Jain index of 0.56."""
    a, b = [753] * 800, [11_747] * 800
    assert round(jain([753, 11_747]), 2) == 0.56
    k = fmp(a, b, None)
    assert k > 0
    assert pytest.approx(0.57, abs=0.01) == 1 - abs(k)


def test_k_of_alternate_domination_goes_from_minus_one_half_towards_zero():
    """Fig. 1c: a has the first half, with the weight (3S + 2) / (4(S + 1)), so K ends at -S / (4(S + 1))."""
    a = [12_500] * 400 + [0] * 400
    b = [0] * 400 + [12_500] * 400
    after = {seconds: fmp(a[: seconds * 10], b[: seconds * 10], None) for seconds in (40, 50, 60, 80)}
    assert pytest.approx(-0.5) == after[40]
    assert after[40] < after[50] < after[60] < after[80] < 0
    assert pytest.approx(-800 / (4 * 801)) == after[80]
    assert math.fsum(a) == math.fsum(b)


def test_the_three_scenarios_of_the_paper_have_its_order():
    """Fig. 1: K of c (a first) < K of a (fair) < K of b (b dominates)."""
    alternate = fmp([9, 9, 0, 0], [0, 0, 9, 9], None)
    fair = fmp([9] * 4, [9] * 4, None)
    unfair = fmp([1] * 4, [9] * 4, None)
    assert alternate < fair == 0 < unfair


def test_one_minus_k_covers_the_range_of_table_ii():
    """RENO-RENO has 0.97, close to 1; RENO-PCC has 0.50, the minimum, because one flow has every slot."""
    assert fmp([1] * 5, [1] * 5, None) == 0
    assert pytest.approx(0.50) == 1 - abs(fmp([7] * 5, [0] * 5, None))


@given(SESSIONS)
def test_k_changes_its_sign_with_the_flows_and_stays_within_one_half(session):
    a, b = [slot[0] for slot in session], [slot[1] for slot in session]
    k = fmp(a, b, None)
    assert -0.5 - 1e-12 <= k <= 0.5 + 1e-12
    assert pytest.approx(-k) == fmp(b, a, None)


def test_k_weighs_what_each_flow_is_entitled_to():
    """x_i = T_i / O_i (II-B): a video that takes all of its 13 of 50 Mbps is not dominated."""
    bulk, video = [37_000, 37_000], [13_000, 13_000]
    assert fmp(bulk, video) < 0
    assert fmp([count / 37 for count in bulk], [count / 13 for count in video]) == 0


@pytest.mark.parametrize("slots", [1, 3, 10, 49, 3600])
def test_a_flow_that_gets_everything_has_a_k_of_one_half_exactly_at_most(slots):
    """The weights add up to 1 only up to rounding; the schemas of the tables allow no more than 1/2."""
    assert pytest.approx(0.5) == fmp([0] * slots, [1] * slots)
    assert all(fmp([0] * count, [1] * count) <= 0.5 for count in range(1, min(slots, 100) + 1))
    assert all(fmp([1] * count, [0] * count) >= -0.5 for count in range(1, min(slots, 100) + 1))


@given(SESSIONS, st.integers(min_value=1, max_value=1000))
def test_k_is_independent_of_the_unit(session, factor):
    a, b = [slot[0] for slot in session], [slot[1] for slot in session]
    scaled = fmp([factor * count for count in a], [factor * count for count in b], None)
    assert pytest.approx(fmp(a, b, None), abs=1e-9) == scaled


@given(st.integers(min_value=2, max_value=12), st.data())
def test_the_earlier_a_slot_is_unfair_the_more_it_counts(slots, data):
    late = data.draw(st.integers(min_value=1, max_value=slots - 1))
    ones = [1] * slots

    def k_with_unfair(slot):
        return fmp(ones, [*ones[:slot], 5, *ones[slot + 1 :]], None)

    assert k_with_unfair(late - 1) > k_with_unfair(late) > 0


@pytest.mark.parametrize(
    ("slot_bytes_a", "slot_bytes_b", "weights", "reason"),
    [
        ([], [], None, "no slots"),
        ([], [], [], "no slots"),
        ([1, 2], [1], None, "lengths differ"),
        ([1, 2], [1, 2], [1], "lengths differ"),
        ([1, -2], [1, 2], None, "at least 0"),
        ([1, 2], [1, math.nan], None, "at least 0"),
        ([1, 2], [1, 2], [0.5, 0.5], "strictly decreasing"),
        ([1, 2], [1, 2], [0.4, 0.6], "strictly decreasing"),
        ([1, 2], [1, 2], [math.nan, math.nan], "strictly decreasing"),
        ([1, 2], [1, 2], [1.1, -0.1], "strictly decreasing"),
        ([1, 2], [1, 2], [0.7, 0.2], "sum 1"),
        ([1, 2], [1, 2], [0.7, 0.4], "sum 1"),
    ],
)
def test_k_rejects_invalid_values(slot_bytes_a, slot_bytes_b, weights, reason):
    with pytest.raises(ValueError, match=reason):
        fmp(slot_bytes_a, slot_bytes_b, weights)


def test_no_slots_have_no_weights():
    with pytest.raises(ValueError, match="no slots"):
        linear_weights(0)
