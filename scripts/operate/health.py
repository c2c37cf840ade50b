"""Looks at the host before a cycle, and at the disk while it runs.

Each check has one line, and one that failed says what to do. A failed check stops the run before anything is
measured; the next run looks again. Every round of a cycle begins with a calibration of the bottleneck
besides (scripts/tables/calibration_gate.py).

The kernel says whether it takes the clock for synchronised: adjtimex(2).

A daemon such as chrony or systemd-timesyncd tells the kernel. In a container the clock is that of its host,
and so is the kernel's answer.
"""

import ctypes
import os
import tempfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from scripts.base.errors import UserError
from scripts.base.files import ROOT, free_bytes
from scripts.hosts.settings import load_settings as load_hosts
from scripts.hosts.slurm import NoAnswerError, testbed_hosts
from scripts.model.campaign import Backend, Campaign
from scripts.operate.checks import HealthCheck as HealthCheck
from scripts.operate.checks import State, failed, passed, warning
from scripts.operate.context import Context
from scripts.operate.host_load import check_load
from scripts.operate.installation import check_bottleneck, check_browsers, check_installation, check_packages
from scripts.plan.campaign_file import load_campaign
from scripts.plan.estimate import needed_bytes, too_long
from scripts.plan.many_hosts import Hosts, Shared

GB = 1e9

READ_AHEAD_KIB = 512
"""The most that a disk may read ahead. Linux has 128. With 8192 the kernel filled the pages of the servers'
sparse file in one go, for 22 ms in which nothing else ran on that processor, not even the switch."""


def check(context: Context, cycle: str) -> list[HealthCheck]:
    """Look at the host before a cycle, or before the rest of it.

    Raises:
        UserError: the campaign's configuration is wrong.
    """
    campaign = campaign_of(context)
    health = context.settings.health
    checks: list[Callable[[], HealthCheck]] = [
        lambda: check_alone(campaign),
        lambda: check_period(context, campaign),
        lambda: check_disk(context, campaign, cycle),
        lambda: check_writable("data folder", context.data),
        lambda: check_writable("site folder", context.public),
        lambda: check_clock(health.clock),
        check_packages,
        check_installation,
        lambda: check_load(health.load_fraction),
        check_read_ahead,
    ]
    if not context.settings.slurm and "testbed" not in context.settings.variables:
        checks += [
            lambda: check_bottleneck(campaign.bottleneck),
            lambda: check_browsers(campaign, context.definition),
        ]
    return [one() for one in checks]


def during(context: Context) -> None:
    """Look at the disk while a cycle runs.

    Raises:
        UserError: less is free than the reserve.
    """
    reserve_gb, free_gb = context.settings.health.disk_reserve_gb, free_bytes(context.data) / GB
    if free_gb < reserve_gb:
        raise UserError(
            f"{context.data}: only {free_gb:.1f} GB are free, the reserve is {reserve_gb:g} GB; free some "
            "space (python -m scripts.operate prune) and run again: the cycle goes on where it stopped"
        )


def campaign_of(context: Context) -> Campaign:
    """The campaign with the bottleneck of this host.

    Raises:
        UserError: its configuration is wrong.
    """
    campaign = load_campaign(context.settings.campaign, definition=context.definition)
    bottleneck: dict[object, Backend] = {"bess": "bess", "embedded": "embedded"}
    named = context.settings.variables.get("bottleneck")
    return replace(campaign, bottleneck=bottleneck.get(named, campaign.bottleneck))


def check_alone(campaign: Campaign) -> HealthCheck:
    """Whether its trials run one at a time, as those of a published cycle must."""
    if campaign.parallel == 1:
        return passed("one at a time", "no trial runs beside another one")
    why = f"is {campaign.parallel}; a cycle that is published has one trial at a time; remove it"
    return failed("one at a time", f"config/campaigns/{campaign.campaign}.yaml: parallel: {why}")


def check_period(context: Context, campaign: Campaign) -> HealthCheck:
    """Whether the cycle can be measured within its period, by the testbed hosts that there are."""
    hosts = None
    if context.settings.slurm:
        try:
            hosts = Hosts(len(testbed_hosts(load_hosts().slurm)), Shared(os.cpu_count() or 1))
        except NoAnswerError as error:
            return failed("period", f"Slurm does not answer: {error}; start slurmctld")
        except UserError as error:
            return failed("period", str(error))
    reason = too_long(campaign, hosts)
    return failed("period", reason) if reason else passed("period", "the cycle fits into its period")


