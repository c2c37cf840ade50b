"""The command line of Snakemake, its profile, and real runs of it that fail or find a lock."""

import fcntl
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest
import yaml

from scripts.base.files import ROOT
from scripts.base.snakemake_command import LOCKED
from scripts.operate.children import measuring_command
from scripts.operate.context import Context
from scripts.operate.settings import read_settings

CYCLE = "2026-12-07"


@pytest.fixture
def context():
    settings = replace(
        read_settings(), campaign="smoke", variables={"bottleneck": "bess", "provisional": False}
    )
    return Context(settings, Path("data"), Path("public"))


def test_the_cycle_the_folders_and_the_variables_are_passed_to_the_snakefile(context):
    words = measuring_command(context, CYCLE)
    variables = words[words.index("--config") + 1 : words.index("--")]
    assert variables == [
        "reduce=True",
        "bottleneck=bess",
        "provisional=False",
        "campaign=smoke",
        f"cycle={CYCLE}",
        "data=data",
        "public=public",
    ]
    assert words[-2:] == ["--", f"data/smoke/{CYCLE}/stamps/snapshot"]


def test_a_submission_is_measured_with_its_definition_and_without_pages_of_the_rounds_so_far(context):
    own = replace(context, definition=Path("data/submissions/aaaa1111/definition"))
    words = measuring_command(
        replace(own, settings=replace(own.settings, variables={"provisional": True})), CYCLE
    )
    assert "definition=data/submissions/aaaa1111/definition" in words
    assert "provisional=False" in words and "provisional=True" not in words


@pytest.mark.parametrize("slurm", [False, True])
def test_the_profile_leaves_no_lock_after_a_kill_and_measures_what_was_interrupted_again(context, slurm):
    words = measuring_command(replace(context, settings=replace(context.settings, slurm=slurm)), CYCLE)
    profile = Path(words[words.index("--profile") + 1])
    assert profile.name == ("slurm" if slurm else "local")
    flags = yaml.safe_load((profile / "config.yaml").read_text())
    assert flags["nolock"] and flags["rerun-incomplete"]


def test_snakemake_plans_the_cycle_with_this_command(context, tmp_path):
    """A dry run with the real Snakefile, profile and logger plugin."""
    plain = replace(context, settings=replace(context.settings, variables={}), data=tmp_path / "data")
    words = measuring_command(plain, CYCLE)
    words.insert(words.index("--profile"), "--dry-run")
    words[words.index(".snakemake.lock")] = str(tmp_path / "lock")
    done = subprocess.run(
        words,
        cwd=ROOT,
        env={"PATH": "/usr/bin:/bin", "HOME": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    log = (plain.cycle(CYCLE) / "logs/cycle.log").read_text()
    assert "rule merged_config" in log and "stamps/snapshot" in log


def test_a_held_lock_ends_the_command_at_once(context, tmp_path):
    words = measuring_command(context, CYCLE)
    lock = tmp_path / "lock"
    with lock.open("w") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        words[words.index(".snakemake.lock")] = str(lock)
        assert subprocess.run(words, cwd=tmp_path, check=False, timeout=60).returncode == LOCKED
