"""What the pauses of a download in batches can leave of a link."""


def lowest_utilization(
    batch_bytes: float, pause_s: float, queue_bytes: float, rate_bps: float, rtt_s: float
) -> float:
    """The lowest utilization of a link that is full, with a full queue, until the pause after each batch.

    The next batch reaches the link a pause and an RTT after the last one. The full queue takes some of this
    time to drain, and only the rest can be idle. All other clients are taken to send nothing in a pause.

    Args:
        batch_bytes: the bytes of a batch, > 0.
        pause_s: seconds from the end of a batch to the request of the next, >= 0.
        queue_bytes: what the queue holds, >= 0.
        rate_bps: the rate of the link, bit/s, > 0.
        rtt_s: the round-trip time without queueing, >= 0.

    Returns:
        A fraction in (0, 1]: 1 if a pause is over before the queue has drained.

    Raises:
        ValueError: a value is out of its range.

    Source: Prudentia (Philip et al. 2024), Observations 9 and 11: the larger queue lasts through the pauses.
    """
    if min(batch_bytes, rate_bps) <= 0 or min(pause_s, queue_bytes, rtt_s) < 0:
        raise ValueError("batch and rate must be above 0; pause, queue and RTT must not be negative")
    gap_s = pause_s + rtt_s
    drain_s = queue_bytes * 8 / rate_bps
    batch_s = batch_bytes * 8 / rate_bps  # at least: others may have a part of the link
    return 1 - max(0.0, gap_s - drain_s) / (batch_s + gap_s)
