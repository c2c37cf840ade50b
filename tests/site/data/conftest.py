"""Two sample cycles and a correction with their data, as the archive publishes them."""

from dataclasses import dataclass
from pathlib import Path

import pytest

from scripts.site.addresses import Place
from scripts.site.data.index import write_index
from scripts.site.data.manifest import write_manifest
from scripts.site.data.summarise import write_summary
from scripts.site.data.summary import Summary
from scripts.site.data.tables_v1 import write_tables
from tests.charts.sample_files import seal, write_cycle

PLACES = (Place("demo", "2026-11-21"), Place("demo", "2026-12-05"), Place("demo", "2026-12-05", 2))


@dataclass(frozen=True)
class Archive:
    """A site with data, the snapshot that all its cycles are made from, and their summaries."""

    root: Path
    snapshot: Path
    summaries: dict[Place, Summary]


def pages_of(root: Path, place: Place) -> Path:
    """A folder like that of a cycle's pages."""
    pages = root / place.pages
    for name in (
        "index.html",
        "pairs/8mbps/a~b/index.html",
        "trials/index.html",
        "trials/8mbps/a/01/index.html",
    ):
        (pages / name).parent.mkdir(parents=True, exist_ok=True)
        (pages / name).write_text("<!--status--><!--/status-->")
    for name in ("charts/share-8mbps.svg", "charts/trial-8mbps-iperf-bbr-01.svg", "downloads/config.json"):
        (pages / name).parent.mkdir(exist_ok=True)
        (pages / name).write_text(name)
    return pages


@pytest.fixture(scope="session")
def archive(tmp_path_factory) -> Archive:
    """The data of three published snapshots."""
    cycle = write_cycle(tmp_path_factory.mktemp("a snapshot"))
    chart = cycle / "charts/trials/8mbps/iperf-bbr/trial-8mbps-iperf-bbr-01.svg"
    chart.parent.mkdir(parents=True)
    chart.write_text("a chart")
    seal(cycle)
    root = tmp_path_factory.mktemp("archive") / "public"
    root.mkdir()
    (root / "index.html").write_text("the first page")
    summaries = {}
    for place in reversed(PLACES):
        pages = pages_of(root, place)
        summaries[place] = write_summary(cycle, pages, place, write_tables(cycle, root, place))
        write_manifest(cycle, root, pages, place, "captures/")
    write_index(root, list(summaries.values()))
    return Archive(root, cycle, summaries)
