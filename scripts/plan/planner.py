"""The trials that a cycle needs next: a pure function of its configuration and its trials so far.

A cell is a pair in a setting, or a service alone in a setting. A round contains, for every open cell:

- A pair: enough trials to reach the next multiple of `trials.round` valid ones, up to `trials.most` valid
  ones, but never more than `trials.attempts` trials in all. So an invalid trial is rerun in the next round.
- A service alone: enough trials to reach `trials.solo` valid ones, but never more than `trials.solo_attempts`
  in all.
- A cell with a call or a web page, or a pair with generated flows (services whose `metric` is not
  throughput): enough trials to reach `trials.counted` valid ones, but never more than
  `trials.counted_attempts` in all. Such a cell is not judged by its throughput, so it never closes by the
  interval. Generated flows alone are as any service alone.

A pair is judged at exactly 10, 20 and 30 valid trials, with the paper's numbers. With 17 valid ones it has
the verdict of its first 10, in the order of their numbers, and is judged again when it has 20. Otherwise
invalid trials would give a pair more chances to close than others have.

A cell closes for one of these reasons:

- `service`: a service of the cell cannot do alone, in this setting, what it must. It has `trials.solo` valid
  trials alone (a call or a web page `trials.counted`), or all its attempts, and in fewer than half of the
  valid ones it was `able`. A service without valid trials alone counts as able;
- `precise`: for each service of a pair the 95 % interval of the median throughput lies within
  ± `precision_mbps` of the median. A service that meets itself has two values a trial, and both the worse-off
  and the better-off instance must be precise;
- `enough`: a pair has `trials.most` valid trials, a service alone `trials.solo`, a cell that closes by count
  `trials.counted`;
- `set_aside`: a service of the cell is set aside for the cycle: it did not answer before the cycle, or its
  last three trials alone in this setting failed (scripts/plan/set_aside.py);
- `broken`: all attempts are used up before that.

A cell stays open while it has too `few` valid trials to be judged, or while its interval is too `wide`. A
pair of two services that is precise stays open for the next judgement as `unproven` while a median share is
more than 10 % from fair and p of the signed-rank test is above 5 % / the number of pairs that are compared in
the setting (scripts/plan/shares.py). Otherwise it would close with a loss that no verdict can name: an exact
test of ten trials cannot give one discovery among 66 pairs, however clear the loss is.

A cell depends on its own trials, on those of its services alone, and on how many pairs its setting compares.
Adding a setting changes no other cell. Adding a service may only keep an unproven pair open for longer.

Intervals here are by trials. The published ones are by days from five days on, and may be wider. An interval
on which a pair closes holds the truth in less than 95 % of cases.

Source: Prudentia (SIGCOMM 2024), 3.4 and 5; Benjamini and Hochberg 1995 for 5 % / pairs.
"""

import math
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from random import Random
from types import MappingProxyType
from typing import Literal

from scripts.base.records import Number
from scripts.metrics.statistics import median_ci
from scripts.model.campaign import Campaign
from scripts.model.pairs import is_solo, members
from scripts.model.trials import TrialKey
from scripts.plan.set_aside import fails_alone
from scripts.plan.shares import demand_mbps, is_unproven
from scripts.plan.trial_services import Instance, TrialService

CONFIDENCE = 0.95

CellState = Literal["open", "closed"]
Reason = Literal["few", "wide", "unproven", "precise", "enough", "set_aside", "broken", "service"]


@dataclass(frozen=True, order=True)
class Cell:
    """A pair in a setting. The pair of a service alone is the service's name."""

    setting: str
    pair: str


@dataclass(frozen=True)
class Standing:
    """A cell's progress: the next round has `missing` of its trials; the table `plan` describes the rest."""

    valid: int
    attempts: int
    half_width_mbps: float | None
    threshold_mbps: Number | None
    state: CellState
    reason: Reason
    missing: int


@dataclass(frozen=True)
class Quota:
    """Numbers of trials of a cell: valid ones per judgement, valid ones at most, and trials at most."""

    batch: int
    most: int
    attempts: int
    by_interval: bool


