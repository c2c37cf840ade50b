"""A year of unattended operation with kills, reboots, full disks and an outage ends as one without them.

Most of an hour on two cores. tests/operate/year/ runs it in namespaces of its own, so nothing outlives it.
"""

import json
import os
import subprocess
import sys
from collections import Counter
from typing import Any

import pytest

from scripts.base.files import ROOT
from tests.operate.year.__main__ import CYCLES, KILLS, REBOOTS
from tests.operate.year.faults import PHASES

pytestmark = [
    pytest.mark.soak(minutes=50),
    pytest.mark.skipif(os.geteuid() != 0, reason="a disk of its own needs root"),
]

ALONE = ("unshare", "--mount", "--pid", "--net", "--fork", "--kill-child", "--mount-proc", "sh", "-c")
YEAR = 'ip link set lo up && exec "$0" -m tests.operate.year "$@"'
FULL_DISKS, DAYS_AWAY = 2, 2


@pytest.fixture(scope="module")
def year(tmp_path_factory) -> dict[str, Any]:
    """The report of the year."""
    folder = tmp_path_factory.mktemp("a year")
    with (folder / "log").open("w") as log:
        command = [*ALONE, YEAR, sys.executable, str(folder / "run")]
        done = subprocess.run(command, cwd=ROOT, stdout=log, stderr=log, check=False)
    assert done.returncode == 0, (folder / "log").read_text()[-3000:]
    return json.loads((folder / "run/report.json").read_text())


def test_every_cycle_is_completed_and_on_the_grid(year):
    assert year["slots"] == year["completed"]
    assert CYCLES == len(year["completed"])


def test_the_published_year_is_that_of_an_undisturbed_one(year):
    assert [] == year["problems"]
    assert [] == year["differences"]


def test_every_published_snapshot_has_its_checksums(year):
    assert CYCLES == year["verified"]


def test_the_status_told_the_truth_after_every_run(year):
    assert [] == year["lies"]


def test_old_cycles_are_pruned_and_nothing_is_left(year):
    assert year["kept"] == {
        "trials": year["slots"][-2:],
        "working folders": year["slots"][-1:],
        "left": [],
    }


def test_the_faults_were_there_in_every_phase(year):
    faults = {
        (name.rpartition(" in ")[0], name.rpartition(" in ")[2]): n for name, n in year["faults"].items()
    }
    kinds = Counter[str]()
    for (what, _phase), count in faults.items():
        kinds[what.partition(":")[0]] += count
    assert kinds["tree"] + kinds["one"] + kinds["weed"] == KILLS
    assert (kinds["reboot"], kinds["storage"]) == (REBOOTS, DAYS_AWAY)
    assert kinds["full disk"] == 2 * FULL_DISKS, "each is full for two firings"
    assert {phase for _what, phase in faults} >= PHASES.keys() - {"report"} | {"idle"}
