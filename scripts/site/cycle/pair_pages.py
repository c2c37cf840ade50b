"""The data of the pages of pairs, and of services alone."""

from dataclasses import dataclass

from scripts.charts.table_rows import CellKey, ChangeRow, ClientRow, ServiceRow, SoloRow, grouped
from scripts.figures.catalogue import metrics_of
from scripts.model.pairs import is_solo, members
from scripts.site.cycle.cells import described_cells
from scripts.site.cycle.figure_pages import PairKey, completions_by_cell, models_by_cell, slowest_by_cell
from scripts.site.cycle.inputs import Inputs, Row
from scripts.site.cycle.over_time_tables import shares_over_time
from scripts.site.cycle.qoe_pages import qoe_by_service, qoe_in_pairs
from scripts.site.cycle.trial_pages import TrialPage, chosen_charts

DAY_NS = 86_400 * 10**9


@dataclass(frozen=True)
class FigureRow:
    """The key of a row of figures, of those that are of a trial's clients."""

    setting: str
    service: str
    contender: str
    instance: str
    metric: str


@dataclass(frozen=True)
class BegunRow(ServiceRow):
    """A row of trial_services with the start of its trial; rows of earlier versions have none."""

    trial_start_ns: int | None = None


@dataclass(frozen=True)
class UpstreamRow(ClientRow):
    """A row of upstream_loss."""

    method: str


def pair_pages(inputs: Inputs, trials: list[TrialPage]) -> list[Row]:
    """Every pair of every setting: its rows of `pairs` (`sides`), its quality of experience, its trials.

    `figures` of a side has the rows of the table figures by metric.
    `completions` has the completion times of its generated flows, `slowest` the largest slowdown of them.
    `worse_off` is the side with the lowest share, `alone` has the row of `solo` of each service, `with_solo`
    the services with a trial alone, `upstream` how the loss before the bottleneck is known for each, and
    `changes` its rows of the table of that name.
    `models` has its figures beside models and predictions (scripts/site/cycle/figure_pages.py).
    `over_time` has its shares over the time of its trials (scripts/site/cycle/over_time_tables.py).
    """
    qoe, sides, upstream = qoe_in_pairs(inputs), _sides(inputs), _upstream(inputs)
    alone, changes = _solos(inputs), _changes(inputs)
    with_solo = {(key.setting, key.pair) for key in inputs.valid}
    completions, slowest = completions_by_cell(inputs), slowest_by_cell(inputs)
    models, over_time = models_by_cell(inputs), shares_over_time(inputs)
    return [
        page
        | {
            "sides": sides.get(key, []),
            "worse_off": _worse_off(sides.get(key, [])),
            "alone": {name: alone.get((key[0], name)) for name in members(key[1])},
            "with_solo": sorted({name for name in members(key[1]) if (key[0], name) in with_solo}),
            "qoe": qoe.get(key, []),
            "upstream": upstream.get(key, []),
            "changes": changes.get(key, []),
            "completions": completions.get(key, []),
            "slowest": slowest.get(key),
            "models": models.get(key),
            "over_time": over_time.get(key),
        }
        for key, page in _with_trials(inputs, [trial for trial in trials if not is_solo(trial.key.pair)])
    ]


def solo_pages(inputs: Inputs, trials: list[TrialPage]) -> list[Row]:
    """Every service alone in every setting: its row of `solo`, what its users notice, its trials.

    `figures` has the rows of the table figures by metric, `completions` the completion times of its generated
    flows, `models` its figures beside models.
    """
    caps = {(row["setting"], row["service"]): row["cap_mbps"] for row in inputs.tables["workloads"]}
    rows, qoe, completions = _solos(inputs), qoe_by_service(inputs), completions_by_cell(inputs)
    models, figures = models_by_cell(inputs), _figures(inputs)
    return [
        page
        | {
            "row": rows.get(key),
            "figures": figures.get((*key, "", "first"), {}),
            "qoe": qoe.get(key),
            "cap_mbps": caps.get(key),
            "completions": completions.get(key, []),
            "models": models.get(key),
        }
        for key, page in _with_trials(inputs, [trial for trial in trials if is_solo(trial.key.pair)])
    ]


