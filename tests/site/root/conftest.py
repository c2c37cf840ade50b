"""The pages about all cycles of the sample archive, parsed; those with scripts, in a browser."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from scripts.site.root.build_root import build_root
from scripts.snapshot.identity import Provisional
from tests.services.local_site import local_browser
from tests.site.pages_read import Site
from tests.site.root.browsed import Browsed
from tests.site.root.sample_archive import SETTINGS, TOMBSTONES, write_archive
from tests.site.root.sample_operation import OPERATION
from tests.site.root.sample_tables_site import write_tables_site
from tests.site.served import serving


@pytest.fixture(scope="session")
def archive(tmp_path_factory) -> Site:
    """The root's pages of the sample archive with a running cycle, in a folder whose name has a space."""
    site = tmp_path_factory.mktemp("the root") / "public"
    write_archive(site)
    provisional = site / "provisional/watchdog/index.html"
    provisional.parent.mkdir(parents=True)
    provisional.write_text("<p>provisional</p>")
    build_root(site, SETTINGS, TOMBSTONES, [Provisional("watchdog", "2027-01-01", 12, 1234)], OPERATION)
    return Site(site)


@pytest.fixture
def build(tmp_path) -> Callable[..., Site]:
    """Builds the root's pages of a site that a function writes."""

    def built(write: Callable[[Path], object], tombstones=None, settings=SETTINGS, name="public") -> Site:
        site = tmp_path / name
        site.mkdir()
        write(site)
        build_root(site, settings, tombstones or {}, ())
        return Site(site)

    return built


@pytest.fixture(scope="session")
def browsed(tmp_path_factory) -> Iterator[Browsed]:
    """A browser on a served site with tables."""
    root = write_tables_site(
        tmp_path_factory.mktemp("tables") / "public", tmp_path_factory.mktemp("snapshots")
    )
    folder = tmp_path_factory.mktemp("browser")
    with serving(root) as served, local_browser(folder) as browser:
        yield Browsed(browser, served, root, folder / "kept")
