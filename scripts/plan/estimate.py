"""Estimate the trials, time and disk that a campaign's cycle needs, before anything runs.

    python -m scripts.plan.estimate CAMPAIGN [--definition DIR] [--cycle NAME] [--data DIR] [--reduce]
        [--bottleneck NAME] [--refuse] [--force] [--hosts N] [--cores N] [--store MB_PER_S]

shows the estimate, the SHA-256 with which the cycle will be registered (scripts/plan/registration.py), and
how long the cycle takes at least on 1 to 64 testbed hosts, or on N of them (scripts/plan/many_hosts.py). With
--refuse it shows nothing. It then ends with one line and status 2 if even the fewest trials take longer than
`period_days`, with --hosts on N hosts, or do not fit on the free disk. With --force as well it prints that
line as a warning and ends with status 0. Both say what no verdict of the campaign can reach with its numbers
of trials (scripts/plan/reach.py). The estimate also has the times of the trials, and those in which shares
can settle (scripts/plan/settling.py). --reduce says that the cycle will be measured with reduce=1
(Snakefile). --cores and --store say what several hosts share.

At least: every trial is valid, every pair closes after its first round, and every load of a web page ends at
once. At most: every attempt is used, and every load takes its limit.
A trial takes its duration plus its overhead (scripts/model/durations.py). If two trials run at once, the
cycle takes half of the time. Each round also has one calibration trial in every setting. There is one round
at least. At most there are as many rounds as if each one after the first reran a single trial.

scripts/plan/disk.py says what a trial takes on the disk, with and without reduction.
"""

import os
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import get_args

from scripts.base.commands import parser_of, whole_number
from scripts.base.errors import reporting
from scripts.base.files import free_bytes, in_checkout, readable_bytes
from scripts.base.records import to_json
from scripts.model.campaign import Backend, Campaign
from scripts.model.cycle_names import cycle_name
from scripts.model.durations import duration_s as longest_s
from scripts.model.durations import readable, shortest_s, takes_s
from scripts.plan.calibration import PAIR as CALIBRATION
from scripts.plan.calibration import duration_s as calibration_duration_s
from scripts.plan.campaign_file import load_campaign
from scripts.plan.disk import Footprint, calibration_disk, trial_disk
from scripts.plan.many_hosts import GIGABIT_MB_PER_S, HOSTS, Hosts, Shared, hosts_report, least_s
from scripts.plan.planner import Cell, Quota, cells, quota_of
from scripts.plan.reach import limits
from scripts.plan.registration import content_of, hash_of
from scripts.plan.settling import TOO_SHORT, judged_times

DAY_S = 86_400
NAMED = 6
"""Of more settings, the report has their number, the first one and the last one."""


@dataclass(frozen=True)
class Estimate:
    """Trials, seconds and bytes of a whole cycle; `largest_rest` is the rest of its largest trial.

    The seconds are those of the trials one after the other.
    """

    trials: int
    seconds: float
    disk: Footprint
    largest_rest: float

    def measuring_bytes(self, reduce: bool) -> float:
        """The most that is on the disk while the cycle is measured."""
        return self.disk.published + (self.largest_rest if reduce else self.disk.rest)

    def kept_bytes(self, reduce: bool) -> float:
        """What is on the disk once the cycle is complete."""
        return self.disk.published if reduce else self.measuring_bytes(reduce)


def estimate(
    campaign: Campaign,
    trials_of: Callable[[Quota], int],
    rounds: int,
    trial_s: Callable[[Campaign, str, str], int] = longest_s,
) -> Estimate:
    """A cycle with so many trials of every cell and so many rounds, each trial as long as `trial_s` says."""
    trials, seconds, disk, largest = 0, 0.0, Footprint(), 0.0
    for cell, quota in _cells(campaign):
        count, duration_s = trials_of(quota), trial_s(campaign, cell.setting, cell.pair)
        trials += count
        seconds += count * takes_s(duration_s)
        each = trial_disk(campaign.settings[cell.setting].rate_mbps, duration_s)
        disk, largest = disk + each * count, max(largest, each.rest)
    for setting in campaign.settings.values():
        seconds += rounds * takes_s(calibration_duration_s(setting))
        disk += calibration_disk(setting) * rounds
    return Estimate(trials, seconds, disk, largest)


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


