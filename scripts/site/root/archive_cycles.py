"""The cycles of the archive, read from the summaries in the folders of their pages."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

from scripts.base.errors import UserError
from scripts.charts.chart_labels import Labels
from scripts.figures.figure import SHARE, Figure, read_figures
from scripts.model.cycle_names import order_of
from scripts.model.submission import is_submission
from scripts.site.addresses import Place
from scripts.site.data.summary import JSON, PARQUET, ServiceSummary, Summary, read_summary
from scripts.site.settings import SiteSettings
from scripts.site.story.names import short_titles
from scripts.snapshot.absent import Tombstone, Withdrawn
from scripts.snapshot.identity import Provisional


@dataclass(frozen=True, eq=False)
class Cycle:
    """A published cycle: all its revisions, and the figures of the latest one.

    A cycle is withdrawn if its latest revision is. A cycle equals only itself, which makes it a cheap key.
    """

    revisions: tuple[Summary, ...]
    tombstones: tuple[Tombstone, ...]
    figures: tuple[Figure, ...]

    @property
    def summary(self) -> Summary:
        """The summary of the latest revision."""
        return self.revisions[-1]

    @property
    def name(self) -> str:
        """The name of the cycle: the day it began."""
        return self.summary.cycle

    @property
    def pages(self) -> str:
        """The folder of the latest revision's pages."""
        return self.summary.place.pages

    @property
    def submitted(self) -> bool:
        """Whether it measured a service that somebody submitted."""
        return is_submission(self.summary.campaign)

    @property
    def competes(self) -> bool:
        """Whether services compete in it; others measure each alone."""
        return any(page.startswith("pairs/") for page in self.summary.pages)

    @cached_property
    def judges(self) -> bool:
        """Whether a share has a verdict in it."""
        return any(row.figure == SHARE and row.judged for row in self.figures)

    @cached_property
    def _pages(self) -> frozenset[str]:
        return frozenset(self.summary.pages)

    def page(self, folder: str) -> str | None:
        """The address of one of its pages, such as `pairs/8mbps/a~b/`, in the site; None if it has none."""
        return self.pages + folder if folder in self._pages else None

    @property
    def withdrawn(self) -> Withdrawn | None:
        """When and why the cycle was withdrawn."""
        return self.tombstones[-1].withdrawn

    @cached_property
    def labels(self) -> Labels:
        """The titles that this cycle gives to its settings and services."""
        return _labels([self.summary])


@dataclass(frozen=True)
class Archive:
    """All published cycles by campaign and name, and the cycles that still run."""

    settings: SiteSettings
    cycles: tuple[Cycle, ...]
    running: tuple[Provisional, ...]

    @cached_property
    def panel(self) -> "Archive":
        """The archive without submissions, which no page about several cycles may depend on.

        The unlisted pages of a submission are about nothing else, so they have it as any other cycle.
        """
        if self.settings.unlisted:
            return self
        return replace(self, cycles=tuple(cycle for cycle in self.cycles if not cycle.submitted))

    @cached_property
    def campaigns(self) -> list[str]:
        """The names of the campaigns: the chosen one, then by their latest cycle, the latest first.

        One that judged shares comes before the others, unless it tests the testbed, and one in which services
        compete before one that measured them alone.
        """
        names = {cycle.summary.campaign for cycle in self.cycles} | {
            provisional.campaign for provisional in self.running
        }
        return sorted(names, key=self._rank, reverse=True)

    def _rank(self, campaign: str) -> tuple[bool, bool, bool, int, str]:
        chosen, cycles = campaign == self.settings.campaign, self.counted(campaign)
        if not cycles:
            return chosen, False, False, 0, campaign
        latest = cycles[-1]
        judges = latest.judges and not latest.summary.tests_testbed
        return chosen, judges, latest.competes, latest.summary.last_stop_ns or 0, campaign

    def all_of(self, campaign: str) -> list[Cycle]:
        """The cycles of a campaign, the first one first."""
        return [cycle for cycle in self.cycles if cycle.summary.campaign == campaign]

    def counted(self, campaign: str) -> list[Cycle]:
        """The cycles of a campaign that are not withdrawn, the first one first."""
        return [cycle for cycle in self.all_of(campaign) if not cycle.withdrawn]

    @property
    def front(self) -> Cycle | None:
        """The cycle of the front page: the latest of the first campaign that has one, submissions aside."""
        latest = (counted[-1] for name in self.panel.campaigns if (counted := self.panel.counted(name)))
        return next(latest, None)

    @cached_property
    def labels(self) -> Labels:
        """The latest title of every service. Settings of the same name may differ between campaigns."""
        ordered = sorted(self.cycles, key=lambda cycle: (order_of(cycle.name), cycle.summary.campaign))
        return _labels([cycle.summary for cycle in ordered])


def read_archive(
    site: Path, settings: SiteSettings, tombstones: Mapping[Place, Tombstone], running: Sequence[Provisional]
) -> Archive:
    """Read the summaries of all cycles of a site.

    Raises:
        UserError: a summary is missing or wrong, or stands in the folder of another cycle.
    """
    revisions: dict[tuple[str, str], list[Summary]] = defaultdict(list)
    for pattern in ("*/*", "*/*/r*"):
        for path in sorted(site.glob(f"cycles/{pattern}/{JSON}")):
            summary = read_summary(path.parent)
            if site / summary.place.pages != path.parent:
                raise UserError(f"{path}: is the summary of {summary.place.pages}; build its pages again")
            revisions[summary.campaign, summary.cycle].append(summary)
    by_time = sorted(revisions, key=lambda key: (key[0], order_of(key[1])))
    cycles = [_cycle(site, revisions[key], tombstones) for key in by_time]
    ordered = sorted(running, key=lambda provisional: (provisional.campaign, provisional.cycle))
    return Archive(settings, tuple(cycles), tuple(ordered))


def services_of(cycles: Sequence[Cycle]) -> dict[str, ServiceSummary]:
    """Every service of some cycles by name, as the latest of these cycles described it."""
    ordered = sorted(cycles, key=lambda cycle: order_of(cycle.name))
    return {service.name: service for cycle in ordered for service in cycle.summary.services}


def _labels(summaries: Sequence[Summary]) -> Labels:
    """The titles that the last of some cycles gives to each setting and service."""
    services = [service for summary in summaries for service in summary.services]
    return Labels(
        settings={
            name: title for summary in summaries for name, title in short_titles(summary.settings).items()
        },
        services={service.name: service.title for service in services},
        shorts={service.name: service.short for service in services if service.short},
    )


def _cycle(site: Path, summaries: list[Summary], tombstones: Mapping[Place, Tombstone]) -> Cycle:
    ordered = sorted(summaries, key=lambda summary: summary.revision)
    removed = tuple(tombstones.get(summary.place, Tombstone()) for summary in ordered)
    return Cycle(tuple(ordered), removed, read_figures(site / ordered[-1].place.pages / PARQUET))
