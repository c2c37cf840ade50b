"""The throughput models: values worked by hand, and the cases of the slides' figures."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scripts.metrics.models import bbr_share, mathis, padhye

LOSSES = st.floats(min_value=1e-6, max_value=1)
MBPS_10_PPS = 10e6 / 8 / 1500
RTT_S = 0.04


def share_at_10_mbps(n_bbr, queue_bdp):
    """The link of the slides' figures, with packets of 1500 bytes and an RTT of 40 ms: a BDP of 100/3."""
    return bbr_share(n_bbr, queue_bdp * MBPS_10_PPS * RTT_S, queue_bdp, MBPS_10_PPS, RTT_S)


@pytest.mark.parametrize(
    ("mss_bytes", "rtt_s", "p", "expected_bps"),
    [(1460, 0.05, 0.01, 2_336_000), (1460, 0.05, 0.0004, 11_680_000), (1000, 0.1, 1, 80_000)],
)
def test_mathis_by_hand(mss_bytes, rtt_s, p, expected_bps):
    """1460 bytes in 50 ms are 233.6 kbit/s. One loss in 100 allows 10 times, one in 2500 50 times that."""
    assert pytest.approx(expected_bps) == mathis(mss_bytes, rtt_s, p)


@pytest.mark.parametrize(
    "values",
    [
        (0, 0.05, 0.01),
        (-1, 0.05, 0.01),
        (math.inf, 0.05, 0.01),
        (1460, 0, 0.01),
        (1460, math.nan, 0.01),
        (1460, 0.05, 0),
        (1460, 0.05, -0.1),
        (1460, 0.05, 1.1),
        (1460, 0.05, math.nan),
    ],
)
def test_mathis_rejects_invalid_values(values):
    with pytest.raises(ValueError, match="must be"):
        mathis(*values)


@pytest.mark.parametrize(
    ("wmax_packets", "rtt_s", "b", "t0_s", "p", "expected_pps"),
    [
        # 2bp/3 = 1 and 3 sqrt(3bp/8) = 9/4, so the inner minimum is 1; p (1 + 32 p^2) = 0.75 * 19.
        (1000, 1, 2, 1, 0.75, 1 / (1 + 14.25)),
        (1000, 1, 2, 3, 0.75, 1 / (1 + 3 * 14.25)),
        # 2bp/3 = 1/64 and 3 sqrt(3bp/8) = 9/32: RTT / 8 and T0 * 9/32 * 3/256 * (1 + 9/2048).
        (1000, 0.08, 2, 0.32, 3 / 256, 1 / (0.01 + 0.09 * 3 / 256 * 2057 / 2048)),
        # b = 1, p = 3/8: sqrt(2bp/3) = 1/2, 3 sqrt(9/64) > 1, p (1 + 32 p^2) = 3/8 * 5.5.
        (1000, 2, 1, 1, 0.375, 1 / (1 + 2.0625)),
        (3, 0.08, 2, 0.32, 3 / 256, 37.5),
        (20, 0.05, 2, 1, 0, 400),
    ],
)
def test_padhye_by_hand(wmax_packets, rtt_s, b, t0_s, p, expected_pps):
    assert pytest.approx(expected_pps) == padhye(wmax_packets, rtt_s, b, t0_s, p)


@pytest.mark.parametrize("b", [1, 2])
def test_padhye_under_light_loss_is_the_square_root_law(b):
    """With negligible timeouts: sqrt(3 / (2 b p)) packets in each RTT, 12.2 at b = 1 and p = 1 %."""
    p = 1e-7
    assert pytest.approx(math.sqrt(3 / (2 * b * p)) / 0.05, rel=1e-3) == padhye(1e9, 0.05, b, 0.2, p)


@given(LOSSES, LOSSES)
def test_more_loss_never_means_more_throughput(p, q):
    low, high = sorted([p, q])
    assert padhye(50, 0.05, 2, 0.2, high) <= padhye(50, 0.05, 2, 0.2, low) <= 1000
    assert mathis(1460, 0.05, high) <= mathis(1460, 0.05, low)


@pytest.mark.parametrize("index", range(4))
@pytest.mark.parametrize("value", [0, -1, math.inf, math.nan])
def test_padhye_needs_positive_numbers(index, value):
    values = [20, 0.05, 2, 0.2, 0.01]
    values[index] = value
    with pytest.raises(ValueError, match="positive number"):
        padhye(*values)