def needed_bytes(campaign: Campaign, trials: Path, reduce: bool) -> float:
    """The disk that a cycle still needs at least, given the directory of the trials that exist."""
    least, measured = at_least(campaign), _measured(campaign, trials)
    left = max(0.0, least.disk.published - measured.published)
    rest = max(0.0, least.disk.rest - measured.rest)
    return left + min(rest, least.largest_rest) if reduce else left + rest


def _measured(campaign: Campaign, trials: Path) -> Footprint:
    """The part of the least disk that existing trials take already."""
    measured = Footprint()
    for name, setting in campaign.settings.items():
        measured += calibration_disk(setting) * _count_trials(trials / name / CALIBRATION)
    for cell, _ in _cells(campaign):
        rate_mbps = campaign.settings[cell.setting].rate_mbps
        each = trial_disk(rate_mbps, shortest_s(campaign, cell.setting, cell.pair))
        measured += each * _count_trials(trials / cell.setting / cell.pair)
    return measured


def _count_trials(directory: Path) -> int:
    return len(list(directory.glob("[0-9]*")))


def too_long(campaign: Campaign, hosts: Hosts | None = None) -> str | None:
    """Why even the fewest trials take longer than the period, and what to do; None if they do not.

    Without `hosts`, this host measures the cycle alone.
    """
    period_days = campaign.period_days
    here_s = at_least(campaign).seconds / campaign.at_once
    seconds = here_s if hosts is None else least_s(campaign, hosts.number, hosts.shared)
    if period_days is None or seconds <= period_days * DAY_S:
        return None
    on_hosts, more = ("", "") if hosts is None else (f" with hosts={hosts.number}", ", or take more hosts")
    return (
        f"config/campaigns/{campaign.campaign}.yaml: the cycle takes at least {readable(seconds)}{on_hosts}, "
        f"more than its period_days {period_days:g}; measure fewer pairs or settings, or shorter trials, "
        f"or raise period_days{more}"
    )


def objections(
    campaign: Campaign, data: Path, needed: float, free: float, reduce: bool, hosts: Hosts | None = None
) -> list[str]:
    """The reasons not to start the cycle, each with what to do about it; `hosts` as for `too_long`."""
    reasons = [reason for reason in [too_long(campaign, hosts)] if reason]
    if needed > free:
        smaller = "" if reduce else ", or keep of each trial only what is published (reduce=1)"
        reasons.append(
            f"{data}: the cycle needs at least {readable_bytes(needed)} more, "
            f"{readable_bytes(free)} are free; free some space, or name another disk (data=DIR){smaller}"
        )
    return reasons


def report(campaign: Campaign, cycle: str, needed: float, free: float, reduce: bool) -> str:
    """The estimate as lines for the operator."""
    least, most = at_least(campaign), at_most(campaign)
    period = "no limit" if campaign.period_days is None else f"{campaign.period_days:g} days"
    with_reduce = " with reduce=1" if reduce else ""
    rows = [
        ("", "at least", "at most", ""),
        ("trials", str(least.trials), str(most.trials), ""),
        (
            "time",
            *(readable(total.seconds / campaign.at_once) for total in (least, most)),
            f"period: {period}",
        ),
        ("disk", *_sizes(least.kept_bytes(False), most.kept_bytes(False)), "while measuring, and kept"),
        (
            "reduced",
            *_sizes(least.measuring_bytes(True), most.measuring_bytes(True)),
            "reduce=1: while measuring",
        ),
        ("kept", *_sizes(least.kept_bytes(True), most.kept_bytes(True)), "reduce=1: kept"),
    ]
    return "\n".join(
        [
            f"{campaign.campaign}, cycle {cycle}: services {len(campaign.services)}, "
            f"pairs {len(campaign.pairs)}, settings {_settings_words([*campaign.settings])}",
            *(f"{name:8}{low:>12}{high:>12}   {words}".rstrip() for name, low, high, words in rows),
            f"still needed{with_reduce}: at least {readable_bytes(needed)}, free: {readable_bytes(free)}",
        ]
    )


