"""Looks at the host before a cycle, and at the disk while it runs.

Each check has one line, and one that failed says what to do. A failed check stops the run before anything is
measured; the next run looks again. Every round of a cycle begins with a calibration of the bottleneck
besides (scripts/tables/calibration_gate.py).
"""

import os
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import get_args

from scripts.base.errors import UserError
from scripts.base.files import free_bytes
from scripts.hosts.settings import load_settings as load_hosts
from scripts.hosts.slurm import NoAnswerError, testbed_hosts
from scripts.model.campaign import Backend, Campaign
from scripts.model.submission import is_submission
from scripts.operate.context import Context
from scripts.operate.host_checks import (
    HealthCheck,
    check_bottleneck,
    check_browsers,
    check_clock,
    check_installation,
    check_load,
    check_packages,
    check_read_ahead,
    check_writable,
    failed,
    passed,
    warning,
)
from scripts.operate.rclone import StorageAwayError
from scripts.operate.remote import Remote
from scripts.plan.campaign_file import load_campaign
from scripts.plan.estimate import needed_bytes, too_long
from scripts.plan.many_hosts import Hosts, Shared
from scripts.snapshot.sign import require_key, try_key
from scripts.snapshot.signatures import SIGNERS, read_signers

GB = 1e9


def check(context: Context, cycle: str) -> Iterator[HealthCheck]:
    """Look at the host before a cycle, or before the rest of it: one check after the other.

    Raises:
        UserError: the campaign's configuration is wrong.
    """
    campaign = campaign_of(context)
    health = context.settings.health
    yield check_parallel(campaign)
    yield check_period(context, campaign)
    yield check_disk(context, campaign, cycle)
    yield check_writable("data folder", context.data)
    yield check_writable("site folder", context.public)
    yield check_key(context)
    yield check_remote(context)
    yield check_clock(health.clock)
    yield check_packages()
    yield check_installation()
    yield check_load(health.load_fraction)
    yield check_read_ahead()
    if not context.settings.slurm and "testbed" not in context.settings.variables:
        yield check_bottleneck(campaign.bottleneck)
        yield check_browsers(campaign, context.definition)


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
    named = context.settings.variables.get("bottleneck", campaign.bottleneck)
    for backend in get_args(Backend):
        if named == backend:
            return replace(campaign, bottleneck=backend)
    known = " or ".join(get_args(Backend))
    raise UserError(f"config/operate.yaml: variables: bottleneck: is {named}; write {known}")


def check_parallel(campaign: Campaign) -> HealthCheck:
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
    if reason := too_long(campaign, hosts):
        return failed("period", reason)
    days = context.settings.schedule.period_days
    if not is_submission(campaign.campaign) and too_long(replace(campaign, period_days=days), hosts):
        why = f"the cycle takes longer than schedule.period_days {days:g} of config/operate.yaml"
        return warning("period", f"{why}, so slots stay empty; measure less, or take more hosts")
    return passed("period", "the least that the cycle takes fits into its period")


def check_key(context: Context, signers: Path = SIGNERS) -> HealthCheck:
    """Whether the key that signs snapshots is where it is never published, signs, and is trusted today."""
    name, key = "signing key", context.settings.sign.key
    if key is None:
        return passed(name, "none; snapshots are published without a signature")
    try:
        path = Path(key).expanduser()
        require_key(path, context.snapshots)
        try_key(path, context.clock.now(), read_signers(signers))
    except UserError as error:
        return failed(name, str(error))
    return passed(name, f"{key}: signs")


def check_remote(context: Context) -> HealthCheck:
    """Whether the storage answers. A cycle is measured while it is away, but not if it is named wrongly."""
    name, publish = "remote", context.settings.publish
    try:
        Remote(publish.remote, publish.rclone_config).look()
    except StorageAwayError as error:
        return warning(name, str(error))
    except UserError as error:
        return failed(name, str(error))
    return passed(name, f"{publish.remote}: answers")


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
