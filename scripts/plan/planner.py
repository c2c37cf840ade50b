"""The trials that a cycle needs next: a pure function of its configuration and its trials so far.

A cell is a pair in a setting, or a service alone in a setting. A round contains, for every open cell:

- A pair: enough trials to reach the next multiple of `trials.round` valid ones, up to `trials.most` valid
  ones, but never more than `trials.attempts` trials in all. So a failed or invalid trial is rerun in the next
  round, and with the paper's numbers a pair is judged at 10, 20 and 30 valid trials.
- A service alone: enough trials to reach `trials.solo` valid ones, but never more than `trials.solo_attempts`
  in all.
- A cell with a call or a web page (a service whose `metric` is not throughput): enough trials to reach
  `trials.counted` valid ones, but never more than `trials.counted_attempts` in all. Such a cell is not judged
  by its throughput, so it never closes by the interval.

A cell closes for one of these reasons:

- `precise`: a pair has at least `trials.round` valid trials, and for each of its services the 95 % interval
  of the median throughput lies within ± `precision_mbps` of the median;
- `enough`: a pair has `trials.most` valid trials, a service alone `trials.solo`, a cell with a call or a web
  page `trials.counted`;
- `broken`: all attempts are used up before that.

A cell stays open while it has too `few` valid trials to be judged, or while its interval is too `wide`. A
cell depends on its own trials only, so adding a service or a setting or raising a number changes no other
cell.

Source: Prudentia (SIGCOMM 2024), 3.4 and 5. Closing on the interval makes its 95 % nominal.
"""

import math
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from itertools import zip_longest
from typing import Literal

from scripts.base.records import Number
from scripts.metrics.statistics import median_ci
from scripts.model.campaign import Campaign
from scripts.model.pairs import is_solo, members
from scripts.model.trials import TrialKey
from scripts.plan.trial_services import TrialService

CONFIDENCE = 0.95

State = Literal["open", "closed"]
Reason = Literal["few", "wide", "precise", "enough", "broken"]


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
    state: State
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
    services = [campaign.services[name] for name in members(pair) if name in campaign.services]
    if not all(service.judged_by_throughput for service in services):
        return Quota(trials.counted, trials.counted, trials.counted_attempts, by_interval=False)
    if is_solo(pair):
        return Quota(trials.solo, trials.solo, trials.solo_attempts, by_interval=False)
    return Quota(trials.round, trials.most, trials.attempts, by_interval=True)


def cells(campaign: Campaign, pairs: Collection[str]) -> list[Cell]:
    """The cells of these pairs, or of these services alone, pair by pair."""
    return [
        Cell(name, pair)
        for pair in pairs
        for name, setting in campaign.settings.items()
        if setting.measures(pair)
    ]


def judge(campaign: Campaign, cell: Cell, rows: Collection[TrialService]) -> Standing:
    """Judge one cell by the rows of all its trials so far."""
    quota = quota_of(campaign, cell.pair)
    threshold = campaign.settings[cell.setting].precision_mbps if quota.by_interval else None
    attempts = len({row.trial for row in rows})
    valid = len({row.trial for row in rows if row.valid})
    width = _half_width(rows)
    precise = threshold is not None and width is not None and valid >= quota.batch and width <= threshold
    state, reason = _verdict(quota, valid, attempts, precise)
    missing = 0
    if state == "open":
        next_judgement = min(quota.batch * (valid // quota.batch + 1), quota.most)
        missing = min(next_judgement - valid, quota.attempts - attempts)
    return Standing(valid, attempts, width, threshold, state, reason, missing)


def _verdict(quota: Quota, valid: int, attempts: int, precise: bool) -> tuple[State, Reason]:
    """Whether a cell is open, and why."""
    if precise:
        return "closed", "precise"
    if valid >= quota.most:
        return "closed", "enough"
    if attempts >= quota.attempts:
        return "closed", "broken"
    return "open", "few" if valid < quota.batch else "wide"


def next_trials(
    campaign: Campaign, rows: Iterable[TrialService], measured: Set[TrialKey] = frozenset()
) -> list[TrialKey]:
    """The trials of the next round in the order of running; none when every cell is closed.

    Services alone come first. Then one trial of each pair follows the other, again and again, so that a bad
    hour affects all pairs alike.

    Args:
        campaign: the merged configuration.
        rows: trial_services of all trials of the rounds before.
        measured: all trials that exist. If a cell closes without some of its measured trials, because a
            threshold has changed since they were planned, the round contains them: no measurement is lost.
    """
    rows_by_cell = _by_cell(rows)
    order: list[TrialKey] = []
    for pairs in (sorted(campaign.services), campaign.pairs):
        planned = cells(campaign, pairs)
        columns = (_next_numbers(campaign, cell, rows_by_cell.get(cell, []), measured) for cell in planned)
        for turn in zip_longest(*columns):
            order += [
                TrialKey(cell.setting, cell.pair, number)
                for cell, number in zip(planned, turn, strict=True)
                if number is not None
            ]
    return order


def history(
    campaign: Campaign, rounds: Mapping[TrialKey, int], rows: Iterable[TrialService]
) -> Iterator[tuple[Cell, int, Standing]]:
    """The standing of every cell after each round in which it had trials, by cell and round.

    Args:
        campaign: the merged configuration.
        rounds: the round of every planned trial.
        rows: trial_services of these trials.
    """
    for cell, cell_rows in sorted(_by_cell(rows).items()):
        round_of = {row.trial: rounds[TrialKey(cell.setting, cell.pair, row.trial)] for row in cell_rows}
        for number in sorted(set(round_of.values())):
            yield (
                cell,
                number,
                judge(campaign, cell, [row for row in cell_rows if round_of[row.trial] <= number]),
            )


def _next_numbers(
    campaign: Campaign, cell: Cell, rows: Sequence[TrialService], measured: Set[TrialKey]
) -> list[int]:
    """The numbers of a cell's trials in the next round; they follow the numbers used before."""
    last = max((row.trial for row in rows), default=0)
    standing = judge(campaign, cell, rows)
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

    None if there is no interval. Each service counts once per valid trial, by its representative client.
    """
    values: dict[str, list[float]] = defaultdict(list)
    for row in rows:
        if row.valid and row.representative and row.throughput_mbps is not None:
            values[row.service].append(row.throughput_mbps)
    widths = []
    for throughputs in values.values():
        low, median, high = median_ci(throughputs, CONFIDENCE)
        widths.append(max(high - median, median - low))
    return None if not widths or any(map(math.isnan, widths)) else max(widths)
