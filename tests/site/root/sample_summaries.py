"""Summaries of made-up cycles, as the folders of their pages have them."""

import json
from collections.abc import Sequence
from datetime import UTC, datetime
from itertools import combinations_with_replacement
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from scripts.base.records import to_json
from scripts.metrics.fairness import verdict
from scripts.model.pairs import pair_name
from scripts.site.addresses import Place
from scripts.site.data.summary import (
    FIGURES,
    JSON,
    PARQUET,
    FileSummary,
    ServiceSummary,
    SettingSummary,
    Summary,
    TableSummary,
)

HEADINGS = {
    "8mbps": "Highly constrained (8 Mbps, 50 ms)",
    "50mbps": "Moderately constrained (50 Mbps, 50 ms)",
}
RATES = {"8mbps": 8, "50mbps": 50}
TITLES = {"bbr": "BBR <v1>", "cubic": "Cubic & co", "reno": 'Reno "classic"', "quic": "QUIC"}
BASELINES = {"bbr", "cubic", "s01", "s02"}
METHOD = {"trial.duration_s": 600, "settings.8mbps.queue_packets": 128, "settings.50mbps.queue_packets": 1024}
COMMIT = "0123456789abcdef0123456789abcdef01234567"

WORDS = ("settled", "still moving", "undecided")
"""Whether a share of ten trials has settled."""

ROOMS = ("changes", "data", "definitions", "method", "services", "settings", "trials")
"""The folders of a cycle's pages about all of it."""

Rows = list[dict[str, object]]


def make_summary(place: Place, services: Sequence[str], settings: Sequence[str] = ("8mbps",)) -> Summary:
    """The summary of a cycle of all pairs of these services."""
    start = int(datetime.fromisoformat(place.cycle[:10]).replace(tzinfo=UTC).timestamp()) * 10**9
    pairs = [pair_name(pair) for pair in combinations_with_replacement(sorted(services), 2)]
    pages = ["", *(f"{room}/" for room in ROOMS)]
    pages += [f"settings/{setting}/" for setting in settings]
    pages += [f"services/{service}/" for service in services]
    pages += [f"pairs/{setting}/{pair}/" for setting in settings for pair in pairs]
    pages += [f"solos/{setting}/{service}/" for setting in settings for service in services]
    return Summary(
        campaign=place.campaign,
        cycle=place.cycle,
        revision=place.revision,
        checksum="ab" * 32,
        title=f"The {place.campaign} campaign",
        planned=100,
        counted=90,
        excluded=10,
        settings=tuple(
            SettingSummary(name, HEADINGS[name], RATES[name], "a link of 50 ms") for name in settings
        ),
        services=tuple(
            ServiceSummary(
                name, TITLES.get(name, name.upper()), "download", "throughput", baseline=name in BASELINES
            )
            for name in services
        ),
        pages=tuple(sorted(pages)),
        tables=tuple(
            TableSummary(name, 12, (FileSummary("parquet", 1234, "cd" * 32),))
            for name in ("pairs", "trial_fairness")
        ),
        method={key: value for key, value in METHOD.items() if "." in key},
        first_start_ns=start,
        last_stop_ns=start + 86_400 * 10**9,
        commit=COMMIT,
        bottlenecks=("embedded switch 9.9.0 (100 trials)",),
        host={"kernel": "6.1.0", "cpus": 2, "load": 0.1 * int(place.cycle[8:10])},
        programs={"iperf3": "3.12"},
    )


def make_rows(summary: Summary, n: int = 10, before: dict[tuple[str, str, str], float] | None = None) -> Rows:
    """The figures of a cycle. Every number differs, so that none can stand for another.

    Args:
        summary: the cycle.
        n: the number of trials of every cell.
        before: the earlier median throughput of cells by setting, service and contender. A cell whose median
            moved by more than a tenth changed.
    """
    rows: Rows = []
    services = [service.name for service in summary.services]
    for setting in summary.settings:
        for name in services:
            rows.append(_row(summary, setting, name, name, "", "first", "throughput_mbps", n))
        for pair in combinations_with_replacement(sorted(services), 2):
            one, other = pair
            sides = [(one, other, "first"), (other, one, "first")]
            if one == other:
                sides = [(one, one, "worse_off"), (one, one, "better_off")]
            for service, contender, instance in sides:
                for figure in ("share", "throughput_mbps"):
                    key = setting, pair_name(pair), service, contender, instance, figure
                    rows.append(_row(summary, *key, n))
    return [_compared(row, before or {}) for row in rows]


