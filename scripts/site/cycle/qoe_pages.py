"""The data of the quality of experience: the page of its own, and its parts of other pages."""

from dataclasses import asdict

from scripts.charts.qoe_charts import KINDS, QOE_CHARTS
from scripts.charts.table_rows import QoePairRow
from scripts.figures.catalogue import CATALOGUE
from scripts.model.trials import TrialKey
from scripts.site import Row
from scripts.site.cycle.inputs import Inputs

CHARTS = ("flows", *QOE_CHARTS)


def qoe_pages(inputs: Inputs) -> list[Row]:
    """Each setting with such services and the names of its charts. Settings without them are left out."""
    settings = {row.setting for row in inputs.records("qoe_pairs", QoePairRow)}
    pages: list[Row] = [
        {"name": name, "charts": inputs.existing(f"{kind}-{name}" for kind in CHARTS)}
        for name in inputs.campaign.settings
    ]
    return [page for page in pages if page["charts"] or page["name"] in settings]


def qoe_in_pairs(inputs: Inputs) -> dict[tuple[str, str], list[Row]]:
    """The rows of `qoe_pairs` by setting and pair (or solo), sorted by service and metric.

    Of a self-pair, the worse-off instance comes first.

    `alone` is the row of the same metric of the service without a contender, `outcome` how the two compare.
    """
    pairs: dict[tuple[str, str], list[Row]] = {}
    order = list(CATALOGUE)
    rows = inputs.records("qoe_pairs", QoePairRow)
    alone = {(row.setting, row.service, row.metric): asdict(row) for row in rows if not row.contender}

    def place(row: QoePairRow) -> tuple[str, str, bool, int]:
        return row.service, row.contender, row.instance == "better_off", order.index(row.metric)

    for row in sorted(rows, key=place):
        entry, before = asdict(row), alone.get((row.setting, row.service, row.metric))
        change = outcome(row.metric, before, entry)
        entry |= {"alone": before, "outcome": "provisional" if change and inputs.provisional else change}
        pairs.setdefault((row.setting, row.pair), []).append(entry)
    return pairs


def outcome(metric: str, alone: Row | None, together: Row) -> str | None:
    """Whether users fare worse than alone, by the 95 % intervals of the medians.

    Returns:
        `losing` or `winning` if the two intervals do not overlap, `undecided` if they do, `seen` if one of
        them is missing; None if the metric was not measured alone, or more of it is neither better nor worse.
    """
    more = CATALOGUE[metric].more
    if alone is None or more is None:
        return None
    ends = [row[end] for row in (alone, together) for end in ("low", "high")]
    known = [float(str(end)) for end in ends if end is not None]
    if len(known) < len(ends):
        return "seen"
    low, high, low_together, high_together = known
    if high < low_together:
        return "winning" if more == "better" else "losing"
    return ("losing" if more == "better" else "winning") if high_together < low else "undecided"


def qoe_in_trials(inputs: Inputs) -> dict[TrialKey, dict[str, list[Row]]]:
    """The rows of `qoe_video`, `qoe_rtc` and `qoe_web` of each trial, by kind."""
    trials: dict[TrialKey, dict[str, list[Row]]] = {}
    for kind in KINDS:
        for key, rows in inputs.by_trial(f"qoe_{kind}").items():
            trials.setdefault(key, {})[kind] = rows
    return trials
