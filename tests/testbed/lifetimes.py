"""Live trials that are killed, on the tests' Internet, and the state of the machine afterwards.

    python -m tests.testbed.lifetimes kills NUMBER SEED
    python -m tests.testbed.lifetimes late_keeper
    python -m tests.testbed.lifetimes lost_keeper

`kills` kills this number of trials at random points and prints, as JSON, what differed RESTORED_S later.
`late_keeper` kills a trial whose keeper is stopped, starts the next and lets the keeper go on. `lost_keeper`
kills a trial with its keeper, and runs the next.
"""

import fcntl
import json
import random
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import psutil

from scripts.base.files import ROOT
from testbed.host_lock import exclusive_host_lock, lock_path
from tests.testbed.internet import machine, quiet, run
from tests.testbed.live_services import FILE, live_campaign, write_live_specification

RESTORED_S = 10
"""Within this time after a kill the machine is as before."""

SOON_S = 120
CYCLE = Path("/mnt/cycle")
INTO = CYCLE / "trials/8mbps/live-file/01"
OWN_FOLDERS = [folder for folder in ("/mnt", "/tmp", "/dev/shm") if not ROOT.is_relative_to(folder)]
"""Folders that other programs of the host use too, so that the test machine gets its own."""


def kills(number: str, seed: str) -> dict[str, Any]:
    """Kill trials at random points: the outermost process, or any of the trial's."""
    chance = random.Random(int(seed))
    before = machine_state()
    began = time.monotonic()
    status = _completed_trial()
    length_s = time.monotonic() - began
    found: list[dict[str, Any]] = []
    while len(found) < int(number):
        kill = _kill_one(chance, length_s, before)
        if kill["killed"]:
            found.append(kill)
        else:  # The trial had ended before.
            length_s = kill["after_s"]
    return {
        "before": status,
        "killed": [kill["killed"] for kill in found],
        "differences": [kill for kill in found if kill["difference"]],
        "after": _completed_trial(),
    }


def _kill_one(chance: random.Random, length_s: float, before: dict[str, list[str]]) -> dict[str, Any]:
    """Kill a trial, and compare the state of the machine with that before."""
    after_s = chance.uniform(0, length_s)
    runner = start_trial()
    time.sleep(after_s)
    name = ""
    if runner.poll() is None:
        victim = _victim(chance, runner.pid)
        name = " ".join(_command(victim))[:100] or "a process that begins"
        with suppress(psutil.NoSuchProcess):
            victim.kill()
    runner.wait(SOON_S)  # After the kill of another process the trial fails by itself.
    deadline = time.monotonic() + RESTORED_S
    while (difference := _difference(before)) and time.monotonic() < deadline:
        time.sleep(0.05)
    return {"killed": name, "after_s": round(after_s, 2), "difference": difference}


def _victim(chance: random.Random, runner: int) -> psutil.Process:
    with suppress(psutil.NoSuchProcess):
        descendants = psutil.Process(runner).children(recursive=True)
        if descendants and chance.random() < 0.3:
            return chance.choice(descendants)
    return psutil.Process(runner)


def _difference(before: dict[str, list[str]]) -> dict[str, list[str]]:
    """What of the machine's state went or came, by its part. A whole trial does not count."""
    shutil.rmtree(INTO, ignore_errors=True)
    after = machine_state()
    changed = {key: sorted({*before[key]} ^ {*after[key]}) for key in before}
    return {key: lines for key, lines in changed.items() if lines or len(before[key]) != len(after[key])}


def machine_state() -> dict[str, list[str]]:
    """Everything that a trial could leave on the machine."""
    switches = [
        *Path("/proc/sys/net/ipv4/conf").glob("*/forwarding"),
        *Path("/proc/sys/net/ipv6/conf").glob("*/forwarding"),
        Path("/proc/sys/net/ipv4/ip_forward"),
    ]
    routes = [run("ip", version, "route", "show", "table", "all") for version in ("-4", "-6")]
    return {
        "rules": run("nft", "list", "ruleset").splitlines(),
        "switches": [f"{path} {_text(path)}" for path in switches],
        "routes": "".join(routes).splitlines(),
        "interfaces": [link["ifname"] for link in json.loads(run("ip", "-json", "link"))],
        "mounts": Path("/proc/self/mounts").read_text().splitlines(),
        "processes": [" ".join(_command(process)) for process in _running()],
        "files": [str(path) for folder in ("/run", *OWN_FOLDERS) for path in Path(folder).rglob("*")],
        "locked": [] if _lock_is_free() else ["yes"],
    }


