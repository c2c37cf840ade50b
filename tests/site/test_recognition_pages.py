"""Recognition on the pages of a cycle: a changed controller, a fact of each service, and its drawing."""

import shutil

import numpy as np
import pyarrow.parquet as pq
import pytest

from scripts.site.cycle import build_cycle as build_cycle_module
from scripts.site.cycle.recognition_drawings import drawing
from tests.charts.sample_files import seal, write_cycle, write_stand_ins
from tests.charts.sample_sweep import recognition_rows
from tests.site.html_check import assert_valid
from tests.site.pages_read import text

TRACE = np.full((600, 2), 0.5)
ROW = {"family": "BBRv1-like", "reason": None, "nearest_family": "BBRv1-like", "second": "Copa-like"}
ROW |= {"distance": 0.02, "limit": 0.05, "margin": 3.0}


@pytest.fixture(scope="module")
def pages(build, tmp_path_factory):
    """The pages of the sample cycle, in which BBR was taken for Cubic before."""
    folder = write_cycle(tmp_path_factory.mktemp("recognised"))
    pq.write_table(recognition_rows(), folder / "tables/recognition.parquet")
    write_stand_ins(folder)
    drawn = {"iperf-bbr": [drawing("8 Mbps", ROW, TRACE, [TRACE])]}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(build_cycle_module, "recognition_drawings", lambda inputs: drawn)
        return build(tmp_path_factory.mktemp("web root") / "public", seal(folder))


def test_a_service_that_is_recognised_as_another_controller_is_told_first(pages):
    page = pages.page("changes/")
    told = "Recognised as another family of congestion controllers than before: iPerf (BBR) (Cubic-like, now "
    assert text(page.find(".//p[@class='lede']")).startswith(f"{told}BBRv1-like).")
    (table,) = [one for one in page.iter("table") if "congestion controllers" in text(one)]
    assert ["Cubic-like", "BBRv1-like", "9", "10"] == [
        text(cell) for cell in table.findall(".//tbody/tr/td")
    ][1:]


def test_what_it_is_recognised_as_is_a_fact_of_a_service(pages):
    facts = {
        name: text(pages.page(f"services/{name}/").find(".//dl[@class='facts']")).replace("\u00a0", " ")
        for name in ("iperf-bbr", "iperf-reno", "iperf-cubic")
    }
    assert "BBRv1-like (9 of 10 trials, 8 Mbps)" in facts["iperf-bbr"]
    assert "unknown: trials disagree (9 of 10 trials, 8 Mbps)" in facts["iperf-reno"]
    assert "Recognised" not in facts["iperf-cubic"]


def test_its_queue_is_drawn_with_the_distance(pages):
    page = pages.page("services/iperf-bbr/")
    words = text(page)
    assert "8 Mbps: BBRv1-like" in words
    assert "at a distance of 0.020; up to 0.050 is BBRv1-like. Copa-like is 3.0 times as far." in words
    assert page.find(".//h2[@id='recognition']") is not None
    assert pages.page("services/iperf-reno/").find(".//h2[@id='recognition']") is None


def test_these_pages_are_valid(pages, tmp_path):
    for name in ("changes", "services"):
        shutil.copytree(pages.root / pages.base / name, tmp_path / "pages" / name)
    assert_valid(tmp_path / "pages", tmp_path)