def _solos(inputs: Inputs) -> dict[PairKey, Row]:
    """The rows of `solo` by setting and service."""
    return {(record.setting, record.service): row for record, row in inputs.with_rows("solo", SoloRow)}


def _changes(inputs: Inputs) -> dict[PairKey, list[Row]]:
    """The rows of `changes` by setting and pair."""
    changes = grouped(
        inputs.with_rows("changes", ChangeRow), lambda change: (change[0].setting, change[0].pair)
    )
    return {key: [row for _record, row in of_pair] for key, of_pair in changes.items()}


def _sides(inputs: Inputs) -> dict[PairKey, list[Row]]:
    """The rows of `pairs` by setting and pair, sorted by incumbent; the worse-off instance comes first."""
    rows, figures = described_cells(inputs), _figures(inputs)
    in_order = sorted(rows, key=lambda side: (side.incumbent, side.instance == "better_off"))
    return {
        key: [rows[side] | {"figures": figures.get(side.key, {})} for side in sides]
        for key, sides in grouped(in_order, lambda side: (side.setting, side.pair)).items()
    }


def _figures(inputs: Inputs) -> dict[CellKey, dict[str, Row]]:
    """The rows of figures of every cell and of every service alone, by metric."""
    shown = metrics_of("pairs") | metrics_of("solo")
    found: dict[CellKey, dict[str, Row]] = {}
    for record, row in inputs.with_rows("figures", FigureRow):
        if record.metric in shown:
            key = record.setting, record.service, record.contender, record.instance
            found.setdefault(key, {})[record.metric] = row
    return found


def _worse_off(sides: list[Row]) -> Row | None:
    """The side with the lowest share in a few columns; None if no side has one."""
    shares = {str(side["incumbent"]): side for side in reversed(sides) if side["share_median"] is not None}
    if not shares:
        return None
    worse = shares[min(shares, key=lambda name: (float(str(shares[name]["share_median"])), name))]
    return {name: worse[name] for name in ("incumbent", "share_median", "verdict", "settled_words", "n")}


def _upstream(inputs: Inputs) -> dict[PairKey, list[Row]]:
    """How the loss before the bottleneck is known for each service of a pair, by setting and pair."""
    methods = {
        (row.setting, row.pair, row.service, row.method)
        for row in inputs.records("upstream_loss", UpstreamRow)
    }
    found: dict[PairKey, list[Row]] = {}
    for setting, pair, service, method in sorted(methods):
        found.setdefault((setting, pair), []).append({"service": service, "method": method})
    return found


def _days(inputs: Inputs) -> dict[PairKey, int | None]:
    """The number of days (UTC) with a valid trial, by setting and pair; None if a start is not known."""
    valid = [row for row in inputs.records("trial_services", BegunRow) if row.valid]
    return {
        key: len({row.trial_start_ns // DAY_NS for row in rows if row.trial_start_ns is not None})
        if all(row.trial_start_ns is not None for row in rows)
        else None
        for key, rows in grouped(valid, lambda row: (row.setting, row.pair)).items()
    }


def _with_trials(inputs: Inputs, trials: list[TrialPage]) -> list[tuple[PairKey, Row]]:
    """The pairs or solos of these trials with what their pages have in common."""
    chosen, days = chosen_charts(inputs), _days(inputs)
    groups = grouped(trials, lambda trial: (trial.key.setting, trial.key.pair))
    return [
        (
            (setting, pair),
            {
                "setting": setting,
                "pair": pair,
                "services": members(pair),
                "trials": [trial.listed for trial in group],
                "counted": sum(trial.valid for trial in group),
                "excluded": sum(not trial.valid for trial in group),
                "days": days.get((setting, pair)),
                "chart": inputs.chart(f"dots-{setting}-{pair}"),
                "chosen": chosen.get((setting, pair), []),
            },
        )
        for (setting, pair), group in sorted(groups.items())
    ]
