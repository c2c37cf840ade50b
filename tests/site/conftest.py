"""Two sites for all tests, built from the sample cycles by the users' commands."""

from pathlib import Path

import pytest

from scripts.site.__main__ import main as make_site
from tests.charts.sample_files import write_charts, write_cycle
from tests.charts.sample_qoe import write_qoe
from tests.site.pages_read import Site


@pytest.fixture(scope="session")
def cycle(tmp_path_factory) -> Path:
    """The sample cycle with its charts, in a folder whose name has a space."""
    return charted(write_cycle(tmp_path_factory.mktemp("a cycle")))


def charted(folder: Path) -> Path:
    """The folder of a cycle, with its charts."""
    write_charts(folder)
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
    """The built site of the sample cycle, parsed."""
    output = tmp_path_factory.mktemp("web root") / "public"
    assert build(output) == 0
    return Site(output)


@pytest.fixture(scope="session")
def panel(build, tmp_path_factory) -> Site:
    """The built site of the sample cycle with browsers, parsed."""
    folder = charted(write_qoe(tmp_path_factory.mktemp("a cycle with browsers")))
    assert build(folder / "public", folder) == 0
    return Site(folder / "public")


@pytest.fixture(params=["site", "panel"])
def either(request) -> Site:
    """Both sites, one after the other, for the rules of every page."""
    return request.getfixturevalue(request.param)
