"""The checks of the host before and during a cycle."""

import os
import shutil
import subprocess
import sys
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
    check_alone,
    check_clock,
    check_disk,
    check_period,
    check_read_ahead,
    check_writable,
    during,
)
from scripts.operate.host_load import check_load, load_by_program
from scripts.operate.settings import read_settings
from scripts.plan.campaign_file import load_campaign
from scripts.plan.estimate import needed_bytes

CYCLE = "2026-12-07"
GB = 1e9
BUSY = "while True: pass"


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
    assert "passed" == check_alone(campaign_of(context)).state
    found = check_alone(load_campaign("demo"))
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


def test_while_a_cycle_runs_the_reserve_must_stay_free(context, free):
    free(5.1)
    during(context)
    free(4.9)
    with pytest.raises(UserError, match=r"only 4\.9 GB are free, the reserve is 5 GB; free some space"):
        during(context)


def test_a_folder_that_cannot_be_written_is_named(tmp_path):
    assert "passed" == check_writable("site folder", tmp_path / "public").state
    (tmp_path / "file").touch()
    found = check_writable("site folder", tmp_path / "file/public")
    assert ("failed", True) == (found.state, str(tmp_path / "file/public") in found.message)
    assert [] == list((tmp_path / "public").iterdir())


@pytest.mark.parametrize("otherwise", ["failed", "warning"])
def test_a_clock_that_is_not_synchronised_is_what_the_settings_say(monkeypatch, otherwise):
    monkeypatch.setattr(health, "read_clock", lambda: (True, 1.5))
    assert ("passed", True) == (check_clock(otherwise).state, "1.5 ms" in check_clock(otherwise).message)
    monkeypatch.setattr(health, "read_clock", lambda: (False, 16000.0))
    assert otherwise == check_clock(otherwise).state

    def refused():
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(health, "read_clock", refused)
    assert (otherwise, True) == (
        check_clock(otherwise).state,
        "not permitted" in check_clock(otherwise).message,
    )


def test_the_kernel_tells_a_plausible_state_of_the_clock():
    _, error_ms = health.read_clock()
    assert 0 <= error_ms <= 16_000.1, "NTP_PHASE_LIMIT of the kernel is 16 s"


def test_a_load_that_stays_is_named_with_its_programs():
    found = check_load(0.2, lambda: {"indexer": 0.4, "other": 0.05, "backup": 0.1, "shell": 0.01})
    assert "failed" == found.state
    assert (
        "use 56% of the processors, 20% are allowed; end them: indexer 40%, backup 10%, other 5%"
        in found.message
    )


def test_a_load_that_goes_does_not_count():
    samples = iter([{"job": 0.9}, {"job": 0.9}, {}])
    assert "passed" == check_load(0.2, lambda: next(samples)).state


def test_a_busy_program_is_seen_with_about_what_it_uses():
    """It gets at least a tenth of a processor, whatever else runs here."""
    with subprocess.Popen([sys.executable, "-c", BUSY]) as busy:
        used = load_by_program(1.0)
        busy.kill()
    name = Path(sys.executable).resolve().name
    assert 0.1 / (os.cpu_count() or 1) <= max(
        part for one, part in used.items() if one in name or name in one
    )
    assert sum(used.values()) <= 1.1


def test_all_checks_have_one_line_each(context):
    health_settings = replace(context.settings.health, load_fraction=1, clock="warning")
    simulated = replace(context.settings, health=health_settings, variables={"testbed": "simulated"})
    found = check(replace(context, settings=simulated), CYCLE)
    names = [
        "one at a time",
        "period",
        "disk",
        "data folder",
        "site folder",
        "clock",
        "packages",
        "installation",
        "other load",
        "read-ahead",
    ]
    assert names == [one.name for one in found], "another testbed has its own bottleneck and browsers"
    assert not any("\n" in one.message for one in found)


@pytest.mark.parametrize("of", ["disk", "partition"])
def test_a_disk_that_reads_far_ahead_is_told_with_what_to_do(tmp_path, of):
    device = tmp_path.stat().st_dev
    node = tmp_path / f"devices/{'vda/vda1' if of == 'partition' else 'vda'}"
    queue = tmp_path / "devices/vda/queue/read_ahead_kb"
    for folder in (node, queue.parent, tmp_path / "block"):
        folder.mkdir(parents=True, exist_ok=True)
    (tmp_path / f"block/{os.major(device)}:{os.minor(device)}").symlink_to(node)
    for kib, state in (("128", "passed"), ("512", "passed"), ("8192", "warning")):
        queue.write_text(f"{kib}\n")
        found = check_read_ahead(tmp_path, tmp_path / "block")
        assert state == found.state
        assert f"reads {kib} KiB ahead" in found.message
    assert found.message.endswith(f"echo 128 > {queue}")


def test_a_folder_on_no_disk_reads_nothing_ahead(tmp_path):
    assert "passed" == check_read_ahead(tmp_path, tmp_path).state
