"""What the tables take from the catalogue, through the merged configuration."""

from dataclasses import replace

import pytest

from scripts.model.campaign import Campaign
from scripts.model.services import Live, Service
from scripts.model.settings import ClientPath
from scripts.tables.parameters import bind_parameters
from tests.tables.campaigns import REFERENCE, campaign, catalogued, service, swept

VIDEO = service("video", category="Video", driver="video", cca=None, flows=None)
CALL = service("call", category="RTC", driver="call", metric="rtc", cca=None, flows=None)
LIVE = Live(prepare="nothing", url="https://live.test/", cca="BBRv1.1", cap_mbps=13)


def parameter(name: str, entry: Service) -> object:
    """A bind parameter of a campaign with this service alone."""
    return bind_parameters([name], campaign(entry))[name]


@pytest.mark.parametrize(
    ("entry", "cca", "of_kernel", "cap_mbps"),
    [
        (catalogued("iperf-cubic"), "cubic", True, None),
        (catalogued("ref-file-quic-bbr"), "bbr", False, None),
        (catalogued("ref-file-quic-bbr2"), "bbr2", False, None),
        (catalogued("iperf-reno-1mbps"), "reno", True, 1.0),
        (catalogued("ref-file-cubic-45mbps"), "cubic", True, 45.0),
        (catalogued("ref-video-quic-bbr"), "bbr", False, 13.0),
        (catalogued("ref-call-2600kbps"), "gcc", False, 2.6),
        (replace(VIDEO, live=LIVE), "BBRv1.1", False, 13.0),
        (replace(CALL, live=Live(prepare="nothing", url="https://live.test/")), None, False, None),
    ],
)
def test_congestion_control_and_cap_are_the_catalogues(entry, cca, of_kernel, cap_mbps):
    (row,) = parameter("catalogue", entry)
    assert (cca, of_kernel, cap_mbps) == (row["cca_asked"], row["of_kernel"], row["cap_mbps"])


@pytest.mark.parametrize(
    ("entry", "cap_mbps"),
    [
        (catalogued("iperf-cubic"), None),
        (catalogued("ref-file-cubic-45mbps"), 45 * 1538 / 1500),
        (catalogued("ref-call-2600kbps"), 2.6 * 1538 / 1500),
        (catalogued("ref-video-4-reno"), 8 * 1538 / 1448),
        (catalogued("iperf-bbr-1mbps"), 1 * 1538 / 1448),
        (replace(catalogued("iperf-bbr-1mbps"), flows=3), 3 * 1538 / 1448),
        (replace(VIDEO, live=LIVE), 13 * 1538 / 1500),
    ],
)
def test_a_cap_counts_what_it_takes_of_the_link(entry, cap_mbps):
    """The bitrates of a video and of each flow of iperf3 are payload. The other caps are IP throughput.

    A full packet takes 1538 bytes.
    """
    (row,) = parameter("caps", entry)
    assert entry.name == row["service"]
    assert pytest.approx(cap_mbps) == row["cap_mbps"]


def settings_with(**changes: object) -> Campaign:
    """A campaign with one setting, that of the reference with these fields."""
    merged = campaign()
    return replace(merged, settings={"link": replace(merged.settings["8mbps"], **changes)})


@pytest.mark.parametrize(
    ("queue", "packets"),
    [({"queue_packets": 21}, 21), ({"queue_packets": None, "queue_bytes": 15_140}, 10)],
)
def test_a_queue_limit_in_bytes_is_that_of_so_many_full_frames(queue, packets):
    (found,) = bind_parameters(["links"], settings_with(**queue))["links"]
    assert ("link", packets) == (found["setting"], found["queue_packets"])


def test_clients_start_when_their_setting_says():
    paths = (ClientPath(), ClientPath(start_s=5))
    assert [("link", "c1", 0), ("link", "c2", 5)] == [
        tuple(row.values()) for row in bind_parameters(["starts"], settings_with(clients=paths))["starts"]
    ]


@pytest.mark.parametrize(
    ("changes", "beyond"), [({}, []), ({"metric": "throughput"}, []), ({"metric": "web"}, ["video"])]
)
def test_what_is_not_judged_by_throughput_is_beyond_the_matrix(changes, beyond):
    assert beyond == parameter("beyond", replace(VIDEO, **changes))


def test_every_swept_value_of_every_setting_has_its_place_in_the_order_of_the_campaign():
    settings = REFERENCE.settings | swept("link", rtt_ms=(50, 0), random_loss=(0.01,))
    rows = bind_parameters(["sweeps"], replace(REFERENCE, settings=settings))["sweeps"]
    assert rows == [
        {"setting": setting, "sweep": "link", "key": key, "value": value, "place": place}
        for place, (setting, key, value) in enumerate(
            [
                ("link-1", "rtt_ms", "50"),
                ("link-1", "random_loss", "0.01"),
                ("link-2", "rtt_ms", "0"),
                ("link-2", "random_loss", "0.01"),
            ]
        )
    ]


@pytest.mark.parametrize(
    ("entry", "found"),
    [
        (catalogued("iperf-cubic"), [("cubic", 1, False)]),
        (service("older", flows=None), [("bbr", 1, False)]),
        (catalogued("ref-file-batched-5-bbr"), [("bbr", 5, True)]),
        (catalogued("iperf-reno-1mbps"), [("reno", 1, True)]),
        (catalogued("ref-file-cubic-45mbps"), [("cubic", 1, True)]),
        (catalogued("ref-video-4-reno"), [("reno", 4, True)]),
        (catalogued("ref-file-quic-bbr"), []),
        (catalogued("ref-page-text"), []),
        (catalogued("flow-60mb-bbr"), []),
        (catalogued("dropbox"), []),
    ],
)
def test_services_send_over_tcp_and_some_pause_or_have_a_limit_of_their_own(entry, found):
    assert found == [(row["sends"], row["flows"], row["pauses"]) for row in parameter("tcp_senders", entry)]


def test_downloads_in_batches_stand_beside_as_many_flows_of_the_same_congestion_control():
    names = ("ref-file-batched-5-bbr", "iperf-bbr-5", "iperf-bbr", "iperf-cubic", "ref-video-4-reno")
    capped = service("capped", flows=5, bitrate_mbps=1)
    cubic = service("cubic-5", flows=5, cca="cubic")
    found = bind_parameters(["batches"], campaign(*map(catalogued, names), capped, cubic))
    assert [{"contender": "ref-file-batched-5-bbr", "counterpart": "iperf-bbr-5"}] == found["batches"]
