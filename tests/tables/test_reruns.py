"""Which jobs an edit reruns: Snakemake's dry run on a measured cycle of empty files."""

import os
import re
import shutil
import subprocess
import sys

import pytest

from scripts.base.files import ROOT
from scripts.base.imports import STAMPS
from scripts.tables.table_list import every_table, names_of
from tests.tables.campaigns import write_campaign

PAIRS = ("iperf-bbr", "iperf-cubic")
TRIALS = [f"8mbps/{pair}/0{number}" for pair in PAIRS for number in (1, 2)]
PLAN = "order,round,setting,pair,trial,duration_s\n" + "".join(
    f"{order},1,8mbps,{pair},{number},12\n"
    for order, (pair, number) in enumerate(((pair, number) for pair in PAIRS for number in (1, 2)), start=1)
)
STEPS = [
    ["plan/config.json", "plan/plan.csv", *(f"plan/specs/{trial}.json" for trial in TRIALS)],
    [f"stamps/{trial}" for trial in TRIALS],
    [f"rows/{trial}/{name}.parquet" for trial in TRIALS for name in names_of("trial")],
    ["compared/comparison.json", "tables/cycle.json", *(f"tables/{name}.parquet" for name in every_table())],
    [f"charts/{name}/.snakemake_timestamp" for name in ("cycle", "trials")],
]
DRY_RUN = [sys.executable, "-m", "snakemake", "-n", "--cores", "1", "--rerun-triggers", "mtime"]
CHARTS = ["data/demo/test/charts/cycle", "data/demo/test/charts/trials"]
TARGET = ["--config", "campaign=demo", "cycle=test", "frozen=True", "--", *CHARTS]


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    """A copy of the project in which every step's files are newer than those of the previous step."""
    root = tmp_path_factory.mktemp("project")
    shutil.copy(ROOT / "Snakefile", root)
    for folder in ("config", "rules", "scripts", "services"):
        shutil.copytree(ROOT / folder, root / folder, ignore=shutil.ignore_patterns("__pycache__"))
    newest = max(path.stat().st_mtime for path in root.rglob("*"))
    cycle = root / "data/demo/test"
    (cycle / "plan").mkdir(parents=True)
    (cycle / "plan/plan.csv").write_text(PLAN)
    write_campaign(cycle / "plan/config.json")
    for number, names in enumerate(STEPS, start=1):
        for path in (cycle / name for name in names):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.touch()
            os.utime(path, (newest + number, newest + number))
    return root, newest + len(STEPS) + 1


@pytest.mark.parametrize(
    ("edited", "rerun"),
    [
        ("scripts/tables/pairs.sql", {"cycle_tables": 1, "cycle_charts": 1, "trial_charts": 1}),
        (
            "scripts/extract/queue_log.py",
            {"extract": 4, "cycle_tables": 1, "cycle_charts": 1, "trial_charts": 1},
        ),
        ("scripts/charts/heatmap.py", {"cycle_charts": 1}),
        ("scripts/charts/sender_state.py", {"trial_charts": 1}),
        (
            "data/demo/test/rows/8mbps/iperf-bbr/02/trial_services.parquet",
            {"cycle_tables": 1, "cycle_charts": 1, "trial_charts": 1},
        ),
    ],
)
def test_an_edit_reruns_only_what_it_concerns(project, edited, rerun):
    root, later = project
    before = (root / edited).stat().st_mtime
    os.utime(root / edited, (later, later))
    done = subprocess.run([*DRY_RUN, *TARGET], cwd=root, capture_output=True, text=True, check=True)
    os.utime(root / edited, (before, before))
    shutil.rmtree(root / STAMPS)  # They are never older than before.
    stats = done.stdout.rpartition("Job stats:")[2]
    jobs = {rule: int(count) for rule, count in re.findall(r"^(\w+) +(\d+)$", stats, re.MULTILINE)}
    assert {"total": sum(rerun.values())} | rerun == jobs
