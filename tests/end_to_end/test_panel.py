"""Real browsers against the self-hosted servers, over the bottleneck of 8 Mbps.

On a busy host a browser may start its video or call too late for its short trial.
"""

from itertools import pairwise

import pyarrow.parquet as pq
import pytest

from scripts.extract.extract_trial import extract
from tests.end_to_end.panel import Panel, most_flows_at_once, workload_flows

RATE_BPS = 8e6
PAUSING, PAUSE_S = "ref-file-batched-5-bbr-250kb-pause-500ms", 0.5
CLOCKS_S = 0.01
"""How far the clocks of the page and of the capture may be apart."""
TIMER_S = 0.002
"""How early a timer of the browser may fire."""


@pytest.fixture(scope="module")
def video_and_batches(tmp_path_factory):
    """Long enough that the video starts, whoever wins."""
    return Panel(tmp_path_factory.mktemp("video"), f"{PAUSING}~ref-video-4-reno", 24)


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    return Panel(tmp_path_factory.mktemp("page"), "ref-page-images", 24)


@pytest.fixture(scope="module")
def quic_file(tmp_path_factory):
    return Panel(tmp_path_factory.mktemp("quic"), "ref-file-quic-bbr", 12)


def test_as_many_flows_carry_the_workload_as_table_1_says(video_and_batches, page, quic_file):
    assert 5 == workload_flows(video_and_batches, "c1")
    # Four requests at once. Chromium keeps up to six connections to a host, uses any that is idle, and closes
    # that of a request that the player gives up.
    assert workload_flows(video_and_batches, "c2") >= 4
    assert most_flows_at_once(video_and_batches, "c2") <= 6
    assert (1, 0) == (workload_flows(quic_file, "c1", "udp"), workload_flows(quic_file, "c1", "tcp"))
    assert len(page.flows("c1", "tcp")) > 2 * 10, "two loads, each with more than ten connections"


@pytest.mark.soak(minutes=1)
@pytest.mark.parametrize(("service", "flows"), [("ref-page-text", 5), ("ref-page-thumbnails", 20)])
def test_a_load_takes_more_flows_than_table_1_says(tmp_path, service, flows):
    panel = Panel(tmp_path, service, 24)
    assert [["bbr"]] == [part["cca"] for part in panel.record["clients"]]
    assert len(panel.qoe["c1"]["loads"]) == 2
    assert len(panel.flows("c1", "tcp")) > 2 * flows


def test_the_kernel_confirms_the_congestion_controls(video_and_batches, page, quic_file):
    clients = [*video_and_batches.record["clients"], *page.record["clients"], *quic_file.record["clients"]]
    assert [["bbr"], ["reno"], ["bbr"], []] == [part["cca"] for part in clients]


def test_the_browser_names_the_protocol_of_the_catalogue(video_and_batches, page, quic_file):
    seen = [*video_and_batches.qoe.values(), *page.qoe.values(), *quic_file.qoe.values()]
    assert [["http/1.1"], ["http/1.1"], ["h2"], ["h3"]] == [part["protocols"] for part in seen]


def test_all_that_a_quic_sender_sent_arrived(quic_file):
    """Its packet numbers are encrypted, so only the counters of its device can show a loss on its side."""
    (client,) = quic_file.record["clients"]
    (downlink,) = quic_file.record["bottleneck"]["downlink"]["clients"]
    sent = client["devices"]["service"]
    assert (sent["sent_packets"], sent["sent_dropped"]) == (downlink["arrived_packets"], 0)


def test_names_are_resolved_over_the_link(page):
    resolved = {name: address for name, address in page.packets("c1", "dns.qry.name", "dns.a") if address}
    names = ["images.test", *[f"image{number}.images.test" for number in range(1, 5)]]
    assert resolved == dict(zip(names, page.record["clients"][0]["service_addresses"], strict=True))


