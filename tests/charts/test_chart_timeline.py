"""A trial over time: two charts over one axis, and clients that readers can distinguish."""

from dataclasses import replace

import pytest

from scripts.charts.chart_labels import Labels, make_labels
from scripts.charts.render import to_spec
from scripts.charts.table_rows import SlotRow
from scripts.charts.timeline import MOST_POINTS, timeline
from scripts.model.trials import TrialKey
from tests.charts.sample_campaign import SERVICES
from tests.charts.sample_cycle import sample_tables
from tests.charts.specs import records, rows_of, series_of

SERIES = series_of(records(SlotRow, sample_tables()["trial_series"].to_pylist()))
LABELS = make_labels(SERVICES)


def test_throughput_is_above_the_queue_over_the_same_time():
    spec = to_spec(timeline(SERIES[TrialKey("8mbps", "iperf-bbr~iperf-cubic", 1)], LABELS))
    throughput, queue = spec["vconcat"]
    assert (throughput["encoding"]["y"]["field"], throughput["encoding"]["y"]["title"]) == (
        "throughput",
        "Throughput (Mbps)",
    )
    assert (queue["encoding"]["y"]["field"], queue["encoding"]["y"]["title"]) == (
        "backlog",
        "Queue (packets)",
    )
    assert throughput["encoding"]["x"]["scale"] == queue["encoding"]["x"]["scale"]
    assert queue["encoding"]["x"]["title"].endswith("(s)")


def test_a_short_trial_keeps_every_slot_as_the_table_has_it():
    rows = SERIES[TrialKey("8mbps", "iperf-bbr~iperf-cubic", 1)]
    spec = to_spec(timeline(rows, LABELS))
    found = rows_of(spec, spec["vconcat"][0])
    assert len(rows) == len(found)
    assert [round(row.throughput_mbps, 3) for row in rows] == [p["throughput"] for p in found]


def test_the_legend_of_many_clients_has_columns_in_their_order():
    rows = [
        replace(row, pair="iperf-bbr~iperf-cubic_10", client=f"c{number}", service=service)
        for row in SERIES[TrialKey("8mbps", "iperf-bbr~iperf-cubic", 1)]
        if row.client == "c1"
        for number, service in enumerate(["iperf-bbr", *["iperf-cubic"] * 10], start=1)
    ]
    spec = to_spec(timeline(rows, LABELS))
    assert "iperf-bbr against 10 × iperf-cubic, trial 01" == spec["title"]["text"]
    colour = spec["vconcat"][0]["encoding"]["color"]
    assert 4 == colour["legend"]["columns"]
    assert ["iperf-bbr", *[f"iperf-cubic, c{number}" for number in range(2, 12)]] == colour["sort"]


def test_a_long_trial_is_averaged_over_whole_seconds():
    rows = [
        SlotRow(
            setting="s",
            pair="iperf-bbr",
            trial=1,
            client="c1",
            service="iperf-bbr",
            slot=slot,
            time_s=slot / 10,
            throughput_mbps=float(slot % 10),
            backlog_packets_mean=2.0,
            backlog_packets_max=None,
        )
        for slot in range(6000)
    ]
    spec = to_spec(timeline(rows, LABELS))
    found = rows_of(spec, spec["vconcat"][0])
    assert len(found) == MOST_POINTS
    assert {4.5} == {point["throughput"] for point in found}
    assert [point["time"] for point in found[:3]] == [0.0, 1.0, 2.0]


@pytest.mark.parametrize("pair", ["iperf-bbr~iperf-cubic", "iperf-bbr~iperf-bbr"])
def test_the_clients_of_a_trial_differ_in_colour_and_in_dash(pair):
    spec = to_spec(timeline(SERIES[TrialKey("8mbps", pair, 1)], LABELS))
    encoding = spec["vconcat"][0]["encoding"]
    assert LABELS.colours["iperf-bbr"] == encoding["color"]["scale"]["range"][0]
    assert len(set(encoding["color"]["scale"]["range"])) == 2
    assert len({tuple(dash) for dash in encoding["strokeDash"]["scale"]["range"]}) == 2
    assert len(set(encoding["color"]["scale"]["domain"])) == 2


def test_the_queue_shows_how_much_it_holds_where_that_is_known():
    labels = Labels(colours=LABELS.colours, queues={"8mbps": 128})
    spec = to_spec(timeline(SERIES[TrialKey("8mbps", "iperf-bbr~iperf-cubic", 1)], labels))
    rules = [one for one in spec["vconcat"][1]["layer"] if one["mark"]["type"] == "rule"]
    assert [row["capacity"] for row in rows_of(spec, rules[0])] == [128]
