"""The figures of the quality of experience in words: names, units, and the pages of pairs and solos."""

from scripts.charts.chart_labels import Labels, of_instance
from scripts.charts.table_rows import QoePairRow
from scripts.figures.catalogue import CATALOGUE
from scripts.model.pairs import contenders, pair_name

ALONE = "alone"


def page_of(row: QoePairRow) -> str:
    """The address of the page of the row's pair or solo."""
    if not row.contender:
        return f"solos/{row.setting}/{row.service}/"
    return f"pairs/{row.setting}/{pair_of(row)}/"


def pair_of(row: QoePairRow) -> str:
    """The name of the row's pair or solo."""
    return pair_name([row.service, *contenders(row.contender)])


def row_name(contender: str, instance: str, labels: Labels) -> str:
    """The name of a row: the contender, and in a self-pair the instance."""
    return f"{labels.contender(contender)}{of_instance(instance)}" if contender else ALONE


def figure_words(row: QoePairRow) -> str:
    """A row's median and its number of trials: `3.20, n = 6`, or `≥ 45.00, n = 6, 4 of them not ended`."""
    ended = f", {row.censored} of them not ended" if row.censored else ""
    return f"{_figure(row)}, n = {row.n}{ended}"


def _figure(row: QoePairRow) -> str:
    metric = CATALOGUE[row.metric]
    bound = "≥ " if row.at_least is not None and (row.median or 0) >= row.at_least else ""
    return f"{bound}{metric.factor * (row.median or 0):.{metric.decimals}f}"


def value_words(row: QoePairRow) -> str:
    """A row's median with its unit."""
    return f"{_figure(row)} {CATALOGUE[row.metric].shown_unit}"