def test_no_handshake_is_lost_and_flows_are_named_by_them(page, tmp_path):
    for client in page.record["clients"]:
        assert client["handshakes"]["kept_packets"] > 0 == client["handshakes"]["lost_packets"]
    extract(page.directory, tmp_path)
    flows = pq.read_table(tmp_path / "flows.parquet").to_pylist()
    named = {flow["name"] for flow in flows if flow["known_by"] in ("sni", "http")}
    assert {"images.test", "image1.images.test"} <= named


@pytest.mark.parametrize("client", ["c1", "c2"])
def test_the_page_counts_no_more_than_the_capture_holds(video_and_batches, client):
    received = sum(video_and_batches.flows(client, "tcp").values())
    counted = video_and_batches.qoe[client]["received_bytes"]
    assert 0.5 * received < counted < received


def test_a_batch_starts_a_pause_after_the_last_one_is_complete(video_and_batches):
    batches = video_and_batches.qoe["c1"]["batches"]
    assert len(batches) > 2
    for batch, following in pairwise(batches):
        assert max(batch["chunk_ends_s"]) + PAUSE_S <= following["start_s"] + TIMER_S
    assert all(len(batch["chunk_ends_s"]) == 5 for batch in batches)


def test_no_data_arrives_during_a_pause(video_and_batches):
    seen = video_and_batches.qoe["c1"]
    packets = video_and_batches.packets("c1", "frame.time_epoch", "tcp.len")
    arrivals = [float(at) for at, size in packets if size and int(size)]
    for following in seen["batches"][1:]:
        start = seen["since_ns"] / 1e9 + following["start_s"]
        assert max(at for at in arrivals if at < start) <= start - PAUSE_S + CLOCKS_S


def test_a_video_plays_no_faster_than_it_arrived(video_and_batches):
    seen = video_and_batches.qoe["c2"]
    assert 0 < seen["startup_s"]
    assert 0 < seen["played_s"] <= 4 * len(seen["segments"])
    assert seen["frames"]["shown"] > 0
    for segment in seen["segments"]:
        assert segment["bitrate_bps"] * 4 / segment["seconds"] < RATE_BPS, "faster than the link"
        assert segment["bitrate_bps"] in {300e3, 750e3, 1750e3, 3e6, 5e6, 8e6}


def test_a_page_is_loaded_twice_each_time_from_the_network(page):
    loads = page.qoe["c1"]["loads"]
    assert len(loads) == 2
    for load in loads:
        assert load["requests"] == 1 + 5 + 16, "the page, its style and scripts, its pictures"
        assert load["load_event_s"] > load["received_bytes"] * 8 / RATE_BPS, "faster than the link"
        assert 0 < load["speed_index_s"] <= load["completeness"][-1][0]
        times = [at for at, part in load["completeness"] if part >= 0.95]
        assert load["visually_complete_s"] in times
    first, second = loads
    assert first["received_bytes"] == pytest.approx(second["received_bytes"], rel=0.01), "nothing was cached"
    assert second["since_ns"] - first["since_ns"] > 10e9


@pytest.fixture(scope="module")
def call(tmp_path_factory):
    return Panel(tmp_path_factory.mktemp("call"), "ref-call-1500kbps", 14)


def test_a_call_is_one_flow_below_its_cap(call):
    assert 1 == workload_flows(call, "c1", "udp")
    assert 0 == workload_flows(call, "c1", "tcp")
    seen = call.qoe["c1"]["seconds_of_call"]
    for earlier, later in pairwise(second for second in seen if second["at_s"] > 5):
        rate_bps = (
            (later["received_bytes"] - earlier["received_bytes"]) * 8 / (later["at_s"] - earlier["at_s"])
        )
        assert rate_bps < 2e6, "1.5 Mbps, and room for a burst"
    assert seen[-1]["frames"] > 0
    assert {second["height"] for second in seen} <= {0, 90, 120, 180, 240, 270, 360}


def test_a_calls_signalling_is_not_taken_for_its_congestion_control(call):
    assert [[]] == [part["cca"] for part in call.record["clients"]]
