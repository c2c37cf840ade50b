"""What the pauses of a download in batches can leave of a link."""

import pytest

from scripts.metrics.batch_pauses import lowest_utilization

RATE_BPS, RTT_S, PACKET_BYTES = 50e6, 0.05, 1500
FOUR_BDP, EIGHT_BDP = 1024 * PACKET_BYTES, 2048 * PACKET_BYTES
"""Queues of Prudentia's link of 50 Mbps: they take 0.246 s and 0.492 s to drain."""


@pytest.mark.parametrize(
    ("chunk_bytes", "pause_s", "queue_bytes", "expected"),
    [
        (1e6, 0, FOUR_BDP, 1),
        (1e6, 0.19, FOUR_BDP, 1),
        (1e6, 0.5, FOUR_BDP, 1 - (0.55 - 0.24576) / (0.8 + 0.55)),
        (1e6, 0.5, EIGHT_BDP, 1 - (0.55 - 0.49152) / (0.8 + 0.55)),
        (8e6, 0.5, FOUR_BDP, 1 - (0.55 - 0.24576) / (6.4 + 0.55)),
        (1e6, 2, 0, 0.8 / 2.85),
    ],
)
def test_only_what_a_pause_lasts_longer_than_the_queue_is_idle(chunk_bytes, pause_s, queue_bytes, expected):
    """Batches of five chunks."""
    found = lowest_utilization(5 * chunk_bytes, pause_s, queue_bytes, RATE_BPS, RTT_S)
    assert pytest.approx(expected) == found


@pytest.mark.parametrize(
    "arguments", [(0, 0, 0, 1, 0), (1, -1, 0, 1, 0), (1, 0, -1, 1, 0), (1, 0, 0, 0, 0), (1, 0, 0, 1, -1)]
)
def test_values_out_of_their_range_are_refused(arguments):
    with pytest.raises(ValueError, match="must"):
        lowest_utilization(*arguments)
