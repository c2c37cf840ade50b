"""A sweep of many settings on the pages: K over all of them, and a table that lists them."""

from scripts.charts.fmp_charts import chart_names, fmp_sweeps
from tests.charts.sample_campaign import campaign_of
from tests.site.pages_read import row_named, table_of, text
from tests.site.sample_fmp import (
    DISCIPLINES,
    FEW,
    LOSSES,
    PAIR,
    SELF_PAIR,
    SWEEP,
    fmp_config,
    fmp_tables,
    setting_name,
)

SETTINGS = len(LOSSES) * len(DISCIPLINES)


def row_of(pair):
    """The row of fmp over all settings."""
    rows = fmp_tables()["fmp"].to_pylist()
    (row,) = [row for row in rows if (row["pair"], row["key"]) == (pair, "")]
    return row


def test_the_front_page_has_a_row_for_each_competition_as_table_2_of_the_paper(fmp):
    table, row = table_of(fmp.page(""), "Swept: n settings"), row_of(PAIR)
    median = f"{row['k_abs_median']:.2f} {row['k_abs_low']:.2f} to {row['k_abs_high']:.2f}"
    percentile = f"{row['k_percentile']:.2f} {row['low']:.2f} to {row['high']:.2f}"
    dominated = [str(row["first_dominates"]), str(row["other_dominates"])]
    assert [percentile, str(SETTINGS), median, *dominated] == row_named(
        table, "iPerf (BBR) against iPerf (Cubic)"
    )


def test_a_pair_with_few_settings_has_no_interval_and_no_chart(fmp):
    table, row = table_of(fmp.page(""), "Swept: n settings"), row_of(SELF_PAIR)
    cells = row_named(table, "iPerf (BBR) against itself")
    assert [f"{row['k_percentile']:.2f}", str(FEW), f"{row['k_abs_median']:.2f}"] == cells[:3]
    headings = [text(heading) for heading in fmp.page("").findall(".//h3")]
    assert ["iPerf (BBR) against iPerf (Cubic)"] == headings


def test_the_front_page_has_the_charts_of_every_swept_key_and_of_the_draws(fmp):
    (sweep,) = fmp_sweeps(campaign_of(fmp_config()).settings)
    section = fmp.page("").find(f".//section[@aria-labelledby='fmp-{SWEEP}']")
    shown = [link.get("href").rpartition("/")[2] for link in section.findall(".//figcaption//a")]
    assert [f"{name}.svg" for name in chart_names(sweep, PAIR)] == [
        name for name in shown if name.endswith(".svg")
    ]
    assert not list((fmp.base / "charts").glob("share-*")), "no charts of single settings"


def test_the_settings_are_listed_by_a_table_whose_columns_are_the_last_key(fmp):
    for room in ("settings", "pairs", "trials", "solos", "services", "findings"):
        page = fmp.page(f"{room}/")
        grid = table_of(page, "Swept: every setting of the sweep")
        rows = grid.findall(".//tbody/tr")
        assert [str(loss).removesuffix(".0") for loss in LOSSES] == [text(row.find("th")) for row in rows]
        links = [link.get("href") for link in rows[3].findall(".//a")]
        names = [setting_name(LOSSES[3], discipline) for discipline in DISCIPLINES]
        assert names == [link.rstrip("/").rpartition("/")[2] for link in links]
        assert SETTINGS > len(page.findall(".//h2")), room


def test_a_setting_of_the_sweep_still_has_its_page(fmp):
    page = fmp.page(f"settings/{setting_name(LOSSES[3], 'red')}/")
    assert "random loss 0.003" in text(page.find(".//h1"))
    assert f"{SWEEP}-3-red/{PAIR}/" in " ".join(fmp.links(f"settings/{SWEEP}-3-red/index.html"))
