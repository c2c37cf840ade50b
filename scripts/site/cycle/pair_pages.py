"""The data of the pages of pairs, of services alone, and of services in every setting."""

from collections.abc import Callable, Iterable

from scripts.charts.table_rows import ServiceRow, grouped
from scripts.figures.figure import WIRE_RATE
from scripts.model.pairs import is_solo, members
from scripts.model.rules import broken_rules
from scripts.site import Row
from scripts.site.cycle.cell_series import Party, Series, parties, series_of_cells, shares_over_time
from scripts.site.cycle.cells import figures_of_cells, sides_of_pairs, trial_shares
from scripts.site.cycle.figure_pages import completions_by_cell, slowest_by_cell
from scripts.site.cycle.inputs import Inputs, PairKey
from scripts.site.cycle.link_words import clients_words
from scripts.site.cycle.pair_drawings import beside_of, link_of, strip_of_trials, swaps_of
from scripts.site.cycle.qoe_pages import qoe_in_pairs
from scripts.site.cycle.trial_pages import TrialPage
from scripts.site.data.campaign_summary import service_summaries, setting_summaries
from scripts.site.data.recognised import recognised
from scripts.site.service_shares import MeasuredServices, service_pictures
from scripts.site.story.worst_pair import Known, known_figures

DAY_NS = 86_400 * 10**9

CellPart = Callable[[PairKey], Row]
"""Gives a part of the page of a pair or solo."""


def cell_pages(inputs: Inputs, trials: Iterable[TrialPage]) -> dict[str, list[Row]]:
    """The pages of pairs and of services alone, in every setting: `pairs` and `solos`.

    Both have `parties` (the services with their looks), `median` (the median trial with its drawings, its
    charts and its files), `trials` with a small series of each (scripts/site/cycle/cell_series.py), `qoe`
    (what users notice), and `completions` (the completion times of generated flows).

    A pair has its rows of `pairs` (`sides`, scripts/site/cycle/cells.py) and the drawings `link`, `swaps` and
    `beside` (scripts/site/cycle/pair_drawings.py). `slowest` is the largest slowdown of its flows,
    `worse_off` the side with the lowest share, `upstream` the services whose loss before the bottleneck is
    not known, `changes` its rows of the table of that name, `over_time` its shares over the time of its
    trials, `test` its row of the table verdicts, and `clients` how its clients differ from the link.

    A service alone has its `row` of the table solo, a `strip` of its rate in every trial, `figures` (its rows
    of that table by metric), and `cap_mbps` (its limit in the catalogue).
    """
    known = known_figures(inputs.figures)
    of_pair, of_solo = _pair_parts(inputs, known), _solo_parts(inputs, known)
    series, days = series_of_cells(inputs), _days(inputs)
    qoe, completions = qoe_in_pairs(inputs), completions_by_cell(inputs)
    pages: dict[str, list[Row]] = {"pairs": [], "solos": []}
    for key, group in sorted(grouped(trials, lambda trial: (trial.key.setting, trial.key.pair)).items()):
        setting, pair = key
        page: Row = {
            "setting": setting,
            "pair": pair,
            "services": members(pair),
            "parties": [_party(inputs, party) for party in parties(pair)],
            "counted": sum(trial.valid for trial in group),
            "excluded": sum(not trial.valid for trial in group),
            "days": days.get(key),
            "chart": inputs.chart(f"dots-{setting}-{pair}"),
            "trials": [_small(inputs, trial, series) for trial in group],
            "broken": broken_rules(str(trial.content["reason"]) for trial in group if not trial.valid),
            "median": _median(group, series.medians.get(key)),
            "qoe": qoe.get(key, []),
            "completions": completions.get(key, []),
        }
        room, parts = ("solos", of_solo) if is_solo(pair) else ("pairs", of_pair)
        pages[room].append(page | parts(key))
    return pages


