"""One site for all tests of it, built from the sample cycle by the commands a user would run."""

from pathlib import Path

import pytest

from scripts.charts.__main__ import main as make_charts
from scripts.site.__main__ import main as make_site
from tests.charts.sample_files import write_cycle
from tests.site.pages_read import Site


@pytest.fixture(scope="session")
def cycle(tmp_path_factory) -> Path:
    """The sample cycle with its charts, in a folder whose name has a space."""
    folder = write_cycle(tmp_path_factory.mktemp("a cycle"))
    tables, charts = str(folder / "tables"), str(folder / "charts")
    assert make_charts([tables, "-o", charts, "--config", str(folder / "merged.json")]) == 0
    return folder


def arguments(cycle: Path, output: Path) -> list[str]:
    """The command line that builds the site of a cycle."""
    return [
        "--tables", str(cycle / "tables"), "--charts", str(cycle / "charts"),
        "--published", str(cycle / "published"), "--config", str(cycle / "merged.json"),
        "--provenance", str(cycle / "cycle.json"), "-o", str(output),
    ]  # fmt: skip


@pytest.fixture(scope="session")
def build(cycle):
    """Builds the sample's site into a folder; gives the command's exit status."""
    return lambda output, source=cycle: make_site(arguments(source, output))


@pytest.fixture(scope="session")
def site(build, tmp_path_factory) -> Site:
    """The built site, parsed."""
    output = tmp_path_factory.mktemp("web root") / "public"
    assert build(output) == 0
    return Site(output)
