"""Which trials a cycle needs next: a pure function of its configuration and its trials so far.

A cell is a pair in a setting, or a service alone in a setting. What a round asks of a cell that is open:

- A pair: as many trials as lack to the next multiple of `trials.round` valid ones, at most to `trials.most`
  of them, and never more than `trials.attempts` in all. So a trial that failed or is invalid is made up for
  in the next round, and a pair is judged at 10, 20 and 30 valid trials, with the paper's numbers.
- A service alone: as many as lack to `trials.solo` valid ones, never more than `trials.solo_attempts` in all.
- Either of these with a call or a web page in it (a service whose `metric` is not throughput): as many as
  lack to `trials.counted` valid ones, never more than `trials.counted_attempts` in all. It is not throughput
  that is judged there, so no interval closes it.

A cell closes, for a reason:

- `precise`: a pair with at least `trials.round` valid trials, when the 95 % interval of the median
  throughput of each of its services lies within ± `precision_mbps` of the setting;
- `enough`: at `trials.most` valid trials of a pair, `trials.solo` of a service alone, or at `trials.counted`;
- `broken`: when all attempts are used up before that.

A cell stays open while it has too `few` valid trials to be judged, or its interval is too `wide`. A cell's
fate follows from its own trials only, so that another service, setting or number changes nothing of the rest.

Source: Prudentia (SIGCOMM 2024), 3.4 and 5. Closing on the interval makes its 95 % nominal.
"""

import math
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any

from scripts.metrics.statistics import median_ci
from scripts.model.pairs import is_contender, meet_in, members

CONFIDENCE = 0.95

Cell = tuple[str, str]
"""Setting and pair; a service's own name is its pair when it is alone."""

Trial = tuple[str, str, int]
"""Setting, pair and number."""

Row = Mapping[str, Any]
"""A row of the table trial_services."""


@dataclass(frozen=True)
class Standing:
    """How far a cell is: `missing` trials are asked of it next; see the table `plan` for the rest."""

    valid: int
    attempts: int
    half_width_mbps: float | None
    threshold_mbps: float | None
    state: str
    reason: str
    missing: int


@dataclass(frozen=True)
class Numbers:
    """Of a cell: valid trials from one judgement to the next, the most of them, and the most trials."""

    batch: int
    most: int
    attempts: int
    by_interval: bool


def numbers(config: Mapping[str, Any], pair: str) -> Numbers:
    """The numbers of trials of a pair, or of a service alone, in any setting."""
    trials = config["trials"]
    if not all(is_contender(config["services"].get(service, {})) for service in members(pair)):
        return Numbers(trials["counted"], trials["counted"], trials["counted_attempts"], by_interval=False)
    if pair in config["services"]:
        return Numbers(trials["solo"], trials["solo"], trials["solo_attempts"], by_interval=False)
    return Numbers(trials["round"], trials["most"], trials["attempts"], by_interval=True)


def cells(config: Mapping[str, Any], pairs: Collection[str]) -> list[Cell]:
    """The cells of these pairs, or of these services alone, pair by pair."""
    return [
        (setting, pair)
        for pair in pairs
        for setting, link in config["settings"].items()
        if meet_in(link, pair)
    ]


def standing(config: Mapping[str, Any], cell: Cell, rows: Sequence[Row]) -> Standing:
    """Judge one cell by the rows of all its trials so far."""
    setting, pair = cell
    of = numbers(config, pair)
    batch, most, limit = of.batch, of.most, of.attempts
    threshold = config["settings"][setting]["precision_mbps"] if of.by_interval else None
    attempts = len({row["trial"] for row in rows})
    valid = len({row["trial"] for row in rows if row["valid"]})
    width = _half_width([row for row in rows if row["valid"]])
    precise = threshold is not None and width is not None and valid >= batch and width <= threshold
    state, reason, missing = "closed", "precise", 0
    if not precise:
        if valid >= most:
            reason = "enough"
        elif attempts >= limit:
            reason = "broken"
        else:
            state, reason = "open", "few" if valid < batch else "wide"
            missing = min(batch * (valid // batch + 1), most) - valid
    return Standing(valid, attempts, width, threshold, state, reason, min(missing, max(limit - attempts, 0)))


def next_trials(
    config: Mapping[str, Any], rows: Iterable[Row], measured: Set[Trial] = frozenset()
) -> list[Trial]:
    """The trials of the next round in the order of running; none when every cell is closed.

    Solos come first, then one trial of every pair after the other, again and again, so that a bad hour hurts
    all alike.

    Args:
        config: the merged configuration (scripts/plan/campaign_file.py).
        rows: trial_services of every trial of the rounds before.
        measured: trials that exist. Where a cell is closed without some of them (a threshold changed since
            they were asked for), they are taken over: nothing measured is left out.
    """
    of_cell = _by_cell(rows)
    order: list[Trial] = []
    for names in (sorted(config["services"]), config["pairs"]):
        asked = cells(config, names)
        turns = zip_longest(*(_next_numbers(config, cell, of_cell, measured) for cell in asked))
        for turn in turns:
            order += [(*cell, number) for cell, number in zip(asked, turn, strict=True) if number is not None]
    return order


def history(
    config: Mapping[str, Any], rounds: Mapping[Trial, int], rows: Iterable[Row]
) -> Iterator[tuple[Cell, int, Standing]]:
    """How every cell stood after each round in which it had trials, by cell and round.

    Args:
        config: the merged configuration.
        rounds: the round of every planned trial.
        rows: trial_services of these trials.
    """
    for cell, of_cell in sorted(_by_cell(rows).items()):
        round_of = {row["trial"]: rounds[(*cell, row["trial"])] for row in of_cell}
        for number in sorted(set(round_of.values())):
            until = [row for row in of_cell if round_of[row["trial"]] <= number]
            yield cell, number, standing(config, cell, until)


def _next_numbers(
    config: Mapping[str, Any], cell: Cell, of_cell: Mapping[Cell, list[Row]], measured: Set[Trial]
) -> list[int]:
    """The numbers of the trials the next round asks of a cell; those used before are not among them."""
    rows = of_cell.get(cell, [])
    last = max((row["trial"] for row in rows), default=0)
    now = standing(config, cell, rows)
    if now.state == "closed":
        return sorted(number for *of, number in measured if tuple(of) == cell and number > last)
    return list(range(last + 1, last + 1 + now.missing))


def _by_cell(rows: Iterable[Row]) -> dict[Cell, list[Row]]:
    cells: dict[Cell, list[Row]] = defaultdict(list)
    for row in rows:
        cells[row["setting"], row["pair"]].append(row)
    return cells


def _half_width(valid: Iterable[Row]) -> float | None:
    """The larger distance from the median to an end of its interval, over the services; None without one.

    A service that stands in a trial more than once gives one value, its first client's.
    """
    values: dict[str, dict[int, float]] = defaultdict(dict)
    for row in sorted(valid, key=lambda row: (row["trial"], int(row["client"].removeprefix("c")))):
        values[row["service"]].setdefault(row["trial"], row["throughput_mbps"])
    widths = []
    for of_service in values.values():
        low, median, high = median_ci(list(of_service.values()), CONFIDENCE)
        widths.append(max(high - median, median - low))
    return None if not widths or any(map(math.isnan, widths)) else max(widths)
