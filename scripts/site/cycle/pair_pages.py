"""The data of the pages of pairs, of services alone, and of services in every setting."""

from collections.abc import Iterable

from scripts.charts.table_rows import CellKey, ChangeRow, ServiceRow, SoloRow, grouped
from scripts.figures.catalogue import metrics_of
from scripts.figures.figure import SHARE, Figure
from scripts.model.pairs import is_solo, members
from scripts.site import Row
from scripts.site.cycle.cell_series import (
    CellSeries,
    Party,
    SeriesOfCells,
    look_of,
    parties,
    shares_over_time,
)
from scripts.site.cycle.cells import TrialShare, described_cells, trial_shares
from scripts.site.cycle.figure_pages import PairKey, completions_by_cell, slowest_by_cell
from scripts.site.cycle.inputs import Inputs
from scripts.site.cycle.pair_drawings import (
    beside_of,
    link_of,
    strip_of_trials,
    swaps_of,
)
from scripts.site.cycle.qoe_pages import qoe_in_pairs
from scripts.site.cycle.trial_pages import TrialPage
from scripts.site.data.campaign_summary import service_summaries, setting_summaries
from scripts.site.drawn.strip import cell_strip, drawn_strip
from scripts.site.service_shares import MeasuredServices, service_pictures
from scripts.site.story.worst_pair import Known, known_figures

DAY_NS = 86_400 * 10**9

SHOWN = ("pairs", "solo", "models", "predictions")
"""The pages list the metrics of these tables."""

FIGURE_KEY = ("setting", "service", "contender", "instance", "metric")


def pair_pages(inputs: Inputs, trials: list[TrialPage], series: SeriesOfCells) -> list[Row]:
    """Every pair of every setting: its rows of `pairs` (`sides`), its quality of experience, its trials.

    A side has the `look` of its service, a `strip` of its trials, and `figures`, its rows of that table by
    metric. `link`, `swaps` and `beside` are drawings (scripts/site/cycle/pair_drawings.py).
    `completions` has the completion times of its generated flows, `slowest` the largest slowdown of them.
    `worse_off` is the side with the lowest share, `upstream` the services whose loss before the bottleneck
    is not known, and `changes` its rows of the table of that name.
    `over_time` has its shares over the time of its trials (scripts/site/cycle/cell_series.py), and `test` is
    its row of the table verdicts.
    """
    pairs, known = [trial for trial in trials if not is_solo(trial.key.pair)], known_figures(inputs.figures)
    qoe, sides, upstream = qoe_in_pairs(inputs), _sides(inputs, known), _upstream(inputs)
    changes, completions, slowest = _changes(inputs), completions_by_cell(inputs), slowest_by_cell(inputs)
    over_time = shares_over_time(inputs)
    tests = {(row["setting"], row["pair"]): row for row in inputs.tables["verdicts"]}
    found = []
    for key, page in _with_trials(inputs, pairs, series):
        mine = sides.get(key, [])
        worse_off = _worse_off(mine)
        found.append(
            page
            | {
                "sides": mine,
                "worse_off": worse_off,
                "link": link_of(inputs, known, key, mine),
                "swaps": swaps_of(inputs, known, key, str(worse_off["incumbent"])) if worse_off else [],
                "beside": beside_of(known, key),
                "qoe": qoe.get(key, []),
                "upstream": upstream.get(key, []),
                "changes": changes.get(key, []),
                "completions": completions.get(key, []),
                "slowest": slowest.get(key),
                "over_time": over_time.get(key),
                "test": tests.get(key),
            }
        )
    return found


def solo_pages(inputs: Inputs, trials: list[TrialPage], series: SeriesOfCells) -> list[Row]:
    """Every service alone in every setting: its row of `solo`, what its users notice, its trials.

    `strip` has its rate in every trial, `figures` its rows of that table by metric, `completions` the
    completion times of its generated flows.
    """
    solos = [trial for trial in trials if is_solo(trial.key.pair)]
    caps = {(row["setting"], row["service"]): row["cap_mbps"] for row in inputs.tables["workloads"]}
    rows, qoe, completions = _solos(inputs), qoe_in_pairs(inputs), completions_by_cell(inputs)
    figures, rates = _figures(inputs), _rates(inputs)
    found = []
    for key, page in _with_trials(inputs, solos, series):
        row, rate_mbps = rows.get(key), float(inputs.campaign.settings[key[0]].rate_mbps)
        found.append(
            page
            | {
                "row": row,
                "strip": strip_of_trials(rates.get(key, []), row, rate_mbps) if row else None,
                "figures": figures.get((*key, "", "first"), {}),
                "qoe": qoe.get(key),
                "cap_mbps": caps.get(key),
                "completions": completions.get(key, []),
            }
        )
    return found


