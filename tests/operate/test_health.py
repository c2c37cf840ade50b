"""The checks of the host before and during a cycle."""

import shutil
from collections import namedtuple
from dataclasses import replace
from pathlib import Path

import pytest

from scripts.base.errors import UserError
from scripts.hosts.slurm import NoAnswerError
from scripts.operate import health
from scripts.operate.context import Context
from scripts.operate.health import (
    campaign_of,
    check,
    check_disk,
    check_key,
    check_parallel,
    check_period,
    check_remote,
    during,
)
from scripts.operate.settings import Signing, read_settings
from scripts.plan.campaign_file import load_campaign
from scripts.plan.estimate import needed_bytes
from tests.snapshot.signed_archive import line_of, make_key

CYCLE = "2026-12-07"
GB = 1e9


@pytest.fixture
def context(tmp_path, monkeypatch):
    """The demonstration campaign, one trial at a time, with nothing measured."""
    campaign = replace(load_campaign("demo"), parallel=1)
    monkeypatch.setattr(health, "load_campaign", lambda name, definition: campaign)
    settings = replace(read_settings(), campaign="demo", variables={})
    return Context(settings, tmp_path / "data", tmp_path / "public")


@pytest.fixture
def free(monkeypatch):
    """Sets the free space of the disk, in GB."""
    usage = namedtuple("usage", "free")
    return lambda gb: monkeypatch.setattr(shutil, "disk_usage", lambda _: usage(gb * GB))


def test_the_disk_must_hold_the_cycle_and_the_reserve(context, free):
    campaign = campaign_of(context)
    needed = (
        needed_bytes(campaign, Path("no trials"), reduce=True) / GB + context.settings.health.disk_reserve_gb
    )
    for gb, state in ((needed + 0.001, "passed"), (needed - 0.001, "failed")):
        free(gb)
        found = check_disk(context, campaign, CYCLE)
        assert (state, True) == (found.state, f"cycle {CYCLE} needs at least" in found.message)
    assert "free some space" in found.message


def test_a_cycle_that_is_partly_measured_needs_only_the_rest(context, free):
    campaign = campaign_of(context)
    free(
        needed_bytes(campaign, Path("no trials"), reduce=True) / GB
        + context.settings.health.disk_reserve_gb
        - 0.0001
    )
    assert "failed" == check_disk(context, campaign, CYCLE).state
    (context.cycle(CYCLE) / "trials/8mbps/iperf-bbr~iperf-cubic/01").mkdir(parents=True)
    assert "passed" == check_disk(context, campaign, CYCLE).state


def test_a_cycle_that_takes_longer_than_its_period_is_refused(context):
    campaign = campaign_of(context)
    assert "passed" == check_period(context, campaign).state
    found = check_period(context, replace(campaign, period_days=0.001))
    assert "failed" == found.state
    assert "more than its period_days 0.001; measure fewer" in found.message


def test_a_campaign_with_two_trials_at_once_is_refused(context):
    assert "passed" == check_parallel(campaign_of(context)).state
    found = check_parallel(load_campaign("demo"))
    assert "failed" == found.state
    assert "demo.yaml: parallel: is 2; a cycle that is published has one trial at a time" in found.message


def test_over_slurm_the_period_is_for_the_hosts_that_there_are(context, monkeypatch):
    over_slurm = replace(context, settings=replace(context.settings, slurm=True))
    week = replace(campaign_of(context), period_days=0.004)
    hosts = {f"tb{number}": True for number in range(16)}
    monkeypatch.setattr(health, "testbed_hosts", lambda settings: hosts)
    assert "failed" == check_period(context, week).state
    assert "passed" == check_period(over_slurm, week).state

    def silent(settings):
        raise NoAnswerError("sinfo: Unable to contact slurm controller")

    monkeypatch.setattr(health, "testbed_hosts", silent)
    found = check_period(over_slurm, week)
    assert "failed" == found.state and "Slurm does not answer" in found.message


