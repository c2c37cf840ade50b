"""What a browser shows of the published tables on the page explore, compared with what pyarrow reads."""

import csv
import io
import shutil

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
import pytest
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from tests.site.root.sample_tables_site import EARLIER, LATER, REASON

pytestmark = pytest.mark.skipif(shutil.which("chromium") is None, reason="needs Chromium")

BOTH = "cycles=demo/2026-11-21,demo/2026-12-05"
COLUMNS = ["cycle", "pair", "trial", "service", "loss_rate", "reason", "wire_bytes"]
ONE, OTHER = (f"demo/{place.cycle}/8mbps/iperf-bbr~iperf-reno/1" for place in (EARLIER, LATER))


def table_of(browsed, name: str) -> pa.Table:
    """A table of both cycles."""
    root = browsed.root
    files = [root / place.table(name, "parquet") for place in (EARLIER, LATER)]
    return pa.concat_tables([pq.read_table(file, partitioning=None) for file in files])


def test_an_address_restores_its_view_and_back_returns_to_it(browsed):
    where = "where=share_median:under:0.9&where=setting:is:8mbps"
    address = (
        f"explore/?table=pairs&{BOTH}&{where}&sort=-share_median&x=contender&y=share_median&colour=cycle"
    )
    browsed.open(address, "rows of pairs. Read")
    rows = table_of(browsed, "pairs")
    expected = rows.filter((pc.field("share_median") < 0.9) & (pc.field("setting") == "8mbps")).num_rows
    assert browsed.text("status").startswith(f"{expected} of {rows.num_rows} rows of pairs.")
    assert expected == len(browsed.rows("#rows")) > 0
    assert 1 == len(browsed.all("th[aria-sort=descending] [data-column=share_median]"))
    filtered = [one.get_attribute("value") for one in browsed.all("#filters [id$='-column']")]
    assert ["share_median", "setting"] == filtered
    label = browsed.all("#plot svg[role=img]")[0].get_attribute("aria-label")
    assert label.startswith(f"MmF share, median over Contender: {expected} points")
    before = browsed.query()
    browsed.browser.find_element(By.CSS_SELECTOR, "[data-column=n]").click()
    browsed.until(lambda: "sort=n" in browsed.query(), "the address names the new order")
    browsed.browser.back()
    browsed.until(lambda: browsed.all("th[aria-sort=descending]"), "the order of before")
    assert before == browsed.query()


def test_shares_are_filtered_by_whether_they_have_settled(browsed):
    browsed.open(f"explore/?{BOTH}", "Read")
    browsed.browser.find_element(By.LINK_TEXT, "shares that still move").click()
    browsed.until(lambda: "settled:is:still" in browsed.query(), "the address has the filter")
    browsed.open(f"explore/?table=pairs&{BOTH}&where=settled:is:still%20moving", "rows of pairs. Read")
    rows = table_of(browsed, "pairs")
    expected = rows.filter(pc.field("settled") == "still moving").num_rows
    assert browsed.text("status").startswith(f"{expected} of {rows.num_rows} rows of pairs.")
    heads = [one.get_attribute("data-column") for one in browsed.all("#rows thead button")]
    shown = [row[1 + heads.index("settled")] for row in browsed.rows("#rows")]
    assert ["still moving"] * expected == shown and 0 < expected < rows.num_rows
    offered = {one.get_attribute("value") for one in browsed.all("#filter-0-values option")}
    assert {"settled", "still moving", "undecided"} == offered


def test_filter_sort_and_csv_give_what_pyarrow_gives(browsed):
    where = "where=throughput_mbps:over:2.5&where=valid:is:true&where=pair:has:reno"
    columns = ",".join(COLUMNS)
    browsed.open(f"explore/?table=trial_services&{BOTH}&{where}&sort=-loss_rate&columns={columns}", "Read")
    browsed.browser.find_element(By.ID, "csv").click()
    found = list(csv.reader(io.StringIO(browsed.kept("trial_services.csv").decode(), newline="")))
    rows = table_of(browsed, "trial_services")
    passing = pc.field("valid") & (pc.field("throughput_mbps") > 2.5)
    rows = rows.filter(passing).filter(pc.match_substring(pc.field("pair"), "reno"))
    ordered = rows.take(pc.sort_indices(rows, [("loss_rate", "descending")])).select(COLUMNS).to_pylist()
    assert COLUMNS == found[0]
    assert len(ordered) == len(found) - 1 > 10
    for expected, line in zip(ordered, found[1:], strict=True):
        number = expected.pop("loss_rate")
        assert float(line.pop(COLUMNS.index("loss_rate"))) == number
        assert ["" if value is None else str(value) for value in expected.values()] == line
    shown = [row[1 + COLUMNS.index("wire_bytes")].replace(",", "") for row in browsed.rows("#rows")]
    assert [str(row["wire_bytes"]) for row in ordered][:100] == shown


