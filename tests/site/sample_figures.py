"""Figures made by hand, for the tests of sentences and heatmaps."""

from scripts.figures.figure import SHARE, THROUGHPUT, Figure
from scripts.metrics.fairness import verdict
from scripts.model.pairs import pair_name
from scripts.site.data.recognised import Recognised
from scripts.site.data.service_change import ServiceChange
from scripts.site.data.summary import ServiceSummary, SettingSummary

SLOW = SettingSummary("8mbps", "Highly constrained (8 Mbps, 50 ms)", 8, "a link")
FAST = SettingSummary("50mbps", "Moderately constrained (50 Mbps, 50 ms)", 50, "a link")

BATCHED = ServiceSummary("batched", "File in batches of five (BBR)", "File", "throughput", stands_for="Mega")
VIDEO = ServiceSummary("video", "Video over four flows (Reno)", "Video", "throughput", stands_for="Netflix")
BBR = ServiceSummary("bbr", "iPerf (BBR)", "Baseline", "throughput", baseline=True)
CUBIC = ServiceSummary("cubic", "iPerf (Cubic)", "Baseline", "throughput", baseline=True)
SERVICES = (BATCHED, VIDEO, BBR, CUBIC)


def figure(service: str, contender: str, name: str, median: float | None, **more) -> Figure:
    """A row of summary.parquet from ten trials, with an interval of a tenth to both sides."""
    n = more.get("n", 10)
    sure = n >= 6 and median is not None
    values = {
        "setting": SLOW.name,
        "pair": pair_name(filter(None, [service, contender])),
        "service": service,
        "contender": contender,
        "instance": "worse_off" if service == contender else "first",
        "figure": name,
        "unit": "fraction",
        "n": n,
        "median": median,
        "low": 0.9 * median if sure else None,
        "high": 1.1 * median if sure else None,
        **dict.fromkeys(
            ("verdict", "before_n", "before_median", "p_corrected", "changed", "control", "at_least")
        ),
    }
    return Figure(**values | more)


def share(service: str, contender: str, median: float | None, **more) -> Figure:
    """The share of an incumbent, with its verdict."""
    row = figure(service, contender, SHARE, median, **more)
    if median is None or "verdict" in more:
        return row
    return figure(service, contender, SHARE, median, **more, verdict=verdict_of(row))


def verdict_of(row: Figure) -> str:
    """The verdict of a share; the pair differs if the interval excludes 100 %."""
    if row.median is None or row.low is None or row.high is None:
        return "seen"
    if row.against_itself:
        return "unjudged"
    p = 1.0 if row.low <= 1 <= row.high else 0.001
    return verdict(row.median, row.low, row.high, p, row.median - 1, False)


def pair(one: str, other: str, shares: tuple[float, float], **more) -> list[Figure]:
    """The shares of both services of a pair."""
    return [share(one, other, shares[0], **more), share(other, one, shares[1], **more)]


def change(service: str, contender: str, before: float, after: float, **more) -> Figure:
    """The throughput of a cell that was compared with an earlier cycle."""
    compared = {
        "before_n": 10,
        "before_median": before,
        "p_corrected": 0.001,
        "changed": True,
        "control": False,
    }
    return figure(service, contender, THROUGHPUT, after, **compared | {"unit": "Mbps"} | more)


def service_change(
    service: str, low: float | None, high: float | None, verdict: str | None, **more
) -> ServiceChange:
    """A service over two pairs of ten trials, with the interval of its shift, whose middle is the shift."""
    ends = {"shift_low": low, "shift_high": high, "shift": 0.0 if low is None else (low + high) / 2}
    counts = {"setting": SLOW.name, "control": False, "pairs": 2, "before_n": 20, "after_n": 20}
    return ServiceChange(service=service, verdict=verdict, **counts | ends | more)


def recognised(service: str, family: str, before: str | None = None, **more) -> Recognised:
    """What a service is taken for, in ten trials alone; `before` is what it was in the earlier cycle."""
    unknown = "unknown" in (family, before)
    row = {"setting": SLOW.name, "n": 10, "named": 9, "reason": None, "known": None, "second": None}
    row |= {"nearest_family": family, "distance": 0.02, "limit": 0.05, "margin": 3.0}
    changed = None if before is None or unknown else family != before
    return Recognised(service=service, family=family, before=before, changed=changed, **row | more)
