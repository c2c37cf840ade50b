"""Every link of the pages about all cycles has a target, and all are relative."""

from tests.site.root.sample_archive import SETTINGS

OTHERS = ("https://creativecommons.org/licenses/by/4.0/", "https://doi.org/")
"""The addresses outside the site that pages link to: the licence, and papers."""

STUB = "definitions"
"""An empty page of the sample cycles; test_verdict_words.py has the sections that the glossary leads to."""


def root_pages(site) -> list[str]:
    """The pages that build_root wrote, except the one for missing addresses."""
    made = [page for page in site.pages if not page.startswith(("cycles/", "provisional/"))]
    return [page for page in [*made, "cycles/index.html"] if page != "404.html"]


def test_every_link_and_fragment_resolves(archive):
    assert len(root_pages(archive)) > 40
    for page in root_pages(archive):
        for link in archive.links(page):
            if link.startswith(OTHERS):
                continue
            target, fragment = archive.target(page, link)
            assert target.is_file(), (page, link)
            if fragment and target.parent.name != STUB:
                other = archive.pages[str(target.relative_to(archive.root))]
                assert other.find(f".//*[@id='{fragment}']") is not None, (page, link)


def test_links_are_relative_so_that_the_site_works_below_any_folder(archive):
    for page in root_pages(archive):
        links = [link for link in archive.links(page) if not link.startswith(OTHERS)]
        assert not [link for link in links if link.startswith("/") or ":" in link.partition("?")[0]], page


def test_only_pages_that_cannot_do_without_need_a_script(archive):
    """The front page's script adds the arrow keys to the heatmaps; that of status/ tells an age.

    A script without an address is data.
    """
    extended = {"index.html", "status/index.html"}
    scripted = {f"{name}/index.html" for name in ("explore", "explore/compare", "search")}
    for page in scripted:
        assert archive.pages[page].findall(".//noscript//a"), page
    for page in root_pages(archive):
        found = archive.pages[page]
        programs = [one for one in found.iter("script") if one.get("type") != "application/ld+json"]
        assert all(one.get("src") for one in programs), page
        assert len(programs) == (page in scripted | extended), page
        assert found.find(".//iframe") is None, page


def test_the_page_for_missing_addresses_works_at_any_depth_below_the_path_of_the_site(archive):
    links = archive.links("404.html")
    assert set(links) >= {"/fair/", "/fair/cycles/", "/fair/services/", "/fair/corrections/"}
    for link in links:
        target = archive.root / link.removeprefix("/fair/")
        assert (target / "index.html" if link.endswith("/") else target).is_file(), link


def test_every_page_names_the_feed(archive):
    for page in root_pages(archive):
        if page.startswith("latest/"):
            continue
        feeds = archive.pages[page].findall(".//link[@type='application/atom+xml']")
        targets = [str(archive.target(page, feed.get("href"))[0].relative_to(archive.root)) for feed in feeds]
        own = page == "status/index.html" or (page.startswith("services/") and page != "services/index.html")
        assert targets == ["feed.xml", *([page.replace("index.html", "feed.xml")] if own else [])], page


def test_robots_may_read_all_but_captures_and_redirects(archive):
    lines = (archive.root / "robots.txt").read_text().splitlines()
    assert lines[:3] == ["User-agent: *", "Disallow: /fair/latest/", "Disallow: /fair/captures/"]
    assert lines[-1] == f"Sitemap: {SETTINGS.address}sitemap.xml"
