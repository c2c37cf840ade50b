"""The pages of two sample cycles, for all tests, in the places they would have in the archive."""

from pathlib import Path

import pytest

from scripts.site.addresses import Place
from scripts.site.cycle.build_cycle import Target, build_cycle
from tests.charts.sample_files import seal, write_charts, write_cycle
from tests.charts.sample_qoe import write_qoe
from tests.site.pages_read import Site

PLACE = Place("demo", "2026-11-21")


@pytest.fixture(scope="session")
def cycle(tmp_path_factory) -> Path:
    """The snapshot of the sample cycle, in a folder whose name has a space."""
    return charted(write_cycle(tmp_path_factory.mktemp("a cycle")))


def charted(folder: Path) -> Path:
    """The snapshot of a cycle, with its charts."""
    write_charts(folder)
    return seal(folder)


def target_of(place: Place) -> Target:
    """Where the pages of a published cycle stand."""
    return Target(place.pages, place.captures("captures/"), place.label)


def built(root: Path, source: Path, target: Target | None = None) -> Site:
    """The pages of a snapshot below the root of a site, parsed."""
    target = target or target_of(PLACE)
    build_cycle(source, root / target.pages, target)
    return Site(root, target.pages)


@pytest.fixture(scope="session")
def build():
    """Builds the pages of a snapshot below the root of a site."""
    return built


@pytest.fixture(scope="session")
def site(cycle, tmp_path_factory) -> Site:
    """The pages of the sample cycle, parsed."""
    return built(tmp_path_factory.mktemp("web root") / "public", cycle)


@pytest.fixture(scope="session")
def panel(tmp_path_factory) -> Site:
    """The pages of the sample cycle with browsers, parsed."""
    folder = charted(write_qoe(tmp_path_factory.mktemp("a cycle with browsers")))
    return built(tmp_path_factory.mktemp("web root") / "public", folder)


@pytest.fixture(params=["site", "panel"])
def either(request) -> Site:
    """Both sites, one after the other, for the rules of every page."""
    return request.getfixturevalue(request.param)
