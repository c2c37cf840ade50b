"""Pages that compare: changes since the last cycle, sweeps of few and of many settings, who starts first."""

import json
import shutil
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from scripts.charts.fmp_charts import chart_names, fmp_sweeps
from scripts.site.cycle.comparisons import order_settings
from scripts.site.root.history_pages import chart_address
from scripts.tables.table_schema import load_schema
from tests.charts.sample_campaign import campaign_of, merged_config
from tests.charts.sample_cycle import sample_tables
from tests.charts.sample_files import seal, write_charts, write_stand_ins
from tests.charts.sample_sweep import PAIR, changes_rows, service_changes_rows
from tests.site.pages_read import Site, row_named, table_of, text
from tests.site.sample_fmp import (
    DISCIPLINES,
    FEW,
    LOSSES,
    SELF_PAIR,
    SWEEP,
    fmp_config,
    fmp_tables,
    setting_name,
)
from tests.site.sample_fmp import PAIR as FMP_PAIR

EXCERPT = ("iperf-bbr~iperf-cubic", "iperf-reno~iperf-reno")


@pytest.fixture(scope="module")
def compared(cycle, build, tmp_path_factory):
    """Builds the site of the sample as one sweep over the rate, with these rows of `changes`."""

    def built(changes: pa.Table, charts=write_stand_ins) -> Site:
        folder = tmp_path_factory.mktemp("compared")
        source = shutil.copytree(cycle, folder / "cycle", ignore=shutil.ignore_patterns("charts", "rows"))
        config = merged_config()
        for name, setting in config["settings"].items():
            setting["sweep"] = {"of": "link", "at": {"rate_mbps": setting["rate_mbps"]}}
            setting["title"] = f"Constrained, {name}"
        (source / "plan/config.json").write_text(json.dumps(config))
        for name in ("trial_services", "trial_series", "pairs", "share_over_time", "solo"):
            table = sample_tables()[name]
            if "pair" in table.column_names:
                rows = [row for row in table.to_pylist() if row["pair"] in EXCERPT]
                table = table.from_pylist(rows, schema=table.schema)
            pq.write_table(table, source / f"tables/{name}.parquet")
        pq.write_table(changes, source / "tables/changes.parquet")
        pq.write_table(service_changes_rows(), source / "tables/service_changes.parquet")
        charts(source)
        return build(folder / "public", seal(source))

    return built


@pytest.fixture(scope="module")
def changed(compared) -> Site:
    """A site with a cell that changed and a control that did not."""
    return compared(changes_rows(), lambda source: write_charts(source, "cycle"))


def test_the_page_says_first_what_changed_and_that_the_testbed_measures_as_before(changed):
    words = text(changed.page("changes/").find(".//main"))
    control = "a baseline differs by more than ±4 % over all its pairs: the testbed measures as before."
    assert words.index("1 of 2 cells changed") < words.index(control) < words.index("3.00 Mbps")


def test_every_service_is_in_a_table_with_its_shift(changed):
    [table] = [
        one
        for one in changed.page("changes/").iter("table")
        if "over all its pairs" in text(one.find("caption"))
    ]
    assert [
        ["iPerf (BBR)", "2", "+40 %", "30 % to 50 %", "0.001", "changed"],
        ["iPerf (NewReno) (control)", "2", "0 %", "−2 % to 4 %", "1", "as before"],
    ] == [[text(cell) for cell in row] for row in table.findall(".//tbody/tr")]


def test_a_change_is_shown_first_with_its_medians_its_effect_and_its_p(changed):
    change = changed.page("changes/").find(".//details//tbody/tr")
    contender, _control, before, _n, now, _more_trials, superiority, p = map(text, change.findall("td")[:8])
    assert ("iPerf (Cubic)", "3.00 Mbps", "4.50 Mbps +50 %") == (contender, before, now)
    assert ("97 %", "0.003") == (superiority, p)
    assert change.find("th/a").get("href") == f"../pairs/8mbps/{PAIR}/"


