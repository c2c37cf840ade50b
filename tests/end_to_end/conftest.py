"""Real trials, as short as they can be. They need root, or a /dev/net/tun that this user may open."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from scripts.base.records import from_json, to_json
from scripts.model.campaign import WebTimes
from scripts.model.pairs import members
from scripts.model.settings import Setting
from scripts.model.trials import TrialKey
from scripts.plan.campaign_file import load_campaign, load_service
from scripts.plan.specification_writer import specification


@pytest.fixture(autouse=True, scope="session")
def testbed_usable():
    if not (os.geteuid() == 0 or os.access("/dev/net/tun", os.R_OK | os.W_OK)):
        pytest.skip("needs root or a /dev/net/tun that this user may open")


def make_spec(
    directory: Path, pair: str, duration_s: int = 6, number: int = 1, ignore_first_s: int = 2, **keys: Any
) -> Path:
    """A specification as the plan writes it: a short trial in the 8 Mbps setting, with these keys changed.

    A page is loaded twice in that time. Its contender starts `ignore_first_s` earlier.
    """
    demo = load_campaign("demo")
    times = replace(
        demo.trial,
        duration_s=duration_s,
        ignore_first_s=ignore_first_s,
        kinds={},
        web=WebTimes(lead_s=ignore_first_s, loads=2, gap_s=duration_s // 2),
    )
    setting = from_json(Setting, {**to_json(demo.settings["8mbps"]), **keys}, "the test")
    services = {name: load_service(name, "the test") for name in members(pair)}
    short = replace(demo, trial=times, services=demo.services | services, settings={"8mbps": setting})
    spec = specification(short, "test", TrialKey("8mbps", pair, number))
    path = directory / f"{number:02d}.json"
    path.write_text(json.dumps(to_json(spec)), encoding="utf-8")
    return path


class RunningTrial:
    """A `python -m testbed run` in the background, and the processes it started."""

    def __init__(self, spec: Path, into: Path, environment: dict[str, str] | None = None) -> None:
        self.into = into
        self.process = subprocess.Popen(
            [sys.executable, "-m", "testbed", "run", str(spec), "--into", str(into)],
            env=os.environ | (environment or {}),
            stderr=subprocess.PIPE,
            text=True,
        )

    def descendants(self) -> dict[int, list[str]]:
        """Process id and command line of everything this trial has running."""
        children: dict[int, list[int]] = {}
        commands: dict[int, list[str]] = {}
        for entry in Path("/proc").glob("[0-9]*"):
            try:
                parent = int((entry / "stat").read_text().rsplit(")", 1)[1].split()[1])
                commands[int(entry.name)] = (entry / "cmdline").read_text().split("\0")
            except OSError:
                continue
            children.setdefault(parent, []).append(int(entry.name))
        found, open_ends = [], [self.process.pid]
        while open_ends:
            of_one = children.get(open_ends.pop(), [])
            found += of_one
            open_ends += of_one
        return {pid: commands[pid] for pid in found}

    def wait_for(self, program: str, *words: str) -> int:
        """The process id of a program of this trial, once it runs with these words on its command line."""
        deadline = time.monotonic() + 90  # another trial may be running on this host
        while time.monotonic() < deadline:
            for pid, command in self.descendants().items():
                if Path(command[0]).name == program and all(word in command for word in words):
                    return pid
            time.sleep(0.05)
        raise AssertionError(f"{program} never ran")

    def kill(self, number: signal.Signals) -> None:
        """Send the outermost process of the trial a signal."""
        self.process.send_signal(number)


@pytest.fixture
def start_trial(tmp_path) -> Callable[..., RunningTrial]:
    """Start a trial in the background; what is left of it at the test's end is killed."""
    started: list[RunningTrial] = []

    def start(pair: str = "iperf-cubic", environment: dict[str, str] | None = None) -> RunningTrial:
        running = RunningTrial(make_spec(tmp_path, pair), tmp_path / "trials/01", environment)
        started.append(running)
        return running

    yield start
    for running in started:
        running.process.kill()
        running.process.wait()


@pytest.fixture(scope="session")
def pair_trial(tmp_path_factory) -> Path:
    """The directory of one trial of BBR against Cubic."""
    directory = tmp_path_factory.mktemp("pair trial")
    spec = make_spec(directory, "iperf-bbr~iperf-cubic", duration_s=8)
    into = directory / "trials/01"
    subprocess.run([sys.executable, "-m", "testbed", "run", str(spec), "--into", str(into)], check=True)
    return into