def _pair_parts(inputs: Inputs, known: Known) -> CellPart:
    """What only the page of a pair has."""
    sides, upstream, over_time = sides_of_pairs(inputs, known), _upstream(inputs), shares_over_time(inputs)
    slowest, changes = slowest_by_cell(inputs), inputs.rows_by("changes", "setting", "pair")
    tests = inputs.row_by("verdicts", "setting", "pair")

    def parts(key: PairKey) -> Row:
        mine = sides.get(key, [])
        worse_off = _worse_off(mine)
        return {
            "sides": mine,
            "worse_off": worse_off,
            "link": link_of(inputs, known, key, mine),
            "swaps": swaps_of(inputs, known, key, str(worse_off["incumbent"])) if worse_off else [],
            "beside": beside_of(known, key),
            "upstream": upstream.get(key, []),
            "changes": changes.get(key, []),
            "slowest": slowest.get(key),
            "over_time": over_time.get(key),
            "test": tests.get(key),
            "clients": clients_words(
                inputs.campaign.settings[key[0]], [*map(inputs.labels.service, members(key[1]))]
            ),
        }

    return parts


def _solo_parts(inputs: Inputs, known: Known) -> CellPart:
    """What only the page of a service alone has."""
    figures, rows = figures_of_cells(inputs), inputs.row_by("solo", "setting", "service")
    caps = inputs.row_by("workloads", "setting", "service")
    trials = grouped(inputs.records("trial_services", ServiceRow), lambda row: (row.setting, row.pair))

    def parts(key: PairKey) -> Row:
        row, rate = rows.get(key), known.get((*key, "", "first", WIRE_RATE))
        capacity_mbps = float(inputs.campaign.settings[key[0]].rate_mbps)
        rates = [(row.wire_rate_mbps, row.valid) for row in trials[key] if row.wire_rate_mbps is not None]
        return {
            "row": row,
            "strip": strip_of_trials(rates, rate, capacity_mbps) if row and rate else None,
            "figures": figures.get((*key, "", "first"), {}),
            "cap_mbps": caps[key]["cap_mbps"] if key in caps else None,
        }

    return parts


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
        trials={cell: [share.dot for share in shares] for cell, shares in trial_shares(inputs).items()},
        recognised=recognised(inputs.tables_dir),
    )
    present = {name for _setting, pair in cells for name in members(pair)}
    return {
        name: service_pictures(measured, name)
        | {"alone": [setting for setting in inputs.campaign.settings if (setting, name) in cells]}
        for name in inputs.campaign.services
        if name in present
    }


def _worse_off(sides: list[Row]) -> Row | None:
    """The side with the lowest share in a few columns; None if no side has one."""
    shares = {str(side["incumbent"]): side for side in reversed(sides) if side["share_median"] is not None}
    if not shares:
        return None
    worse = shares[min(shares, key=lambda name: (float(str(shares[name]["share_median"])), name))]
    return {name: worse[name] for name in ("incumbent", "share_median", "verdict", "settled_words", "n")}


def _upstream(inputs: Inputs) -> dict[tuple[str, ...], list[str]]:
    """The services of a pair whose loss before the bottleneck is not known, by setting and pair."""
    return {
        key: list(dict.fromkeys(str(row["service"]) for row in rows if row["method"] == "unknown"))
        for key, rows in inputs.rows_by("upstream_loss", "setting", "pair").items()
    }


def _days(inputs: Inputs) -> dict[tuple[str, ...], int | None]:
    """The number of days (UTC) with a valid trial, by setting and pair; None if a start is not known."""
    days = {}
    for key, rows in inputs.rows_by("trial_services", "setting", "pair").items():
        starts = [row.get("trial_start_ns") for row in rows if row["valid"]]
        known = {start // DAY_NS for start in starts if isinstance(start, int)}
        days[key] = None if None in starts else len(known)
    return days


def _party(inputs: Inputs, party: Party) -> Row:
    instance = "" if party.instance == "first" else f", {party.instance.replace('_', ' ')}"
    return {"short": f"{inputs.labels.short(party.service)}{instance}", "look": party.look}


def _small(inputs: Inputs, trial: TrialPage, series: Series) -> Row:
    """A trial among all of its cell. Without slots there is no drawing."""
    return {
        "nn": trial.key.nn,
        "valid": trial.valid,
        "series": series.small.get(trial.key),
        "words": _got(inputs, trial),
        "reason": trial.content["reason"],
    }


def _median(group: Iterable[TrialPage], drawn: Row | None) -> Row | None:
    """The drawings of the median trial, with what its page has."""
    for trial in group:
        if drawn and trial.key.nn == drawn["nn"]:
            return drawn | {name: trial.content[name] for name in ("setting", "pair", "files", "chart")}
    return None


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