def test_all_cells_are_in_the_table(changed):
    rows = changed.page("changes/").findall(".//details//tbody/tr")
    assert [text(row.findall("td")[-1]) for row in rows] == ["yes", "no", "no"]
    assert [text(row.findall("td")[1]) for row in rows] == ["no", "no", "yes"]
    assert all(text(row.findall("td")[-2]).endswith("Mbps") for row in rows)


def test_a_control_that_changed_makes_the_other_changes_uncertain(compared):
    site = compared(changes_rows(control_moved=True))
    words = text(site.page("changes/").find(".//main"))
    assert "1 of 1 cell of the control group changed, so no change of a cell can be attributed" in words


def test_front_page_and_data_page_lead_to_the_changes_where_there_are_any(changed, site):
    for page in ("index.html", "data/index.html"):
        changes = [link for link in changed.links(page) if link.endswith("changes/")]
        without = [link for link in site.links(page) if link.endswith("changes/")]
        assert len(changes) > len(without), page
    assert "nothing to compare with" in text(site.page("changes/").find(".//main"))


def test_what_measured_the_cycle_and_what_it_is_not_compared_with_is_named(build, cycle, tmp_path):
    source = Path(shutil.copytree(cycle, tmp_path / "cycle"))
    described = json.loads((source / "tables/cycle.json").read_text())
    described["not_compared"] = {"2026-11-07": ["bottleneck", "trial.ignore_first_s"]}
    described["bottlenecks"].append({"backend": "bess", "version": None, "trials": 4})
    (source / "tables/cycle.json").write_text(json.dumps(described))
    built = build(tmp_path / "public", source)
    assert "embedded switch 9.9.0 (36 trials) and BESS (4 trials)" in text(built.page("definitions/"))
    words = text(built.page("changes/"))
    assert "cycle 2026-11-07 differs in bottleneck, trial.ignore_first_s" in words


def test_a_pair_of_a_sweep_has_its_chart_on_its_page_in_every_setting(changed):
    for setting, other in (("8mbps", "50mbps"), ("50mbps", "8mbps")):
        address = f"pairs/{setting}/{PAIR}/"
        links = [link.get("href") for link in changed.page(address).findall(".//figure//svg//a")]
        (target,) = {link for link in links if other in link}
        assert (
            changed.target(f"{address}index.html", target)[0]
            == changed.base / f"pairs/{other}/{PAIR}/index.html"
        )


def test_a_pair_that_was_compared_shows_the_chart_of_its_history_as_a_link_to_it(changed, site):
    page = f"pairs/8mbps/{PAIR}/index.html"
    (picture,) = [one for one in changed.pages[page].iter("img") if one.get("class") == "history"]
    chart = changed.root / chart_address("demo", "8mbps", PAIR)
    assert chart == changed.target(page, picture.get("src"))[0]
    assert changed.root / page in [changed.target(page, link)[0] for link in changed.links(page)]
    assert "3.00 Mbps in cycle" in text(changed.pages[page])
    assert not [one for one in site.pages[page].iter("img") if one.get("class") == "history"]


def test_the_front_page_shows_each_pair_of_a_sweep_with_links_to_its_settings(changed, site):
    section = changed.page("").find(".//section[@class='sweep']")
    assert text(section.find("h2")) == "Constrained: Rate of the link (Mbps)"
    links = [link.get("href") for link in section.findall(".//svg//a")]
    for setting in ("8mbps", "50mbps"):
        assert links.count(f"./pairs/{setting}/{PAIR}/") == 2
        assert changed.target("index.html", f"pairs/{setting}/{PAIR}/")[0].is_file()
    assert site.page("").find(".//section[@class='sweep']") is None


FMP_SETTINGS = len(LOSSES) * len(DISCIPLINES)


def fmp_row_of(pair):
    """The row of fmp over all settings."""
    rows = fmp_tables()["fmp"].to_pylist()
    (row,) = [row for row in rows if (row["pair"], row["key"]) == (pair, "")]
    return row


