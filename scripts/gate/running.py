"""Measures the trials of a gate with the commands of a cycle, and reads what each arm got.

The folder of a gate is that of a cycle (docs/formats.md): plan/, trials/, published/, parquet/, rows/,
tables/. So its figures are those that a cycle would have of the same trials.
"""

import signal
import sys
from collections.abc import Iterable, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path

import pyarrow.parquet as pq

from scripts.base.errors import UserError
from scripts.base.processes import running
from scripts.figures.catalogue import CATALOGUE
from scripts.gate.decision import Arms
from scripts.gate.definition import BASE, CANDIDATE, CYCLE, ComparedCell, Gate
from scripts.gate.margins import Margin
from scripts.model.durations import duration_s
from scripts.model.plan_file import PlanLine, write_plan_table
from scripts.model.trials import TrialKey
from scripts.plan.campaign_file import write_merged
from scripts.plan.cycle_progress import RunningCycle
from scripts.plan.specification_writer import write_specifications
from scripts.tables.cycle import make_tables
from scripts.tables.table_list import every_table
from scripts.tables.table_schema import load_schema

LEAST_ALONE = 0.01
"""A build that gets a smaller part of the link alone does not work."""

PARTS_OF_ALLOCATION = ("share", "share_change")
"""The metrics that are parts of the max-min fair allocation."""

INTERRUPTED = (130, 143, -2, -15)
"""Exit statuses of a command that Ctrl-C or SIGTERM ended."""

STOP_S = 30
"""A command has so many seconds to end with the gate: it stops its trial and gives up its claim."""


class UnmeasuredError(Exception):
    """The testbed could not measure a trial. The lines that its command printed say why."""


def write_plan(gate: Gate, folder: Path) -> list[TrialKey]:
    """Write plan/: the configuration, one round with all trials, and their specifications.

    Returns:
        The trials in the order of running.

    Raises:
        UserError: the folder has another plan.
    """
    keys = [*gate.solos]
    for number in range(1, gate.trials + 1):
        keys += gate.block(number)
    plan = folder / "plan"
    write_specifications(gate.campaign, CYCLE, keys, plan)
    write_merged(gate.campaign, plan / "config.json")
    _write_lines(gate, keys, plan / "round-01.csv")
    return keys


def measure(keys: Sequence[TrialKey], folder: Path, cycle: RunningCycle) -> list[str | None]:
    """Measure trials at once, after a calibration of this host, and make their rows, unless both exist.

    Returns:
        For each trial why it is excluded; None if it counts.

    Raises:
        UserError: the candidate or the base does not run alone.
        UnmeasuredError: the testbed could not measure one.
        KeyboardInterrupt: a command was interrupted.
    """
    missing = [key for key in keys if not (folder / "rows" / key.path / "trial_services.parquet").is_file()]
    _run("scripts.hosts", [("measure", folder / "trials" / key.path) for key in missing])
    _run("scripts.tables.measured_trial", [_places(key, folder) for key in missing])
    return [_outcome(key, folder, cycle) for key in keys]


def _places(key: TrialKey, folder: Path) -> tuple[object, ...]:
    """The words of the command that makes the rows of a measured trial."""
    return (
        *(folder / "trials" / key.path, "--published", folder / "published" / key.path),
        *("--parquet", folder / "parquet" / key.path, "--rows", folder / "rows" / key.path),
        *("--config", folder / "plan/config.json", "--key", folder / "private/pseudonyms.key"),
    )


def _outcome(key: TrialKey, folder: Path, cycle: RunningCycle) -> str | None:
    """Why a measured trial is excluded; None if it counts.

    Raises:
        UserError: the candidate or the base does not run alone.
    """
    trial, rows = folder / "trials" / key.path, folder / "rows" / key.path
    cycle.add_measured(key)
    reason = cycle.add_verdict(key)
    if key.pair in (CANDIDATE, BASE):
        alone = pq.read_table(rows / "trial_services.parquet", columns=["rate_mbps", "throughput_mbps"])
        (rate_mbps,), (throughput_mbps,) = (column.to_pylist() for column in alone.columns)
        failed = cycle.has_failed(key)
        if failed or (throughput_mbps or 0) < LEAST_ALONE * rate_mbps:
            why = reason if failed else f"it gets {throughput_mbps or 0:.2f} of {rate_mbps:g} Mbps"
            raise UserError(
                f"the {key.pair} does not run alone: {why}; its programs say more in {trial / 'logs'}, and "
                "python -m services.endpoint check FOLDER says what an endpoint lacks"
            )
    return reason