def service_pages(inputs: Inputs) -> dict[str, Row]:
    """The page of every service that has a trial: its pictures (scripts/site/service_shares.py), and `alone`.

    `alone` lists its pages alone, each with the setting's name.
    """
    cells = {(key.setting, key.pair) for key in inputs.valid}
    measured = MeasuredServices(
        inputs.figures,
        setting_summaries(inputs.campaign),
        service_summaries(inputs.campaign),
        inputs.labels,
        page=lambda folder: folder,
        trials={cell: [one.dot for one in shares] for cell, shares in trial_shares(inputs).items()},
    )
    present = {name for _setting, pair in cells for name in members(pair)}
    return {
        name: service_pictures(measured, name)
        | {"alone": [setting for setting in inputs.campaign.settings if (setting, name) in cells]}
        for name in inputs.campaign.services
        if name in present
    }


def _rates(inputs: Inputs) -> dict[PairKey, list[tuple[float, bool]]]:
    """The rate on the wire in each completed trial of a service alone, and whether the trial counts."""
    known = [row for row in inputs.records("trial_services", ServiceRow) if row.wire_rate_mbps is not None]
    return {
        key: [(row.wire_rate_mbps or 0.0, row.valid) for row in rows]
        for key, rows in grouped(known, lambda row: (row.setting, row.pair)).items()
    }


def _solos(inputs: Inputs) -> dict[PairKey, Row]:
    """The rows of `solo` by setting and service."""
    return {(record.setting, record.service): row for record, row in inputs.with_rows("solo", SoloRow)}


def _changes(inputs: Inputs) -> dict[PairKey, list[Row]]:
    """The rows of `changes` by setting and pair."""
    changes = grouped(
        inputs.with_rows("changes", ChangeRow), lambda change: (change[0].setting, change[0].pair)
    )
    return {key: [row for _record, row in of_pair] for key, of_pair in changes.items()}


def _sides(inputs: Inputs, known: Known) -> dict[PairKey, list[Row]]:
    """The rows of `pairs` by setting and pair, sorted by incumbent; the worse-off instance comes first."""
    shares, figures = trial_shares(inputs), _figures(inputs)
    rows = described_cells(inputs, shares)
    in_order = sorted(rows, key=lambda side: (side.incumbent, side.instance == "better_off"))
    return {
        key: [
            rows[side]
            | {
                "figures": figures.get(side.key, {}),
                "strip": _strip(known[*side.key, SHARE], shares[side.key]) if side.key in shares else None,
                "look": look_of(side.pair, side.incumbent, side.instance),
            }
            for side in sides
        ]
        for key, sides in grouped(in_order, lambda side: (side.setting, side.pair)).items()
    }


def _strip(share: Figure, trials: Iterable[TrialShare]) -> Row:
    """The share of a cell, with that of each completed trial."""
    return drawn_strip(cell_strip(share, [trial.dot for trial in trials]))


def _figures(inputs: Inputs) -> dict[CellKey, dict[str, Row]]:
    """The rows of figures of every cell and of every service alone, by metric."""
    shown = {name for table in SHOWN for name in metrics_of(table)}
    found: dict[CellKey, dict[str, Row]] = {}
    for row in inputs.tables["figures"]:
        if row["metric"] in shown and row["all_median"] is not None:
            setting, service, contender, instance, metric = (str(row[name]) for name in FIGURE_KEY)
            found.setdefault((setting, service, contender, instance), {})[metric] = row
    return found


