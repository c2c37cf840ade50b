"""The queue's length, by the paper's numbers and by hand."""

import pytest

from scripts.model.link import access_parameters, queue_packets, switch_parameters
from scripts.model.settings import Access, Link


@pytest.mark.parametrize(
    ("rate_mbps", "queue_bdp", "rounding", "expected"),
    [
        (8, 4, "none", 133),  # 4 x 8e6 x 0.05 / 8 / 1500 = 133.3
        (8, 4, "power_of_two", 128),
        (50, 4, "none", 833),
        (50, 4, "power_of_two", 1024),  # 833 is nearer to 1024 than to 512
        (8, 0.5, "power_of_two", 16),
        (8, 0.02, "power_of_two", 0),  # 0.67 packets
        (8, 0.024, "power_of_two", 1),
    ],
)
def test_bandwidth_delay_products_become_packets(rate_mbps, queue_bdp, rounding, expected):
    assert expected == queue_packets(rate_mbps, 50, queue_bdp, rounding)


def test_half_way_between_two_powers_the_lower_is_taken():
    assert queue_packets(0.012, 1000 * 96, 1, "power_of_two") == 64  # 96 packets


def test_an_unknown_rounding_is_refused():
    with pytest.raises(ValueError, match="power_of_two or none"):
        queue_packets(8, 50, 4, "up")


LINK = Link(title="x", rate_mbps=0.1, rtt_ms=50, queue_packets=9, discipline="droptail")


def test_a_plain_link_has_no_options():
    assert switch_parameters(LINK) == {
        "rate_bps": 100_000, "overhead_bytes": 24, "discipline": "droptail", "queue_packets": 9,
    }  # fmt: skip


def test_every_option_of_a_link_reaches_the_switch():
    link = Link(
        title="x",
        rate_mbps=8,
        rtt_ms=50,
        queue_bytes=20_000,
        discipline="fq_codel",
        discipline_options={
            "target_ms": 7.5, "interval_ms": 100, "ecn": True, "queues": 64,
            "quantum_bytes": 300,
        },
        random_loss=0.001,
    )  # fmt: skip
    assert switch_parameters(link) == {
        "rate_bps": 8_000_000,
        "overhead_bytes": 24,
        "discipline": "fq_codel",
        "queue_bytes": 20_000,
        "discipline_options": {
            "target_ns": 7_500_000, "interval_ns": 100_000_000, "ecn": True, "queues": 64,
            "quantum_bytes": 300,
        },
        "random_loss": 0.001,
    }  # fmt: skip


def test_the_path_before_the_bottleneck_is_in_the_units_of_the_switch():
    assert {"delay_ns": 1_500_000, "loss": 0.01} == access_parameters(Access(delay_ms=1.5, loss=0.01))
    assert {"rate_bps": 2_000_000, "queue_packets": 50, "delay_ns": 0, "loss": 0} == access_parameters(
        Access(rate_mbps=2, queue_packets=50)
    )
