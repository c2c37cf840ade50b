"""What a campaign's cycle will take, before anything runs: trials, time and disk.

    python -m scripts.plan.estimate CAMPAIGN [--cycle NAME] [--data DIR] [--refuse] [--force]

shows it. With --refuse it shows nothing, but ends with one line and status 2 where the cycle cannot be
finished in its `period_days`, or does not fit the free disk, in the fewest trials there can be; with --force
too it says so and ends with status 0.

At least, every trial is valid and every pair closes after its first round; at most, every attempt is used.
A trial takes its duration and its overhead (scripts/model/durations.py). Each round has a
calibration trial in every setting too: one round at least, and at most as many as if each after the first
made up for one trial.
On disk, with a full link:

    packets      = rate * duration / (8 * 1538 bytes)      full frames on the link
    trial bytes  = packets * (1.5 * 20 + 12)               captures and queue log, compressed
    bytes in all = trial bytes * 3                         the trial, its Parquet, its published copy

One acknowledgement for two packets makes 1.5 captured; 20 bytes a captured packet and 12 a row of the log
were measured on trials of the embedded switch, 13 for both on calibrations, and Parquet of both is about the
same.
"""

import shutil
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from scripts.base.commands import parser_of
from scripts.base.errors import reporting
from scripts.model.cycle_names import cycle_name
from scripts.model.durations import duration_s as trial_duration_s
from scripts.model.durations import overhead_s, readable
from scripts.plan.calibration import PAIR as CALIBRATION
from scripts.plan.calibration import duration_s as calibration_duration_s
from scripts.plan.calibration import packets as calibration_packets
from scripts.plan.campaign_file import load_campaign
from scripts.plan.planner import Cell, Numbers, cells, numbers

FRAME_ON_LINK_BYTES = 1538
CAPTURED_PER_PACKET = 1.5
BYTES_A_CAPTURED_PACKET = 20
BYTES_A_LOG_ROW = 12
BYTES_A_CALIBRATION_PACKET = 13
COPIES = 3
DAY_S = 86_400


@dataclass(frozen=True)
class Estimate:
    """Trials, seconds and bytes of a whole cycle."""

    trials: int
    seconds: float
    disk_bytes: float


def estimate(config: dict[str, Any], trials_of: Callable[[Numbers], int], rounds: int) -> Estimate:
    """The cycle with that many trials of every cell, and rounds."""
    trials, seconds, disk_bytes = 0, 0.0, 0.0
    for (setting, pair), of in _cells(config):
        count, each_s = trials_of(of), trial_duration_s(config, pair)
        trials += count
        seconds += count * takes_s(each_s)
        disk_bytes += count * trial_bytes(config["settings"][setting]["rate_mbps"], each_s)
    for link in config["settings"].values():
        seconds += rounds * takes_s(calibration_duration_s(link))
        disk_bytes += rounds * calibration_bytes(link)
    return Estimate(trials, seconds, disk_bytes)


def takes_s(duration_s: float) -> float:
    """How long a trial of this duration takes."""
    return duration_s + overhead_s(duration_s)


def at_least(config: dict[str, Any]) -> Estimate:
    """Every trial valid, every pair closed after one round."""
    return estimate(config, lambda of: of.batch, 1)


def at_most(config: dict[str, Any]) -> Estimate:
    """Every attempt used."""
    again = max((of.attempts - of.batch for _, of in _cells(config)), default=0)
    return estimate(config, lambda of: of.attempts, 1 + again)


def _cells(config: dict[str, Any]) -> Iterator[tuple[Cell, Numbers]]:
    """Every cell of the cycle with its numbers of trials."""
    for cell in cells(config, [*config["services"], *config["pairs"]]):
        yield cell, numbers(config, cell[1])


def trial_bytes(rate_mbps: float, duration_s: float) -> float:
    """What a trial with a full link leaves on disk, with all that is made of it."""
    packets = rate_mbps * 1e6 * duration_s / (8 * FRAME_ON_LINK_BYTES)
    return packets * (CAPTURED_PER_PACKET * BYTES_A_CAPTURED_PACKET + BYTES_A_LOG_ROW) * COPIES


def calibration_bytes(link: dict[str, Any]) -> float:
    """The same of a calibration trial, whose packets are all alike and acknowledged by nobody."""
    return calibration_packets(link) * BYTES_A_CALIBRATION_PACKET * COPIES


