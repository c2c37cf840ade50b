"""The planned, measured and judged trials of a cycle, read from its files."""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import pyarrow.parquet as pq

from scripts.model.campaign import read_campaign
from scripts.model.durations import takes_s
from scripts.model.operation import TrialCounts
from scripts.model.plan_file import read_plan
from scripts.model.trials import TrialKey
from scripts.plan.estimate import estimate


@dataclass(frozen=True)
class PlanPlace:
    """Where a trial stands in the plan: `index` counts from 1 among the `trials` of its round."""

    round: int
    index: int
    trials: int
    duration_s: float


@dataclass(frozen=True)
class CycleProgress:
    """The verdicts so far, and the time that the trials take that are not measured yet."""

    valid: int
    excluded: int
    round_left_s: float
    least_left_s: float
    most_left_s: float


class RunningCycle:
    """One cycle. Each file is read once: at the beginning, or when the job that made it ended.

    So many trials as `at_once` says run at once, on one host or several.
    """

    def __init__(self, directory: Path, at_once: int = 1) -> None:
        self._directory, self._at_once = directory, at_once
        self._planned: dict[TrialKey, PlanPlace] = {}
        self._measured: set[TrialKey] = set()
        self._reasons: dict[TrialKey, str | None] = {}
        self._failed: set[TrialKey] = set()
        self._last_round = 0
        self._most_s = 0.0
        for file in sorted(directory.glob("plan/round-*.csv")):
            self.add_round(int(file.stem.removeprefix("round-")))
        for key in self._planned:
            if (directory / "trials" / key.path).is_dir():
                self.add_measured(key)
        self.add_new_verdicts()

    def add_round(self, number: int) -> int:
        """Read the trials of a round, and the longest time that the whole cycle can take.

        Returns:
            How many trials the round has.
        """
        lines = read_plan(self._directory / f"plan/round-{number:02d}.csv")
        for index, line in enumerate(lines, start=1):
            self._planned[line.key] = PlanPlace(number, index, len(lines), line.duration_s)
        campaign = read_campaign(self._directory / "plan/config.json")
        if lines:  # the last round of a cycle is planned without trials
            self._last_round = max(self._last_round, number)
        self._most_s = estimate(campaign, lambda numbers: numbers.attempts, rounds=0).seconds
        return len(lines)

    def add_measured(self, key: TrialKey) -> None:
        """Count a trial as measured."""
        self._measured.add(key)

    def add_verdict(self, key: TrialKey) -> str | None:
        """Read the verdict on a trial from its tables.

        Returns:
            Why the trial is excluded; None if it is valid.
        """
        with pq.ParquetFile(self._row_file(key)) as file:
            client = file.read(columns=["status", "valid", "reason"], use_threads=False).to_pylist()[0]
        if client["status"] == "failed":
            self._failed.add(key)
        self._reasons[key] = None if client["valid"] else str(client["reason"])
        return self._reasons[key]

    def has_failed(self, key: TrialKey) -> bool:
        """Whether a trial broke, by its verdict."""
        return key in self._failed

    def add_new_verdicts(self) -> None:
        """Read the verdicts on all trials that have tables by now."""
        for key in self._planned:
            if key not in self._reasons and self._row_file(key).is_file():
                self.add_verdict(key)

    def place(self, key: TrialKey) -> PlanPlace | None:
        """The place of a trial in the plan; None if no round has it."""
        return self._planned.get(key)

    def progress(self, place: PlanPlace | None = None) -> CycleProgress:
        """The progress of the cycle and of the round of this place; without a place, of the last round.

        Later rounds are planned from the trials of earlier ones, so the time left of the cycle is a range: at
        least, no trial is planned beyond those that are; at most, every attempt of the campaign is used.
        """
        reasons = [self._reasons[key] for key in self._planned if key in self._reasons]
        number = place.round if place else self._last_round
        left = [planned for key, planned in self._planned.items() if key not in self._measured]
        measured = [planned for key, planned in self._planned.items() if key in self._measured]
        least_s = _total_s(left)
        return CycleProgress(
            valid=reasons.count(None),
            excluded=len(reasons) - reasons.count(None),
            round_left_s=_total_s(planned for planned in left if planned.round == number) / self._at_once,
            least_left_s=least_s / self._at_once,
            most_left_s=max(least_s, self._most_s - _total_s(measured)) / self._at_once,
        )

    def trials(self) -> TrialCounts:
        """How many trials are planned, measured and judged."""
        progress = self.progress()
        return TrialCounts(
            round=self._last_round,
            planned=len(self._planned),
            measured=len(self._measured),
            valid=progress.valid,
            excluded=progress.excluded,
            failed=len(self._failed),
        )

    def _row_file(self, key: TrialKey) -> Path:
        return self._directory / "rows" / key.path / "trial_services.parquet"


def _total_s(places: Iterable[PlanPlace]) -> float:
    """How long trials take, one after the other."""
    return sum(takes_s(place.duration_s) for place in places)
