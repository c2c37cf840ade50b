"""The main results of a setting. The layouts put them into words."""

from collections.abc import Iterable
from dataclasses import dataclass

from scripts.base.records import from_json
from scripts.charts.chart_labels import Labels
from scripts.charts.table_rows import PairRow
from scripts.metrics.fairness import outcome
from scripts.model.pairs import pair_name
from scripts.site.inputs import Row


@dataclass(frozen=True)
class Finding:
    """The columns of the table `findings` that are read here."""

    setting: str
    finding: str
    incumbent: str | None
    contender: str | None
    rows: str

    def services(self, labels: Labels) -> str | None:
        """The services of the finding in words; None if it has none."""
        if self.incumbent and self.contender:
            return labels.matchup(self.incumbent, self.contender)
        service = self.incumbent or self.contender
        return labels.service(service) if service else None


def findings(rows: Iterable[Row], setting: str, labels: Labels) -> dict[str, Row]:
    """The findings of a setting by name.

    Args:
        rows: the table `findings`.
        setting: the setting.
        labels: titles of the services.

    Returns:
        Rows of the table. `services` names the finding's services, `rows` is the list of the rows it counts:
        each with `services`, `title`, and `pair` if it is the row of a pair.
    """
    return {
        finding.finding: row
        | {
            "services": finding.services(labels),
            "rows": [_counted_row(key, labels) for key in finding.rows.split(",") if key],
        }
        for row in rows
        if (finding := from_json(Finding, row, "findings.parquet")).setting == setting
    }


def _counted_row(key: str, labels: Labels) -> Row:
    """A row that a finding counts, by its key: a service, incumbent/contender, or the three of a triple."""
    services = key.split("/")
    if len(services) == 2:
        return {"services": services, "pair": pair_name(services), "title": labels.matchup(*services)}
    return {"services": services, "pair": None, "title": ", then ".join(map(labels.service, services))}


def matchups(rows: Iterable[PairRow], rate_mbps: float) -> list[Row]:
    """The pairs of two different services, the most unfair first.

    Args:
        rows: the rows of `pairs` of one setting.
        rate_mbps: the capacity, of which `part` is a fraction.
    """
    by_key = {(row.incumbent, row.contender): row for row in rows if row.share_median is not None}
    pairs = [
        _matchup(row, by_key[contender, incumbent], rate_mbps)
        for (incumbent, contender), row in sorted(by_key.items())
        if incumbent < contender and (contender, incumbent) in by_key
    ]
    return [matchup for _share, matchup in sorted(pairs, key=lambda entry: entry[0])]


def _matchup(one: PairRow, other: PairRow, rate_mbps: float) -> tuple[float, Row]:
    """Both sides of a pair, after the share of the worse-off one."""
    worse, better = sorted((one, other), key=lambda row: row.share_median or 0)
    share = worse.share_median or 0
    return share, {
        "pair": one.pair,
        "n": one.n,
        "better_off": _side(better, rate_mbps),
        "worse_off": _side(worse, rate_mbps),
        "fair_part": better.allocation_mbps / rate_mbps,
        "has_loser": outcome(share) == "losing",
    }


def _side(row: PairRow, rate_mbps: float) -> Row:
    share = row.share_median or 0
    return {
        "service": row.incumbent,
        "share": share,
        "outcome": outcome(share),
        "part": (row.wire_rate_mbps_median or 0) / rate_mbps,
    }
