"""The main results of a setting. The layouts put them into words.

The rows of Prudentia's Observations 4 and 8 compare two figures: the share of a service against a download in
batches with that against as many flows without batches, and the load time of a page beside a contender with
that alone.
"""

from collections.abc import Callable, Container, Iterable, Mapping
from dataclasses import dataclass

from scripts.base.records import from_json
from scripts.charts.chart_labels import Labels
from scripts.charts.table_rows import PairRow, QoePairRow
from scripts.figures.figure import MOVES
from scripts.figures.words import amount, bound_mark, number, several
from scripts.model.pairs import pair_name
from scripts.site.cycle.inputs import Inputs, Row

MOST_UNFAIR = "most_unfair"


@dataclass(frozen=True)
class Finding:
    """The columns of the table `findings` that are read here."""

    setting: str
    finding: str
    incumbent: str | None
    contender: str | None
    rows: str
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
        Rows of the table. `services` names the finding's services, `rows` is the list of the rows it counts:
        each with `services`, `title`, and `pair` if it is the row of a pair. `may_be_first` lists likewise
        what cannot be told apart from an extreme, and `tied` is their number. `moves` says whether the lowest
        share still moves.
    """
    return {
        finding.finding: row
        | {
            "services": finding.services(labels),
            "rows": [_counted_row(key, labels, moving) for key in finding.keys],
            "may_be_first": [_counted_row(key, labels, moving) for key in finding.firsts],
            "tied": finding.tied,
            "moves": finding.finding == MOST_UNFAIR and f"{finding.incumbent}/{finding.contender}" in moving,
        }
        for row in rows
        if (finding := from_json(Finding, row, "findings.parquet")).setting == setting
    }


def _counted_row(key: str, labels: Labels, moving: Container[str]) -> Row:
    """A row that a finding counts, by its key: a service, incumbent/contender, or the three of a triple."""
    services = key.split("/")
    if len(services) == 2:
        title = labels.matchup(*services) + (f", share {MOVES}" if key in moving else "")
        return {"services": services, "pair": pair_name(services), "title": title}
    return {"services": services, "pair": None, "title": ", then ".join(map(labels.service, services))}


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


BATCHES = ("batches", "batches_less", "batches_more")
PAGE_LOADS = ("page_loads", "page_load_longest")


def with_figures(found: Mapping[str, Row], setting: str, inputs: Inputs) -> dict[str, Row]:
    """The findings of a setting, with both figures in the rows of Observations 4 and 8."""
    counted = {one.finding: one.keys for one in inputs.records("findings", Finding) if one.setting == setting}
    makers: dict[str, Callable[..., Row]] = dict.fromkeys(BATCHES, _beside_batches(setting, inputs))
    makers |= dict.fromkeys(PAGE_LOADS, _beside_contender(setting, inputs))
    rows = {
        name: [makers[name](*key.split("/")) for key in keys]
        for name, keys in counted.items()
        if name in makers
    }
    return {name: row | ({"rows": rows[name]} if name in rows else {}) for name, row in found.items()}


def _beside_batches(setting: str, inputs: Inputs) -> Callable[[str, str, str], Row]:
    """Makes a row from the names of the service, the download in batches, and the flows without."""
    cells = {
        (cell.incumbent, cell.contender): _beside_words(
            cell.share_median, cell.share_low, cell.share_high, "fraction", cell.share_n, None
        )
        for cell in inputs.records("pairs", PairRow)
        if cell.setting == setting and cell.instance == "first"
    }
    labels = inputs.labels

    def row(service: str, batched: str, plain: str) -> Row:
        title = f"{labels.matchup(service, batched)}: {cells[service, batched]}"
        beside = f"against {labels.contender(plain)}: {cells[service, plain]}"
        return _beside_row((service, batched), f"{title}; {beside}")

    return row


def _beside_contender(setting: str, inputs: Inputs) -> Callable[[str, str], Row]:
    """Makes a row from the names of the page and of its contender."""
    loads = {
        (load.service, load.contender): _beside_words(
            load.median, load.low, load.high, "s", load.n, load.at_least
        )
        for load in inputs.records("qoe_pairs", QoePairRow)
        if load.setting == setting and load.metric == "web_visually_complete_s" and load.instance == "first"
    }
    labels = inputs.labels

    def row(page: str, contender: str) -> Row:
        title = f"{labels.service(page)} beside {labels.contender(contender)}: {loads[page, contender]}"
        return _beside_row((page, contender), f"{title}; alone: {loads[page, '']}")

    return row


def _beside_row(services: tuple[str, str], title: str) -> Row:
    return {"services": list(services), "pair": pair_name(services), "title": title}


def _beside_words(
    median: float | None, low: float | None, high: float | None, unit: str, n: int, at_least: float | None
) -> str:
    """A median with its interval, or with the number of trials in which it was seen; `≥` if it is a bound."""
    if median is None:
        return amount(median, unit)
    shown = bound_mark(median, at_least) + amount(median, unit)
    if low is None or high is None:
        return f"{shown}, seen in {several(n, 'trial')}"
    ends = " to ".join(bound_mark(end, at_least) + number(end, unit) for end in (low, high))
    return f"{shown} (95\u00a0% interval {ends}, n\u00a0=\u00a0{n})"
