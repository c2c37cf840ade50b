"""Lets two services compete in one trial, without a campaign, and prints what each got.

    python -m testbed pair iperf-bbr iperf-cubic
    python -m testbed pair services/stacks/ngtcp2:bbr iperf-cubic --setting 50mbps --seconds 120
    python -m testbed pair iperf-reno iperf-cubic --campaign queue-sweep --setting 8mbps-queue-bdp-8

A and B are services of services/catalogue/, or folders with an endpoint.yaml (docs/endpoints.md); FOLDER:NAME
chooses one of its congestion controls. What each got is its share of the link, its loss and its queueing
delay. One trial proves nothing: `observatory gate` measures as many as a verdict needs.

Exit status: 0 the trial counts; 1 it does not; 2 an error that the user can fix; 130 or 143 an interrupt.
"""

import json
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from scripts.base.errors import UserError
from scripts.base.files import write_text
from scripts.base.records import Json
from scripts.model.given import campaign_settings, given_service, given_settings
from scripts.model.pairs import pair_name

IGNORED_FIRST, IGNORED_LAST_S = 0.2, 1
"""The steady window leaves out this part of the trial at its start, and so many seconds at its end."""

LEAST_S = 5
ONCE = ("solo", "solo_attempts", "round", "most", "attempts", "counted", "counted_attempts")


def run_pair(
    first: str, second: str, setting: str, seconds: int, folder: Path, campaign: str | None = None
) -> int:
    """Run the trial, print what each service got, and leave a picture and all files in a new folder.

    Args:
        first: a service of the catalogue, or an endpoint's folder.
        second: likewise.
        setting: the link.
        seconds: the length of the trial.
        folder: a folder that does not exist.
        campaign: the campaign that has the setting; None: config/config.yaml has it.

    Returns:
        0 if the trial counts, 1 if it does not, or the status of a command that failed and has said why.

    Raises:
        UserError: a service is unknown, the setting is, the campaign is, the trial is too short, or the
            folder exists.
    """
    if seconds < LEAST_S:
        raise UserError(f"--seconds: is {seconds}; it must be at least {LEAST_S}")
    try:
        folder.mkdir(parents=True)
    except FileExistsError:
        raise UserError(f"{folder}: exists already; remove it, or name another folder by --into") from None
    plan, pair = folder / "plan", None
    try:
        pair = _planned(folder / "definition", (first, second), setting, seconds, plan, campaign)
    finally:
        if pair is None:
            shutil.rmtree(folder)
    if pair is None:
        return 2
    where = Path(setting, pair, "01")
    trial, rows, config = folder / "trials" / where, folder / "rows" / where, plan / "config.json"
    places = ("--published", folder / "published" / where, "--parquet", folder / "parquet" / where)
    key = folder / "private/pseudonyms.key"
    status = (
        _run("testbed", "run", (plan / "specs" / where).with_suffix(".json"), "--into", trial)
        or _run(
            "scripts.tables.measured_trial", trial, *places, "--rows", rows, "--config", config, "--key", key
        )
        or _run("scripts.charts.one_trial", rows, "--config", config, "-o", folder)
    )
    if (logs := trial / "logs").is_dir():
        print(f"Packets, and the log of the queue: {trial}")
        print(f"Logs: {logs}")
    return status


def _planned(
    definition: Path, names: Sequence[str], setting: str, seconds: int, plan: Path, campaign: str | None
) -> str | None:
    """Plan the trial; return the name of its pair, or None if the plan refuses it and has said why."""
    services = [given_service(name, definition) for name in names]
    pair = pair_name(services)
    settings = (
        campaign_settings(campaign, "--campaign") if campaign else given_settings([setting], "--setting")
    )
    _write_campaign(definition, services, pair, settings, seconds)
    return None if _run("scripts.plan.one_trial", definition, setting, pair, "-o", plan) else pair


def _write_campaign(
    definition: Path, services: Sequence[str], pair: str, settings: dict[str, Json], seconds: int
) -> None:
    """Write the definition of a campaign with one pair."""
    content: dict[str, Json] = {
        "title": "One pair",
        "services": list(dict.fromkeys(services)),
        "pairs": [pair],
        "settings": settings,
        "trials": dict.fromkeys(ONCE, 1),
        "trial": {
            "duration_s": seconds,
            "ignore_first_s": round(IGNORED_FIRST * seconds),
            "ignore_last_s": IGNORED_LAST_S,
        },
    }
    write_text(definition / "campaign.yaml", json.dumps(content, indent=1) + "\n")


def _run(module: str, *words: object) -> int:
    """Run a command of this project, and return its exit status."""
    return subprocess.run([sys.executable, "-m", module, *map(str, words)], check=False).returncode
