"""The pages of a generated cycle of the paper's size, beside Hugo on an empty site."""

import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from scripts.site.addresses import Place
from tests.bench.generated_snapshot import CAMPAIGN, CYCLE
from tests.bench.process import RUNS, Size, cost, cost_of_all
from tests.site.pages_read import parse

SHAPES = {"full": (15, 7, 600), "tiny": (1, 1, 10)}
"""Services, trials of each pair, seconds of a trial. The paper has 12, 10 and 600, so 90 trials less."""

PLACE = Place(CAMPAIGN, CYCLE)
BUILD = """
import sys
from pathlib import Path
from scripts.site.cycle.build_cycle import PagesTarget, build_cycle
source, output, pages, captures, label = sys.argv[1:]
build_cycle(Path(source), Path(output), PagesTarget(pages, captures, label))
"""


def measure(size: Size) -> Iterator[tuple[str, float, str]]:
    """The cost of building the pages of a cycle, and their size; the seconds of an empty site."""
    with tempfile.TemporaryDirectory() as scratch:
        snapshot, root = Path(scratch, "snapshot"), Path(scratch, "public")
        shape = map(str, SHAPES[size])
        cost([sys.executable, "-m", "tests.bench.generated_snapshot", snapshot, *shape])
        where = (root / PLACE.pages, PLACE.pages, PLACE.captures("captures/"), PLACE.label)
        ours = cost_of_all([sys.executable, "-c", BUILD, snapshot, *where])
        yield "the pages of a cycle", ours.wall_s, "s"
        yield "  peak memory of all processes", ours.peak_mib, "MiB"
        yield from _sizes(root)
        empty = Path(scratch, "empty")
        (empty / "content").mkdir(parents=True)
        (empty / "hugo.toml").write_text('disableKinds = ["taxonomy", "term"]\n')
        hugo = [sys.executable, "-m", "hugo", "--quiet", "--source", empty]
        yield "hugo on an empty site (the floor)", cost(hugo, RUNS[size]).wall_s, "s"


def _sizes(root: Path) -> Iterator[tuple[str, float, str]]:
    """Files and bytes of the pages, and the size of the front page."""
    files = [path for path in (root / PLACE.pages).rglob("*") if path.is_file()]
    home = root / PLACE.pages / "index.html"
    yield "  files", len(files), "files"
    yield "  size", sum(path.stat().st_size for path in files) / 1e6, "MB"
    yield "  the front page", home.stat().st_size / 1e3, "kB"
    yield "  its elements", sum(1 for _ in parse(home.read_text(encoding="utf-8")).iter()), "elements"