def check_disk(context: Context, campaign: Campaign, cycle: str) -> HealthCheck:
    """Whether the rest of the cycle fits on the disk beside the reserve."""
    needed_gb = needed_bytes(campaign, context.cycle(cycle) / "trials", reduce=True) / GB
    reserve_gb, free_gb = context.settings.health.disk_reserve_gb, free_bytes(context.data) / GB
    needs = f"cycle {cycle} needs at least {needed_gb:.1f} GB more, the reserve is {reserve_gb:g} GB"
    if free_gb < needed_gb + reserve_gb:
        return failed(
            "disk",
            f"{context.data}: {free_gb:.1f} GB are free; {needs}; free some space, or use another disk",
        )
    return passed("disk", f"{context.data}: {free_gb:.1f} GB are free; {needs}")


def check_writable(name: str, folder: Path) -> HealthCheck:
    """Whether files can be made in a folder. It is made if it is missing."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=folder, prefix="."):
            return passed(name, f"{folder}: can be written")
    except OSError as error:
        return failed(
            name,
            f"{folder}: cannot be written: {error.strerror}; let this user write there, or name another",
        )


def check_read_ahead(files: Path = ROOT, blocks: Path = Path("/sys/dev/block")) -> HealthCheck:
    """Whether the disk of the servers' files reads so little ahead that no read holds a processor for long.

    Args:
        files: a folder on that disk.
        blocks: the kernel's folder of disks by number.
    """
    device = files.stat().st_dev
    node = (blocks / f"{os.major(device)}:{os.minor(device)}").resolve()
    # A partition has the queue of its disk, which is the folder above.
    for queue in (node / "queue/read_ahead_kb", node.parent / "queue/read_ahead_kb"):
        if queue.is_file():
            kib = int(queue.read_text())
            words = f"the disk of {files} reads {kib} KiB ahead"
            if kib <= READ_AHEAD_KIB:
                return passed("read-ahead", words)
            why = "a server that reads a file then stalls the bottleneck for milliseconds"
            return warning("read-ahead", f"{words}; {why}: echo 128 > {queue}")
    return passed("read-ahead", f"the disk of {files} tells none")


NAME = "clock"
STA_UNSYNC = 0x0040
IN_CONTAINER = (Path("/.dockerenv"), Path("/run/.containerenv"), Path("/run/systemd/container"))


class _Timex(ctypes.Structure):
    """The beginning of `struct timex` (linux/timex.h). Zero `modes` change nothing. Errors are in µs."""

    _fields_ = (
        ("modes", ctypes.c_uint),
        ("offset", ctypes.c_long),
        ("frequency", ctypes.c_long),
        ("maxerror", ctypes.c_long),
        ("esterror", ctypes.c_long),
        ("status", ctypes.c_int),
        ("rest", ctypes.c_byte * 256),
    )


def check_clock(otherwise: State) -> HealthCheck:
    """Whether the clock is synchronised.

    Args:
        otherwise: the state of the check if it is not, or if that is not known.
    """
    here = " (of the container's host)" if any(path.exists() for path in IN_CONTAINER) else ""
    try:
        synchronised, error_ms = read_clock()
    except OSError as error:
        return HealthCheck(NAME, otherwise, f"the kernel does not tell whether it is right: {error.strerror}")
    if synchronised:
        return passed(NAME, f"synchronised{here}, the kernel's largest error is {error_ms:.1f} ms")
    remedy = "start a time daemon, such as chrony, and wait until it has set the clock"
    if otherwise == "failed":
        remedy += ", or say `clock: warning` in config/operate.yaml"
    return HealthCheck(NAME, otherwise, f"not synchronised{here}; {remedy}")


def read_clock() -> tuple[bool, float]:
    """Whether the kernel's clock is synchronised, and its largest error in ms.

    Raises:
        OSError: the kernel does not tell.
    """
    timex = _Timex()
    if ctypes.CDLL(None, use_errno=True).adjtimex(ctypes.byref(timex)) < 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))
    return not timex.status & STA_UNSYNC, timex.maxerror / 1000
