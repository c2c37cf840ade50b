"""Which trials the throughput models are of, and the constants of the testbed that they get."""

from dataclasses import replace

import pytest

from scripts.metrics.models import bbr_share, mathis, padhye
from scripts.tables.formulas import bbr_link_fraction, mathis_mbps, padhye_mbps
from tests.tables.built import built
from tests.tables.campaigns import REFERENCE, campaign, catalogued, service

BBR, RENO = service("bbr"), service("reno", cca="reno")
FRACTIONS, RATIOS = {"link_fraction", "link_fraction_error"}, {"mathis_ratio", "padhye_ratio"}


def client(number, name, others):
    """A client of a valid trial at 8 Mbps."""
    return {
        "setting": "8mbps",
        "pair": "~".join(sorted([name, *others])),
        "trial": 1,
        "client": f"c{number}",
        "service": name,
        "contender": "~".join(others),
        "clients": 1 + len(others),
        "self_pair": False,
        "status": "completed",
        "valid": True,
        "rate_mbps": 8.0,
        "rtt_ms": 50.0,
        "wire_rate_mbps": 4.0,
        "goodput_mbps": 3.6,
        "loss_rate": 0.01,
        "queueing_delay_mean_ms": 50.0,
        "utilization": 1.0,
        "instance": "first",
    }


def models(folder, *services, link=None, numbers=(1, 2)):
    """The rows of the table for one trial of these services, whose clients have these numbers."""
    merged = campaign(*services)
    merged = replace(merged, settings={"8mbps": replace(REFERENCE.settings["8mbps"], **(link or {}))})
    names = [service.name for service in services]
    rows = [
        client(number, name, [one for one in names if one != name])
        for number, name in zip(numbers, names, strict=True)
    ]
    return built("models", {"trial_services": rows}, folder, merged).to_pylist()


def metrics(*arguments, **options):
    return {row["metric"] for row in models(*arguments, **options)}


@pytest.mark.parametrize(
    ("link", "found"),
    [
        ({}, FRACTIONS | RATIOS),
        ({"discipline": "codel"}, RATIOS),
        ({"random_loss": 0.01}, RATIOS),
        ({"discipline": "codel", "discipline_options": {"ecn": True}}, set()),
        ({"discipline": "codel", "discipline_options": {"ecn": False}}, RATIOS),
    ],
)
def test_a_model_is_only_of_the_links_that_it_describes(link, found, tmp_path):
    """That of BBR: a drop-tail queue that alone drops packets. Those of Reno: loss is the only signal."""
    assert found == metrics(tmp_path, BBR, RENO, link=link)


@pytest.mark.parametrize(
    ("other", "found"),
    [
        (replace(RENO, flows=5), FRACTIONS),
        (replace(RENO, bitrate_mbps=1), set()),
        (replace(RENO, metric="completion"), set()),
        (replace(catalogued("ref-file-quic-bbr"), name="reno"), set()),
        (catalogued("ref-video-4-reno"), set()),
    ],
)
def test_a_model_is_only_of_services_that_send_as_fast_as_tcp_lets_them(other, found, tmp_path):
    assert found == metrics(tmp_path, BBR, other)


def test_every_flow_of_a_client_counts_in_the_model(tmp_path):
    found = {row["metric"]: row["model_median"] for row in models(tmp_path, replace(BBR, flows=5), RENO)}
    capacity = 8e6 / (8 * 1538)
    assert bbr_share(5, 128, 128 / (capacity * 0.05), capacity, 0.05) == pytest.approx(found["link_fraction"])


def test_a_queue_in_bytes_holds_so_many_full_frames(tmp_path):
    link = {"queue_packets": None, "queue_bytes": 100 * 1514}
    found = {row["metric"]: row["model_median"] for row in models(tmp_path, BBR, RENO, link=link)}
    assert bbr_link_fraction(1, 100, 8, 0.05) == pytest.approx(found["link_fraction"])


def test_the_model_of_a_queue_that_takes_longer_than_ten_seconds_to_drain_has_no_value(tmp_path):
    link = {"queue_packets": 8192}
    found = {row["metric"]: row for row in models(tmp_path, BBR, RENO, link=link)}
    assert (0.5, None) == (found["link_fraction"]["median"], found["link_fraction"]["model_median"])
    assert (0, None) == (found["link_fraction_error"]["n"], found["link_fraction_error"]["median"])


def test_clients_are_in_the_order_of_their_numbers(tmp_path):
    """c2 is before c10: the row is of c2."""
    found = models(tmp_path, RENO, BBR, service("other"), numbers=(1, 2, 10))
    assert {("bbr", "reno~other")} == {
        (row["service"], row["contender"]) for row in found if row["metric"] in FRACTIONS
    }


def test_the_models_get_the_testbeds_constants():
    assert mathis(1448, 0.1, 0.01) == pytest.approx(1e6 * mathis_mbps(0.1, 0.01))
    packets = padhye(64 * 2**20 / 1448, 0.1, 2, 0.3, 0.01)
    assert packets * 1448 * 8 == pytest.approx(1e6 * padhye_mbps(0.1, 0.01))
