"""`snakemake -n` after the first round of the paper's cycle is planned, beside as many bare jobs."""

import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from tests.bench.process import ROOT, RUNS, Size, cost

SERVICES = {"full": 12, "tiny": 1}
TRIALS = {"full": 1800, "tiny": 40}
"""All pairs and solos of so many services, ten times in two settings. The paper has 12 services."""
PARTS = ("config", "rules", "scripts", "services", "site", "testbed")
SERVICE = (
    "name: {0}\ntitle: {0}\ncategory: Baseline\ndriver: iperf\ncca: cubic\nflows: 1\nprobe: {{port: 5202}}\n"
)
BARE = """
rule all:
    input: [f"b/{n}" for n in range(TRIALS)]


rule a:
    input: "Snakefile"
    output: "a/{n}"
    shell: "touch {output}"


rule b:
    input: "a/{n}"
    output: "b/{n}"
    shell: "touch {output}"

"""


def measure(size: Size) -> Iterator[tuple[str, float, str]]:
    """Seconds for our rules (two jobs a trial), and for two bare jobs a trial."""
    with tempfile.TemporaryDirectory() as scratch:
        project, bare = Path(scratch, "project"), Path(scratch, "bare")
        for part in PARTS:
            shutil.copytree(ROOT / part, project / part, ignore=shutil.ignore_patterns("__pycache__"))
        shutil.copyfile(ROOT / "Snakefile", project / "Snakefile")
        services = [f"s{number:02d}" for number in range(1, SERVICES[size] + 1)]
        for name in services:
            (project / f"services/catalogue/{name}.yaml").write_text(SERVICE.format(name))
        with (project / "config/campaigns/watchdog.yaml").open("a") as campaign:
            campaign.write(f"services: [{', '.join(services)}]\n")
        first = [*_snakemake("--quiet", "all"), "--", "data/watchdog/bench/plan/round-01.csv"]
        subprocess.run(first, cwd=project, check=True, capture_output=True)
        ours = cost(_snakemake("-n", "--quiet", "all"), RUNS[size], project)
        yield f"snakemake -n, {TRIALS[size]} trials", ours.wall_s, "s"
        bare.mkdir()
        (bare / "Snakefile").write_text(f"TRIALS = {TRIALS[size]}\n{BARE}")
        floor = cost(_snakemake("-n", "--quiet", "all"), RUNS[size], bare)
        yield "snakemake -n, as many bare jobs (the floor)", floor.wall_s, "s"


def _snakemake(*words: str) -> list[str]:
    """Snakemake in the folder of a project, the way `make cycle` calls it."""
    command = [sys.executable, "-m", "snakemake", "--nolock", "--cores", "all", "--scheduler", "greedy"]
    return [*command, *words, "--config", "campaign=watchdog", "cycle=bench"]
