"""The kinds of heatmaps, the value, text and link of each cell, and what was found as a sentence."""

from collections.abc import Sequence
from dataclasses import dataclass

from scripts.charts.chart_labels import ENOUGH, Labels, of_instance
from scripts.charts.scales import MISSING, MOVING, SCALES, Scale
from scripts.charts.table_rows import PairRow, scaled
from scripts.charts.theme import Datum
from scripts.figures.figure import MOVES
from scripts.figures.words import VERDICTS, several

COLOURED = ("losing", "fair", "winning")
"""The verdicts that a cell of shares shows by its colour."""


@dataclass(frozen=True)
class Heatmap:
    """One kind of heatmap.

    Attributes:
        kind: its name.
        metric: the metric of PairRow whose median it shows.
        reading: what the number in a cell is.
        factor: the column is multiplied by it for display (100 for percent).
        decimals: decimals of the number in a cell.
    """

    kind: str
    metric: str
    reading: str
    factor: float
    decimals: int

    @property
    def scale(self) -> Scale:
        """The bins of its values."""
        return SCALES[self.kind.split("-")[0]]

    @property
    def of_harm(self) -> bool:
        """Whether it compares what a service gets with what it gets alone."""
        return self.kind in HARMS

    @property
    def unit(self) -> str:
        """The unit of the number shown."""
        return self.scale.unit

    def value(self, row: PairRow) -> float | None:
        """The number of a cell, in the unit shown. A pair with a service that is unable has none."""
        median: float | None = getattr(row, f"{self.metric}_median")
        return None if row.unable else scaled(median, self.factor)

    def uncoloured(self, has_interval: bool, verdict: str | None, against_itself: bool) -> str | None:
        """Why a cell with a value has no colour.

        Args:
            has_interval: whether its median has an interval: whether there are six trials.
            verdict: the verdict on its share, if it has one.
            against_itself: whether it is of two instances of one service.

        Returns:
            `few`, `undecided` or `self`, which are keys of MISSING; None if it has a colour. A share has one
            if it loses, wins or is fair, any other metric from six trials on.
        """
        if not has_interval:
            return "few"
        if self.metric != "share" or (verdict in COLOURED and not against_itself):
            return None
        if against_itself:
            return "self"
        return "undecided" if verdict == "undecided" else "few"

    def trials(self, row: PairRow) -> int:
        """The number of trials that the median is of."""
        count: int = getattr(row, f"{self.metric}_n")
        return count

    def shown(self, value: float) -> str:
        """The number in a cell; never a negative zero."""
        return f"{round(value, self.decimals) + 0.0:.{self.decimals}f}"

    def state(self, valid: int) -> str:
        """Why a cell of a pair with so many valid trials has no value: its key in MISSING."""
        return "incomparable" if self.of_harm and valid else "invalid"


HEATMAPS = {
    look.kind: look
    for look in (
        Heatmap(
            "share",
            "share",
            "Median share of the column’s service against the row’s, in percent of its max-min fair share",
            100,
            0,
        ),
        Heatmap("utilization", "utilization", "Median link utilization by both services, in percent", 100, 1),
        Heatmap(
            "loss",
            "loss_rate",
            "Median loss rate of the column’s service against the row’s, in percent of its packets",
            100,
            2,
        ),
        Heatmap(
            "delay",
            "queueing_delay_ms",
            "Median of the mean queueing delay of the column’s service against the row’s, in ms",
            1,
            0,
        ),
    )
}
"""The heatmaps that every setting with cells has."""

HARMS = {
    look.kind: look
    for look in (
        Heatmap(
            f"harm-{what}",
            f"harm_{what}",
            f"Median harm by the row’s service: the part {part}, in percent; 0 is no harm, below 0 a gain",
            100,
            0,
        )
        for what, part in (
            ("throughput", "of its throughput alone that the column’s service loses"),
            ("delay", "of the column’s RTT that was not there alone"),
            ("loss", "of the column’s loss rate that was not there alone"),
        )
    )
}
"""Those of harm, which a setting has if services were also measured alone (Ware et al. 2019, HotNets)."""


def heatmap_cells(
    rows: Sequence[PairRow], services: Sequence[str], look: Heatmap, labels: Labels
) -> list[Datum]:
    """Every cell of the square of these services, row by row."""
    by_key = {(row.incumbent, row.contender): row for row in rows}
    return [
        {"incumbent": labels.service(incumbent), "contender": labels.service(contender)}
        | _cell(by_key.get((incumbent, contender)), labels.matchup(incumbent, contender), look, labels)
        for contender in services
        for incumbent in services
    ]


