"""Whether what is installed is what the checkout asks for: packages, compiled parts, programs, browsers."""

import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from scripts.base.files import ROOT
from scripts.base.packages import other_packages
from scripts.base.processes import run_to_end
from scripts.model.campaign import Backend, Campaign
from scripts.operate.checks import HealthCheck, failed, passed, warning

SETUP = ROOT / ".ci/setup"
ANSWER_S, STOP_S = 120, 30
SHOWN = 3


def check_packages(lock: Path = ROOT / "requirements.lock") -> HealthCheck:
    """Whether the installed Python packages have the versions of the lock."""
    name = "packages"
    others = [
        f"{one.name} is {one.here or 'missing'}, not {' or '.join(one.locked)}"
        for one in other_packages(lock.read_text(encoding="utf-8"))
    ]
    if others:
        more = f" and {len(others) - SHOWN} more" if len(others) > SHOWN else ""
        return failed(name, f"{lock.name}: {', '.join(others[:SHOWN])}{more}; run `make setup`")
    return passed(name, f"the versions of {lock.name}")


def check_installation(setup: Path = SETUP) -> HealthCheck:
    """Whether the programs are installed, and what is built from the sources is built from these."""
    name = "installation"
    if not setup.is_file():
        return warning(name, f"{setup}: is missing, so programs and compiled parts are not checked")
    done = _run([str(setup), "--check"])
    lines = done.stdout.splitlines() or done.stderr.splitlines()
    if lines or done.returncode:
        return failed(name, f"{'; '.join(lines) or 'cannot be checked'}; run `make setup`")
    return passed(name, "programs, compiled parts and files of the services are there and up to date")


def check_bottleneck(bottleneck: Backend) -> HealthCheck:
    """Whether the BESS daemon works, if it is the bottleneck."""
    name = "bottleneck"
    if bottleneck == "embedded":
        return passed(name, "the embedded switch; each round calibrates it")
    done = _run([sys.executable, "-m", "testbed", "bess", "check"])
    if done.returncode:
        return failed(name, f"{_last(done)}; see python -m testbed bess check")
    return passed(name, "the BESS daemon answers; each round calibrates it")


def check_browsers(campaign: Campaign, definition: Path | None = None) -> HealthCheck:
    """Whether the browsers of the campaign's services are prepared, and start.

    Args:
        campaign: the campaign.
        definition: the folder of its definition, if it has one.
    """
    name = "browsers"
    own = ["--definition", str(definition.resolve())] if definition else []
    done = _run([sys.executable, "-m", "services.browser_check", *own, *sorted(campaign.services)])
    return (failed if done.returncode else passed)(name, _last(done).removeprefix("error: "))


def _run(command: Sequence[str]) -> "subprocess.CompletedProcess[str]":
    """Run a command in the checkout. One that does not end in time fails, and none outlives this process."""
    try:
        return run_to_end(
            command,
            limit_s=ANSWER_S,
            stop=signal.SIGTERM,
            patience_s=STOP_S,
            at_end=signal.SIGTERM,
            cwd=ROOT,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
    except subprocess.TimeoutExpired:
        return subprocess.CompletedProcess(command, 1, "", f"no answer within {ANSWER_S} s")


def _last(done: subprocess.CompletedProcess[str]) -> str:
    """The last line that a command wrote."""
    return (done.stdout + done.stderr).strip().rpartition("\n")[2] or f"ended with status {done.returncode}"
