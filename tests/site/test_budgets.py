"""The bytes of pages and style sheets, and the lengths of pages, are within their budgets."""

import shutil

import pytest

from scripts.base.files import ROOT
from tests.services.local_site import local_browser
from tests.site.budgets import too_large, too_long
from tests.site.pages_read import Site
from tests.site.reader import Reader, kinds_of_pages
from tests.site.serving import Server
from tests.site.site_sample import main as make_sample


def test_no_page_or_style_sheet_is_too_large(published):
    assert [] == too_large(Site(published.root))


def test_no_page_is_too_long(reader, published):
    assert [] == too_long(reader, kinds_of_pages(published))


@pytest.mark.soak(minutes=11)
def test_the_sample_of_paper_size_is_within_all_budgets(tmp_path):
    make_sample([str(tmp_path), "--cycles", "3"])
    site = Site(tmp_path / "public")
    assert [] == too_large(site)
    if shutil.which("chromium") is None:
        pytest.skip("lengths need Chromium")
    with (
        Server.of_command(site.root, ROOT / "data/snapshots") as server,
        local_browser(tmp_path / "browser") as page,
    ):
        reader = Reader(page, f"http://127.0.0.1:{server.port}/")
        assert [] == too_long(reader, largest_of_each_kind(site))


def largest_of_each_kind(site: Site) -> list[str]:
    """The page of each kind that has the most bytes, by address."""
    largest: dict[tuple[str, ...], str] = {}
    for address in sorted(site.pages, key=lambda path: (site.root / path).stat().st_size):
        folder = address.removesuffix("index.html").rstrip("/")
        parts = folder.split("/")
        own = parts[3:] if parts[0] == "cycles" and len(parts) > 2 else parts
        kind = (str(own is parts), *own[:1], str(len(own)))
        if parts[0] != "latest" and address.endswith("index.html"):
            largest[kind] = f"{folder}/".lstrip("/")
    return sorted(largest.values())
