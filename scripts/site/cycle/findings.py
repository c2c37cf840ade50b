"""The main results of a setting. The layouts put them into words."""

from collections.abc import Container, Iterable
from dataclasses import dataclass

from scripts.base.records import from_json
from scripts.charts.chart_labels import Labels
from scripts.figures.figure import MOVES
from scripts.model.pairs import pair_name
from scripts.site import Row

MOST_UNFAIR = "most_unfair"


@dataclass(frozen=True)
class Finding:
    """The columns of the table `findings` that are read here."""

    setting: str
    finding: str
    incumbent: str | None
    contender: str | None
    may_be_first: str = ""

    @property
    def firsts(self) -> list[str]:
        """The keys of the figures that cannot be told apart from that of an extreme."""
        return [key for key in self.may_be_first.split(",") if key]

    @property
    def tied(self) -> int:
        """How many these are, both sides of the most unfair pair together; 0 below six trials."""
        if self.finding == MOST_UNFAIR:
            return len({pair_name(key.split("/")) for key in self.firsts})
        return len(self.firsts)

    def services(self, labels: Labels) -> str | None:
        """The services of the finding in words; None if it has none."""
        if self.incumbent and self.contender:
            return labels.matchup(self.incumbent, self.contender)
        service = self.incumbent or self.contender
        return labels.service(service) if service else None


def findings(
    rows: Iterable[Row], setting: str, labels: Labels, moving: Container[str] = ()
) -> dict[str, Row]:
    """The findings of a setting by name.

    Args:
        rows: the table findings.
        setting: the setting.
        labels: the titles of services.
        moving: the cells whose share still moves, each as `incumbent/contender`. The words say so.

    Returns:
        Rows of the table. `services` names the finding's services. `may_be_first` lists what cannot be told
        apart from an extreme, each with its `title`, and `tied` is their number. `moves` says whether the
        lowest share still moves.
    """
    return {
        finding.finding: row
        | {
            "services": finding.services(labels),
            "may_be_first": [{"title": _title(key, labels, moving)} for key in finding.firsts],
            "tied": finding.tied,
            "moves": finding.finding == MOST_UNFAIR and f"{finding.incumbent}/{finding.contender}" in moving,
        }
        for row in rows
        if (finding := from_json(Finding, row, "findings.parquet")).setting == setting
    }


def _title(key: str, labels: Labels, moving: Container[str]) -> str:
    """A row by its key: a service, or incumbent/contender."""
    services = key.split("/")
    if len(services) == 1:
        return labels.service(key)
    return labels.matchup(*services) + (f", share {MOVES}" if key in moving else "")


RANKS = {"contentious_ranks": "most_contentious", "sensitive_ranks": "most_sensitive"}
"""The finding of which each column of a ranking has the intervals."""


def ranking(services: Iterable[Row], leads: Iterable[Row], setting: str) -> list[Row]:
    """The rows of the table `services` of a setting, each with the 95 % intervals of both ranks in words.

    An interval is None if the service has no rank, or a pair of it has fewer than six trials.
    """
    intervals = {
        (row["finding"], row["key"]): f"{row['rank_low']} to {row['rank_high']}"
        for row in leads
        if row["setting"] == setting and row["rank_low"] is not None
    }
    return [
        row | {column: intervals.get((finding, row["service"])) for column, finding in RANKS.items()}
        for row in services
        if row["setting"] == setting
    ]
