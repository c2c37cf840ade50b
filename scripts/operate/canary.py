"""Tries each live service alone before a cycle: a canary is a short trial that is no part of the cycle.

A service answers if a trial alone is completed and the service did what it must. One that does not answer
three times in a row is set aside for the cycle (scripts/plan/set_aside.py). If several live services are
there and none answers, the host has no access to the Internet, and the run stops.

    data/<campaign>/<cycle>/canaries/<service>/<nn>.json   specification of a canary
    data/<campaign>/<cycle>/canaries/<service>/<nn>.log    what the testbed said
    data/<campaign>/<cycle>/canaries/<service>/<nn>/       the trial, without its captures

Canaries that exist are not repeated. Once the first round is planned, there are no more.
"""

import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from scripts.base.errors import UserError
from scripts.base.files import read_json
from scripts.base.processes import run_to_end
from scripts.base.records import from_json, read_record, write_record
from scripts.model.campaign import Campaign, TrialTimes, WebTimes
from scripts.model.durations import readable, takes_s
from scripts.model.trials import TrialKey
from scripts.operate.context import Context
from scripts.operate.health import campaign_of
from scripts.plan.set_aside import IN_A_ROW, read_set_aside, write_set_aside
from scripts.plan.specification_writer import specification

FOLDER = "canaries"
FIRST_ROUND = "round-01.csv"


@dataclass(frozen=True)
class _Ended:
    """The part of trial.json that is read here."""

    status: str
    reason: str | None = None


@dataclass(frozen=True)
class _Observed:
    """The part of a client's observation in qoe.json that is read here."""

    unmet: str | None = None


def canaries(context: Context, cycle: str) -> dict[str, str]:
    """Try every live service of the campaign, and set aside those that do not answer.

    Returns:
        The services that are set aside, each with the reason.

    Raises:
        UserError: the testbed refuses a trial, or none of several live services answers.
    """
    folder = context.cycle(cycle)
    if (folder / "plan" / FIRST_ROUND).is_file():
        return read_set_aside(folder / "plan")
    campaign = campaign_of(context)
    live = sorted(name for name, service in campaign.services.items() if service.live)
    silent: dict[str, str] = {}
    for place, service in enumerate(live):
        left = readable(takes_s(context.settings.health.canary_s) * (len(live) - place))
        print(f"canary {place + 1} of {len(live)}: {service}, at least {left} left", flush=True)
        reason = _try(context, _shortened(campaign, context.settings.health.canary_s), cycle, service)
        if reason is not None:
            silent[service] = reason
    _refuse_without_access(live, silent, folder)
    if silent:
        write_set_aside(folder / "plan", silent)
    return silent


def _try(context: Context, campaign: Campaign, cycle: str, service: str) -> str | None:
    """Try a service until it answers, at most three times.

    Returns:
        None if it answers, else the reason of the last time.
    """
    reason = None
    for number in range(1, IN_A_ROW + 1):
        reason = _run(context, campaign, cycle, service, number)
        if reason is None:
            return None
    return reason


def _run(context: Context, campaign: Campaign, cycle: str, service: str, number: int) -> str | None:
    """Run one canary unless it exists; returns why the service did not answer, None if it did."""
    setting = next(name for name, setting in campaign.settings.items() if setting.measures(service))
    key = TrialKey(setting, service, number)
    trial = context.cycle(cycle) / FOLDER / service / key.nn
    if not trial.is_dir():
        write_record(trial.with_suffix(".json"), specification(campaign, cycle, key))
        _measure(_testbed(context.settings.variables), trial)
    for capture in trial.glob("*.zst"):
        capture.unlink()
    return _failure(trial)


def _measure(testbed: list[str], trial: Path) -> None:
    """Run the testbed. A trial ends with this process, however that ends (testbed/isolation.py).

    Raises:
        UserError: it did not run the trial.
    """
    log = trial.with_suffix(".log")
    with log.open("wb") as output:
        done = run_to_end(
            [*testbed, "run", str(trial.with_suffix(".json")), "--into", str(trial)],
            stdout=output,
            stderr=subprocess.STDOUT,
            env=os.environ | {"OBSERVATORY_OWNER": str(os.getpid())},
        )
    if done.returncode:
        said = log.read_text(encoding="utf-8", errors="replace").strip().rpartition("\n")[2]
        why = said.removeprefix("error: ") or f"the testbed ended with status {done.returncode}"
        raise UserError(f"{log}: {why}; mend it and run again")


def _failure(trial: Path) -> str | None:
    """Why the service of a trial did not answer, None if it did.

    The text is one of scripts/model/problems.py or of the testbed, never of a page.
    """
    ended = read_record(_Ended, trial / "trial.json")
    if ended.status != "completed":
        return ended.reason or "the trial failed"
    qoe = trial / "qoe.json"
    observed = read_json(qoe) if qoe.is_file() else {}
    clients = [from_json(_Observed, observation, str(qoe)) for observation in observed.values()]
    return next((client.unmet for client in clients if client.unmet), None)


def _refuse_without_access(live: list[str], silent: Mapping[str, str], folder: Path) -> None:
    """Stop if none of several live services answers. The canaries are forgotten: the next run tries again."""
    if len(live) > 1 and len(silent) == len(live):
        shutil.rmtree(folder / FOLDER)
        service, reason = next(iter(silent.items()))
        raise UserError(
            f"none of {len(live)} live services answers ({service}: {reason}); "
            "look at this host's access to the Internet and run again"
        )


def _shortened(campaign: Campaign, canary_s: int) -> Campaign:
    """The campaign with trials as long as a canary; that of a web page is one load."""
    web = WebTimes(lead_s=0, loads=1, gap_s=1, limit_s=canary_s)
    times = TrialTimes(
        duration_s=canary_s, ignore_first_s=0, ignore_last_s=0, start_jitter_s=0, web=web, kinds={}
    )
    settings = {name: replace(setting, trial=None) for name, setting in campaign.settings.items()}
    return replace(campaign, trial=times, settings=settings)


def _testbed(variables: Mapping[str, str | bool]) -> list[str]:
    """The command of the testbed."""
    named = variables.get("testbed")
    return shlex.split(named) if isinstance(named, str) else [sys.executable, "-m", "testbed"]
