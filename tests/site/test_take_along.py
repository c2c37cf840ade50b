"""What readers take along from a page: files, citation and command, and what the browser makes of a chart."""

import io
import re
import zipfile
from pathlib import Path

import pytest
from PIL import Image
from selenium.webdriver.support.ui import WebDriverWait

from scripts.site.cycle.build_cycle import PagesTarget
from scripts.snapshot.identity import Provisional
from tests.site.archives import SETTINGS
from tests.site.pages_read import text
from tests.site.reader import Reader

CYCLE = "cycles/demo/2026-11-21/"
CELL = "8mbps/iperf-bbr~iperf-cubic"
PAIR = f"{CYCLE}pairs/{CELL}/"
CHART = f"dots-{CELL.replace('/', '-')}"
SNAPSHOT = f"{SETTINGS.address}snapshots/demo-2026-11-21/"
WAIT_S = 20


def take(site, address: str):
    """The part of a page with what can be taken along: one on every page of a cycle."""
    (found,) = [one for one in site.page(address).iter("section") if one.get("aria-labelledby") == "take"]
    return found


def test_every_page_of_a_cycle_has_one_such_part_and_no_other_command(published):
    pages = [page for page in published.pages if page.startswith(CYCLE) and "/embed/" not in page]
    assert len(pages) > 50
    for page in pages:
        words = text(take(published, page.removesuffix("index.html")))
        assert SETTINGS.address + page.removesuffix("index.html") in words
        # The definitions explain the command, too.
        counted = words if "/definitions/" in page else text(published.pages[page])
        assert 1 == counted.count("make reproduce SNAPSHOT=") == words.count("make reproduce SNAPSHOT="), page


@pytest.mark.parametrize(
    "address, part",
    [
        ("", ""),
        ("settings/8mbps/", ""),
        (f"pairs/{CELL}/", f" ONLY=pairs/{CELL}"),
        ("solos/8mbps/iperf-bbr/", " ONLY=solos/8mbps/iperf-bbr"),
        (f"trials/{CELL}/01/", f" ONLY=trials/{CELL}/01"),
        ("trials/8mbps/calibration/01/", ""),
    ],
)
def test_the_command_rebuilds_the_figures_of_the_page(published, address, part):
    commands = [text(code) for code in take(published, CYCLE + address).iter("code")]
    assert f"make reproduce SNAPSHOT={SNAPSHOT}{part}" in commands


def test_a_pair_has_its_citation_as_text_and_as_bibtex(published):
    words = text(take(published, PAIR))
    assert "campaign demo, cycle 2026-11-21, revision 1" in words
    assert f"url = {{{SETTINGS.address}{PAIR}}}" in words
    assert "@misc{demo-2026-11-21-pairs-8mbps-iperf-bbr-iperf-cubic," in words


def test_the_files_of_a_pair_are_links_without_a_script(published):
    part, page = take(published, PAIR), f"{PAIR}index.html"
    files = {published.target(page, link.get("href"))[0] for link in part.iter("a")}
    assert {published.root / CYCLE / f"charts/{CHART}.{form}" for form in ("svg", "csv", "json")} <= files
    assert 2 == len([file for file in files if file.suffix == ".parquet"]) and all(map(Path.exists, files))
    assert not [*part.iter("button")]


def test_a_provisional_page_offers_its_chart_and_nothing_that_needs_an_address(build, cycle, tmp_path):
    site = build(
        tmp_path / "public",
        cycle,
        PagesTarget("provisional/demo/", None, None, Provisional("demo", "2026-11-21", 1, 2)),
    )
    part = take(site, f"pairs/{CELL}/")
    assert ["SVG", "CSV", "Vega-Lite"] == [text(link) for link in part.iter("a")]
    assert not [*part.iter("details")] and not (site.base / "embed").exists()


class Downloads:
    """What the browser keeps, by the words of the button that makes it."""

    def __init__(self, reader: Reader, folder: Path) -> None:
        self.reader, self.folder = reader, folder
        options = {"behavior": "allow", "downloadPath": str(folder)}
        reader.page.execute_cdp_cmd("Browser.setDownloadBehavior", options)

    def made(self, words: str, name: str) -> bytes:
        """The file of this name that a button of the part makes."""
        (button,) = [one for one in self.reader.all("section.take button") if one.text == words]
        button.click()
        file = self.folder / name
        WebDriverWait(self.reader.page, WAIT_S).until(
            lambda _: file.is_file() and not [*self.folder.glob("*.crdownload")], name
        )
        return file.read_bytes()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_browser_makes_a_png_on_white_with_dark_text(reader, published, tmp_path, scheme):
    reader.open(PAIR, scheme=scheme)
    png = Image.open(io.BytesIO(Downloads(reader, tmp_path).made("PNG", f"{CHART}.png"))).convert("L")
    svg = (published.root / CYCLE / f"charts/{CHART}.svg").read_text(encoding="utf-8")
    width, height = (
        float(re.search(rf'<svg[^>]* {name}="([\d.]+)"', svg)[1]) for name in ("width", "height")
    )
    assert (2 * width, 2 * height) == pytest.approx(png.size, abs=2)
    shades = png.histogram()
    assert shades.index(next(filter(None, shades))) < 0x30, "no dark text"
    assert sum(shades[0xF8:]) > 0.8 * sum(shades), "not on white"


def test_the_browser_packs_a_chart_with_its_data_and_a_readme(reader, published, tmp_path):
    reader.open(PAIR)
    content = Downloads(reader, tmp_path).made("ZIP", f"{CHART}.zip")
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        assert archive.testzip() is None
        assert [
            f"{CHART}/{name}" for name in ("README.txt", f"{CHART}.svg", f"{CHART}.png", f"{CHART}.csv")
        ] == archive.namelist()
        for form in ("svg", "csv"):
            published_file = published.root / CYCLE / f"charts/{CHART}.{form}"
            assert published_file.read_bytes() == archive.read(f"{CHART}/{CHART}.{form}")
        assert "PNG" == Image.open(io.BytesIO(archive.read(f"{CHART}/{CHART}.png"))).format
        readme = archive.read(f"{CHART}/README.txt").decode()
    for words in (
        "Cycle: campaign demo, cycle 2026-11-21, revision 1",
        f"Address: {SETTINGS.address}{PAIR}",
        "Licence: CC BY 4.0",
        f"url = {{{SETTINGS.address}{PAIR}}}",
        f"{CHART}.csv",
    ):
        assert words in readme
    assert not reader.page.get_log("browser")