def test_the_front_page_has_a_row_for_each_competition_as_table_2_of_the_paper(fmp):
    table, row = table_of(fmp.page(""), "Swept: n settings"), fmp_row_of(FMP_PAIR)
    median = f"{row['k_abs_median']:.2f} {row['k_abs_low']:.2f} to {row['k_abs_high']:.2f}"
    percentile = f"{row['k_percentile']:.2f} {row['low']:.2f} to {row['high']:.2f}"
    dominated = [str(row["first_dominates"]), str(row["other_dominates"])]
    assert [percentile, str(FMP_SETTINGS), median, *dominated] == row_named(
        table, "iPerf (BBR) against iPerf (Cubic)"
    )


def test_a_pair_with_few_settings_has_no_interval_and_no_chart(fmp):
    table, row = table_of(fmp.page(""), "Swept: n settings"), fmp_row_of(SELF_PAIR)
    cells = row_named(table, "iPerf (BBR) against itself")
    assert [f"{row['k_percentile']:.2f}", str(FEW), f"{row['k_abs_median']:.2f}"] == cells[:3]
    section = fmp.page("").find(f".//section[@aria-labelledby='fmp-{SWEEP}']")
    assert ["iPerf (BBR) against iPerf (Cubic)"] == [text(heading) for heading in section.findall(".//h3")]


def test_the_front_page_has_the_charts_of_every_swept_key_and_of_the_draws(fmp):
    (sweep,) = fmp_sweeps(campaign_of(fmp_config()).settings)
    section = fmp.page("").find(f".//section[@aria-labelledby='fmp-{SWEEP}']")
    shown = [link.get("href").rpartition("/")[2] for link in section.findall(".//figcaption//a")]
    assert [f"{name}.svg" for name in chart_names(sweep, FMP_PAIR)] == [
        name for name in shown if name.endswith(".svg")
    ]
    assert not list((fmp.base / "charts").glob("share-*")), "no charts of single settings"


def test_the_settings_are_listed_by_a_table_whose_columns_are_the_last_key(fmp):
    for room in ("settings", "trials", "services"):
        page = fmp.page(f"{room}/")
        grid = table_of(page, "Swept: every setting of the sweep")
        rows = grid.findall(".//tbody/tr")
        assert [str(loss).removesuffix(".0") for loss in LOSSES] == [text(row.find("th")) for row in rows]
        links = [link.get("href") for link in rows[3].findall(".//a")]
        names = [setting_name(LOSSES[3], discipline) for discipline in DISCIPLINES]
        assert names == [link.rstrip("/").rpartition("/")[2] for link in links]
        assert FMP_SETTINGS > len(page.findall(".//h2")), room


def test_a_setting_of_the_sweep_still_has_its_page(fmp):
    page = fmp.page(f"settings/{setting_name(LOSSES[3], 'red')}/")
    assert "random loss 0.003" in text(page.find(".//h1"))
    assert f"{SWEEP}-3-red/{FMP_PAIR}/" in " ".join(fmp.links(f"settings/{SWEEP}-3-red/index.html"))


ORDERED, AT_ONCE = "50mbps", "8mbps"
CAMPAIGN = campaign_of(merged_config())
NAMES = {name: service.title for name, service in CAMPAIGN.services.items()}
BBR, CUBIC = "iperf-bbr", "iperf-cubic"
TURNED = "50mbps-turned"
RETRANSMISSIONS = {("first", "c1"): 7.0, ("first", "c2"): 8.0, ("second", "c1"): 9.0, ("second", "c2"): 10.0}


def order_row(setting, pair, client, service, started, metric, median):
    """A row of orders with an interval."""
    return {
        **{"setting": setting, "pair": pair, "client": client, "service": service, "started": started},
        **{"contender": "", "instance": "first", "metric": metric, "n": 6, "median": median, "trials": ""},
        **{"low": median - 0.5, "high": median + 0.5},
    }


