"""When and with what a cycle was measured, from its trials, and which cycles it is compared with."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, fields
from pathlib import Path

from scripts.base.records import read_record
from scripts.extract.trial_json import public_versions
from scripts.model.comparison import Comparison
from scripts.model.plan_file import read_plan
from scripts.model.trial_record import HostRecord, TrialStatus


@dataclass(frozen=True)
class BottleneckTrials:
    """The program that was the bottleneck."""

    backend: str | None = None
    version: str | None = None


@dataclass(frozen=True)
class DescribedTrial:
    """The part of trial.json that is read here. Times are ns since the Unix epoch; None if it never began."""

    campaign: str
    cycle: str
    status: TrialStatus
    start_ns: int | None
    stop_ns: int | None
    host: dict[str, object] | None
    programs: dict[str, str]
    bottleneck: BottleneckTrials


def describe_cycle(plan: Path, trials: Path, compared: Comparison) -> dict[str, object]:
    """The content of cycle.json.

    It holds the campaign, the cycle, the number of planned trials, the first start and the last stop, the
    host and the programs of the first completed trial, every bottleneck that measured a trial, and the cycles
    that this one is and is not compared with.

    Args:
        plan: plan.csv of the cycle.
        trials: the directory of its trials.
        compared: the earlier cycle of the table `changes`, and those that were passed over.
    """
    lines = sorted(read_plan(plan), key=lambda line: line.order)
    records = [read_record(DescribedTrial, trials / line.key.path / "trial.json") for line in lines]
    starts = [record.start_ns for record in records if record.start_ns is not None]
    stops = [record.stop_ns for record in records if record.stop_ns is not None]
    typical = next((record for record in records if record.status == "completed"), records[0])
    return {
        "campaign": records[0].campaign,
        "cycle": records[0].cycle,
        "trials_planned": len(lines),
        "first_start_ns": min(starts, default=None),
        "last_stop_ns": max(stops, default=None),
        "host": _public_host(typical.host),
        "programs": public_versions(typical.programs),
        "bottlenecks": _bottlenecks(record.bottleneck for record in records),
        "compared_with": compared.before,
        "not_compared": compared.passed_over,
    }


def _public_host(host: dict[str, object] | None) -> dict[str, object] | None:
    """The fields that are published in trial.json too, and describe the machine."""
    known = {field.name for field in fields(HostRecord)} - {"real_time", "awake", "program_times"}
    return None if host is None else {name: value for name, value in host.items() if name in known}


def _bottlenecks(reported: Iterable[BottleneckTrials]) -> list[dict[str, object]]:
    """Every backend and version with its number of trials; a trial that failed before it began has none."""
    counts = Counter(bottleneck for bottleneck in reported if bottleneck.backend is not None)
    ordered = sorted(
        counts.items(), key=lambda item: (-item[1], item[0].backend or "", item[0].version or "")
    )
    return [
        {"backend": bottleneck.backend, "version": bottleneck.version, "trials": count}
        for bottleneck, count in ordered
    ]
