"""The priority of a trial's programs, and how long they waited for a processor."""

import os
import subprocess
import sys
from pathlib import Path

import psutil
import pytest

from scripts.base.files import ROOT
from scripts.model.trial_record import ProgramTimes
from testbed.scheduling import LATENCY, RunDelays, processors_awake

BEGINNING = "import os, resource; from testbed.scheduling import *"


def printed(program: str) -> list[str]:
    """What a Python program prints that has the functions of the module."""
    command = [sys.executable, "-c", f"{BEGINNING}\n{program}"]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout.split()


@pytest.mark.skipif(os.geteuid() != 0, reason="needs root")
def test_what_a_trial_starts_comes_first_until_it_takes_turns():
    program = """
print(come_first())
os.system("chrt -p $$ | sed 's/.*: //'")
come_after_senders()
os.system("chrt -p $$ | sed 's/.*: //'")
take_turns()
come_after_senders()
print(os.sched_getscheduler(0) == os.SCHED_OTHER)
"""
    assert printed(program) == ["True", "SCHED_RR", "2", "SCHED_RR", "1", "True"]


@pytest.mark.skipif(os.geteuid() != 0, reason="becomes another user")
def test_a_user_without_the_right_goes_on_as_before():
    program = """
resource.setrlimit(resource.RLIMIT_RTPRIO, (0, 0))
os.setuid(65534)
before = os.sched_getscheduler(0)
print(come_first(), os.sched_getscheduler(0) == before)
"""
    assert printed(program) == ["False", "True"]


@pytest.mark.skipif(not os.access(LATENCY, os.W_OK), reason="the host does not allow it")
def test_no_processor_sleeps_during_the_block():
    with processors_awake() as awake:
        assert awake
        assert bytes(4) == LATENCY.read_bytes()[:4]


def open_paths() -> set[str]:
    """The files that this process has open."""
    return {file.path for file in psutil.Process().open_files()}


def test_the_request_ends_with_the_block(tmp_path):
    """The kernel takes a request back when its file is closed."""
    latency = tmp_path / "latency"
    latency.touch()
    with processors_awake(latency):
        assert bytes(4) == latency.read_bytes()
        assert str(latency) in open_paths()
    assert str(latency) not in open_paths()


def test_a_host_that_does_not_allow_it_goes_on_as_before(tmp_path):
    with processors_awake(tmp_path / "nothing/latency") as awake:
        assert not awake


OWN_NETNS = Path("/proc/self/ns/net")


class Proc:
    """A folder like /proc."""

    def __init__(self, folder):
        self.folder = folder

    def set(
        self,
        process: str,
        program: str,
        netns: Path = OWN_NETNS,
        parent: str = "0",
        turns: int = 0,
        **threads: tuple[int, int],
    ) -> None:
        """A process with these nanoseconds of running and waiting of its threads, `t<id>`."""
        exe = self.folder / process / "exe"
        exe.parent.mkdir(exist_ok=True)
        exe.unlink(missing_ok=True)
        exe.symlink_to(f"/usr/bin/{program}")
        namespace = self.folder / process / "ns/net"
        namespace.parent.mkdir(exist_ok=True)
        namespace.unlink(missing_ok=True)
        namespace.symlink_to(netns)
        (self.folder / process / "stat").write_text(f"{process} (a (name)) S {parent} 1 1")
        for thread, (run, waited) in threads.items():
            folder = self.folder / process / "task" / thread[1:]
            folder.mkdir(parents=True, exist_ok=True)
            (folder / "schedstat").write_text(f"{run} {waited} {turns}\n")


def test_times_are_those_since_the_start_of_all_threads_of_a_program(tmp_path):
    proc = Proc(tmp_path)
    (tmp_path / "self").mkdir()
    proc.set("1", "python3", t1=(5_000_000_000, 1_000_000_000))
    delays = RunDelays({}, tmp_path)
    proc.set("1", "python3", t1=(6_000_000_000, 1_500_000_000))
    proc.set("2", "iperf3", t2=(2_000_000_000, 0), t3=(1_000_000_000, 250_000_000))
    proc.set("4", "iperf3", t4=(500_000_000, 0))
    times = {"iperf3": ProgramTimes(3.5, 0.25, 0.25), "python3": ProgramTimes(1.0, 0.5, 0.5)}
    assert delays.by_host() == {"testbed": times}


def test_many_short_turns_delay_no_program_and_a_long_wait_does_not_hide_among_those_of_other_seconds(
    tmp_path,
):
    """30 µs for each of 1,000 turns a second are no delay, and 400 ms without a turn are one of 400 ms."""
    proc = Proc(tmp_path)
    proc.set("1", "endpoint", t1=(0, 0))
    delays = RunDelays({}, tmp_path)
    proc.set("1", "endpoint", t1=(0, 30_000_000), turns=1000)
    delays.sample()
    proc.set("1", "endpoint", t1=(0, 430_000_000), turns=1000)
    delays.sample()
    proc.set("1", "endpoint", t1=(0, 460_000_000), turns=2000)
    assert delays.by_host() == {"testbed": {"endpoint": ProgramTimes(0.0, 0.46, 0.4)}}


def test_times_are_told_by_the_host_whose_network_namespace_a_program_or_its_parent_is_in(tmp_path):
    proc, netns = Proc(tmp_path), tmp_path / "netns"
    netns.touch()
    proc.set("1", "iperf3", netns, t1=(0, 0))
    delays = RunDelays({"client-c1": netns}, tmp_path)
    proc.set("1", "iperf3", netns, t1=(1_000_000_000, 0))
    proc.set("2", "iperf3", t2=(0, 500_000_000))
    proc.set("11", "chromium", parent="1", t11=(250_000_000, 0))
    assert delays.by_host() == {
        "client-c1": {"chromium": ProgramTimes(0.25, 0.0, 0.0), "iperf3": ProgramTimes(1.0, 0.0, 0.0)},
        "testbed": {"iperf3": ProgramTimes(0.0, 0.5, 0.5)},
    }


def test_a_program_that_ended_keeps_its_last_reading_and_one_that_was_replaced_has_its_new_name(tmp_path):
    proc = Proc(tmp_path)
    delays = RunDelays({}, tmp_path)
    proc.set("2", "unshare", t2=(1_000_000_000, 0))
    proc.set("3", "dumpcap", t3=(2_000_000_000, 500_000_000))
    delays.sample()
    for path in ((tmp_path / "3/task/3/schedstat"), (tmp_path / "3/exe")):
        path.unlink()
    proc.set("2", "iperf3", t2=(3_000_000_000, 0))
    times = {"dumpcap": ProgramTimes(2.0, 0.5, 0.5), "iperf3": ProgramTimes(3.0, 0.0, 0.0)}
    assert delays.by_host() == {"testbed": times}
