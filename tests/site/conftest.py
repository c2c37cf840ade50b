"""The pages of two sample cycles, in the places they would have in the archive, and a whole archive."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from scripts.base.files import ROOT
from scripts.model.operation import status_text
from scripts.site.addresses import Place
from scripts.site.archive import build_archive
from scripts.site.cycle import build_cycle as build_cycle_module
from scripts.site.cycle.build_cycle import PagesTarget, build_cycle
from scripts.site.root import editorial_pages
from tests.charts.sample_files import seal, write_charts, write_cycle, write_stand_ins
from tests.charts.sample_qoe import write_qoe
from tests.services.local_site import local_browser
from tests.site.archives import SETTINGS
from tests.site.pages_read import Site
from tests.site.reader import Reader
from tests.site.root.sample_operation import OPERATION
from tests.site.sample_flows import EXPECTED, MOVING, with_stand_ins, write_flows
from tests.site.sample_fmp import write_fmp
from tests.site.sample_stack_cycles import write_stack_cycle
from tests.site.serving import Server

PLACE = Place("demo", "2026-11-21")

EDITORIAL = """---
title: What we found in 2026
description: Who takes what from whom.
cycles: [demo/2026-11-21]
---

## BBR against Cubic

BBR got {{< figure setting=8mbps service=iperf-bbr contender=iperf-cubic metric=share >}}.

{{< chart name=dots-8mbps >}}
"""


@pytest.fixture(scope="session")
def cycle(tmp_path_factory) -> Path:
    """The snapshot of the sample cycle, in a folder whose name has a space."""
    return charted(write_cycle(tmp_path_factory.mktemp("a cycle")))


def charted(folder: Path) -> Path:
    """The snapshot of a cycle, with its charts."""
    write_charts(folder)
    return seal(folder)


def target_of(place: Place) -> PagesTarget:
    """Where the pages of a published cycle stand."""
    return PagesTarget(place.pages, place.captures("captures/"), place.label)


def built(root: Path, source: Path, target: PagesTarget | None = None) -> Site:
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


@pytest.fixture(scope="session")
def flows(tmp_path_factory) -> Site:
    """The pages of the sample cycle of generated flows, with an expectation, parsed."""
    folder = with_stand_ins(charted(write_flows(tmp_path_factory.mktemp("a cycle of flows"))))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(
            build_cycle_module, "expectation_summaries", lambda campaign, tables: (EXPECTED, MOVING)
        )
        return built(tmp_path_factory.mktemp("web root") / "public", folder)


@pytest.fixture(scope="session")
def fmp(tmp_path_factory) -> Site:
    """The pages of the sample cycle of a large sweep, without charts of trials, parsed."""
    folder = write_fmp(tmp_path_factory.mktemp("a cycle of a large sweep"))
    write_charts(folder, "cycle")
    return built(tmp_path_factory.mktemp("web root") / "public", seal(folder))


@pytest.fixture(params=["site", "panel", "flows", "fmp"])
def either(request) -> Site:
    """These sites, one after the other, for the rules of every page."""
    return request.getfixturevalue(request.param)


@pytest.fixture(scope="session")
def published(tmp_path_factory) -> Site:
    """An archive with every kind of page: the pinned snapshot, a cycle with calls, and one of a stack."""
    folder = tmp_path_factory.mktemp("an archive")
    (folder / "snapshots").mkdir()
    (folder / "snapshots/demo-2026-11-21").symlink_to(ROOT / "data/snapshots/reference")
    later = write_qoe(folder / "snapshots/demo-2027-01-02")
    write_charts(later)
    seal(later, "2027-01-02")
    stack = write_stack_cycle(folder / "snapshots/stacks-ngtcp2-2026-12-01", "0.12.1", seed=1)
    write_stand_ins(stack)
    seal(stack, "2026-12-01", campaign="stacks-ngtcp2")
    (folder / "status.json").write_text(status_text(OPERATION))
    (folder / "findings").mkdir()
    (folder / "findings/2026.md").write_text(EDITORIAL)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(editorial_pages, "TEXTS", folder / "findings")
        build_archive(folder / "snapshots", folder / "public", SETTINGS, folder / "status.json")
    return Site(folder / "public")


@pytest.fixture(scope="session")
def reader(published, tmp_path_factory) -> Iterator[Reader]:
    """A browser and the archive, served by the command with its headers."""
    if shutil.which("chromium") is None:
        pytest.skip("needs Chromium")
    with (
        Server.of_command(published.root, ROOT / "data/snapshots") as server,
        local_browser(tmp_path_factory.mktemp("browser")) as page,
    ):
        yield Reader(page, f"http://127.0.0.1:{server.port}/")
