"""What a trial of two services prints."""

from dataclasses import replace

from scripts.charts.chart_labels import Labels
from scripts.charts.one_trial import GotRow, summary

CUBIC = GotRow(
    setting="8mbps",
    pair="iperf-cubic~own-quiche-bbr",
    trial=1,
    client="c2",
    service="iperf-cubic",
    valid=True,
    reason=None,
    cca="cubic",
    rate_mbps=8,
    rtt_ms=50,
    window_start_s=12,
    window_stop_s=59,
    throughput_mbps=5.81,
    wire_rate_mbps=6,
    loss_rate=0.001,
    queueing_delay_mean_ms=150.4,
    queueing_delay_p95_ms=190.6,
    utilization=0.98,
    stack=None,
    stack_version=None,
    controller=None,
)
QUICHE = replace(
    CUBIC,
    client="c1",
    service="own-quiche-bbr",
    cca=None,
    throughput_mbps=1.78,
    wire_rate_mbps=1.84,
    loss_rate=None,
    stack="quiche",
    stack_version="0.30.0",
    controller="BBRv2",
)
LABELS = Labels(services={"iperf-cubic": "iPerf (Cubic)"})


def test_each_client_is_a_line_with_what_it_sends_with():
    assert [
        "service         sends with              of the link  IP Mbps  loss    delay   95th",
        "own-quiche-bbr  BBRv2 of quiche 0.30.0  23.0 %       1.78     –       150 ms  191 ms",
        "iPerf (Cubic)   cubic                   75.0 %       5.81     0.10 %  150 ms  191 ms",
        "From second 12 to 59 the link was 98.0 % full. The trial counts.",
    ] == summary([CUBIC, QUICHE], LABELS)


def test_a_trial_that_does_not_count_says_why():
    late = "sender_wait_fraction: 0.2 > 0.05"
    rows = [replace(row, valid=False, reason=late) for row in (CUBIC, QUICHE)]
    *_, verdict, meaning = summary(rows, LABELS)
    assert f"the link was 98.0 % full. The trial does not count: {late}." in verdict
    assert meaning.startswith("sender_wait_fraction: ")


def test_a_failed_trial_has_no_figures():
    failed = replace(CUBIC, valid=False, reason="the server ended", utilization=None, throughput_mbps=None)
    assert ["The trial failed: the server ended"] == summary([failed], LABELS)
