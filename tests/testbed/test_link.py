"""The queue's length, by the paper's numbers and by hand."""

import pytest

from testbed.link import queue_packets


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
