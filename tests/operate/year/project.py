"""A copy of the project that measures a simulated campaign, by the command line of the timer."""

import json
import os
import shutil
import subprocess
import sys
from datetime import datetime
from pathlib import Path

import yaml

from scripts.base.files import ROOT
from scripts.operate.context import Clock, Context, iso
from scripts.operate.settings import read_settings
from tests.environment import search_path
from tests.simulated.project import PARTS, copy_parts

CAMPAIGN = "simulated"
SERVICES = ["iperf-bbr", "iperf-cubic"]
TRIALS = {"solo": 0, "solo_attempts": 0, "round": 2, "most": 2, "attempts": 4}
TRIAL_S = {"duration_s": 10, "ignore_first_s": 2, "ignore_last_s": 2}
BEHAVIOURS = {name: {"fails": 0.05, "spread_mbps": 0.5} for name in (*SERVICES, "~".join(SERVICES))}
"""5 % of the trials fail. Their seeds decide it, so a trial fails in every year or in none."""
ANCHOR, PERIOD_DAYS, STALE_DAYS = "2026-12-07", 14, 21
RESERVE_GB = 0.02
SETTINGS = "config/operate.yaml"


class Observatory:
    """The copy. Its data, its site and its temporary files are in `root`, too; what runs say is in `said`."""

    def __init__(self, root: Path, said: Path, remote: str, rclone_config: Path | None = None) -> None:
        self.root, self.said, self.temporary = root, said, root / ".tmp"
        copy_parts((*PARTS, "site/common", "site/cycle", "site/root"), root)
        for name in ("Snakefile", "requirements.lock", "site/package.json"):
            shutil.copyfile(ROOT / name, root / name)
        (root / "site/node_modules").symlink_to((ROOT / "site/node_modules").resolve())
        (root / "behaviours.json").write_text(json.dumps(BEHAVIOURS))
        self._configure(remote, rclone_config)
        self.temporary.mkdir()

    def _configure(self, remote: str, rclone_config: Path | None) -> None:
        campaign = {"title": "Simulated", "services": SERVICES, "pairs": ["~".join(SERVICES)]}
        campaign |= {"settings": {"50mbps": None}, "trials": TRIALS, "trial": TRIAL_S}
        (self.root / "config/campaigns/simulated.yaml").write_text(yaml.safe_dump(campaign))
        operation = yaml.safe_load((ROOT / SETTINGS).read_text(encoding="utf-8"))
        operation |= {
            "campaign": CAMPAIGN,
            "schedule": {"anchor": ANCHOR, "period_days": PERIOD_DAYS, "stale_days": STALE_DAYS},
            "variables": {
                "testbed": "python -m tests.simulated.testbed behaviours.json",
                "provisional": False,
            },
            "publish": {
                "remote": remote,
                "rclone_config": str(rclone_config) if rclone_config else None,
                "sample": 5,
            },
            "health": {"disk_reserve_gb": RESERVE_GB, "load_fraction": 1, "clock": "warning", "canary_s": 5},
        }
        (self.root / SETTINGS).write_text(yaml.safe_dump(operation))

    def command(self, name: str, now: datetime, *options: str) -> list[str]:
        """A command of unattended operation at a time."""
        return [sys.executable, "-m", "scripts.operate", name, "--now", iso(now), *options]

    def start(self, now: datetime) -> subprocess.Popen:
        """Start a run, as the timer does, in a session of its own."""
        with self.said.open("ab") as said:
            return subprocess.Popen(
                self.command("run", now),
                cwd=self.root,
                env=os.environ | {"TMPDIR": str(self.temporary), "PATH": search_path()},
                stdin=subprocess.DEVNULL,
                stdout=said,
                stderr=said,
                start_new_session=True,
            )

    def context(self, now: datetime) -> Context:
        """The context of a command at a time, for calls within this process."""
        settings = read_settings(self.root / SETTINGS)
        return Context(settings, self.root / "data", self.root / "public", Clock(now))
