"""The two figures that each row of Prudentia's Observations 4 and 8 compares, in words.

A row of Observation 4 has the share of a service against a download in batches, and that against as many
flows without batches. One of Observation 8 has the load time of a page beside a contender, and that alone.
"""

from collections.abc import Callable, Mapping

from scripts.charts.table_rows import PairRow, QoePairRow
from scripts.figures.words import amount, bound_mark, number, several
from scripts.model.pairs import pair_name
from scripts.site.cycle.findings import Finding
from scripts.site.cycle.inputs import Inputs, Row

BATCHES = ("batches", "batches_less", "batches_more")
PAGE_LOADS = ("page_loads", "page_load_longest")


def with_figures(found: Mapping[str, Row], setting: str, inputs: Inputs) -> dict[str, Row]:
    """The findings of a setting, with both figures in the rows of Observations 4 and 8.

    Args:
        found: the findings by name (scripts/site/cycle/findings.py).
        setting: the setting.
        inputs: the sources of the cycle's pages.
    """
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
        (cell.incumbent, cell.contender): _share_words(cell)
        for cell in inputs.records("pairs", PairRow)
        if cell.setting == setting and cell.instance == "first"
    }
    labels = inputs.labels

    def row(service: str, batched: str, plain: str) -> Row:
        title = f"{labels.matchup(service, batched)}: {cells[service, batched]}"
        beside = f"against {labels.contender(plain)}: {cells[service, plain]}"
        return _row((service, batched), f"{title}; {beside}")

    return row


def _beside_contender(setting: str, inputs: Inputs) -> Callable[[str, str], Row]:
    """Makes a row from the names of the page and of its contender."""
    loads = {
        (load.service, load.contender): _load_words(load)
        for load in inputs.records("qoe_pairs", QoePairRow)
        if load.setting == setting and load.metric == "web_visually_complete_s" and load.instance == "first"
    }
    labels = inputs.labels

    def row(page: str, contender: str) -> Row:
        title = f"{labels.service(page)} beside {labels.contender(contender)}: {loads[page, contender]}"
        return _row((page, contender), f"{title}; alone: {loads[page, '']}")

    return row


def _row(services: tuple[str, str], title: str) -> Row:
    return {"services": list(services), "pair": pair_name(services), "title": title}


def _share_words(cell: PairRow) -> str:
    return _words(cell.share_median, cell.share_low, cell.share_high, "fraction", cell.share_n, None)


def _load_words(load: QoePairRow) -> str:
    return _words(load.median, load.low, load.high, "s", load.n, load.at_least)


def _words(
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
