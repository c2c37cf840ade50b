"""Estimate the trials, time and disk that a campaign's cycle needs, before anything runs.

    python -m scripts.plan.estimate CAMPAIGN [--cycle NAME] [--data DIR] [--refuse] [--force]

shows the estimate. With --refuse it shows nothing. It then ends with one line and status 2 if even the fewest
trials take longer than `period_days` or do not fit on the free disk. With --force as well it prints that line
as a warning and ends with status 0.

At least: every trial is valid, every pair closes after its first round, and every load of a web page ends at
once. At most: every attempt is used, and every load takes its limit.
A trial takes its duration plus its overhead (scripts/model/durations.py). Each round also has one calibration
trial in every setting. There is one round at least. At most there are as many rounds as if each one after the
first reran a single trial.

Disk, with a full link:

    packets      = rate * duration / (8 * 1538 bytes)      full frames on the link
    trial bytes  = packets * (1.5 * 20 + 12)               captures and queue log, compressed
    total bytes  = trial bytes * 3                         the trial, its Parquet, its published copy

One acknowledgement per two packets gives 1.5 captured packets. 20 bytes per captured packet and 12 bytes per
row of the log were measured on trials of the embedded switch; 13 bytes for both were measured on
calibrations. Parquet of both has about the same size.
"""

import shutil
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from scripts.base.commands import parser_of
from scripts.base.errors import reporting
from scripts.model.campaign import Campaign
from scripts.model.cycle_names import cycle_name
from scripts.model.durations import duration_s as longest_s
from scripts.model.durations import overhead_s, readable, shortest_s
from scripts.model.settings import Link
from scripts.plan.calibration import PAIR as CALIBRATION
from scripts.plan.calibration import duration_s as calibration_duration_s
from scripts.plan.calibration import packets as calibration_packets
from scripts.plan.campaign_file import load_campaign
from scripts.plan.planner import Cell, Quota, cells, quota_of

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


def estimate(
    campaign: Campaign,
    trials_of: Callable[[Quota], int],
    rounds: int,
    trial_s: Callable[[Campaign, str], int] = longest_s,
) -> Estimate:
    """A cycle with so many trials of every cell and so many rounds, each trial as long as `trial_s` says."""
    trials, seconds, disk_bytes = 0, 0.0, 0.0
    for cell, quota in _cells(campaign):
        count, duration_s = trials_of(quota), trial_s(campaign, cell.pair)
        trials += count
        seconds += count * takes_s(duration_s)
        disk_bytes += count * trial_bytes(campaign.settings[cell.setting].rate_mbps, duration_s)
    for setting in campaign.settings.values():
        seconds += rounds * takes_s(calibration_duration_s(setting))
        disk_bytes += rounds * calibration_bytes(setting)
    return Estimate(trials, seconds, disk_bytes)


def takes_s(duration_s: float) -> float:
    """How long a trial of this duration takes, with its overhead."""
    return duration_s + overhead_s(duration_s)


def at_least(campaign: Campaign) -> Estimate:
    """The cycle if every trial is valid and every pair closes after one round."""
    return estimate(campaign, lambda quota: quota.batch, 1, shortest_s)


def at_most(campaign: Campaign) -> Estimate:
    """The cycle if every attempt is used."""
    reruns = max((quota.attempts - quota.batch for _, quota in _cells(campaign)), default=0)
    return estimate(campaign, lambda quota: quota.attempts, 1 + reruns)


def _cells(campaign: Campaign) -> Iterator[tuple[Cell, Quota]]:
    """Every cell of the cycle with its numbers of trials."""
    for cell in cells(campaign, [*campaign.services, *campaign.pairs]):
        yield cell, quota_of(campaign, cell.pair)


def trial_bytes(rate_mbps: float, duration_s: float) -> float:
    """The disk that a trial with a full link takes, with everything derived from it."""
    packets = rate_mbps * 1e6 * duration_s / (8 * FRAME_ON_LINK_BYTES)
    return packets * (CAPTURED_PER_PACKET * BYTES_A_CAPTURED_PACKET + BYTES_A_LOG_ROW) * COPIES


def calibration_bytes(link: Link) -> float:
    """The disk that a calibration trial takes. Its packets are not acknowledged."""
    return calibration_packets(link) * BYTES_A_CALIBRATION_PACKET * COPIES