def _text(path: Path) -> str:
    """What is in a file; empty if it is gone meanwhile."""
    with suppress(FileNotFoundError):
        return path.read_text().strip()
    return ""


def _running() -> list[psutil.Process]:
    """All processes of this PID namespace that run, without this one's short-lived children."""
    found = []
    for process in psutil.process_iter():
        with suppress(psutil.NoSuchProcess):
            if process.status() != psutil.STATUS_ZOMBIE:
                found.append(process)
    return found


def _command(process: psutil.Process) -> list[str]:
    with suppress(psutil.Error):
        return process.cmdline()
    return []


def _lock_is_free() -> bool:
    with lock_path().open("rb") as lock, suppress(BlockingIOError):
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        return True
    return False


def _completed_trial() -> str:
    """Run a whole trial, and return its status and reason."""
    runner = start_trial()
    runner.wait(SOON_S)
    record = json.loads((INTO / "trial.json").read_text())
    shutil.rmtree(INTO)
    return f"{record['status']} {record['reason']}"


def start_trial() -> subprocess.Popen[bytes]:
    """Start a short trial of a live service."""
    command = [sys.executable, "-m", "testbed", "run", str(CYCLE / "01.json"), "--into", str(INTO)]
    return subprocess.Popen(command, **quiet())


def late_keeper() -> dict[str, Any]:
    """Whether the machine forwards for a trial when the keeper of a killed one goes on during it."""
    first = start_trial()
    wait_until(client_runs)
    keeper = _keeper_of(first)
    keeper.suspend()
    first.kill()
    first.wait()
    wait_until(lambda: not client_runs())
    second = start_trial()
    with suppress(TimeoutError):
        wait_until(client_runs, RESTORED_S)
    ran_beside_keeper = client_runs()
    keeper.resume()
    wait_until(client_runs)
    time.sleep(1)
    forwarding = Path("/proc/sys/net/ipv4/conf/wan0/forwarding").read_text().strip()
    second.wait(SOON_S)
    record = json.loads((INTO / "trial.json").read_text())
    return {"ran_beside_keeper": ran_beside_keeper, "forwarding": forwarding, "status": record["status"]}


def lost_keeper() -> dict[str, Any]:
    """What differs on the machine after a kill of a trial and its keeper, and after the next trial."""
    before = machine_state()
    runner = start_trial()
    wait_until(client_runs)
    keeper = _keeper_of(runner)
    runner.kill()
    keeper.kill()
    runner.wait()
    wait_until(lambda: not client_runs())
    left = _difference(before)
    _completed_trial()
    return {"left": left, "after": _difference(before)}


def _keeper_of(runner: subprocess.Popen[bytes]) -> psutil.Process:
    children = psutil.Process(runner.pid).children()
    (keeper,) = [child for child in children if "unshare" not in _command(child)]
    return keeper


def wait_until(condition: Callable[[], bool], timeout_s: float = SOON_S) -> None:
    """Return once the condition is true; TimeoutError if it is not in time."""
    deadline = time.monotonic() + timeout_s
    while not condition():
        if time.monotonic() > deadline:
            raise TimeoutError
        time.sleep(0.05)


def client_runs() -> bool:
    """Whether a driver's client runs in this PID namespace, which has no processes but this test's."""
    return any("use" in _command(process) for process in _running())


@contextmanager
def cycle() -> Iterator[None]:
    """The folder of a cycle with a specification, on a machine whose folders for files are its own."""
    for folder in OWN_FOLDERS:
        run("mount", "-t", "tmpfs", "tmpfs", folder)
    with machine():
        exclusive_host_lock().close()  # The file stays.
        INTO.parent.mkdir(parents=True)
        campaign = live_campaign(FILE, duration_s=5, ignore_first_s=1)
        write_live_specification(campaign, CYCLE / "01.json", FILE)
        yield


COMMANDS: dict[str, Callable[..., dict[str, Any]]] = {
    "kills": kills,
    "late_keeper": late_keeper,
    "lost_keeper": lost_keeper,
}

if __name__ == "__main__":
    with cycle():
        name, *arguments = sys.argv[1:]
        print(json.dumps(COMMANDS[name](*arguments)))
