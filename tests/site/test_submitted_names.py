"""The name of a submitted service is text wherever it is shown."""

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.site.archives import build, contents
from tests.site.html_check import assert_valid
from tests.site.pages_read import Site, text
from tests.site.submitted import CAMPAIGN, CYCLE, NAME, write_submitted

HOSTILE = """<script>alert(1)</script></title>"'&amp; {{ 7 }} [a](b) </svg>"""
"""What no schema would let in, to show what the pages themselves do."""

PAGES = f"cycles/{CAMPAIGN}/{CYCLE}/"


@pytest.fixture(scope="module", params=[f"{NAME} (submitted)", HOSTILE], ids=["allowed", "hostile"])
def title(request) -> str:
    return request.param


@pytest.fixture(scope="module")
def snapshot(title, tmp_path_factory) -> Path:
    return write_submitted(tmp_path_factory.mktemp("named"), title)


@pytest.fixture(scope="module")
def site(snapshot, tmp_path_factory) -> Site:
    """The archive with the submission alone."""
    return Site(build(tmp_path_factory.mktemp("an archive"), snapshot))


def test_pages_show_it_as_it_was_written(site, title):
    for page in (
        PAGES,
        f"{PAGES}solos/8mbps/{CAMPAIGN}/",
        f"{PAGES}pairs/8mbps/iperf-bbr~{CAMPAIGN}/",
        "cycles/",
    ):
        assert " ".join(title.split()) in text(site.page(page)), page


def test_no_page_has_an_element_from_it(site, tmp_path):
    for name, page in site.pages.items():
        for script in page.iter("script"):
            assert script.get("src") or script.get("type") == "application/ld+json", name
            assert "alert(1)" not in text(script) or json.loads(script.text), name
    assert_valid(site.root / PAGES, tmp_path)


def test_no_file_has_it_as_markup(site, snapshot):
    files = {**contents(site.root), **{f"snapshot/{name}": body for name, body in contents(snapshot).items()}}
    assert any(name.endswith(".svg") for name in files)
    for name, body in files.items():
        if name.endswith((".html", ".svg", ".xml")):
            assert b"<script>alert" not in body, name
            assert b'</title>"' not in body, name


def test_charts_and_feeds_are_well_formed_and_have_it_as_text(site, snapshot, title):
    charts = [*snapshot.rglob("*.svg"), *site.root.rglob("*.svg")]
    found = []
    for path in charts:
        root = ElementTree.fromstring(path.read_text(encoding="utf-8"))
        assert not [one for one in root.iter() if one.tag.endswith("}script")], path
        found += [one for one in root.iter() if title in (one.text or "") + one.get("aria-label", "")]
    assert found
    feed = ElementTree.parse(site.root / "feed.xml").getroot()
    assert [one for one in feed.iter() if title in (one.text or "")]


def test_descriptors_and_chart_sources_have_it_as_text(snapshot, site, title):
    names = ("datapackage.json", "croissant.json", "ro-crate-metadata.json")
    known = [json.loads((snapshot / name).read_text(encoding="utf-8")) for name in names]
    assert all(known)
    specs = [json.loads(path.read_text()) for path in (snapshot / "charts").rglob("*.json")]
    assert any(title in json.dumps(one, ensure_ascii=False).replace('\\"', '"') for one in specs)
    search = json.loads((site.root / "search/index.json").read_text())
    assert f"Submission: {title}" in {one.get("note") for one in search}
