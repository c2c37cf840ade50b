"""The control group of a driver limits its memory and its processes, and goes away."""

import os
import subprocess
import sys

import pytest

from testbed import limits
from testbed.host_lock import PLACES, exclusive_host_lock
from testbed.limits import PROCESSES, Group, remove_groups

pytestmark = [
    pytest.mark.traffic,
    pytest.mark.skipif(os.geteuid() != 0, reason="needs root: it makes control groups"),
]


@pytest.fixture
def group():
    """A group of ours on a machine that has such controllers. No trial may run: it would remove the group."""
    with exclusive_host_lock():
        group = Group("test")
        if not group.limits:
            pytest.skip("needs a machine with control groups for memory and processes")
        yield group
        remove_groups(PLACES)
        assert not list(limits.CONTROL_GROUPS.glob(f"**/{limits.OURS}"))


def run(group: Group, script: str) -> int:
    command = [sys.executable, "-c", script]
    return subprocess.run(command, preexec_fn=group.enter, stderr=subprocess.DEVNULL, check=False).returncode


def test_a_program_within_its_limits_is_left_alone(group):
    assert 0 == run(group, "x = bytearray(100_000_000)")
    assert group.excess() is None


def test_a_program_with_too_much_memory_is_killed(group):
    assert -9 == run(group, "x = b'x' * (5 << 30)")
    assert "more than 4 GiB of memory" == group.excess()


def test_a_program_with_too_many_processes_gets_no_more(group):
    fork = "import os, time\nfor _ in range(9999):\n    os.fork() or (time.sleep(0.5), os._exit(0))"
    if "pids" not in group.limits:
        pytest.skip("needs control groups for processes")
    assert 1 == run(group, fork)
    assert f"more than {PROCESSES} processes" == group.excess()


def test_a_machine_without_control_groups_has_no_limits(monkeypatch, tmp_path):
    monkeypatch.setattr(limits, "CONTROL_GROUPS", tmp_path)
    group = Group("test")
    group.enter()
    assert ([], None) == (group.limits, group.excess())
    remove_groups(PLACES)


def test_version_2_of_the_interface_is_used_where_the_machine_has_it(monkeypatch, tmp_path):
    """The kernel makes the files of a group; here the test does."""
    monkeypatch.setattr(limits, "CONTROL_GROUPS", tmp_path)
    (tmp_path / "cgroup.subtree_control").write_text("cpu memory pids\n")
    group = Group("test")
    folder = tmp_path / "observatory/1-test"
    assert ["memory", "pids"] == group.limits
    assert "+memory +pids" == (folder.parent / "cgroup.subtree_control").read_text()
    assert str(PROCESSES) == (folder / "pids.max").read_text()
    (folder / "memory.events").write_text("low 0\noom 3\noom_kill 0\n")
    (folder / "pids.events").write_text("max 0\n")
    assert group.excess() is None
    (folder / "memory.events").write_text("low 0\noom 3\noom_kill 1\n")
    assert "more than 4 GiB of memory" == group.excess()