def measured_share(campaign: Campaign, trials: Path) -> float:
    """The fraction of the least disk that existing trials take already."""
    measured = 0.0
    for name, setting in campaign.settings.items():
        measured += calibration_bytes(setting) * _count_trials(trials / name / CALIBRATION)
    for cell, _ in _cells(campaign):
        rate_mbps = campaign.settings[cell.setting].rate_mbps
        bytes_each = trial_bytes(rate_mbps, shortest_s(campaign, cell.pair))
        measured += bytes_each * _count_trials(trials / cell.setting / cell.pair)
    return min(1.0, measured / at_least(campaign).disk_bytes)


def _count_trials(directory: Path) -> int:
    return len(list(directory.glob("[0-9]*")))


def objections(campaign: Campaign, data: Path, needed_bytes: float, free_bytes: float) -> list[str]:
    """The reasons not to start the cycle, each with what to do about it."""
    reasons = []
    least, period_days = at_least(campaign), campaign.period_days
    if period_days is not None and least.seconds > period_days * DAY_S:
        reasons.append(
            f"config/campaigns/{campaign.campaign}.yaml: the cycle takes at least "
            f"{readable(least.seconds)}, more than its period_days {period_days:g}; measure fewer pairs or "
            "settings, or shorter trials, or raise period_days"
        )
    if needed_bytes > free_bytes:
        reasons.append(
            f"{data}: the cycle needs at least {_size(needed_bytes)} more, {_size(free_bytes)} are free; "
            "free some space, or name another disk (data=DIR)"
        )
    return reasons


def report(campaign: Campaign, cycle: str, needed_bytes: float, free_bytes: float) -> str:
    """The estimate as lines for the operator."""
    least, most = at_least(campaign), at_most(campaign)
    period = "no limit" if campaign.period_days is None else f"{campaign.period_days:g} days"
    return "\n".join(
        [
            f"{campaign.campaign}, cycle {cycle}: services {len(campaign.services)}, "
            f"pairs {len(campaign.pairs)}, settings {', '.join(campaign.settings)}",
            f"{'':8}{'at least':>12}{'at most':>12}",
            f"{'trials':8}{least.trials:>12}{most.trials:>12}",
            f"{'time':8}{readable(least.seconds):>12}{readable(most.seconds):>12}   period: {period}",
            f"{'disk':8}{_size(least.disk_bytes):>12}{_size(most.disk_bytes):>12}   still needed: at least "
            f"{_size(needed_bytes)}, free: {_size(free_bytes)}",
        ]
    )


def _size(count: float) -> str:
    """A readable number of bytes: `850 kB`, `3.2 GB`."""
    for unit in ("kB", "MB", "GB"):
        count /= 1000
        if count < 999.5:
            return f"{count:.{1 if count < 9.95 else 0}f} {unit}"
    return f"{count / 1000:.1f} TB"


def _free_bytes(data: Path) -> int:
    """The free bytes on the disk where the data will be stored."""
    existing = next(path for path in (data.absolute(), *data.absolute().parents) if path.exists())
    return shutil.disk_usage(existing).free


@reporting
def main(argv: list[str] | None = None) -> int:
    """Show the estimate or refuse the cycle; see the module's docstring."""
    parser = parser_of("scripts.plan.estimate", __doc__)
    parser.add_argument("campaign", help="a file of config/campaigns/, without .yaml")
    parser.add_argument("--cycle", help="name of the cycle; default: the current one")
    parser.add_argument("--data", type=Path, default=Path("data"), help="directory of the measured cycles")
    parser.add_argument("--refuse", action="store_true", help="print only why the cycle should not start")
    parser.add_argument("--force", action="store_true", help="with --refuse: print it as a warning")
    arguments = parser.parse_args(argv)
    campaign = load_campaign(arguments.campaign)
    cycle = cycle_name(str(arguments.data), arguments.campaign, arguments.cycle)
    trials = arguments.data / arguments.campaign / cycle / "trials"
    needed = at_least(campaign).disk_bytes * (1 - measured_share(campaign, trials))
    free = _free_bytes(arguments.data)
    reasons = objections(campaign, arguments.data, needed, free)
    if not arguments.refuse:
        print(report(campaign, cycle, needed, free))
        for reason in reasons:
            print(f"too much: {reason}")
        return 0
    if reasons and not arguments.force:
        print(f"error: {reasons[0]}; or start it anyway (force=1)", file=sys.stderr)
        return 2
    for reason in reasons:
        print(f"warning: {reason}", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
