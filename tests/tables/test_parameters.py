"""What the tables ask of the catalogue, through the merged configuration."""

import pytest

from scripts.base.records import to_json
from scripts.plan.campaign_file import load_service
from scripts.tables.parameters import of_summaries

BARE = {"category": "Video", "driver": "video", "cca": None}
CALL = BARE | {"driver": "call", "metric": "rtc"}
LIVE = {"url": "https://live.test/", "cca": "BBRv1.1", "cap_mbps": 13}


def asked_of(entry):
    """The bind parameters, but for the settings, of a cycle with this service alone."""
    return of_summaries({"settings": {}, "services": {"it": entry}})


@pytest.mark.parametrize(
    ("entry", "cca", "of_kernel", "cap_mbps"),
    [
        (to_json(load_service("iperf-cubic", "the test")), "cubic", True, None),
        (to_json(load_service("ref-file-quic-bbr", "the test")), "bbr", False, None),
        (to_json(load_service("ref-file-cubic-45mbps", "the test")), "cubic", True, 45.0),
        (to_json(load_service("ref-video-quic-bbr", "the test")), "bbr", False, 13.0),
        (to_json(load_service("ref-call-2600kbps", "the test")), "gcc", False, 2.6),
        (BARE | {"live": LIVE}, "BBRv1.1", False, 13.0),
        (CALL | {"live": {"url": "https://live.test/"}}, None, False, None),
    ],
)
def test_congestion_control_and_cap_are_the_catalogues(entry, cca, of_kernel, cap_mbps):
    asked = asked_of(entry)["workloads"]
    assert ([cca], [of_kernel], [cap_mbps]) == (asked["ccas"], asked["kernel_ccas"], asked["caps_mbps"])


@pytest.mark.parametrize(
    ("metric", "beyond"), [({}, []), ({"metric": "throughput"}, []), ({"metric": "web"}, ["it"])]
)
def test_what_is_not_judged_by_throughput_is_beyond_the_matrix(metric, beyond):
    assert beyond == asked_of(BARE | metric)["pairs"]["beyond"]