def limits_report(campaign: Campaign) -> list[str]:
    """What no verdict can reach, with the settings where it is so if not in all."""
    every = [*campaign.settings]
    return [
        f"verdicts{'' if settings == every else f' in {_settings_words(settings)}'}: {words}"
        for settings, words in limits(campaign)
    ]


def times_report(campaign: Campaign) -> list[str]:
    """What shares need to settle in every setting, and what its trials have; last, what follows if less."""
    judged = judged_times(campaign)
    lines = [f"times in {_settings_words(settings)}: {words}" for words, settings in judged.items()]
    if any(words.startswith(TOO_SHORT) for words in judged):
        lines.append("  A share that has not settled can only be seen: no verdict about it follows.")
    return lines


def registration_line(campaign: Campaign) -> str:
    """The SHA-256 of what decides the verdicts of a cycle that is planned now, for the operator."""
    campaign_json = to_json(campaign)
    assert isinstance(campaign_json, dict)
    return (
        f"registration: SHA-256 {hash_of(content_of(campaign_json))}\n"
        "  Publish it before the first trial. It shows that nothing that decides a verdict was changed since."
    )


def _settings_words(names: list[str]) -> str:
    """All settings, or `375, from a to b`."""
    return ", ".join(names) if len(names) <= NAMED else f"{len(names)}, from {names[0]} to {names[-1]}"


def _sizes(*counts: float) -> tuple[str, ...]:
    return tuple(map(readable_bytes, counts))


@reporting
def main(argv: list[str] | None = None) -> int:
    """Show the estimate or refuse the cycle; see the module's docstring."""
    parser = parser_of("scripts.plan.estimate", __doc__)
    parser.add_argument("campaign", help="a file of config/campaigns/, without .yaml")
    parser.add_argument(
        "--definition", type=Path, metavar="DIR", help="the folder of the campaign's definition"
    )
    parser.add_argument("--cycle", help="name of the cycle; default: the current one")
    parser.add_argument(
        "--data", type=Path, default=in_checkout("data"), help="directory of the measured cycles"
    )
    parser.add_argument("--reduce", action="store_true", help="the cycle keeps only what is published")
    parser.add_argument("--bottleneck", choices=get_args(Backend), help="replaces the campaign's bottleneck")
    parser.add_argument("--refuse", action="store_true", help="print only why the cycle should not start")
    parser.add_argument("--force", action="store_true", help="with --refuse: print it as a warning")
    parser.add_argument("--hosts", type=whole_number(1), metavar="N", help="the cycle is measured by N hosts")
    parser.add_argument(
        "--cores",
        type=whole_number(1),
        default=os.cpu_count(),
        help="cores for what follows trials on several hosts",
    )
    parser.add_argument(
        "--store", type=whole_number(1), default=GIGABIT_MB_PER_S, help="MB/s that the hosts' store receives"
    )
    arguments = parser.parse_args(argv)
    campaign = load_campaign(arguments.campaign, definition=arguments.definition)
    if arguments.bottleneck:
        campaign = replace(campaign, bottleneck=arguments.bottleneck)
    cycle = cycle_name(str(arguments.data), arguments.campaign, arguments.cycle)
    trials = arguments.data / arguments.campaign / cycle / "trials"
    needed, free = needed_bytes(campaign, trials, arguments.reduce), free_bytes(arguments.data)
    shared = Shared(arguments.cores, arguments.store)
    hosts = Hosts(arguments.hosts, shared) if arguments.hosts else None
    reasons = objections(campaign, arguments.data, needed, free, arguments.reduce, hosts)
    if not arguments.refuse:
        print(report(campaign, cycle, needed, free, arguments.reduce))
        print(*hosts_report(campaign, [hosts.number] if hosts else HOSTS, shared), sep="\n")
        print(registration_line(campaign))
        for reason in reasons:
            print(f"too much: {reason}")
        for line in (*times_report(campaign), *limits_report(campaign)):
            print(line)
        return 0
    if reasons and not arguments.force:
        print(f"error: {reasons[0]}; or start it anyway (--force, or force=1 of make)", file=sys.stderr)
        return 2
    for line in (*(f"warning: {reason}" for reason in reasons), *limits_report(campaign)):
        print(line, file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
