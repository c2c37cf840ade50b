"""The page of a rebuild that differs: figures side by side, the rows, commands; nothing from elsewhere."""

import re
import shutil
from pathlib import Path, PurePosixPath

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from selenium.webdriver.common.by import By

from scripts.snapshot.comparing import compare
from scripts.snapshot.difference_page import write_difference_page
from scripts.tables.table_schema import load_schema
from tests.end_to_end.running import wait_for
from tests.services.local_site import local_browser

REFERENCE = Path("data/snapshots/reference")
CHART = PurePosixPath("charts/cycle/loss-8mbps.svg")
OTHER = PurePosixPath("charts/cycle/share-8mbps.svg")
TABLE = PurePosixPath("tables/plan.parquet")
SVG = (
    '<svg xmlns="http://www.w3.org/2000/svg" width="900" height="90" aria-label="Loss: {value}">'
    '<text y="20">{value}</text></svg>'
)


def write_side(folder: Path, value: str) -> Path:
    """A folder with two charts, of which one shows this value, and a table of three rows."""
    for chart, shown in ((CHART, value), (OTHER, "same")):
        (folder / chart).parent.mkdir(parents=True, exist_ok=True)
        (folder / chart).write_text(SVG.format(value=shown))
    schema = load_schema("plan")
    rows = [
        {
            column.name: {"string": f"<{value}>", "bool": True}.get(column.type, len(value))
            for column in schema.columns
        }
        | {"setting": "8mbps", "pair": "a~b", "round": number}
        for number in (1, 2, 3)
    ]
    for name in ("source.tar.zst", "environment.json", "requirements.lock"):
        shutil.copyfile(REFERENCE / name, folder / name)
    (folder / TABLE).parent.mkdir(parents=True, exist_ok=True)
    pq.write_table(pa.Table.from_pylist(rows, schema.arrow), folder / TABLE)
    return folder


@pytest.fixture
def page(tmp_path) -> Path:
    published, rebuilt = (
        write_side(tmp_path / "published & more", "1.5"),
        write_side(tmp_path / "rebuilt", "22"),
    )
    shutil.copyfile(REFERENCE / "SHA256SUMS", published / "SHA256SUMS")
    files = [CHART, OTHER, TABLE]
    differences = compare(published, rebuilt, files)
    write_difference_page(tmp_path / "page.html", differences, published, rebuilt, files)
    return tmp_path / "page.html"


def test_the_page_has_both_charts_all_rows_and_nothing_from_elsewhere(page):
    text = page.read_text()
    assert 2 == text.count('<img src="data:image/svg+xml;base64,')
    assert ["loss-8mbps: differs"] == re.findall("<h3>(.*)</h3>", text)
    assert "published &amp; more is not identical when rebuilt</h1>" in text
    assert "tables/plan.parquet: 3 rows differ</caption>" in text
    assert "8mbps a~b round 1" in text
    assert "&lt;1.5&gt;" in text
    assert "<1.5>" not in text
    assert "published &amp; more&#x27;" in text, "the commands quote the name"
    assert not re.findall(r"<script|<link|(?:src|href)=.(?!data:)", text)


def test_the_charts_are_shown_too_if_only_rows_differ(tmp_path):
    published, rebuilt = write_side(tmp_path / "a", "1.5"), write_side(tmp_path / "b", "1.5")
    table = pq.read_table(rebuilt / TABLE)
    pq.write_table(table.slice(1), rebuilt / TABLE)
    shutil.copyfile(REFERENCE / "SHA256SUMS", published / "SHA256SUMS")
    differences = compare(published, rebuilt, [CHART, TABLE])
    write_difference_page(tmp_path / "page.html", differences, published, rebuilt, [CHART, OTHER, TABLE])
    text = (tmp_path / "page.html").read_text()
    assert ["loss-8mbps: identical", "share-8mbps: identical"] == re.findall("<h3>(.*)</h3>", text)
    assert "<td>the whole row</td>" in text


@pytest.mark.skipif(shutil.which("chromium") is None, reason="needs Chromium")
def test_a_browser_shows_it_side_by_side_or_on_a_telephone_without_scrolling_sideways(page, tmp_path):
    with local_browser(tmp_path / "browser") as browser:
        for width, beside in ((1280, True), (360, False)):
            browser.execute_cdp_cmd(
                "Emulation.setDeviceMetricsOverride",
                {"width": width, "height": 800, "deviceScaleFactor": 1, "mobile": width < 400},
            )
            browser.get(page.as_uri())
            wait_for(lambda: browser.execute_script("return document.readyState") == "complete", "the page")
            images = browser.find_elements(By.CSS_SELECTOR, "figure img")
            assert all(image.get_property("naturalWidth") for image in images), "every chart is drawn"
            assert images[0].get_attribute("alt").endswith(f"{CHART}. Loss: 1.5")
            assert beside == (images[0].location["y"] == images[1].location["y"])
            assert browser.execute_script("return document.documentElement.scrollWidth") <= width
