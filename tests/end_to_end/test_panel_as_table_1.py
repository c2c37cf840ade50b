"""The panel's caps, adaptation and burstiness are those of Prudentia's Table 1."""

import numpy as np
import pytest

from tests.end_to_end.panel import Panel

pytestmark = [pytest.mark.soak(minutes=15), pytest.mark.usefixtures("quiet_host")]

SEGMENT_S = 4
MODERATE = {"rate_mbps": 50}


def received_mbps(panel: Panel, from_s: float, to_s: float) -> float:
    """The mean rate of IP bytes to the client between two moments of the trial."""
    start_s = panel.record["start_ns"] / 1e9
    sizes = [
        int(size)
        for at, size in panel.packets("c1", "frame.time_epoch", "ip.len")
        if from_s <= float(at) - start_s < to_s
    ]
    return sum(sizes) * 8 / (to_s - from_s) / 1e6


@pytest.mark.parametrize(
    ("service", "cap_mbps"),
    [("ref-call-1500kbps", 1.5), ("ref-call-2600kbps", 2.6), ("ref-file-cubic-45mbps", 45)],
)
def test_a_service_on_a_wide_link_takes_its_cap(tmp_path, service, cap_mbps):
    panel = Panel(tmp_path, service, 40, **MODERATE)
    assert received_mbps(panel, 20, 38) == pytest.approx(cap_mbps, rel=0.05)


@pytest.mark.parametrize(
    ("service", "cap_mbps"), [("ref-video-4-reno", 8), ("ref-video-2-bbr", 14), ("ref-video-quic-bbr", 13)]
)
def test_a_video_on_a_wide_link_takes_its_highest_bitrate(tmp_path, service, cap_mbps):
    panel = Panel(tmp_path, service, 80, **MODERATE)
    late = [segment for segment in panel.qoe["c1"]["segments"] if segment["end_s"] > 30]
    assert {segment["bitrate_bps"] for segment in late} == {cap_mbps * 1e6}
    span_s = late[-1]["end_s"] - late[0]["end_s"]
    fetched_bits = sum(segment["bitrate_bps"] * SEGMENT_S for segment in late[1:])
    assert fetched_bits / span_s / 1e6 == pytest.approx(cap_mbps, rel=0.05), (
        "the player's buffer is full by then"
    )


@pytest.mark.parametrize("service", ["ref-video-2-bbr", "ref-video-quic-bbr"])
def test_a_video_holds_no_bitrate_above_the_link(tmp_path, service):
    seen = Panel(tmp_path, service, 60).qoe["c1"]
    late = [segment["bitrate_bps"] for segment in seen["segments"] if segment["end_s"] > 20]
    assert 0 < max(late) < 8e6
    assert seen["played_s"] > 40


def test_a_call_adapts_to_a_narrow_link(tmp_path):
    panel = Panel(tmp_path, "ref-call-1500kbps", 50, rate_mbps=0.6)
    assert 0.3 < received_mbps(panel, 25, 48) < 0.6
    seconds = [second for second in panel.qoe["c1"]["seconds_of_call"] if second["at_s"] > 25]
    frames_per_s = (seconds[-1]["frames"] - seconds[0]["frames"]) / (seconds[-1]["at_s"] - seconds[0]["at_s"])
    assert frames_per_s > 10, "the picture still moves"


def variation(panel: Panel) -> float:
    """Standard deviation over mean of the bytes that arrive at the bottleneck in 100 ms, from 8 s on."""
    arrivals = panel.arrivals()
    at_s = np.array(arrivals["at_s"])
    late = (at_s > 8) & (at_s < 38)
    sums = np.bincount(((at_s[late] - 8) * 10).astype(int), weights=np.array(arrivals["bytes"])[late])
    return float(sums.std() / sums.mean())


def test_a_download_in_batches_is_burstier_than_one_flow(tmp_path):
    batched, steady = (tmp_path / name for name in ("batched", "steady"))
    batched.mkdir()
    steady.mkdir()
    of_batches = variation(Panel(batched, "ref-file-batched-5-bbr", 40))
    assert of_batches > 1.5 * variation(Panel(steady, "ref-file-bbr", 40))
