"""Made-up cycles of stacks: two versions of one with programs of ours, and one with programs of its own."""

from dataclasses import replace
from pathlib import Path

from scripts.figures.catalogue import CATALOGUE
from scripts.site.addresses import Place
from scripts.site.data.summary import StackSummary, Summary
from scripts.site.root.stack_pages import ALONE, KERNEL_CUBIC
from tests.site.root.sample_summaries import Rows, make_rows, make_summary, write_pages

NGTCP2 = Place("stacks-ngtcp2", "2026-11-27")
OLDER, NEWER = Place("stacks-quinn", "2026-10-01"), Place("stacks-quinn", "2026-12-01")
SEEN = Place("stacks-quinn-seen", "2026-12-24")
VERSIONS = {NGTCP2: "0.12.1", OLDER: "0.9.4", NEWER: "0.11.12", SEEN: "0.11.12"}
CONTROLLERS = {"bbr": "BBRv1", "cubic": "Cubic"}
VALUES = {
    "utilization": 0.98,
    "loss_rate": 0.013,
    "burst_packets": 2.75,
    "burst_p95_packets": 10.0,
    "server_s_per_gb": 1.375,
    "client_s_per_gb": 2.125,
}
"""The figures of every stack alone."""


def write_stacks(site: Path) -> None:
    """Write the cycles of the stacks, one of them with a single trial of each cell, and one without any."""
    for place, version in VERSIONS.items():
        stack = place.campaign.split("-")[1]
        summary = make_summary(place, [KERNEL_CUBIC, *(f"{stack}-{cca}" for cca in CONTROLLERS)])
        told = {
            f"{stack}-{cca}": StackSummary(stack, version, controller, stack == "ngtcp2", None, True)
            for cca, controller in CONTROLLERS.items()
        }
        services = tuple(replace(one, stack=told.get(one.name)) for one in summary.services)
        summary = replace(summary, services=services)
        n = 1 if place == SEEN else 10
        write_pages(site, summary, make_rows(summary, n) + alone_rows(summary, n))
    write_pages(site, other := make_summary(Place("demo", "2026-11-21"), ["bbr", "cubic"]), make_rows(other))


def alone_rows(summary: Summary, n: int) -> Rows:
    """The figures of every stack alone."""
    return [
        {
            **{"setting": setting.name, "pair": service.name, "service": service.name, "contender": ""},
            **{"instance": "first", "figure": name, "unit": CATALOGUE[name].unit, "n": n},
            **{"median": VALUES[name], "low": None, "high": None, "verdict": None},
        }
        for setting in summary.settings
        for service in summary.services
        if service.stack
        for name in ALONE
    ]
