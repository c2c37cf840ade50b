"""Trials over a real Slurm, beside trials without it: the time between two trials, and what follows them.

    python -m tests.bench.hosts TRIALS

measures what follows so many trials, in one job for each 50, and on one host.
"""

import math
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterator
from itertools import combinations_with_replacement, pairwise
from pathlib import Path

from scripts.base.files import read_json
from scripts.model.plan_file import read_plan
from tests.bench.process import Size
from tests.hosts.cluster import Cluster, is_possible, running
from tests.hosts.project import Project
from tests.simulated import testbed
from tests.simulated.project import PAIR

GAPS = {"full": 20, "tiny": 3}
"""The trials between which the time is measured, on two hosts."""
FOLLOWED = {"full": 42, "tiny": 2}
"""The trials whose files are made."""
SERVICES = ["iperf-bbr", "iperf-bbr-1mbps", "iperf-bbr-5", "iperf-cubic", "iperf-reno", "iperf-reno-1mbps"]
PAIRS = ["~".join(pair) for pair in combinations_with_replacement(SERVICES, 2)]
"""A pair has at most 99 trials, so many trials need many pairs."""
BATCH = 50
NS = 1e9


def measure(size: Size) -> Iterator[tuple[str, float, str]]:
    """Seconds between trials, and what follows many trials. Nothing without Slurm, or without root."""
    if not is_possible():
        return
    with tempfile.TemporaryDirectory() as scratch, running(Path(scratch, "slurm")) as cluster:
        count = GAPS[size]
        project = _project(Path(scratch, "gaps"), count, [PAIR], batch_trials=BATCH)
        run = project.start(cluster, "several")
        assert run.wait() == 0, project.simulated.errors()
        yield "between two trials on a host, Slurm", _gap_s(project), "s"
        project.events.unlink()
        for number in range(1, count + 1):
            _measure_alone(project, number)
        yield "between two trials on a host, without Slurm", _gap_s(project), "s"
        yield from followed(Path(scratch, "followed"), cluster, FOLLOWED[size])


def followed(folder: Path, cluster: Cluster, count: int) -> Iterator[tuple[str, float, str]]:
    """Seconds until the rows and the published form of about so many trials are there, on two cores."""
    pairs = PAIRS if count >= len(PAIRS) else [PAIR]
    size = min(BATCH, count // 2)
    project = _project(folder, count // len(pairs), pairs, batch_partition="other", batch_trials=size)
    count = _plan_and_measure(project)
    cycle = project.cycle("several").relative_to(project.simulated.root)
    keys = [line.key.path for line in read_plan(project.simulated.root / cycle / "plan/round-01.csv")]
    files = [cycle / f"rows/{key}/trial_services.parquet" for key in keys]
    alone_s = _snakemake(project, files)
    yield f"what follows {count} trials, on one host", alone_s, "s"
    for name in ("parquet", "rows", "published", "stamps/batches"):
        shutil.rmtree(project.cycle("several") / name, ignore_errors=True)
    batches = range(1, 1 + math.ceil(count / size))
    stamps = [cycle / f"stamps/batches/round-01/{number:03d}" for number in batches]
    batched_s = _snakemake(project, stamps, "slurm=True", environment=cluster.environment)
    yield f"what follows {count} trials, in batches over Slurm", batched_s, "s"
    yield "batches beside one host", 100 * (batched_s / alone_s - 1), "% more"


def _project(folder: Path, count: int, pairs: list[str], **slurm: object) -> Project:
    """A project whose campaign has so many trials of each pair."""
    folder.mkdir()
    numbers = {"solo": 0, "solo_attempts": 0, "round": count, "most": count, "attempts": count}
    return Project(folder, numbers, pairs, services=SERVICES, **slurm)


def _gap_s(project: Project) -> float:
    """The median time between the end of a trial and the beginning of the next one on its host."""
    by_host = defaultdict(list)
    for began, ended, host, name in sorted(project.measurements()):
        if "calibration" not in name:
            by_host[host].append((began, ended))
    gaps = [later[0] - earlier[1] for spans in by_host.values() for earlier, later in pairwise(spans)]
    return statistics.median(gaps) / NS


def _measure_alone(project: Project, number: int) -> None:
    """Measure a trial of the cycle again on this host, without Snakemake and Slurm."""
    into = project.cycle("several") / f"trials/8mbps/{PAIR}/{number:02d}"
    shutil.rmtree(into)
    command = [sys.executable, "-m", "scripts.hosts", "measure", str(into)]
    command += ["--testbed", "python -m tests.simulated.testbed behaviours.json"]
    environment = {**os.environ, "OBSERVATORY_HOST": "tb1"}
    subprocess.run(
        command, cwd=project.simulated.root, env=environment, check=True, stderr=subprocess.DEVNULL
    )


def _plan_and_measure(project: Project) -> int:
    """Plan the first round, and make its trials without waiting for them.

    Returns:
        How many there are.
    """
    cycle = project.cycle("several")
    _snakemake(project, [cycle.relative_to(project.simulated.root) / "plan/round-01.csv"])
    behaviours = read_json(project.simulated.root / "behaviours.json")
    del behaviours["hosts"]
    specifications = [*(cycle / "plan/specs").glob("*/*/*.json")]
    for path in specifications:
        key = path.with_suffix("").relative_to(cycle / "plan/specs")
        testbed.run(behaviours, read_json(path), cycle / "trials" / key)
        (cycle / "stamps" / key).parent.mkdir(parents=True, exist_ok=True)
        (cycle / "stamps" / key).touch()
    return len(specifications)


def _snakemake(
    project: Project, targets: list[Path], *variables: str, environment: dict[str, str] | None = None
) -> float:
    """Run Snakemake until the targets are there.

    Returns:
        How long it took, s.
    """
    command = [sys.executable, "-m", "snakemake", *map(str, targets), "--nolock", "--cores", "2", "--quiet"]
    command += [
        "all",
        "--scheduler",
        "greedy",
        "--config",
        "data=several",
        "campaign=simulated",
        "cycle=test",
    ]
    began = time.monotonic()
    subprocess.run([*command, *variables], cwd=project.simulated.root, env=environment, check=True)
    return time.monotonic() - began


def main() -> int:
    """Measure what follows so many trials."""
    (count,) = map(int, sys.argv[1:])
    with tempfile.TemporaryDirectory() as scratch, running(Path(scratch, "slurm")) as cluster:
        for what, figure, unit in followed(Path(scratch, "followed"), cluster, count):
            print(f"{what:<60} {figure:>10,.4g} {unit}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
