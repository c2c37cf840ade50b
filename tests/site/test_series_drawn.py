"""What a browser draws on the page of a trial: the rows of the published table, fetched by ranges."""

import re
import shutil
from collections.abc import Callable, Iterator

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
import pytest
from selenium import webdriver
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import WebDriverWait

from scripts.model.trials import TrialKey
from tests.charts.sample_campaign import WINDOW_S
from tests.charts.sample_cycle import SLOTS, WINDOW_START_S
from tests.services.local_site import local_browser
from tests.site.pages_read import Site
from tests.site.sample_series import LONG, SHORT, TABLE, make_archive, rows_of
from tests.site.served import Served, serving

pytestmark = pytest.mark.skipif(shutil.which("chromium") is None, reason="needs Chromium")

DRAWN_S = 20
MOST_VALUES = 400


@pytest.fixture(scope="module")
def archive(cycle, tmp_path_factory) -> Site:
    return make_archive(cycle, tmp_path_factory.mktemp("archive"))


@pytest.fixture(scope="module")
def table(archive) -> pa.Table:
    return pq.read_table(archive.root / TABLE, partitioning=None)


@pytest.fixture(scope="module")
def served(archive) -> Iterator[Served]:
    with serving(archive.root) as server:
        yield server


@pytest.fixture(scope="module")
def browser(tmp_path_factory) -> Iterator[webdriver.Chrome]:
    with local_browser(tmp_path_factory.mktemp("browser")) as opened:
        yield opened


@pytest.fixture
def opened(browser, served, archive) -> Callable[..., webdriver.Chrome]:
    """Opens the page of a trial and waits until it shows this."""

    def opened(key: TrialKey, selector: str) -> webdriver.Chrome:
        served.answers.clear()
        browser.get_log("browser")
        browser.switch_to.new_window("tab")  # The page of the test before would be there until this one is.
        browser.get(served.address(f"{archive.folder}trials/{key.path}/"))
        WebDriverWait(browser, DRAWN_S).until(lambda page: page.find_elements(By.CSS_SELECTOR, selector))
        return browser

    return opened


def drawn(page: webdriver.Chrome, panel: str, kind: str, client: str) -> list[tuple[float, float]]:
    """The points of a line in the units of the axes, whose ticks give the scales. `kind` is every or mean."""
    line = page.find_element(By.CSS_SELECTOR, f"path.{kind}.{panel}[data-client={client}]")
    found = [tuple(map(float, point.split())) for point in re.split("[ML]", line.get_attribute("d"))[1:]]
    time, value = scale_of(page, "tick-time", "x", 0), scale_of(page, f"tick-{panel}", "y", -5)
    return [(time(x), value(y)) for x, y in found]


def scale_of(page: webdriver.Chrome, ticks: str, axis: str, offset: float) -> Callable[[float], float]:
    """From a position to a value, by the first and the last tick of an axis."""
    ends = page.find_elements(By.CSS_SELECTOR, f"text.{ticks}")
    (start, low), (stop, high) = (
        (float(end.get_attribute(axis)) + offset, float(end.text.replace(",", "")))
        for end in (ends[0], ends[-1])
    )
    return lambda position: low + (position - start) / (stop - start) * (high - low)


def close(expected: list[tuple[float, float]], found: list[tuple[float, float]]) -> bool:
    """Whether points agree; the chart rounds positions to a hundredth of a pixel."""
    return len(expected) == len(found) and np.allclose(expected, found, rtol=1e-3, atol=0.1)


@pytest.mark.parametrize(
    ("panel", "column"), [("throughput", "throughput_mbps"), ("queue", "backlog_packets_mean")]
)
def test_every_value_of_a_short_trial_is_drawn_as_the_table_has_it(opened, table, panel, column):
    page = opened(SHORT, ".plot svg")
    rows = rows_of(table, SHORT)
    expected = list(zip(rows["time_s"].to_pylist(), rows[column].to_pylist(), strict=True))
    assert close(expected, drawn(page, panel, "every", "c1"))


def test_the_strong_line_has_the_means_of_whole_seconds_at_their_middle(opened, table):
    page = opened(LONG, ".plot svg")
    for client in ("c1", "c2"):
        means = throughput_of(table, client).reshape(-1, 10).mean(axis=1)
        expected = [(second + 0.5, value) for second, value in enumerate(means)]
        assert close(expected, drawn(page, "throughput", "mean", client))


