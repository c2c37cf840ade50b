"""Which service starts first: the chart, and the table of queues and retransmissions."""

from dataclasses import replace
from types import SimpleNamespace

import pyarrow as pa
import pyarrow.parquet as pq

from scripts.site.cycle.order_pages import order_settings
from scripts.tables.table_schema import load_schema
from tests.charts.sample_campaign import campaign_of, merged_config
from tests.charts.sample_cycle import sample_tables
from tests.site.pages_read import row_named, table_of, text

ORDERED, AT_ONCE = "50mbps", "8mbps"
CAMPAIGN = campaign_of(merged_config())
TITLES = {name: service.title for name, service in CAMPAIGN.services.items()}
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
    queue = {"n": 6, "median": 0.5, "low": 0.0, "high": 1.0, "at_least": None}
    assert [queue, queue] == [one["queue"] for one in entries]


def test_the_page_of_a_setting_has_queue_and_retransmissions_of_the_table(site):
    medians = {
        (row["client"], row["metric"]): row["median"]
        for row in sample_tables()["orders"].to_pylist()
        if (row["setting"], row["pair"]) == (ORDERED, f"{BBR}~{CUBIC}")
    }
    table = table_of(site.page(f"settings/{ORDERED}/"), "Queue and retransmissions")
    columns = [text(cell) for cell in table.findall(".//thead/tr/th")][1:]
    row = dict(zip(columns, row_named(table, TITLES[BBR]), strict=True))
    queue = 100 * medians["c1", "queue_fraction"]
    first, second = (int(medians[client, "retransmitted_packets"] + 0.5) for client in ("c1", "c2"))
    assert f"Queue {queue:.0f} % 1st {first} 2nd {second} n = 2" == row[TITLES[CUBIC]]
    assert "–" == row_named(table, TITLES[CUBIC])[columns.index(TITLES[BBR])]


def test_the_chart_is_on_the_home_page_and_on_that_of_its_setting(site):
    for page in ("index.html", f"settings/{ORDERED}/index.html"):
        assert [link for link in site.links(page) if link.endswith(f"charts/fness-{ORDERED}.svg")], page
    assert "Which service starts first" not in text(site.page(f"settings/{AT_ONCE}/").find(".//main"))