def _run(module: str, commands: Iterable[Iterable[object]]) -> None:
    """Run a command of this project with each of these words at once. What ends this function ends all."""
    with ExitStack() as stack:
        children = [
            stack.enter_context(
                running(
                    [sys.executable, "-m", module, *map(str, words)],
                    stop=signal.SIGTERM,
                    patience_s=STOP_S,
                    at_end=signal.SIGTERM,
                )
            )
            for words in commands
        ]
        statuses = [child.wait() for child in children]
    if any(status in INTERRUPTED for status in statuses):
        raise KeyboardInterrupt
    if failed := [status for status in statuses if status != 0]:
        raise UnmeasuredError(f"python -m {module} ended with status {failed[0]}")


def build_tables(gate: Gate, keys: Sequence[TrialKey], folder: Path) -> None:
    """Build the tables that the figures follow from, over the trials that are measured."""
    _write_lines(gate, keys, folder / "plan/plan.csv")
    make_tables(folder, needed_for("figures", "trial_services"))


def needed_for(*tables: str) -> set[str]:
    """These tables, and those that they are made from."""
    every, found, left = {*every_table()}, set[str](), [*tables]
    while left:
        if (table := left.pop()) not in found:
            found.add(table)
            left += [source for source in load_schema(table).sources if source in every]
    return found


def arms_of(cells: Iterable[ComparedCell], margins: Mapping[str, Margin], folder: Path) -> list[Arms]:
    """The values of every figure in every cell, over the valid trials, from the table `samples`.

    A figure that compares a trial with the service alone is unknown if no trial of it alone counts. Shares of
    both arms are parts of the allocation of the base: a build that became slow needs less, and would get its
    whole share of that.
    """
    columns = ["setting", "service", "contender", "instance", "subject", "size_class", "statistic"]
    table = pq.read_table(
        folder / "tables/samples.parquet", columns=[*columns, "metric", "trial", "value", "valid"]
    )
    values: dict[tuple[str, str, str, str], list[float | None]] = {}
    shares = any(margin.metric in PARTS_OF_ALLOCATION for margin in margins.values())
    allocations = _allocations_mbps(folder) if shares else {}
    alone = set[tuple[str, str]]()
    for row in table.to_pylist():
        if row["valid"] and (row["instance"], row["subject"], row["statistic"]) == ("first", "flow", ""):
            key = (row["setting"], row["service"], row["contender"], row["metric"])
            values.setdefault(key, []).append(row["value"])
            if not row["contender"]:
                alone.add((row["setting"], row["service"]))

    def arms(cell: ComparedCell, figure: str, margin: Margin) -> Arms:
        pairs = [(cell.service_of(arm), cell.contender) for arm in (CANDIDATE, BASE)]
        if margin.of != CANDIDATE:
            pairs = [pair[::-1] for pair in pairs]
        candidate, base = (tuple(values.get((cell.setting, *pair, margin.metric), ())) for pair in pairs)
        if margin.metric in PARTS_OF_ALLOCATION:
            own_mbps, of_base_mbps = (allocations.get((cell.setting, *pair), 0.0) for pair in pairs)
            part = own_mbps / of_base_mbps if own_mbps and of_base_mbps else 1.0
            candidate = tuple(None if value is None else value * part for value in candidate)
        missing = sorted({service for service, _ in pairs if (cell.setting, service) not in alone})
        unknown = CATALOGUE[margin.metric].relative and missing
        because = f"no trial of {' and '.join(missing)} alone counts" if unknown else None
        return Arms(figure, margin, cell.setting, cell.contender, candidate, base, because)

    return [arms(cell, figure, margin) for cell in cells for figure, margin in margins.items()]


def _allocations_mbps(folder: Path) -> dict[tuple[str, str, str], float]:
    """The max-min fair allocation of a service beside a contender, by setting, service and contender."""
    columns = ["setting", "service", "contender", "allocation_mbps"]
    rows = pq.read_table(folder / "tables/trial_fairness.parquet", columns=columns).to_pylist()
    return {(row["setting"], row["service"], row["contender"]): row["allocation_mbps"] for row in rows}


def _write_lines(gate: Gate, keys: Iterable[TrialKey], file: Path) -> None:
    """Write a file of the plan."""
    lines = [
        PlanLine(order, 1, key, duration_s(gate.campaign, key.setting, key.pair))
        for order, key in enumerate(keys, start=1)
    ]
    write_plan_table(lines, file)