def quota_of(campaign: Campaign, pair: str) -> Quota:
    """The numbers of trials of a pair, or of a service alone, in any setting.

    A service that the campaign no longer has counts as judged by its throughput.
    """
    trials = campaign.trials
    metrics = {campaign.services[name].metric for name in members(pair) if name in campaign.services}
    if is_solo(pair) and metrics <= {"throughput", "completion"}:
        return Quota(trials.solo, trials.solo, trials.solo_attempts, by_interval=False)
    if metrics - {"throughput"}:
        return Quota(trials.counted, trials.counted, trials.counted_attempts, by_interval=False)
    return Quota(trials.round, trials.most, trials.attempts, by_interval=True)


def cells(campaign: Campaign, pairs: Collection[str]) -> list[Cell]:
    """The cells of these pairs, or of these services alone, pair by pair."""
    return [
        Cell(name, pair)
        for pair in pairs
        for name, setting in campaign.settings.items()
        if setting.measures(pair)
    ]


def judge(
    campaign: Campaign,
    cell: Cell,
    rows: Collection[TrialService],
    unable: Set[Cell] = frozenset(),
    set_aside: Set[Cell] = frozenset(),
    demands: Mapping[Cell, float] = MappingProxyType({}),
) -> Standing:
    """Judge one cell.

    Args:
        campaign: the merged configuration.
        cell: the cell.
        rows: trial_services of all its trials so far.
        unable: the services that cannot do alone what they must (`unable_alone`).
        set_aside: the services that are set aside (`all_set_aside`).
        demands: what each service would use alone, Mbps (`all_demands`); one that is missing has no limit.
    """
    quota = quota_of(campaign, cell.pair)
    threshold = campaign.settings[cell.setting].precision_mbps if quota.by_interval else None
    attempts = len({row.trial for row in rows})
    numbers = sorted({row.trial for row in rows if row.valid})
    valid = len(numbers)
    judged = set(numbers[: _judged_at(quota, valid)])
    judged_rows = [row for row in rows if row.trial in judged]
    width = _half_width(judged_rows)
    precise = threshold is not None and width is not None and width <= threshold
    unproven = precise and _is_unproven(campaign, cell, judged_rows, demands)
    alone = {Cell(cell.setting, service) for service in members(cell.pair)}
    state, reason = _verdict(
        quota, valid, attempts, precise, unproven, bool(alone & unable), bool(alone & set_aside)
    )
    missing = 0
    if state == "open":
        next_judgement = min(quota.batch * (valid // quota.batch + 1), quota.most)
        missing = min(next_judgement - valid, quota.attempts - attempts)
    return Standing(valid, attempts, width, threshold, state, reason, missing)


def _judged_at(quota: Quota, valid: int) -> int:
    """The number of valid trials at which a cell with so many was judged last; 0: never yet."""
    return quota.most if valid >= quota.most else valid // quota.batch * quota.batch


def _is_unproven(
    campaign: Campaign, cell: Cell, rows: Collection[TrialService], demands: Mapping[Cell, float]
) -> bool:
    """Whether a pair of two services has too few trials to prove what its shares seem to say."""
    compared = campaign.compared_pairs(cell.setting)
    if cell.pair not in compared:
        return False
    of_services = [demands.get(Cell(cell.setting, name), math.inf) for name in members(cell.pair)]
    return is_unproven(rows, campaign.settings[cell.setting].rate_mbps, of_services, len(compared))


def _verdict(
    quota: Quota,
    valid: int,
    attempts: int,
    precise: bool,
    unproven: bool,
    broken_service: bool,
    set_aside: bool,
) -> tuple[CellState, Reason]:
    """Whether a cell is open, and why."""
    if broken_service:
        return "closed", "service"
    if precise and not unproven:
        return "closed", "precise"
    if valid >= quota.most:
        return "closed", "enough"
    if set_aside:
        return "closed", "set_aside"
    if attempts >= quota.attempts:
        return "closed", "broken"
    if unproven:
        return "open", "unproven"
    return "open", "few" if valid < quota.batch else "wide"


def unable_alone(campaign: Campaign, rows_by_cell: Mapping[Cell, Collection[TrialService]]) -> set[Cell]:
    """The cells of the services that cannot do alone what they must; see the module's docstring."""
    return {
        cell for cell, rows in rows_by_cell.items() if is_solo(cell.pair) and _is_unable(campaign, cell, rows)
    }


def all_demands(
    campaign: Campaign, rows_by_cell: Mapping[Cell, Collection[TrialService]]
) -> dict[Cell, float]:
    """What each service that was measured alone would use alone, Mbps."""
    return {
        cell: demand_mbps(
            campaign.services[cell.pair], campaign.settings[cell.setting].rate_mbps, rows_by_cell[cell]
        )
        for cell in rows_by_cell
        if is_solo(cell.pair) and cell.pair in campaign.services
    }


def all_set_aside(
    campaign: Campaign, rows_by_cell: Mapping[Cell, Collection[TrialService]], before: Iterable[str]
) -> set[Cell]:
    """The cells of the services that were set aside `before` the cycle, or that fail alone."""
    failing = {cell for cell, rows in rows_by_cell.items() if is_solo(cell.pair) and fails_alone(rows)}
    return failing | {Cell(name, service) for name in campaign.settings for service in before}


def _is_unable(campaign: Campaign, cell: Cell, rows: Collection[TrialService]) -> bool:
    """Whether a service alone has enough trials to judge, and was able in under half of the valid ones."""
    quota = quota_of(campaign, cell.pair)
    valid = [row for row in rows if row.valid]
    enough = len(valid) >= quota.most or len(rows) >= quota.attempts
    return enough and 2 * sum(row.able is not False for row in valid) < len(valid)


def next_trials(
    campaign: Campaign,
    rows: Iterable[TrialService],
    measured: Set[TrialKey] = frozenset(),
    before: Collection[str] = (),
    cycle: str = "",
) -> list[TrialKey]:
    """The trials of the next round in the order of running (`in_turns`); none when every cell is closed.

    One trial of each cell follows the other, again and again, so that a bad hour affects all cells alike, and
    that the trials of a cell are as independent as one host allows.

    Args:
        campaign: the merged configuration.
        rows: trial_services of all trials of the rounds before.
        measured: all trials that exist. If a cell closes without some of its measured trials, because a
            threshold has changed since they were planned, the round contains them: no measurement is lost.
        before: the services that were set aside before the cycle.
        cycle: the name of the cycle. Each cycle of a campaign has an order of its own.
    """
    rows_by_cell = _by_cell(rows)
    unable = unable_alone(campaign, rows_by_cell)
    set_aside = all_set_aside(campaign, rows_by_cell, before)
    demands = all_demands(campaign, rows_by_cell)
    return in_turns(
        campaign,
        lambda cell: _next_numbers(
            cell,
            rows_by_cell.get(cell, []),
            judge(campaign, cell, rows_by_cell.get(cell, []), unable, set_aside, demands),
            measured,
        ),
        cycle,
    )


def in_turns(
    campaign: Campaign, numbers_of: Callable[[Cell], Sequence[int]], cycle: str = ""
) -> list[TrialKey]:
    """Trials of all cells in the order of running; `numbers_of` says which trials of a cell.

    The trials of a cell are spread evenly over the round: the n-th of k is in the n-th of k equal parts. All
    cells have the same order in every part and in every round, so the next trial is that of the cell that
    rested longest. The seed draws that order. From the second part on it also moves each trial by up to a
    quarter of the cells, so that a cell does not always follow the same other cell. Two trials of a cell stay
    two thirds of a turn apart; fewer than eight cells take turns.

    The first trials alone come first: they show the demands, and which services do not work.
    """
    seed = f"{campaign.seed}/{campaign.campaign}/{cycle}"
    planned = [
        (cell, numbers)
        for cell in cells(campaign, [*campaign.services, *campaign.pairs])
        if (numbers := numbers_of(cell))
    ]
    planned.sort(key=lambda entry: _drawn(seed, entry[0]))
    quarter = len(planned) // 4
    places: list[tuple[bool, float, TrialKey]] = []
    for rank, (cell, numbers) in enumerate(planned):
        for part, number in enumerate(numbers):
            moved = quarter * _drawn(seed, cell, number) if part else 0
            place = (part + (rank + moved) / (len(planned) + quarter)) / len(numbers)
            first_alone = is_solo(cell.pair) and number == 1
            places.append((not first_alone, place, TrialKey(cell.setting, cell.pair, number)))
    return [key for _, _, key in sorted(places)]


def _drawn(seed: str, cell: Cell, number: int = 0) -> float:
    """A number in [0, 1) that follows from the seed, the cell and the number of a trial."""
    return Random(f"{seed}/{cell.setting}/{cell.pair}/{number}").random()


def history(
    campaign: Campaign,
    rounds: Mapping[TrialKey, int],
    rows: Iterable[TrialService],
    before: Collection[str] = (),
) -> Iterator[tuple[Cell, int, Standing]]:
    """The standing of every cell after each round in which it had trials, by cell and round.

    A cell without trials of a service that was set aside before the cycle has its standing after round 1.

    Args:
        campaign: the merged configuration.
        rounds: the round of every planned trial.
        rows: trial_services of these trials.
        before: the services that were set aside before the cycle.
    """
    rows_by_cell = _by_cell(rows)
    round_of = {
        cell: {row.trial: rounds[TrialKey(cell.setting, cell.pair, row.trial)] for row in cell_rows}
        for cell, cell_rows in rows_by_cell.items()
    }

    def until(number: int, cell: Cell) -> list[TrialService]:
        return [row for row in rows_by_cell.get(cell, []) if round_of[cell][row.trial] <= number]

    solos = [cell for cell in rows_by_cell if is_solo(cell.pair)]
    closing = {}
    for number in range(1, max(rounds.values(), default=1) + 1):
        alone = {cell: until(number, cell) for cell in solos}
        closing[number] = (
            unable_alone(campaign, alone),
            all_set_aside(campaign, alone, before),
            all_demands(campaign, alone),
        )
    never = [
        cell
        for cell in cells(campaign, [*campaign.services, *campaign.pairs])
        if not set(before).isdisjoint(members(cell.pair))
    ]
    for cell in sorted({*rows_by_cell, *never}):
        for number in sorted(set(round_of.get(cell, {0: 1}).values())):
            yield cell, number, judge(campaign, cell, until(number, cell), *closing[number])


def _next_numbers(
    cell: Cell, rows: Sequence[TrialService], standing: Standing, measured: Set[TrialKey]
) -> list[int]:
    """The numbers of a cell's trials in the next round; they follow the numbers used before."""
    last = max((row.trial for row in rows), default=0)
    if standing.state == "open":
        return list(range(last + 1, last + 1 + standing.missing))
    return sorted(key.number for key in measured if Cell(key.setting, key.pair) == cell and key.number > last)


def _by_cell(rows: Iterable[TrialService]) -> dict[Cell, list[TrialService]]:
    rows_by_cell: dict[Cell, list[TrialService]] = defaultdict(list)
    for row in rows:
        rows_by_cell[Cell(row.setting, row.pair)].append(row)
    return rows_by_cell


def _half_width(rows: Iterable[TrialService]) -> float | None:
    """The larger distance from the median to an end of its interval, Mbps, over all services.

    None if there is no interval. Each service has one value a trial; one that meets itself has two, of its
    worse-off and its better-off instance.
    """
    values: dict[tuple[str, Instance], list[float]] = defaultdict(list)
    for row in rows:
        if row.instance != "further" and row.throughput_mbps is not None:
            values[row.service, row.instance].append(row.throughput_mbps)
    widths = []
    for throughputs in values.values():
        low, median, high = median_ci(throughputs, CONFIDENCE)
        widths.append(max(high - median, median - low))
    return None if not widths or any(map(math.isnan, widths)) else max(widths)
