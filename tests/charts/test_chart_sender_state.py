"""The senders of a trial over time: BBR's estimates beside the link, and every client's congestion window."""

from dataclasses import replace

import pytest

from scripts.charts.chart_labels import make_labels
from scripts.charts.render import to_spec
from scripts.charts.sender_state import sender_state
from scripts.charts.table_rows import SenderRow, SlotRow, WindowRow
from scripts.charts.timeline import end_of, timeline
from scripts.model.trials import TrialKey
from tests.charts.sample_campaign import SERVICES, WINDOW_S
from tests.charts.sample_cycle import INVALID, PROBE_RTT_S, SLOTS, WINDOW_START_S, sample_tables
from tests.charts.specs import layers_of, marked, records, series_of, subtitle_of, title_of

TABLES = sample_tables()
SAMPLES = series_of(records(SenderRow, TABLES["trial_senders"].to_pylist()))
CLIENTS = series_of(records(WindowRow, TABLES["trial_services"].to_pylist()))
SLOT_ROWS = series_of(records(SlotRow, TABLES["trial_series"].to_pylist()))
LABELS = make_labels(SERVICES)
KEY = TrialKey("8mbps", "iperf-bbr~iperf-cubic", 1)
WITHOUT_BBR = TrialKey("8mbps", "iperf-cubic~iperf-reno", 1)
BANDWIDTH, RTT, WINDOW = (
    "BBR’s estimate of the bandwidth (Mbps)",
    "BBR’s estimate of the RTT without queueing (ms)",
    "Congestion window (packets)",
)


def spec_of(key: TrialKey = KEY, samples: list[SenderRow] | None = None) -> dict:
    shown = SAMPLES[key] if samples is None else samples
    return to_spec(sender_state(shown, CLIENTS[key], SLOTS / 10, LABELS))


def panels(spec: dict) -> dict[str, dict]:
    """The panels by their titles."""
    return {panel["title"]["text"]: panel for panel in spec["vconcat"]}


def test_the_estimates_are_those_of_bbr_alone_and_the_windows_those_of_every_client():
    found = panels(spec_of())
    assert [BANDWIDTH, RTT, WINDOW] == [*found]
    shown = {title: {row["client"] for row in marked(panel, "line")} for title, panel in found.items()}
    assert {"iperf-bbr"} == shown[BANDWIDTH] == shown[RTT]
    assert {"iperf-bbr", "iperf-cubic"} == shown[WINDOW]


def test_the_estimate_jumps_where_the_samples_do():
    points = [(row["time"], row["value"]) for row in marked(panels(spec_of())[RTT], "line")]
    assert [(s + 0.5, 50.0 if s < PROBE_RTT_S else 110.0) for s in range(SLOTS // 10)] == points


def test_the_estimates_stand_beside_the_link_and_the_rtt_without_queueing():
    found = panels(spec_of())
    rules = {title: [row["value"] for row in marked(panel, "rule")] for title, panel in found.items()}
    assert {BANDWIDTH: [8.0], RTT: [50.0], WINDOW: []} == rules
    assert "Dotted: rate of the link, RTT without queueing" in subtitle_of(spec_of())


def test_a_trial_without_bbr_has_windows_with_a_faint_threshold():
    spec = spec_of(WITHOUT_BBR)
    (panel,) = panels(spec).values()
    window, threshold = layers_of(panel, "line")
    assert threshold["mark"]["opacity"] < 1 and "opacity" not in window["mark"]
    of_cubic = [row["value"] for row in threshold["data"]["values"] if row["client"] == "iperf-cubic"]
    assert [None, *[30] * (SLOTS // 10 - 1)] == of_cubic
    assert "iperf-cubic has a window of 26 packets, iperf-reno has a window of 26 packets" == title_of(spec)
    assert "Faint: slow-start threshold" in subtitle_of(spec)


def test_the_threshold_of_bbr_is_not_drawn():
    threshold = layers_of(panels(spec_of())[WINDOW], "line")[1]["data"]["values"]
    assert {"iperf-cubic"} == {row["client"] for row in threshold}


def test_the_title_has_the_medians_of_the_steady_window():
    mbps = 1.2 * CLIENTS[KEY][0].throughput_mbps
    assert f"iperf-bbr estimates {mbps:.2f} Mbps and an RTT of 110 ms" == title_of(spec_of())
    assert title_of(spec_of(TrialKey(*INVALID))).startswith("Excluded trial: iperf-bbr estimates ")


def test_many_clients_of_a_service_estimate_their_sum():
    """Four of BBR: the sum of their bandwidths, the median of their RTTs."""
    client, rows = CLIENTS[KEY][0], [row for row in SAMPLES[KEY] if row.service == "iperf-bbr"]
    names, rtts = ("c1", "c2", "c3", "c10"), (10.0, 20.0, 40.0, 90.0)
    samples = [
        replace(row, client=name, bbr_bandwidth_mbps=1.5, bbr_min_rtt_ms=rtt)
        for name, rtt in zip(names, rtts, strict=True)
        for row in rows
    ]
    clients = [replace(client, client=name) for name in names]
    spec = to_spec(sender_state(samples, clients, SLOTS / 10, LABELS))
    assert "4 × iperf-bbr estimate 6.00 Mbps together and an RTT of 30 ms" == title_of(spec)
    legend = layers_of(panels(spec)[RTT], "line")[0]["encoding"]["color"]["sort"]
    assert ["iperf-bbr, c1", "iperf-bbr, c2", "iperf-bbr, c3", "iperf-bbr, c10"] == legend


@pytest.mark.parametrize(("connections", "expected"), [(1, False), (5, True)])
def test_sums_over_connections_are_told_where_there_are_several(connections, expected):
    samples = [replace(row, connections=connections) for row in SAMPLES[KEY]]
    words = "Connections of a service: the sum, of the RTT the median"
    assert expected == (words in subtitle_of(spec_of(samples=samples)))


def test_it_has_the_time_axis_and_the_steady_window_of_the_throughput_above_it():
    above = to_spec(timeline(SLOT_ROWS[KEY], CLIENTS[KEY], LABELS))
    assert SLOTS / 10 == end_of(SLOT_ROWS[KEY])
    throughput, below = above["vconcat"][0], spec_of()["vconcat"]
    shade, lines = throughput["layer"][0], layers_of(throughput, "line")
    for panel in below:
        assert throughput["width"] == panel["width"]
        assert shade["data"] == panel["layer"][0]["data"]
        for line in layers_of(panel, "line"):
            assert lines[1]["encoding"]["x"]["scale"] == line["encoding"]["x"]["scale"]
            assert lines[1]["encoding"]["color"]["scale"] == line["encoding"]["color"]["scale"]
    stop = WINDOW_START_S + WINDOW_S
    assert [(0, WINDOW_START_S), (stop, SLOTS / 10)] == [
        (row["time"], row["until"]) for row in shade["data"]["values"]
    ]


def test_the_description_has_the_range_of_each_figure():
    assert (
        "RTT estimate between 50 and 110 ms, congestion window between 20 and 30 packets"
        in (spec_of()["description"])
    )