def test_a_text_with_commas_quotes_and_lines_is_one_field(browsed):
    browsed.open(f"explore/?table=trial_services&{BOTH}&where=status:is:failed", "Read")
    browsed.browser.find_element(By.CSS_SELECTOR, "#explore summary").click()
    browsed.browser.find_element(By.ID, "every-column").click()
    browsed.browser.find_element(By.ID, "csv").click()
    content = browsed.kept("trial_services.csv").decode()
    found = list(csv.DictReader(io.StringIO(content, newline="")))
    rows = table_of(browsed, "trial_services").filter(pc.field("status") == "failed")
    assert list(rows.column_names) == list(found[0])
    assert rows["reason"].to_pylist() == [row["reason"] for row in found] == [REASON] * len(found)


def test_what_is_wrong_in_an_address_is_said_and_the_rest_holds(browsed):
    browsed.open(
        "explore/?table=solo&where=n:over:many&where=setting:constructor:x&where=setting:is:8mbps"
        "&sort=nothing&page=0&y=service",
        "Read",
    )
    problems = browsed.text("problems")
    for words in (
        "“many” is not a number",
        "setting cannot be compared by “constructor”",
        "no column “nothing”",
        "“0” is not a number of a page",
        "y: service is",
    ):
        assert words in problems
    assert {"8mbps"} == {row[2] for row in browsed.rows("#rows")}


def test_rows_lead_to_their_trial_and_their_pair(browsed):
    browsed.open(
        "explore/?table=trial_services&where=pair:is:iperf-bbr~iperf-reno&where=setting:is:8mbps", "Read"
    )
    links = [link.get_attribute("href") for link in browsed.all("#rows tbody tr:first-child a")]
    pages = browsed.served.address(LATER.pages)
    assert [
        f"{pages}trials/8mbps/iperf-bbr~iperf-reno/01/",
        f"{pages}pairs/8mbps/iperf-bbr~iperf-reno/",
    ] == links


def test_two_trials_are_drawn_on_the_same_axes(browsed):
    browsed.open(f"explore/?one={ONE}&other={OTHER}", "two trials", "series-status")
    charts = browsed.all("#series figure")
    assert 2 == len(charts)
    ticks = [
        [tick.text for tick in chart.find_elements(By.CSS_SELECTOR, "text[class^=tick]")] for chart in charts
    ]
    assert ticks[0] == ticks[1] and len(ticks[0]) > 10
    for place, chart in zip((EARLIER, LATER), charts, strict=True):
        assert place.cycle in chart.find_element(By.TAG_NAME, "h3").text
        rows = pq.read_table(browsed.root / place.table("trial_series", "parquet"), partitioning=None)
        key = (
            (pc.field("setting") == "8mbps")
            & (pc.field("pair") == "iperf-bbr~iperf-reno")
            & (pc.field("trial") == 1)
        )
        own = rows.filter(key & (pc.field("client") == "c1"))["throughput_mbps"].to_numpy()
        line = chart.find_element(By.CSS_SELECTOR, "path.every.throughput[data-client=c1]").get_attribute("d")
        heights = np.array([float(point.split()[1]) for point in line.replace("L", "M").split("M")[1:]])
        # The higher a value, the smaller its y: the two are one straight line.
        assert np.corrcoef(own, heights)[0, 1] == pytest.approx(-1, abs=1e-4)