def rows_of(setting, pair, first_starts):
    """The rows of a pair whose first client starts first, or second."""
    for client, service in zip(("c1", "c2"), pair.split("~"), strict=True):
        started = "first" if (client == "c1") == first_starts else "second"
        order = "first" if first_starts else "second"
        for metric, median in (
            ("queue_fraction", 0.5),
            ("retransmitted_packets", RETRANSMISSIONS[order, client]),
            ("fness_in_order", 0.0),
        ):
            yield order_row(setting, pair, client, service, started, metric, median)


def inputs_of(folder, *rows):
    """The sources of pages: two settings that differ in who starts first, with these rows of orders."""
    ordered = CAMPAIGN.settings[ORDERED]
    turned = replace(ordered, clients=tuple(replace(one, start_s=1 - one.start_s) for one in ordered.clients))
    settings = {**CAMPAIGN.settings, TURNED: turned}
    table = pa.Table.from_pylist([*rows], schema=load_schema("orders").arrow)
    pq.write_table(table, folder / "orders.parquet")
    campaign = replace(CAMPAIGN, settings=settings)
    return SimpleNamespace(campaign=campaign, tables_dir=folder, chart=lambda name: name)


def test_both_orders_of_a_pair_are_cells_of_one_table(tmp_path):
    pair = f"{BBR}~{CUBIC}"
    both = [*rows_of(ORDERED, pair, True), *rows_of(TURNED, pair, False)]
    pages = order_settings(inputs_of(tmp_path, *both))
    assert {ORDERED, TURNED} == pages.keys()
    assert pages[ORDERED] == pages[TURNED]
    assert [BBR, CUBIC] == pages[ORDERED]["services"]
    assert f"fness-{ORDERED}" == pages[TURNED]["chart"]
    found = {
        key: [(entry["page"], entry["first"]["median"], entry["second"]["median"]) for entry in cell]
        for key, cell in pages[ORDERED]["cells"].items()
    }
    assert found == {
        f"{BBR} {CUBIC}": [(f"pairs/{ORDERED}/{pair}/", 7, 8)],
        f"{CUBIC} {BBR}": [(f"pairs/{TURNED}/{pair}/", 10, 9)],
    }


def test_a_self_pair_has_an_entry_for_each_setting(tmp_path):
    pair = f"{BBR}~{BBR}"
    both = [*rows_of(ORDERED, pair, True), *rows_of(TURNED, pair, False)]
    ((cell, entries),) = order_settings(inputs_of(tmp_path, *both))[ORDERED]["cells"].items()
    assert f"{BBR} {BBR}" == cell
    assert [(7, 8), (10, 9)] == [(one["first"]["median"], one["second"]["median"]) for one in entries]
    queue = {"n": 6, "median": 0.5, "low": 0.0, "high": 1.0}
    assert [queue, queue] == [one["queue"] for one in entries]


def test_the_page_of_a_setting_has_queue_and_retransmissions_of_the_table(site):
    medians = {
        (row["client"], row["metric"]): row["median"]
        for row in sample_tables()["orders"].to_pylist()
        if (row["setting"], row["pair"]) == (ORDERED, f"{BBR}~{CUBIC}")
    }
    table = table_of(site.page(f"settings/{ORDERED}/orders/"), "Queue and retransmissions")
    columns = [text(cell) for cell in table.findall(".//thead/tr/th")][1:]
    row = dict(zip(columns, row_named(table, NAMES[BBR]), strict=True))
    queue = 100 * medians["c1", "queue_fraction"]
    first, second = (int(medians[client, "retransmitted_packets"] + 0.5) for client in ("c1", "c2"))
    assert f"Queue {queue:.0f} % 1st {first} 2nd {second} n = 2" == row[NAMES[CUBIC]]
    assert "–" == row_named(table, NAMES[CUBIC])[columns.index(NAMES[BBR])]


def test_the_chart_is_on_the_home_page_and_on_that_of_its_setting(site):
    for page in ("index.html", f"settings/{ORDERED}/orders/index.html"):
        assert [link for link in site.links(page) if link.endswith(f"charts/fness-{ORDERED}.svg")], page
    assert "Which service starts first" not in text(site.page(f"settings/{AT_ONCE}/").find(".//main"))