def _worse_off(sides: list[Row]) -> Row | None:
    """The side with the lowest share in a few columns; None if no side has one."""
    shares = {str(side["incumbent"]): side for side in reversed(sides) if side["share_median"] is not None}
    if not shares:
        return None
    worse = shares[min(shares, key=lambda name: (float(str(shares[name]["share_median"])), name))]
    return {name: worse[name] for name in ("incumbent", "share_median", "verdict", "settled_words", "n")}


def _upstream(inputs: Inputs) -> dict[PairKey, list[str]]:
    """The services of a pair whose loss before the bottleneck is not known, by setting and pair."""
    found: dict[PairKey, list[str]] = {}
    for row in inputs.tables["upstream_loss"]:
        services = found.setdefault((str(row["setting"]), str(row["pair"])), [])
        if row["method"] == "unknown" and row["service"] not in services:
            services.append(str(row["service"]))
    return found


def _days(inputs: Inputs) -> dict[PairKey, int | None]:
    """The number of days (UTC) with a valid trial, by setting and pair; None if a start is not known."""
    starts: dict[PairKey, list[object]] = {}
    for row in inputs.tables["trial_services"]:
        if row["valid"]:
            cell = str(row["setting"]), str(row["pair"])
            starts.setdefault(cell, []).append(row.get("trial_start_ns"))
    return {
        cell: len({start // DAY_NS for start in known})
        if len(known := [start for start in found if isinstance(start, int)]) == len(found)
        else None
        for cell, found in starts.items()
    }


def _with_trials(inputs: Inputs, trials: list[TrialPage], series: SeriesOfCells) -> list[tuple[PairKey, Row]]:
    """The pairs or solos of these trials with what their pages have in common.

    `parties` are the services with their looks, `median` is the median trial with its drawings, its charts
    and its files, and `trials` has a small series of each (scripts/site/cycle/cell_series.py).
    """
    days = _days(inputs)
    groups = grouped(trials, lambda trial: (trial.key.setting, trial.key.pair))
    return [
        (
            (setting, pair),
            {
                "setting": setting,
                "pair": pair,
                "services": members(pair),
                "parties": [_party(inputs, party) for party in parties(pair)],
                "counted": sum(trial.valid for trial in group),
                "excluded": sum(not trial.valid for trial in group),
                "days": days.get((setting, pair)),
                "chart": inputs.chart(f"dots-{setting}-{pair}"),
                **_drawn_trials(inputs, group, series.get((setting, pair))),
            },
        )
        for (setting, pair), group in sorted(groups.items())
    ]


def _party(inputs: Inputs, party: Party) -> Row:
    instance = "" if party.instance == "first" else f", {party.instance.replace('_', ' ')}"
    return {"short": f"{inputs.labels.short(party.service)}{instance}", "look": party.look}


def _drawn_trials(inputs: Inputs, group: list[TrialPage], series: CellSeries | None) -> Row:
    """The median trial of a cell, and all its trials small. Without slots there are no drawings."""
    small, median = (series.small, series.median) if series else ({}, None)
    shown = [
        {
            "nn": trial.key.nn,
            "valid": trial.valid,
            "series": small.get(trial.key.nn),
            "words": _got(inputs, trial),
            "reason": trial.content["reason"],
        }
        for trial in group
    ]
    if median is None:
        return {"trials": shown, "median": None}
    content = next(trial.content for trial in group if trial.key.nn == median["nn"])
    return {
        "trials": shown,
        "median": median | {name: content[name] for name in ("setting", "pair", "files", "chart", "senders")},
    }


def _got(inputs: Inputs, trial: TrialPage) -> str:
    """What came out of a trial: the slowdown of generated flows, else share or rate of the first service."""
    flows = next((client["flows"] for client in trial.clients if client["flows"]), None)
    if flows:
        bound = "≥\u00a0" if flows["censored"] else ""
        return "" if flows["maximum"] is None else f"slowdown {bound}{flows['maximum']:.2f}"
    first = parties(trial.key.pair)[0].service
    mine = [client for client in trial.clients if client["service"] == first]
    shares = [client["share"] for client in mine if client["share"] is not None]
    rate = mine[0]["wire_rate_mbps"]
    if shares:
        return f"{inputs.labels.short(first)} {100 * min(shares):.0f}\u00a0%"
    return "" if rate is None else f"{inputs.labels.short(first)} {rate:.1f}\u00a0Mbps"