def test_a_trial_is_chosen_in_its_row_and_taken_back(browsed):
    browsed.open("explore/?table=trial_services&where=setting:is:8mbps&where=status:is:completed", "Read")
    button = browsed.all("#rows [data-trial]")[0]
    name = button.get_attribute("data-trial")
    button.click()
    browsed.wait("one trial", "series-status")
    assert f"one={name}" in browsed.query()
    browsed.all("#rows [data-trial]")[0].click()
    browsed.until(lambda: "one=" not in browsed.query(), "the trial is taken back")
    assert not browsed.all("#series figure")


def test_everything_works_by_keyboard(browsed):
    browsed.open("explore/?table=pairs", "rows of pairs. Read")
    browsed.tab_to("#table")
    browsed.press("so")
    browsed.wait("rows of solo. Read")
    browsed.tab_to("#add-filter")
    browsed.press(Keys.ENTER)
    browsed.press("ser")
    browsed.tab_to("[id='filter-0-value']")
    browsed.press("iperf-bbr", Keys.ENTER)
    browsed.wait("2 of 6 rows of solo")
    browsed.tab_to("[data-column=setting]")
    browsed.press(Keys.ENTER)
    browsed.until(
        lambda: browsed.all("th[aria-sort=ascending] [data-column=setting]:focus"), "sorted, focus kept"
    )
    browsed.press(Keys.ENTER)
    browsed.until(
        lambda: browsed.all("th[aria-sort=descending] [data-column=setting]:focus"), "sorted downwards"
    )


def test_nothing_breaks_the_policy_and_nothing_comes_from_elsewhere(browsed):
    browsed.open(f"explore/?table=trial_services&x=service&y=loss_rate&colour=pair&one={ONE}", "Read")
    browsed.wait("one trial", "series-status")
    addresses = browsed.browser.execute_script("return performance.getEntries().map(entry => entry.name)")
    foreign = [one for one in addresses if "://" in one and not one.startswith(browsed.served.address(""))]
    assert [] == foreign and [] == browsed.browser.get_log("browser")
    assert {("GET", 206)} == {(method, status) for method, status, _ in browsed.served.sent("part.parquet")}


def test_each_checkbox_has_a_label_of_at_least_24_px(browsed):
    browsed.open("explore/", "Read")
    browsed.all(".controls summary")[0].click()
    boxes = [label.size for label in browsed.all(".boxes label") if label.is_displayed()]
    assert len(boxes) > 2 and all(min(size.values()) >= 24 for size in boxes)


def test_a_missing_table_and_a_bad_one_are_said_in_words(browsed):
    file = browsed.root / LATER.table("services", "parquet")
    content = file.read_bytes()
    file.write_bytes(b"no table" * (len(content) // 8 + 1))
    browsed.open("explore/?table=services", "The rows could not be shown: parquet file invalid")
    file.unlink()
    browsed.open(
        "explore/?table=services", "The rows could not be shown: the table is not there (status 404)."
    )
    file.write_bytes(content)
    browsed.browser.find_element(By.ID, "add-filter").click()
    browsed.wait("rows of services. Read")


def test_a_trial_that_is_not_there_is_said_in_words(browsed):
    browsed.open("explore/?one=demo/2026-12-05/8mbps/nobody/1", "has no rows of trial", "series-status")
    browsed.open("explore/?one=something", "does not name a trial", "series-status")


def test_the_page_opens_on_a_plot_of_shares_and_delays_and_names_columns_in_words(browsed):
    browsed.open("explore/", "rows of pairs. Read")
    rows = pq.read_table(browsed.root / LATER.table("pairs", "parquet"), partitioning=None)
    both = rows.filter(pc.field("share_median").is_valid() & pc.field("queueing_delay_ms_median").is_valid())
    label = browsed.all("#plot svg[role=img]")[0].get_attribute("aria-label")
    words = f"Queueing delay, median over MmF share, median: {both.num_rows} points, coloured by Verdict"
    assert label.startswith(words) and both.num_rows > 0
    ticks = [tick.text for tick in browsed.all("#plot .tick-base")]
    assert ["0 %", "50 %", "100 %", "150 %", "200 %"] == ticks and browsed.all("#plot .zone")
    heads = [head.text for head in browsed.all("#rows thead button")]
    assert "MmF share, low end" in heads and "Trials that count" in heads