def test_the_faint_line_of_a_long_trial_keeps_the_extremes(opened, table):
    page = opened(LONG, ".plot svg")
    for client in ("c1", "c2"):
        values = throughput_of(table, client)
        found = [value for _, value in drawn(page, "throughput", "every", client)]
        assert len(found) <= MOST_VALUES < len(values)
        assert np.allclose([values.min(), values.max()], [min(found), max(found)], atol=0.05)


def throughput_of(table: pa.Table, client: str) -> np.ndarray:
    """The slots of a client of the long trial."""
    return rows_of(table, LONG).filter(pc.field("client") == client)["throughput_mbps"].to_numpy()


def test_all_but_the_steady_window_is_shaded(opened):
    page = opened(SHORT, ".plot svg")
    time = scale_of(page, "tick-time", "x", 0)
    shaded = [
        (time(x), time(x + width))
        for area in page.find_elements(By.CSS_SELECTOR, "rect.outside")
        for x, width in [(float(area.get_attribute("x")), float(area.get_attribute("width")))]
    ]
    assert np.allclose([(0, WINDOW_START_S), (WINDOW_START_S + WINDOW_S, SLOTS / 10)] * 2, shaded, atol=0.05)
    texts = [text.text for text in page.find_elements(By.CSS_SELECTOR, ".plot text")]
    assert "unshaded: steady window, 3–10 s" in texts


def test_a_page_fetches_parts_of_the_table_and_keeps_to_the_policy(opened, served, archive):
    page = opened(LONG, ".plot svg")
    answers = served.sent("part.parquet")
    assert [("HEAD", 200)] == [(method, status) for method, status, _ in answers[:1]]
    assert {("GET", 206)} == {(method, status) for method, status, _ in answers[1:]}
    assert sum(size for *_, size in answers) < (archive.root / TABLE).stat().st_size
    assert [] == page.get_log("browser")


def test_letters_have_the_size_of_the_page_on_wide_screens(opened):
    page = opened(SHORT, ".plot svg")
    script = "return [document.querySelector('.plot text').getBoundingClientRect().height, innerWidth]"
    height, width = page.execute_script(script)
    assert width > 900 and height < 18


def test_the_chart_has_a_label_and_its_room_was_kept_before_it_appeared(opened):
    page = opened(LONG, ".plot svg")
    label = page.find_element(By.CSS_SELECTOR, ".plot svg").get_attribute("aria-label")
    assert label.startswith("iPerf (BBR) against iPerf (Cubic), trial 02. Throughput and queue")
    assert re.search(r"iPerf \(Cubic\): \d\.\d\d Mbps", label)
    height = "return document.querySelector('.plot').offsetHeight"
    with_chart = page.execute_script(height)
    page.execute_script("document.querySelector('.plot svg').remove()")
    assert with_chart == page.execute_script(height)


def status(page: webdriver.Chrome, words: str) -> str:
    """The text in the place of the chart, as soon as it has these words."""

    def found(_: object) -> str | None:
        shown = "".join(element.text for element in page.find_elements(By.CSS_SELECTOR, "[role=status]"))
        return shown if words in shown else None

    return WebDriverWait(page, DRAWN_S).until(found)


def test_a_server_without_ranges_is_named_and_the_table_is_not_read_whole(opened, served):
    served.ranges = False
    page = opened(SHORT, "[role=status]")
    assert "did not send a part of the table (status 200)" in status(page, "could not be drawn")
    served.ranges = True


def test_a_missing_table_is_said_in_the_place_of_the_chart(opened, archive):
    (archive.root / TABLE).rename(archive.root / "away")
    page = opened(SHORT, "[role=status]")
    assert "the table is not there (status 404)" in status(page, "could not be drawn")
    assert "404" in page.get_log("browser")[0]["message"]
    (archive.root / "away").rename(archive.root / TABLE)


def test_a_page_from_a_folder_says_that_it_needs_a_server(browser, archive):
    browser.switch_to.new_window("tab")
    browser.get((archive.base / f"trials/{SHORT.path}/index.html").as_uri())
    assert "make serve" in status(browser, "opened from a folder")
