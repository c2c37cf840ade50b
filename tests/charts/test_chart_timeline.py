"""A trial over time: two panels over one axis, clients that readers can distinguish, and points."""

from dataclasses import replace

import pytest

from scripts.charts.chart_labels import PARTIES, Labels, make_labels
from scripts.charts.render import to_spec
from scripts.charts.table_rows import SlotRow, WindowRow
from scripts.charts.timeline import MOST_MEANS, MOST_VALUES, extremes, means, timeline
from scripts.model.trials import TrialKey
from tests.charts.sample_campaign import SERVICES, WINDOW_S
from tests.charts.sample_cycle import INVALID, SLOTS, WINDOW_START_S, sample_tables
from tests.charts.specs import layers_of, records, series_of, subtitle_of, title_of

SERIES = series_of(records(SlotRow, sample_tables()["trial_series"].to_pylist()))
CLIENTS = series_of(records(WindowRow, sample_tables()["trial_services"].to_pylist()))
LABELS = make_labels(SERVICES)
KEY = TrialKey("8mbps", "iperf-bbr~iperf-cubic", 1)


def spec_of(key: TrialKey = KEY, labels: Labels = LABELS) -> dict:
    return to_spec(timeline(SERIES[key], CLIENTS[key], labels))


def lines(spec: dict, panel: int) -> tuple[dict, dict]:
    """The layers of a panel with every value and with the means."""
    every, strong = layers_of(spec["vconcat"][panel], "line")
    return every, strong


def many_clients() -> tuple[list[SlotRow], list[WindowRow]]:
    """One client of BBR and ten of Cubic."""
    services = ["iperf-bbr", *["iperf-cubic"] * 10]
    named = [
        {"pair": "iperf-bbr~iperf-cubic_10", "client": f"c{number}", "service": service}
        for number, service in enumerate(services, start=1)
    ]
    slots = [replace(row, **name) for name in named for row in SERIES[KEY] if row.client == "c1"]
    return slots, [replace(CLIENTS[KEY][0], **name, throughput_mbps=0.5) for name in named]


def test_throughput_is_above_the_queue_over_the_same_time():
    spec = spec_of()
    assert ["Throughput (Mbps)", "Queue (packets)"] == [panel["title"]["text"] for panel in spec["vconcat"]]
    above, below = (lines(spec, panel)[1]["encoding"]["x"] for panel in (0, 1))
    assert above["scale"] == below["scale"] and below["title"].endswith("(s)")


@pytest.mark.parametrize(("panel", "column"), [(0, "throughput_mbps"), (1, "backlog_packets_mean")])
def test_behind_the_means_is_every_value_faint(panel, column):
    every, strong = lines(spec_of(), panel)
    assert [round(getattr(row, column), 3) for row in SERIES[KEY]] == [
        point["value"] for point in every["data"]["values"]
    ]
    assert every["mark"]["opacity"] < 0.5 and "opacity" not in strong["mark"]
    assert 2 * SLOTS / 10 == len(strong["data"]["values"])


def test_all_but_the_steady_window_is_shaded():
    spec = spec_of()
    for panel in spec["vconcat"]:
        shade = panel["layer"][0]
        stop = WINDOW_START_S + WINDOW_S
        assert [(0, WINDOW_START_S), (stop, SLOTS / 10)] == [
            (row["time"], row["until"]) for row in shade["data"]["values"]
        ]
    assert "Unshaded: the steady window, 3–10 s" in subtitle_of(spec)


def test_the_title_has_the_throughput_of_each_client_in_the_steady_window():
    bbr, cubic = (row.throughput_mbps for row in CLIENTS[KEY])
    assert f"iperf-bbr {bbr:.2f} Mbps, iperf-cubic {cubic:.2f} Mbps" == title_of(spec_of())


def test_the_title_of_an_excluded_trial_says_so():
    assert title_of(spec_of(TrialKey(*INVALID))).startswith("Excluded trial: iperf-bbr ")


def test_many_clients_have_a_legend_with_columns_in_their_order_and_a_title_with_their_sum():
    spec = to_spec(timeline(*many_clients(), LABELS))
    colour = lines(spec, 0)[1]["encoding"]["color"]
    assert 2 == colour["legend"]["columns"]
    assert ["iperf-bbr", *[f"iperf-cubic, c{number}" for number in range(2, 12)]] == colour["sort"]
    assert "iperf-bbr 0.50 Mbps, 10 × iperf-cubic 5.00 Mbps together" == title_of(spec)


@pytest.mark.parametrize("pair", ["iperf-bbr~iperf-cubic", "iperf-bbr~iperf-bbr"])
def test_the_clients_of_a_trial_differ_in_colour_and_in_dash(pair):
    encoding = lines(spec_of(TrialKey("8mbps", pair, 1)), 0)[1]["encoding"]
    assert PARTIES[:2] == tuple(encoding["color"]["scale"]["range"])
    assert 2 == len({tuple(dash) for dash in encoding["strokeDash"]["scale"]["range"]})


def test_a_service_keeps_its_colour_whichever_client_it_is():
    swap = {"c1": "c2", "c2": "c1"}
    slots, clients = (
        [replace(row, client=swap[row.client]) for row in rows] for rows in (SERIES[KEY], CLIENTS[KEY])
    )
    spec = to_spec(timeline(slots, clients, LABELS))
    scales = [lines(drawn, 0)[1]["encoding"]["color"]["scale"] for drawn in (spec_of(), spec)]
    assert scales[0] == scales[1] and title_of(spec) == title_of(spec_of())


def test_the_queue_shows_how_much_it_holds_where_that_is_known():
    spec = spec_of(labels=Labels(colours=LABELS.colours, queues={"8mbps": 128}))
    (rule,) = layers_of(spec["vconcat"][1], "rule")
    assert [{"value": 128}] == rule["data"]["values"]
    assert "the queue holds 128 packets" in subtitle_of(spec)


def values_of(count: int) -> list[tuple[int, float | None]]:
    """Slots with the values 0 to 9 again and again."""
    return [(slot, float(slot % 10)) for slot in range(count)]


def test_a_mean_is_at_the_middle_of_its_second():
    assert [(0.5, 4.5), (1.5, 4.5)] == means(values_of(20), 20)


def test_the_last_second_may_be_short():
    assert [(0.5, 4.5), (1.2, 1.5)] == means(values_of(14), 14)


def test_unknown_values_are_not_in_a_mean_and_a_second_without_a_known_one_has_none():
    values: list[tuple[int, float | None]] = [(slot, None) for slot in range(20)]
    values[3] = (3, 6.0)
    assert [(0.5, 6.0), (1.5, None)] == means(values, 20)


def test_a_trial_of_more_than_five_minutes_has_means_of_several_seconds():
    found = means(values_of(6001), 6001)
    assert len(found) <= MOST_MEANS and (1.5, 4.5) == found[0]


def test_a_short_trial_keeps_every_value():
    assert [(slot / 10, value) for slot, value in values_of(MOST_VALUES)] == extremes(
        values_of(MOST_VALUES), MOST_VALUES
    )


def test_a_long_trial_keeps_the_lowest_and_the_highest_value_of_each_group_in_order_of_time():
    values = values_of(6000)
    values[7], values[3] = (7, -5.0), (3, 50.0)
    found = extremes(values, 6000)
    assert len(found) <= MOST_VALUES
    assert [(0.3, 50.0), (0.7, -5.0)] == found[:2]


def test_a_group_of_unknown_values_is_a_gap():
    assert [(0.0, None)] == extremes([(slot, None) for slot in range(20)], 6000)