def medians_of(rows: Rows) -> dict[tuple[str, str, str], float]:
    """The median throughputs of a cycle's pairs, as `make_rows` takes them."""
    return {
        (row["setting"], row["service"], row["contender"]): row["median"]
        for row in rows
        if row["figure"] == "throughput_mbps" and row["contender"]
    }


def write_pages(site: Path, summary: Summary, rows: Rows, *, stubs: bool = True) -> None:
    """Write a cycle's summary and, with `stubs`, an empty page at each of its addresses and its files.

    Each pair has a page for frames, and a chart with its data.
    """
    folder = site / summary.place.pages
    folder.mkdir(parents=True, exist_ok=True)
    (folder / JSON).write_text(json.dumps(to_json(summary)), encoding="utf-8")
    pq.write_table(pa.Table.from_pylist(rows, schema=FIGURES), folder / PARQUET)
    if stubs:
        for page in summary.pages:
            _stub(folder / page / "index.html", f"<p>{summary.place.label} {page}</p>")
            room, *pair = page.strip("/").split("/")
            if room == "pairs" and len(pair) == 2:
                _stub(folder / f"embed/{'/'.join(pair)}/index.html", f"<p>{summary.place.label}</p>")
                for form in ("svg", "csv"):
                    _stub(folder / f"charts/dots-{'-'.join(pair)}.{form}", f"{form} of {summary.place.label}")
        _stub(folder / "manifest.parquet", "")
        _stub(site / "data/v1/index.json", "{}")
        for table in summary.tables:
            for file in table.files:
                _stub(site / summary.place.table(table.name, file.form), "")


def _row(
    summary: Summary,
    setting: SettingSummary | str,
    pair: str,
    service: str,
    contender: str,
    instance: str,
    figure: str,
    n: int,
) -> dict[str, object]:
    name = setting if isinstance(setting, str) else setting.name
    size = RATES[name] / 2 if figure == "throughput_mbps" else 1.0
    key = f"{summary.place.label} {summary.campaign} {name} {pair} {service} {instance} {figure}"
    median = round(size * (0.5 + sum(map(ord, key)) * 7919 % 997 / 1000), 3)
    judged_row = figure == "share" and instance != "better_off"
    low, high = (round(0.9 * median, 4), round(1.1 * median, 4)) if n >= 6 else (None, None)
    return {
        "setting": name,
        "pair": pair,
        "service": service,
        "contender": contender,
        "instance": instance,
        "figure": figure,
        "unit": "fraction" if figure == "share" else "Mbps",
        "n": n,
        "median": median,
        "low": low,
        "high": high,
        "verdict": _verdict(median, low, high, instance) if judged_row else None,
        "settled": WORDS[sum(map(ord, key)) % len(WORDS)] if figure == "share" and low else None,
    }


def _verdict(median: float, low: float | None, high: float | None, instance: str) -> str:
    """The verdict of a share; the pair differs if the interval excludes 100 %."""
    if instance != "first":
        return "unjudged"
    if low is None or high is None:
        return "seen"
    return verdict(median, low, high, 1.0 if low <= 1 <= high else 0.001, median - 1, False)


def _compared(row: dict[str, object], before: dict[tuple[str, str, str], float]) -> dict[str, object]:
    earlier = before.get((row["setting"], row["service"], row["contender"]))
    if row["figure"] != "throughput_mbps" or earlier is None or row["instance"] == "better_off":
        return row
    changed = abs(row["median"] - earlier) > 0.1 * earlier
    return row | {
        "before_n": 10,
        "before_median": earlier,
        "p_corrected": 0.001 if changed else 0.5,
        "changed": changed,
        "control": {row["service"], row["contender"]} <= BASELINES,
    }


def _stub(path: Path, body: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"<!doctype html><html><body>{body}</body></html>" if body.startswith("<") else body)
