"""Sites with made-up cycles: one that has every case, and one of any size."""

from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path

from scripts.site.addresses import Place
from scripts.site.settings import SiteSettings
from scripts.snapshot.absent import Removed, Tombstone, Withdrawn
from scripts.snapshot.identity import Correction
from tests.site.root.sample_summaries import METHOD, make_rows, make_summary, medians_of, write_pages

SETTINGS = SiteSettings("watchdog", "https://observatory.example/fair/", "captures/")

FIRST = Place("watchdog", "2026-10-01")
SECOND = Place("watchdog", "2026-11-01")
SECOND_R2 = Place("watchdog", "2026-11-01", 2)
THIRD = Place("watchdog", "2026-12-01")
OTHER = Place("demo", "2026-11-21")

TOMBSTONES = {
    FIRST: Tombstone(
        removed=tuple(
            Removed(
                f"trials/8mbps/bbr~reno/01/client-c{client}.pcapng.zst",
                4321,
                "ef" * 32,
                "2026-12-05",
                "Has <names>.",
            )
            for client in (1, 2)
        )
    )
}
WITHDRAWN = {OTHER: Tombstone(withdrawn=Withdrawn("2026-12-06", "The switch was broken."))}


def write_archive(site: Path, *, backwards: bool = False) -> None:
    """Write three cycles of one campaign, the second one with two revisions, and a cycle of another campaign.

    The second cycle has a new service, and some of its cells changed. The third one has lost a service and
    was measured by another method, with another commit and kernel.
    """
    first = make_summary(FIRST, ["bbr", "cubic", "reno"])
    of_first = make_rows(first)
    second = replace(make_summary(SECOND, ["bbr", "cubic", "quic", "reno"]), compared_with=FIRST.cycle)
    correction = Correction("2026-11-20", "A clock was <wrong>.")
    revised = replace(second, revision=2, correction=correction)
    third = replace(
        make_summary(THIRD, ["bbr", "cubic", "quic"]),
        method=METHOD | {"trial.duration_s": 300},
        commit="f" * 40,
        host={"kernel": "6.6.0", "cpus": 2},
        not_compared={SECOND.cycle: ("trial.duration_s",), FIRST.cycle: ("trial.duration_s",)},
    )
    cycles = [
        (first, of_first),
        (second, make_rows(second, 10, medians_of(of_first))),
        (revised, make_rows(revised, 10, medians_of(of_first))),
        (third, make_rows(third, 4)),
        (make_summary(OTHER, ["bbr", "cubic"], ["8mbps", "50mbps"]), None),
    ]
    for summary, rows in reversed(cycles) if backwards else cycles:
        write_pages(site, summary, make_rows(summary) if rows is None else rows)


def write_many(site: Path, cycles: int, services: int) -> int:
    """Write the summaries of weekly cycles of all pairs in two settings; returns the number of cycles."""
    names = [f"s{number:02d}" for number in range(1, services + 1)]
    before: dict[tuple[str, str, str], float] = {}
    last: str | None = None
    for number in range(cycles):
        cycle = (date(2026, 1, 5) + timedelta(weeks=number)).isoformat()
        summary = make_summary(Place("watchdog", cycle), names, ["8mbps", "50mbps"])
        keys = {f"validity.rule_{rule}": rule for rule in range(100)}
        method = METHOD | keys | {"trial.duration_s": 600 if number < cycles // 2 else 300}
        summary = replace(summary, compared_with=last, commit=f"{number // 4:040x}", method=method)
        rows = make_rows(summary, 10, before)
        write_pages(site, summary, rows, stubs=False)
        before, last = medians_of(rows), cycle
    return cycles
