"""The finding of a heatmap as a sentence: its extreme cell. A verdict needs six trials."""

from collections.abc import Sequence

from scripts.charts.chart_labels import Labels, of_instance
from scripts.charts.dot_chart import ENOUGH
from scripts.charts.heatmap_cells import Heatmap
from scripts.charts.table_rows import PairRow
from scripts.metrics.fairness import verdict


def heatmap_title(rows: Sequence[PairRow], look: Heatmap, labels: Labels) -> str:
    """The sentence.

    Args:
        rows: the cells of the setting.
        look: the kind of heatmap.
        labels: titles of services.
    """
    measured = [row for row in rows if look.value(row) is not None]
    if not measured:
        return "No pair has a valid trial"
    if look.kind == "share":
        return _of_shares(measured, look, labels)
    if look.kind == "utilization":
        row = min(measured, key=lambda row: _value(row, look))
        return f"The link is used least by {_pair(row, labels)}: {_shown(row, look)}{_seen(row, look)}"
    row = max(measured, key=lambda row: _value(row, look))
    if look.of_harm:
        return _of_harm(row, look, labels)
    if look.kind == "loss" and _value(row, look) == 0:
        return "No service lost packets in the queue"
    does = "loses most packets" if look.kind == "loss" else "waits longest in the queue"
    who, opponent = _matchup(row, labels)
    return f"{who} {does} against {opponent}: {_shown(row, look)}{_seen(row, look)}"


def _of_shares(rows: list[PairRow], look: Heatmap, labels: Labels) -> str:
    judged = [row for row in rows if row.share_low is not None]
    losing = [row for row in judged if _loses(row)]
    row = min(losing or judged or rows, key=lambda row: _value(row, look))
    who, opponent = _matchup(row, labels)
    share = f"{_shown(row, look)} of its fair share against {opponent}"
    if losing:
        lose = "loses" if len(losing) == 1 else "lose"
        return f"{who} gets {share}; {len(losing)} of {_cells(len(judged))} {lose}"
    if judged:
        return f"No service loses here; {who} gets least: {share}"
    return f"Too few trials for a verdict; {who} was seen with {share}"


def _of_harm(row: PairRow, look: Heatmap, labels: Labels) -> str:
    """The most harm."""
    if _value(row, look) <= 0:
        return f"No service is harmed{_seen(row, look)}"
    who, opponent = _matchup(row, labels)
    return f"{who} is harmed most by {opponent}: {_shown(row, look)}{_seen(row, look)}"


def _loses(row: PairRow) -> bool:
    if row.share_median is None or row.share_low is None or row.share_high is None:
        return False
    return verdict(row.share_median, row.share_low, row.share_high) == "losing"


def _cells(count: int) -> str:
    return f"{count} {'cell' if count == 1 else 'cells'}"


def _matchup(row: PairRow, labels: Labels) -> tuple[str, str]:
    """The titles of the incumbent and of what it meets."""
    opponent = "itself" if row.contender == row.incumbent else labels.contender(row.contender)
    return labels.service(row.incumbent), f"{opponent}{of_instance(row.instance)}"


def _pair(row: PairRow, labels: Labels) -> str:
    if row.contender == row.incumbent:
        return f"{labels.service(row.incumbent)} against itself"
    return f"{labels.service(row.incumbent)} and {labels.contender(row.contender)}"


def _value(row: PairRow, look: Heatmap) -> float:
    return look.value(row) or 0.0


def _shown(row: PairRow, look: Heatmap) -> str:
    return f"{look.shown(_value(row, look))} {look.unit}"


def _seen(row: PairRow, look: Heatmap) -> str:
    """Words for a number of few trials. It is no verdict."""
    count = look.trials(row)
    return f" (seen in {count} {'trial' if count == 1 else 'trials'})" if count < ENOUGH else ""
