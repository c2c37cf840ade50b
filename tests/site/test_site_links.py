"""Every link of the site has a target, and the site refers to no other server."""

import re

from tests.charts.sample_cycle import sample_tables


def test_every_internal_link_and_fragment_resolves(either):
    assert len(either.pages) > 40
    for page in either.pages:
        for link in either.links(page):
            target, fragment = either.target(page, link)
            assert target.is_file(), (page, link)
            if fragment:
                other = either.pages[str(target.relative_to(either.root))]
                assert other.find(f".//*[@id='{fragment}']") is not None, (page, link)


def test_links_are_relative_so_that_the_site_works_below_any_folder(either):
    for page in either.pages:
        assert not [link for link in either.links(page) if link.startswith("/")], page


def test_the_site_refers_to_no_other_server(either):
    for page in either.pages:
        assert not [link for link in either.links(page) if re.match(r"(\w+:)?//", link)], page
    for path in either.root.rglob("*.css"):
        assert "url(" not in path.read_text() and "@import" not in path.read_text()


def test_the_site_needs_no_script(either):
    for page, root in either.pages.items():
        assert not [element.tag for element in root.iter() if element.tag in ("script", "iframe")], page
        assert not [name for element in root.iter() for name in element.attrib if name.startswith("on")], page


def test_from_a_cell_to_the_packets_in_three_clicks(site):
    """Each heatmap cell links to its pair, the pair to its trials, and a trial to its captures."""
    cells = [link.get("href") for link in site.pages["index.html"].findall(".//figure//svg//a")]
    assert cells
    for cell in cells:
        pair, _ = site.target("index.html", cell)
        name = str(pair.relative_to(site.root))
        assert name in site.pages, cell
        if not name.startswith("pairs/"):
            continue
        trials = [site.target(name, link)[0] for link in site.links(name) if "trials/" in link]
        pages = {str(path.relative_to(site.root)) for path in trials} - {"trials/index.html"}
        assert len(pages) == 2
        for trial in pages:
            files = {site.target(trial, link)[0].name for link in site.links(trial)}
            assert {"client-c1.pcapng.zst", "client-c2.pcapng.zst", "queue.bin.zst", "trial.json"} <= files


def test_every_trial_pair_and_solo_has_its_readable_address(site):
    for row in sample_tables()["trial_services"].to_pylist():
        room = "solos" if row["clients"] == 1 else "pairs"
        assert (site.root / room / row["setting"] / row["pair"] / "index.html").is_file()
        nn = f"{row['trial']:02d}"
        assert (site.root / "trials" / row["setting"] / row["pair"] / nn / "index.html").is_file()


def test_a_missing_page_has_its_style_inside_it(site):
    root = site.pages["404.html"]
    assert root.find(".//style") is not None and root.find(".//link[@rel='stylesheet']") is None
