"""Pages of the first trials: Snakemake's dry run of a cycle whose first round is planned."""

import re
import subprocess
import sys

import pytest

from scripts.base.files import ROOT
from scripts.plan.campaign_file import main as merge
from scripts.plan.rounds import main as rounds


def planned(data, *variables):
    """The jobs of a cycle up to its second round, by rule."""
    command = [
        sys.executable,
        "-m",
        "snakemake",
        "-n",
        "--nolock",
        "--cores",
        "2",
        "--rerun-triggers",
        "mtime",
    ]
    config = ["--config", f"data={data}", "campaign=demo", "cycle=test", *variables]
    target = f"{data}/demo/test/plan/round-02.csv"
    done = subprocess.run(
        [*command, *config, "--", target], cwd=ROOT, capture_output=True, text=True, check=True
    )
    stats = done.stdout.rpartition("Job stats:")[2]
    return {rule: int(count) for rule, count in re.findall(r"^(\w+) +(\d+)$", stats, re.MULTILINE)}


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    """A demonstration with its first round."""
    data = tmp_path_factory.mktemp("data")
    plan = data / "demo/test/plan"
    plan.mkdir(parents=True)
    merge(["demo", "-o", str(plan / "config.json")])
    folders = ["--rows", str(data / "rows"), "--trials", str(data / "trials"), "-o", str(plan)]
    rounds(["write", "1", str(plan / "config.json"), "--cycle", "test", *folders])
    return data


@pytest.mark.parametrize(("variables", "pages"), [((), 1), (("provisional=False",), 0)])
def test_the_first_trials_have_pages_before_the_second_round(data, variables, pages):
    jobs = planned(data, *variables)
    assert (24, 24, pages) == (jobs["trial"], jobs["extract"], jobs.get("first_pages", 0))