@pytest.mark.parametrize("p", [-0.01, 1.01, math.nan])
def test_padhye_needs_a_fraction_of_losses(p):
    with pytest.raises(ValueError, match="p must be"):
        padhye(20, 0.05, 2, 0.2, p)


@pytest.mark.parametrize(
    ("n_bbr", "queue_bdp", "expected"),
    [
        (1, 32, (1 / 2 + 1 / 64 + 12 / 3200) * (1 - (1.28 + 0.2 + 0.04) / 10)),
        (1, 4, (1 / 2 + 1 / 8 + 12 / 400) * (1 - (0.16 + 0.2 + 0.04) / 10)),
        (1, 64, (1 / 2 + 1 / 128 + 12 / 6400) * (1 - (2.56 + 0.2 + 0.04) / 10)),
        (2, 16, (1 / 2 + 1 / 32 + 24 / 1600) * (1 - (0.64 + 0.2 + 0.04) / 10)),
        (16, 32, (1 / 2 + 1 / 64 + 192 / 3200) * (1 - (1.28 + 0.2 + 0.04) / 10)),
    ],
)
def test_bbr_share_for_the_cases_of_the_slides_figures(n_bbr, queue_bdp, expected):
    """N BBR flows meet loss-based flows at 10 Mbps: 4N/q = 12 N / (100 X), q/c = 0.04 X."""
    assert pytest.approx(expected) == share_at_10_mbps(n_bbr, queue_bdp)


def test_one_bbr_flow_takes_the_forty_percent_of_the_slides():
    """The slides show 40 % beside 1 and beside 16 Cubic flows at 32 BDP; the model's median error is 5 %."""
    assert pytest.approx(0.40, abs=0.05) == share_at_10_mbps(1, 32)


@pytest.mark.parametrize(("n_bbr", "queue_bdp"), [(1, 1), (13, 4), (32, 8)])
def test_bbr_share_has_no_value_where_the_others_would_keep_less_than_nothing(n_bbr, queue_bdp):
    """If 1/(2X) + 4N/q > 1/2; 12 flows at 4 BDP are too few for that."""
    assert pytest.approx((1 / 2 + 1 / 8 + 144 / 400) * (1 - 0.04)) == share_at_10_mbps(12, 4)
    with pytest.raises(ValueError, match="of the link; p must be"):
        share_at_10_mbps(n_bbr, queue_bdp)


def test_each_variable_of_bbr_share_has_an_effect():
    """The base case is (1/2 + 1/20 + 4 * 5 / 400) (1 - (400/1000 + 0.2 + 0.1) / 10)."""
    assert pytest.approx(0.6 * 0.93) == bbr_share(5, 400, 10, 1000, 0.1)
    assert pytest.approx(0.57 * 0.93) == bbr_share(2, 400, 10, 1000, 0.1)
    assert pytest.approx(0.575 * 0.89) == bbr_share(5, 800, 10, 1000, 0.1)
    assert pytest.approx(0.575 * 0.93) == bbr_share(5, 400, 20, 1000, 0.1)
    assert pytest.approx(0.6 * 0.95) == bbr_share(5, 400, 10, 2000, 0.1)
    assert pytest.approx(0.6 * 0.91) == bbr_share(5, 400, 10, 1000, 0.3)


@given(st.integers(min_value=1, max_value=8), st.floats(min_value=4, max_value=128))
def test_bbr_share_is_a_part_of_the_link_and_grows_with_its_flows(n_bbr, queue_bdp):
    assert 0 <= share_at_10_mbps(n_bbr, queue_bdp) <= share_at_10_mbps(n_bbr + 1, queue_bdp) <= 1


@pytest.mark.parametrize("index", range(1, 5))
@pytest.mark.parametrize("value", [0, -1, math.inf, math.nan])
def test_bbr_share_needs_positive_numbers(index, value):
    values = [1, 400, 10, 1000, 0.1]
    values[index] = value
    with pytest.raises(ValueError, match="positive number"):
        bbr_share(*values)


@pytest.mark.parametrize("n_bbr", [0, -1, math.inf, math.nan])
def test_bbr_share_needs_a_bbr_flow(n_bbr):
    with pytest.raises(ValueError, match="n_bbr"):
        bbr_share(n_bbr, 400, 10, 1000, 0.1)


def test_bbr_share_rejects_a_queue_of_ten_seconds():
    with pytest.raises(ValueError, match="ProbeRTT"):
        bbr_share(1, 10_000, 100, 1000, 0.1)
