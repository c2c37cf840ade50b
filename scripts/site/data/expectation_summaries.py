"""What became of a campaign's expectations, as summary.json has it.

The table `expectations` has the verdicts, and `registration` when each was stated.
"""

from dataclasses import dataclass, replace
from pathlib import Path

from scripts.charts.chart_labels import Labels, make_labels
from scripts.charts.table_files import read_rows
from scripts.figures.keys import key_words, measure_words
from scripts.figures.words import number, several
from scripts.model.campaign import Campaign
from scripts.model.expectations import Check, FigureKey, Multiple
from scripts.site.data.campaign_summary import setting_summaries
from scripts.site.data.expectation import (
    NOTHING_SHOWS,
    Cause,
    CheckSummary,
    ExpectationSummary,
    ExpectationVerdict,
    NotComparable,
    Stated,
)
from scripts.site.story.names import short_titles
from scripts.site.times import minute

TABLE, REGISTRATION = "expectations", "registration"


@dataclass(frozen=True)
class ExpectationRow:
    """A row of the table."""

    expectation: str
    check_number: int
    n: int
    median: float | None
    low: float | None
    high: float | None
    at_least: float | None
    expected_low: float | None
    expected_high: float | None
    times: float
    other_n: int | None
    verdict: ExpectationVerdict
    expectation_verdict: ExpectationVerdict
    difference_low: float | None = None
    difference_high: float | None = None
    ratio_low: float | None = None
    ratio_high: float | None = None
    reason: str | None = None
    cause: Cause | None = None


@dataclass(frozen=True)
class RegistrationRow:
    """A row of the table registration."""

    expectation: str
    stated: Stated
    time: str | None
    changed: str
    n_trials: int
    n_before: int


def expectation_summaries(campaign: Campaign, tables: Path) -> tuple[ExpectationSummary, ...]:
    """The expectations in the campaign's order.

    Args:
        campaign: the campaign of the cycle.
        tables: the folder of the cycle's tables.

    Raises:
        UserError: the table is missing, is no Parquet file, or lacks a column.
    """
    rows = {(row.expectation, row.check_number): row for row in read_rows(tables, TABLE, ExpectationRow)}
    known = (tables / f"{REGISTRATION}.parquet").is_file()  # not in a cycle from before the table
    registered = (
        {row.expectation: row for row in read_rows(tables, REGISTRATION, RegistrationRow)} if known else {}
    )
    labels = replace(make_labels((), campaign), settings=short_titles(setting_summaries(campaign)))
    return tuple(
        ExpectationSummary(
            expectation.name,
            expectation.says,
            expectation.source,
            rows[expectation.name, 1].expectation_verdict,
            tuple(
                _check(check, rows[expectation.name, place], labels)
                for place, check in enumerate(expectation.checks, start=1)
            ),
            *_when(registered.get(expectation.name)),
        )
        for expectation in campaign.expectations
    )


def _when(row: RegistrationRow | None) -> tuple[Stated, str]:
    """Whether an expectation was stated before its trials, and the sentence about it."""
    if row is None or row.stated == "unknown" or row.time is None:
        return "unknown", NOTHING_SHOWS
    time = minute(row.time)
    if row.stated == "before":
        return "before", f"Stated before it was measured: {time}."
    names = ", ".join(row.changed.split(","))
    what = "stated" if names == "expectation" else f"with another {names}"
    began = f"when {row.n_before:,} of its {several(row.n_trials, 'trial')} had begun"
    return "after", f"Added after measurement: {what}, {time}, {began}."


def _check(check: Check, row: ExpectationRow, labels: Labels) -> CheckSummary:
    return CheckSummary(
        key_words(check.figure),
        _expected(check, row, labels),
        row.verdict,
        row.n,
        median=row.median,
        low=row.low,
        high=row.high,
        at_least=row.at_least,
        compared=_compared(row),
        why=None if row.cause is None else NotComparable(row.cause, row.reason),
        title=_title(check.figure, labels),
    )


def _title(key: FigureKey, labels: Labels) -> str:
    """Such as `median slowdown, A against B, 8 Mbps`."""
    matchup = labels.matchup(key.service, key.contender, key.instance)
    return f"{measure_words(key)}, {matchup}, {labels.setting(key.setting)}"


def _expected(check: Check, row: ExpectationRow, labels: Labels) -> str:
    """What was expected of a figure, such as `between 1.9 and 2.2`."""
    if check.between is not None:
        low, high = check.between
        return f"between {low:,} and {high:,}"
    bound = check.bound
    words = _multiple(bound, row, labels) if isinstance(bound, Multiple) else f"{bound:,}"
    return f"{check.relation} {words}"


def _multiple(bound: Multiple, row: ExpectationRow, labels: Labels) -> str:
    """Such as `1.5 × 3.20 to 3.50 (median slowdown, a alone, 8 Mbps)`; without an interval, its trials."""
    times, title = "" if bound.times == 1 else f"{bound.times:,} × ", _title(bound.figure, labels)
    if row.expected_low is None:
        return f"{times}({title}; {several(row.other_n or 0, 'trial')})"
    high = "or more" if row.expected_high is None else f"to {number(row.expected_high, '')}"
    return f"{times}{number(row.expected_low, '')} {high} ({title})"


def _compared(row: ExpectationRow) -> str | None:
    """The interval of the ratio of both figures, or of their difference if they may be 0 or less."""
    if row.ratio_low is not None:
        return f"{_range(row.ratio_low, row.ratio_high)} times as much"
    if row.difference_low is None and row.difference_high is None:
        return None
    of_multiple = "" if row.times == 1 else f" from {row.times:,} times the other"
    return f"a difference{of_multiple} of {_range(row.difference_low, row.difference_high)}"


def _range(low: float | None, high: float | None) -> str:
    """Such as `1.21 to 1.39`; an end without a limit is left out."""
    if low is None or high is None:
        return f"{number(low, '')} or more" if low is not None else f"{number(high or 0, '')} or less"
    return f"{number(low, '')} to {number(high, '')}"
