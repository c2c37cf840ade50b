"""The time to build the pages about all cycles: 52 cycles of 15 services in two settings."""

import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from tests.bench.process import Size, cost

CYCLES = {"full": 52, "tiny": 2}
SERVICES = {"full": 15, "tiny": 3}

GENERATE = (
    "from pathlib import Path; from tests.site.root.sample_archive import write_many; "
    "write_many(Path({!r}), {}, {})"
)
BUILD = (
    "from pathlib import Path; from scripts.site.root.build_root import build_root; "
    "from tests.site.root.sample_archive import SETTINGS; build_root(Path({!r}), SETTINGS, {{}}, ())"
)


def measure(size: Size) -> Iterator[tuple[str, float, str]]:
    """Seconds, the most memory of one of its processes, and the number and size of the files."""
    with tempfile.TemporaryDirectory() as scratch:
        site = Path(scratch) / "public"
        cost([sys.executable, "-c", GENERATE.format(str(site), CYCLES[size], SERVICES[size])])
        summaries = sum(path.is_file() for path in site.rglob("*"))
        building = cost([sys.executable, "-c", BUILD.format(str(site))])
        made = [path.stat().st_size for path in site.rglob("*") if path.is_file()]
        what = f"root of {CYCLES[size]} cycles"
        yield what, building.wall_s, "s"
        yield f"{what}: CPU", building.cpu_s, "s"
        yield f"{what}: largest process", building.peak_mib, "MiB"
        yield f"{what}: files", len(made) - summaries, "files"
        yield f"{what}: with summaries", sum(made) / 2**20, "MiB"
