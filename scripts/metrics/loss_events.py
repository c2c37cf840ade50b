"""Loss events: what TCP's congestion control reacts to, instead of single lost packets."""

import math
from collections.abc import Sequence


def loss_event_starts(arrivals_ns: Sequence[int], known_ns: Sequence[int]) -> list[int]:
    """When the loss events of a flow begin.

    A sender reduces its window once for all packets of one window that are lost. It knows of a lost packet
    when later ones are acknowledged. A packet that arrived before then belongs to the same event.

    Args:
        arrivals_ns: when each dropped packet of the flow arrived at the queue, in ascending order.
        known_ns: for each of them, when its sender can know that it was dropped.

    Returns:
        The arrival of the first packet of each event.

    Source: Padhye et al. 1998, II-A: losses within a round are one loss indication; RFC 6582, 3.2.
    """
    starts: list[int] = []
    end_ns = -1
    for arrival_ns, drop_known_ns in zip(arrivals_ns, known_ns, strict=True):
        if arrival_ns > end_ns:
            starts.append(arrival_ns)
            end_ns = drop_known_ns
    return starts


def loss_event_rate_interval(events: Sequence[int], packets: Sequence[int]) -> tuple[float, float]:
    """The 95 % interval of p, the loss events of all trials over their packets.

    The events are Poisson counts. If they scatter more from trial to trial than Poisson counts do, all counts
    are divided by their dispersion, which is Pearson's chi-squared statistic over its degrees of freedom.

    Args:
        events: the loss events of each trial, >= 0.
        packets: the packets of each trial, > 0.

    Returns:
        (low, high). Without events low is 0 and high is still a number.

    Raises:
        ValueError: there are no trials, or a number is out of its range.

    Source: Garwood 1936 (exact interval of a Poisson mean); McCullagh and Nelder 1989, 6.2 (dispersion).
    """
    from scipy.stats import chi2  # takes most of a second, and a plan never needs it

    if not events or min(events) < 0 or min(packets, default=0) <= 0:
        raise ValueError("each trial needs packets, and a number of events of at least 0")
    found, sent = sum(events), sum(packets)
    dispersion = _dispersion(events, packets)
    scaled = found / dispersion
    low = float(chi2.ppf(0.025, 2 * scaled)) / 2 if found else 0.0
    high = float(chi2.ppf(0.975, 2 * scaled + 2)) / 2
    return low * dispersion / sent, high * dispersion / sent


def _dispersion(events: Sequence[int], packets: Sequence[int]) -> float:
    """How much more the counts scatter than Poisson counts; at least 1."""
    if len(events) < 2 or not sum(events):
        return 1.0
    rate = sum(events) / sum(packets)
    expected = [rate * sent for sent in packets]
    squares = math.fsum((found - mean) ** 2 / mean for found, mean in zip(events, expected, strict=True))
    return max(1.0, squares / (len(events) - 1))