def _cell(row: PairRow | None, names: str, look: Heatmap, labels: Labels) -> Datum:
    """The rest of a cell. A cell without a row was not measured, and has no link."""
    if row is None:
        return _missing("unmeasured") | {"label": f"{names}: not measured"}
    page: Datum = {
        "n": look.trials(row),
        "excluded": row.excluded,
        "href": f"../pairs/{row.setting}/{row.pair}/",
    }
    if row.unable:
        who = " and ".join(labels.service(service) for service in row.unable.split(","))
        why = f"{who} cannot do alone what a service must"
        return page | _missing("unable") | {"label": f"{names}: unable ({why})"}
    value = look.value(row)
    excluded = f", {row.excluded} excluded" if row.excluded else ""
    if value is None:
        state = look.state(row.n)
        return page | _missing(state) | {"label": f"{names}: {MISSING[state].meaning}{excluded}"}
    shown, n = f"{look.shown(value)} {look.unit}", f"n = {look.trials(row)}"
    words = f"{names}{of_instance(row.instance)}: {shown}, {n}{excluded}"
    if look.metric == "share" and row.instance == "worse_off" and row.jain_median is not None:
        words += f", Jain’s index {row.jain_median:.2f}"
    if look.metric == "share" and row.verdict is not None:
        words += f", {VERDICTS[row.verdict]}"
    marked: Datum = {}
    if look.metric == "share" and row.moves:
        words += f", {MOVES}"
        marked = {"mark": MOVING.text}
    enough = look.trials(row) >= ENOUGH
    uncoloured = look.uncoloured(enough, row.verdict, row.incumbent == row.contender)
    return (
        page
        | {
            "state": uncoloured or "measured",
            "value": value,
            "level": None if uncoloured else look.scale.level(value),
            "text": look.shown(value),
            "label": words,
        }
        | marked
    )


def _missing(kind: str) -> Datum:
    return {"state": kind, "value": None, "level": None, "text": MISSING[kind].text}


def heatmap_title(rows: Sequence[PairRow], look: Heatmap, labels: Labels) -> str:
    """What a heatmap of these cells shows. A verdict needs six trials.

    A bound on all cells is true of the picture. Which cell is the extreme one, the medians alone do not tell.
    """
    values = {row: value for row in rows if (value := look.value(row)) is not None}
    if not values:
        return "No pair has a valid trial"
    if look.kind == "share":
        return _of_shares(values, look, labels)
    row = (min if look.kind == "utilization" else max)(values, key=values.__getitem__)
    value, count = values[row], look.trials(row)
    seen = f" (seen in {several(count, 'trial')})" if count < ENOUGH else ""
    words = f"{look.shown(value)} {look.unit}"
    if look.of_harm:
        return f"No median harm is above {words}{seen}" if value > 0 else f"No service is harmed{seen}"
    if look.kind == "loss" and value == 0:
        return "No service lost packets in the queue"
    bounds = {
        "utilization": f"Every pair uses at least {words} of the link",
        "loss": f"No service loses more than {words} of its packets",
        "delay": f"No service waits longer than {words} in the queue",
    }
    return f"{bounds[look.kind]}, by the medians{seen}"


def _of_shares(values: dict[PairRow, float], look: Heatmap, labels: Labels) -> str:
    if any(row.provisional for row in values):
        return "Shares so far: there is no verdict before the cycle is complete"
    compared = [row for row in values if row.contender != row.incumbent]
    judged = [row for row in compared if row.verdict is not None]
    losing = [row for row in judged if row.verdict == "losing"]
    if not compared:
        return "No two services are compared"
    row = min(losing or judged or compared, key=values.__getitem__)
    who = labels.service(row.incumbent)
    opponent = "itself" if row.contender == row.incumbent else labels.contender(row.contender)
    opponent += of_instance(row.instance)
    share = f"{look.shown(values[row])} {look.unit} of its fair share against {opponent}"
    if losing:
        share += f" ({MOVES})" if row.moves else ""
        lose = "loses" if len(losing) == 1 else "lose"
        return f"{who} gets {share}; {len(losing)} of {several(len(judged), 'cell')} {lose}"
    if judged:
        certain = all(other.verdict in ("fair", "winning") for other in compared)
        loses = "loses" if certain else "certainly loses"
        return f"No service {loses} here; no judged cell is below {look.shown(values[row])} {look.unit}"
    why = "Too few trials for a verdict" if row.share_low is None else "There is no verdict"
    return f"{why}; {who} was seen with {share}"
