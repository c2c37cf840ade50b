"""Which jobs an edited table reruns: Snakemake's dry run on a measured cycle of empty files."""

import os
import re
import shutil
import subprocess
import sys

from scripts.base.files import ROOT
from scripts.tables.table_list import EXTRACTED, names_of
from tests.tables.campaigns import write_campaign

TRIAL = "8mbps/iperf-bbr/01"
PLAN = "order,round,setting,pair,trial,duration_s\n1,1,8mbps,iperf-bbr,1,12\n"
STEPS = [
    ["plan/config.json", "plan/plan.csv", f"plan/specs/{TRIAL}.json"],
    [f"stamps/{TRIAL}"],
    [f"parquet/{TRIAL}/{name}.parquet" for name in EXTRACTED],
    [f"rows/{TRIAL}/{name}.parquet" for name in names_of("trial")],
    [
        f"tables/{name}.{form}"
        for name in names_of("trial") + names_of("cycle")
        for form in ("parquet", "csv")
    ],
]
DRY_RUN = [sys.executable, "-m", "snakemake", "-n", "--cores", "1", "--rerun-triggers", "mtime"]
TARGET = ["--config", "campaign=demo", "cycle=test", "frozen=True", "--", "data/demo/test/tables/pairs.csv"]


def test_an_edited_cycle_table_reruns_no_trial(tmp_path):
    """In a copy of the project, every step's files are newer than those of the previous step."""
    shutil.copy(ROOT / "Snakefile", tmp_path)
    for folder in ("config", "rules", "scripts", "services"):
        shutil.copytree(ROOT / folder, tmp_path / folder, ignore=shutil.ignore_patterns("__pycache__"))
    newest = max(path.stat().st_mtime for path in tmp_path.rglob("*"))
    cycle = tmp_path / "data/demo/test"
    (cycle / "plan").mkdir(parents=True)
    (cycle / "plan/plan.csv").write_text(PLAN)
    write_campaign(cycle / "plan/config.json")
    for number, names in enumerate(STEPS, start=1):
        for path in (cycle / name for name in names):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.touch()
            os.utime(path, (newest + number, newest + number))
    edited = newest + len(STEPS) + 1
    os.utime(tmp_path / "scripts/tables/pairs.sql", (edited, edited))
    done = subprocess.run([*DRY_RUN, *TARGET], cwd=tmp_path, capture_output=True, text=True, check=True)
    stats = done.stdout.rpartition("Job stats:")[2]
    assert ["cycle_tables", "total"] == re.findall(r"^(\w+) +\d+$", stats, re.MULTILINE)
