"""The main results of a setting. The layouts put them into words."""

from collections.abc import Iterable
from dataclasses import dataclass

from scripts.base.records import from_json
from scripts.charts.chart_labels import Labels
from scripts.model.pairs import pair_name
from scripts.site.cycle.cells import PairCell
from scripts.site.cycle.inputs import Row


@dataclass(frozen=True)
class Finding:
    """The columns of the table `findings` that are read here."""

    setting: str
    finding: str
    incumbent: str | None
    contender: str | None
    rows: str

    @property
    def keys(self) -> list[str]:
        """The keys of the rows that it counts."""
        return [key for key in self.rows.split(",") if key]

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
            "rows": [_counted_row(key, labels) for key in finding.keys],
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


def matchups(cells: Iterable[PairCell], rate_mbps: float) -> list[Row]:
    """The pairs of two different services: the judged ones first, and of these the most unfair first.

    The first judged one is the finding `most_unfair`.

    Args:
        cells: the cells of one setting's matrix.
        rate_mbps: the capacity, of which `part` is a fraction.
    """
    by_key = {(cell.incumbent, cell.contender): cell for cell in cells if _has_share(cell)}
    pairs = [
        (cell, by_key[contender, incumbent])
        for (incumbent, contender), cell in by_key.items()
        if incumbent < contender and (contender, incumbent) in by_key
    ]
    return [_matchup(one, other, rate_mbps) for one, other in sorted(map(_worse_first, pairs), key=_order)]


def self_matchups(cells: Iterable[PairCell], setting: str, rate_mbps: float) -> list[Row]:
    """The services against themselves, the worse-off instance against the better-off one."""
    instances = {
        (cell.incumbent, cell.instance): cell
        for cell in cells
        if cell.setting == setting and cell.incumbent == cell.contender and _has_share(cell)
    }
    pairs = [
        (worse, instances[service, "better_off"])
        for (service, instance), worse in instances.items()
        if instance == "worse_off" and (service, "better_off") in instances
    ]
    return [_matchup(worse, better, rate_mbps) for worse, better in sorted(pairs, key=_order)]


def _has_share(cell: PairCell) -> bool:
    return cell.share_median is not None and not cell.unable


def _worse_first(pair: tuple[PairCell, PairCell]) -> tuple[PairCell, PairCell]:
    one, other = sorted(pair, key=lambda cell: (cell.share_median or 0, cell.incumbent))
    return one, other


def _order(pair: tuple[PairCell, PairCell]) -> tuple[bool, float, str]:
    """Judged pairs first, then by the share of the worse-off service."""
    worse, _better = pair
    return not worse.judged, worse.share_median or 0, worse.pair


def _matchup(worse: PairCell, better: PairCell, rate_mbps: float) -> Row:
    """Both sides of a pair."""
    return {
        "pair": worse.pair,
        "n": worse.n,
        "judged": worse.judged,
        "better_off": _side(better, rate_mbps),
        "worse_off": _side(worse, rate_mbps),
        "fair_part": better.allocation_mbps / rate_mbps,
        "has_loser": worse.verdict == "losing",
    }


def _side(cell: PairCell, rate_mbps: float) -> Row:
    return {
        "service": cell.incumbent,
        "contender": cell.contender,
        "share": cell.share_median,
        "verdict": cell.verdict,
        "part": (cell.wire_rate_mbps_median or 0) / rate_mbps,
    }