def measured_share(config: dict[str, Any], trials: Path) -> float:
    """The part of the least disk that trials which exist take already."""
    measured = 0.0
    for name, link in config["settings"].items():
        measured += calibration_bytes(link) * len(list((trials / name / CALIBRATION).glob("[0-9]*")))
    for (setting, pair), _ in _cells(config):
        rate_mbps = config["settings"][setting]["rate_mbps"]
        there = len(list((trials / setting / pair).glob("[0-9]*")))
        measured += trial_bytes(rate_mbps, trial_duration_s(config, pair)) * there
    return min(1.0, measured / at_least(config).disk_bytes)


def objections(config: dict[str, Any], data: Path, lacking_bytes: float, free_bytes: float) -> list[str]:
    """Why the cycle should not start, each with what to do about it."""
    found = []
    least, period_days = at_least(config), config.get("period_days")
    if period_days is not None and least.seconds > period_days * DAY_S:
        found.append(
            f"config/campaigns/{config['campaign']}.yaml: the cycle takes at least "
            f"{readable(least.seconds)}, more than its period_days {period_days:g}; measure fewer pairs or "
            "settings, or shorter trials, or raise period_days"
        )
    if lacking_bytes > free_bytes:
        found.append(
            f"{data}: the cycle needs at least {_size(lacking_bytes)} more, {_size(free_bytes)} are free; "
            "make room, or name another disk (data=DIR)"
        )
    return found


def report(config: dict[str, Any], cycle: str, lacking_bytes: float, free_bytes: float) -> str:
    """The estimate as lines for the operator."""
    least, most = at_least(config), at_most(config)
    period = f"{config['period_days']:g} days" if "period_days" in config else "no limit"
    return "\n".join(
        [
            f"{config['campaign']}, cycle {cycle}: services {len(config['services'])}, "
            f"pairs {len(config['pairs'])}, settings {', '.join(config['settings'])}",
            f"{'':8}{'at least':>12}{'at most':>12}",
            f"{'trials':8}{least.trials:>12}{most.trials:>12}",
            f"{'time':8}{readable(least.seconds):>12}{readable(most.seconds):>12}   period: {period}",
            f"{'disk':8}{_size(least.disk_bytes):>12}{_size(most.disk_bytes):>12}   still needed: at least "
            f"{_size(lacking_bytes)}, free: {_size(free_bytes)}",
        ]
    )


def _size(count: float) -> str:
    """A number of bytes for people: `850 kB`, `3.2 GB`."""
    for unit in ("kB", "MB", "GB"):
        count /= 1000
        if count < 999.5:
            return f"{count:.{1 if count < 9.95 else 0}f} {unit}"
    return f"{count / 1000:.1f} TB"


def _free_bytes(data: Path) -> int:
    """What is free where the data will be."""
    existing = next(path for path in (data.absolute(), *data.absolute().parents) if path.exists())
    return shutil.disk_usage(existing).free


@reporting
def main(argv: list[str] | None = None) -> int:
    """Show or judge; see the module's docstring."""
    parser = parser_of("scripts.plan.estimate", __doc__)
    parser.add_argument("campaign", help="a file of config/campaigns/, without .yaml")
    parser.add_argument("--cycle", help="the cycle's name; without it the current one")
    parser.add_argument("--data", type=Path, default=Path("data"), help="where cycles are measured")
    parser.add_argument("--refuse", action="store_true", help="only say why the cycle should not start")
    parser.add_argument("--force", action="store_true", help="with --refuse: say it, and let it start")
    arguments = parser.parse_args(argv)
    config = load_campaign(arguments.campaign)
    cycle = cycle_name(str(arguments.data), arguments.campaign, arguments.cycle)
    trials = arguments.data / arguments.campaign / cycle / "trials"
    lacking = at_least(config).disk_bytes * (1 - measured_share(config, trials))
    free = _free_bytes(arguments.data)
    found = objections(config, arguments.data, lacking, free)
    if not arguments.refuse:
        print("\n".join([report(config, cycle, lacking, free), *(f"too much: {each}" for each in found)]))
        return 0
    if found and not arguments.force:
        print(f"error: {found[0]}; or start it all the same (force=1)", file=sys.stderr)
        return 2
    for each in found:
        print(f"warning: {each}", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
