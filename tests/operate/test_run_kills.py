"""Runs that are killed between any two steps end in the same records as one that is not."""

import os
import subprocess
import sys

from tests.operate.fake_parts import Host

NOW = "2026-12-07T03:00:00Z"


def killed(folder, seam):
    """Whether a run in a process of its own is killed at this seam; if not, it ended well."""
    words = [sys.executable, "-m", "tests.operate.killed_host", str(folder), NOW, str(seam)]
    status = subprocess.run(words, stdout=subprocess.DEVNULL, check=False).returncode
    assert status in (0, 137)
    return status == 137


def test_a_run_that_is_killed_at_every_seam_ends_in_the_same_records(tmp_path):
    calm = Host(tmp_path / "calm", NOW, days=0)
    assert calm.run() == 0
    kills = 0
    for seam in range(1, len(calm.calls) + 1):
        folder = tmp_path / f"killed {seam}"
        kills += killed(folder, seam)
        after = Host(folder, NOW, days=0)
        assert after.run() == 0
        assert after.records() == calm.records(), calm.calls[seam - 1]
        assert "measure" not in after.calls or calm.calls.index("measured") >= seam - 1
    assert kills == len(calm.calls)


def test_a_run_that_is_killed_at_each_seam_in_turn_ends_in_the_same_records(tmp_path):
    calm = Host(tmp_path / "calm", NOW, days=0)
    calm.run()
    folder, seam = tmp_path / "killed", 1
    while killed(folder, seam):
        seam += 1
    after = Host(folder, NOW, days=0)
    assert seam > 5 and after.run() == 0
    assert after.records() == calm.records()


def test_nothing_of_the_environment_of_tests_is_needed(tmp_path):
    assert "PYTEST_CURRENT_TEST" in os.environ
    assert not killed(tmp_path, 0)
