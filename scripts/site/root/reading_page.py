"""The data of the page how-to-read/: an example of a link, of fair shares, of a trial with its verdict.

The measured values are made up. Everything else is computed from them, by the code that computes results.
"""

import math

from scripts.metrics.fairness import max_min_fair_rates
from scripts.model.link import queue_packets
from scripts.site import Row
from scripts.site.drawn.link_bar import Bar, drawn_bar
from scripts.site.drawn.series import SeriesLine, SmallSeries, drawn_series
from scripts.site.drawn.strip import drawn_strip
from scripts.site.verdict_words import EXAMPLES, judged

RATE_MBPS, RTT_MS, QUEUE_BDP = 8, 50, 4
"""The link: the first of Prudentia (3.1)."""

NEEDS_MBPS = 1.5
"""What a service needs that leaves a part of its half to the other one."""

STEP_S, WINDOW = 20, slice(6, 24)
"""The time from one rate of RATES_MBPS to the next, and the places of the steady window."""

RATES_MBPS: tuple[float, ...] = (
    *(0.2, 4.8, 3.6, 3.1, 2.6, 2.0),
    *(1.6, 1.9, 1.4, 1.7, 2.0, 1.5, 1.3, 1.8, 1.6, 1.2, 1.5, 1.9, 1.6, 1.4, 1.8, 1.7, 1.5, 1.4),
    *(1.6, 1.8, 1.5, 1.7, 1.4, 0.6),
)
"""The rate of the first service over the time of one trial."""


def reading_page() -> Row:
    """The link, three ways to divide it, and a trial with the others of its pair."""
    both, one = (max_min_fair_rates(RATE_MBPS, [needs, math.inf]) for needs in (math.inf, NEEDS_MBPS))
    window = RATES_MBPS[WINDOW]
    got, fair = math.fsum(window) / len(window), both[0]
    share = round(got / fair, 3)
    trials = judged((share, *EXAMPLES["losing"][1:]))
    rows = (
        Bar("Fair", (both[0], both[1])),
        Bar(f"A needs {NEEDS_MBPS:g}", (one[0], one[1])),
        Bar("Together", (got, RATE_MBPS - got), tall=True),
    )
    return {
        "rate_mbps": RATE_MBPS,
        "rtt_ms": RTT_MS,
        "queue_bdp": QUEUE_BDP,
        "queue_packets": queue_packets(RATE_MBPS, RTT_MS, QUEUE_BDP, "power_of_two"),
        "fair_mbps": fair,
        "got_mbps": got,
        "share": share,
        "bar": drawn_bar(RATE_MBPS, rows, fair),
        "series": drawn_series(_series(fair)),
        "strip": drawn_strip(trials),
        "verdict": trials.verdict,
    }


def _series(fair_mbps: float) -> SmallSeries:
    """The rate of the first service over the trial."""
    points = [((place + 0.5) * STEP_S, rate) for place, rate in enumerate(RATES_MBPS)]
    return SmallSeries(
        (SeriesLine("a", points),),
        seconds=STEP_S * len(RATES_MBPS),
        top=6,
        words="rate of A, Mbps; dotted: fair",
        fair=fair_mbps,
        window=(STEP_S * WINDOW.start, STEP_S * WINDOW.stop),
        size="low",
    )
