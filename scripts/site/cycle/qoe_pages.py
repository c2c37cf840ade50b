"""The data of the quality of experience: the page of its own, and its parts of other pages."""

from dataclasses import asdict

from scripts.charts.qoe_charts import KINDS, QOE_CHARTS, pair_of
from scripts.charts.table_rows import QoePairRow, grouped, page_of
from scripts.figures.catalogue import CATALOGUE, metrics_of
from scripts.model.trials import TrialKey
from scripts.site import Row
from scripts.site.cycle.inputs import Inputs

CHARTS = ("flows", *QOE_CHARTS)


def qoe_pages(inputs: Inputs) -> list[Row]:
    """Each setting with such services: its charts and their names. Settings without them are left out."""
    services = {(row.setting, row.service): None for row in inputs.records("qoe_pairs", QoePairRow)}
    pages: list[Row] = [
        {
            "name": name,
            "charts": [chart for kind in CHARTS if (chart := inputs.chart(f"{kind}-{name}"))],
            "services": [service for setting, service in sorted(services) if setting == name],
        }
        for name in inputs.campaign.settings
    ]
    return [page for page in pages if page["charts"] or page["services"]]


def qoe_by_service(inputs: Inputs) -> dict[tuple[str, str], Row]:
    """The metrics of each service, by setting and service. `alone` comes first, then each contender."""
    in_order = sorted(inputs.records("qoe_pairs", QoePairRow), key=_order)
    services = grouped(in_order, lambda row: (row.setting, row.service))
    return {
        (setting, service): {
            "setting": setting,
            "service": service,
            "metrics": [name for name in metrics_of("qoe_pairs") if any(row.metric == name for row in rows)],
            "rows": _by_contender(rows),
        }
        for (setting, service), rows in sorted(services.items())
    }


def _order(row: QoePairRow) -> tuple[str, bool]:
    """By contender; of a self-pair, the worse-off instance comes first."""
    return row.contender, row.instance == "better_off"


def _by_contender(rows: list[QoePairRow]) -> list[Row]:
    """An entry for each contender, and instance of a self-pair, with the row of each metric."""
    return [
        {
            "contender": contender,
            "instance": instance,
            "page": next(page_of(row.setting, pair_of(row)) for row in rows if row.contender == contender),
            "figures": {
                row.metric: asdict(row)
                for row in rows
                if (row.contender, row.instance) == (contender, instance)
            },
        }
        for contender, instance in dict.fromkeys((row.contender, row.instance) for row in rows)
    ]


def qoe_in_pairs(inputs: Inputs) -> dict[tuple[str, str], list[Row]]:
    """The rows of `qoe_pairs` by setting and pair (or solo), sorted by service and metric.

    `alone` is the row of the same metric of the service without a contender, `outcome` how the two compare.
    """
    pairs: dict[tuple[str, str], list[Row]] = {}
    order = list(CATALOGUE)
    rows = inputs.records("qoe_pairs", QoePairRow)
    alone = {(row.setting, row.service, row.metric): asdict(row) for row in rows if not row.contender}
    for row in sorted(rows, key=lambda row: (row.service, _order(row), order.index(row.metric))):
        entry, before = asdict(row), alone.get((row.setting, row.service, row.metric))
        found = outcome(row.metric, before, entry)
        entry |= {"alone": before, "outcome": "provisional" if found and inputs.provisional else found}
        pairs.setdefault((row.setting, pair_of(row)), []).append(entry)
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