def test_a_key_that_is_not_there_keeps_a_cycle_from_starting(context, tmp_path):
    assert ("passed", "none; ") == (check_key(context).state, check_key(context).message[:6])
    settings = replace(context.settings, sign=Signing(str(tmp_path / "none")))
    found = check_key(replace(context, settings=settings))
    assert ("failed", f"{tmp_path}/none: no such key; see docs/signing.md") == (found.state, found.message)


@pytest.mark.parametrize(
    ("before", "state", "words"),
    [
        (None, "passed", "~/operator: signs"),
        ("20260102Z", "failed", "observatory, whose key was not valid at "),
        ("other", "failed", "operator signs: is by the key SHA256:"),
    ],
)
def test_a_key_must_sign_and_be_trusted_today(context, tmp_path, monkeypatch, before, state, words):
    """An empty list, or a key whose time is over, would stop the cycle only when it is measured."""
    monkeypatch.setenv("HOME", str(tmp_path))
    key, other = (make_key(tmp_path, name) for name in ("operator", "other"))
    signers = tmp_path / "allowed_signers"
    signers.write_text(line_of(other) if before == "other" else line_of(key, before=before))
    settings = replace(context.settings, sign=Signing("~/operator"))
    found = check_key(replace(context, settings=settings), signers)
    assert (state, True) == (found.state, words in found.message)


def test_a_cycle_that_takes_longer_than_the_grid_is_a_warning(context):
    campaign = replace(campaign_of(context), period_days=None)
    assert "passed" == check_period(context, campaign).state
    schedule = replace(context.settings.schedule, period_days=0.001)
    found = check_period(replace(context, settings=replace(context.settings, schedule=schedule)), campaign)
    assert ("warning", True) == (found.state, "so slots stay empty" in found.message)


@pytest.mark.parametrize(
    ("remote", "state", "words"),
    [
        ("{folder}/not-there-yet", "passed", "answers"),
        ("none:bucket", "failed", "rclone knows no such remote"),
        ("away:bucket", "warning", "the storage cannot be reached"),
    ],
)
def test_a_cycle_starts_while_the_storage_is_away_but_not_if_it_is_named_wrongly(
    remote, state, words, context, tmp_path
):
    config = tmp_path / "rclone.conf"
    config.write_text("[away]\ntype = s3\nprovider = Other\nendpoint = http://127.0.0.1:1\n")
    place = remote.format(folder=tmp_path)
    publish = replace(context.settings.publish, remote=place, rclone_config=str(config))
    found = check_remote(replace(context, settings=replace(context.settings, publish=publish)))
    assert state == found.state and words in found.message and place in found.message


def test_an_unknown_bottleneck_is_an_error(context):
    settings = replace(context.settings, variables={"bottleneck": "foo"})
    with pytest.raises(
        UserError, match=r"operate\.yaml: variables: bottleneck: is foo; write embedded or bess"
    ):
        campaign_of(replace(context, settings=settings))


def test_while_a_cycle_runs_the_reserve_must_stay_free(context, free):
    free(5.1)
    during(context)
    free(4.9)
    with pytest.raises(UserError, match=r"only 4\.9 GB are free, the reserve is 5 GB; free some space"):
        during(context)


def test_all_checks_have_one_line_each(context):
    health_settings = replace(context.settings.health, load_fraction=1, clock="warning")
    simulated = replace(context.settings, health=health_settings, variables={"testbed": "simulated"})
    found = [*check(replace(context, settings=simulated), CYCLE)]
    names = [
        "one at a time",
        "period",
        "disk",
        "data folder",
        "site folder",
        "signing key",
        "remote",
        "clock",
        "packages",
        "installation",
        "other load",
        "read-ahead",
    ]
    assert names == [one.name for one in found], "another testbed has its own bottleneck and browsers"
    assert not any("\n" in one.message for one in found)
