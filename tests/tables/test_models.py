"""Which trials the throughput models are of, and the constants of the testbed that they get."""

from dataclasses import replace

import pytest

from scripts.metrics.models import bbr_share, mathis, padhye
from scripts.tables.formulas import bbr_link_fraction, mathis_mbps, padhye_mbps
from tests.tables.built import built
from tests.tables.campaigns import REFERENCE, campaign, catalogued, service

BBR, RENO, CUBIC = service("bbr"), service("reno", cca="reno"), service("cubic", cca="cubic")
PAUSES, FEW_CYCLES, NO_FRACTION = (
    "a service pauses or limits itself",
    "fewer than five ProbeRTT cycles",
    "the formula gives no fraction",
)
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
        "window_s": 50.0,
        "arrived_packets": 1000,
        "loss_events": 10,
        "queueing_delay_mean_ms": 50.0,
        "utilization": 1.0,
        "instance": "first",
    }


def models(folder, *services, link=None, numbers=(1, 2), **more):
    """The rows of the table for one trial of these services, whose clients have these numbers.

    `more`: what all clients of the trial have.
    """
    merged = campaign(*services)
    merged = replace(merged, settings={"8mbps": replace(REFERENCE.settings["8mbps"], **(link or {}))})
    names = [service.name for service in services]
    rows = [
        client(number, name, [one for one in names if one != name]) | more
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
        (replace(RENO, metric="completion"), set()),
        (replace(catalogued("ref-file-quic-bbr"), name="reno"), set()),
    ],
)
def test_a_model_is_only_of_services_of_the_kernels_tcp_that_throughput_judges(other, found, tmp_path):
    assert found == metrics(tmp_path, BBR, other)


def fraction(*arguments, **options):
    """What BBR gets in a trial, the model's value, n of the error, and why the model has no value."""
    found = {row["metric"]: row for row in models(*arguments, **options)}
    measured, error = found["link_fraction"], found["link_fraction_error"]
    assert measured["reason"] == error["reason"]
    return measured["median"], measured["model_median"], error["n"], measured["reason"]


@pytest.mark.parametrize(
    ("other", "link", "window_s", "reason"),
    [
        (RENO, {}, 49.9, FEW_CYCLES),
        (RENO, {"queue_packets": 8192}, 50, NO_FRACTION),
        (RENO, {"queue_packets": 32}, 50, NO_FRACTION),
        (replace(RENO, bitrate_mbps=1), {}, 50, PAUSES),
        (replace(catalogued("ref-file-batched-5-bbr"), name="reno", cca="reno"), {}, 50, PAUSES),
        (catalogued("ref-video-4-reno"), {}, 50, PAUSES),
        (replace(RENO, bitrate_mbps=1), {"queue_packets": 8192}, 7, PAUSES),
    ],
)
def test_outside_its_domain_the_model_of_bbr_has_a_reason_and_no_value(
    other, link, window_s, reason, tmp_path
):
    """A queue of 32 packets, 0.98 BDP, leaves Reno less than nothing; 8192 packets drain in 12.6 s."""
    assert (0.5, None, 0, reason) == fraction(tmp_path, BBR, other, link=link, window_s=window_s)


def test_within_its_domain_the_model_of_bbr_has_a_value_and_no_reason(tmp_path):
    median, model, n, reason = fraction(tmp_path, BBR, RENO, window_s=50.0)
    assert (0.5, 1, None) == (median, n, reason)
    assert bbr_link_fraction(1, 128, 8, 0.05) == pytest.approx(model)


def pooled(folder, name, *trials):
    """The rows by metric of a service alone, whose trials have these changes."""
    merged = campaign(replace(RENO, name=name, cca=name))
    merged = replace(merged, settings={"8mbps": REFERENCE.settings["8mbps"]})
    rows = [client(1, name, []) | {"trial": place} | one for place, one in enumerate(trials, start=1)]
    return {
        row["metric"]: row for row in built("models", {"trial_services": rows}, folder, merged).to_pylist()
    }


def test_a_trial_without_loss_stays_with_its_packets(tmp_path):
    """10 events in 4000 packets. The ratio is the median over both trials at this rate."""
    lossless = {"loss_events": 0, "arrived_packets": 3000, "goodput_mbps": 7.2}
    row = pooled(tmp_path, "reno", {}, lossless)["mathis_ratio"]
    assert (2, "1,2", 10, 4000, 0.0025) == tuple(
        row[name] for name in ("n", "trials", "events", "packets", "event_rate")
    )
    bound = mathis_mbps(0.1, 0.0025)
    assert pytest.approx((bound, 5.4 / bound)) == (row["model_median"], row["median"])
    assert row["event_rate_low"] < 0.0025 < row["event_rate_high"]


def test_an_invalid_trial_gives_no_loss_events(tmp_path):
    row = pooled(tmp_path, "reno", {}, {"valid": False, "loss_events": 50})["padhye_ratio"]
    assert (1, 10, 1000) == (row["n"], row["events"], row["packets"])


def test_without_a_loss_event_in_any_trial_there_is_no_ratio_and_p_has_an_upper_limit(tmp_path):
    row = pooled(tmp_path, "reno", {"loss_events": 0}, {"loss_events": 0})["mathis_ratio"]
    assert (0, None, None, "no loss event") == tuple(
        row[name] for name in ("n", "median", "model_median", "reason")
    )
    assert (0, 2000, 0, 0) == tuple(
        row[name] for name in ("events", "packets", "event_rate", "event_rate_low")
    )
    assert pytest.approx(3.689 / 2000, rel=1e-3) == row["event_rate_high"]


def test_cubic_has_loss_events_and_no_ratio_to_a_model_of_reno(tmp_path):
    for row in pooled(tmp_path, "cubic", {}).values():
        assert ("not Reno", 0, 10) == (row["reason"], row["n"], row["events"])


def test_without_a_valid_trial_there_is_neither_a_value_nor_a_reason(tmp_path):
    row = pooled(tmp_path, "reno", {"valid": False})["mathis_ratio"]
    assert (0, None, None, None) == (row["n"], row["events"], row["event_rate"], row["reason"])


def test_every_flow_of_a_client_counts_in_the_model(tmp_path):
    found = {row["metric"]: row["model_median"] for row in models(tmp_path, replace(BBR, flows=5), RENO)}
    capacity = 8e6 / (8 * 1538)
    assert bbr_share(5, 128, 128 / (capacity * 0.05), capacity, 0.05) == pytest.approx(found["link_fraction"])


def test_a_queue_in_bytes_holds_so_many_full_frames(tmp_path):
    link = {"queue_packets": None, "queue_bytes": 100 * 1514}
    found = {row["metric"]: row["model_median"] for row in models(tmp_path, BBR, RENO, link=link)}
    assert bbr_link_fraction(1, 100, 8, 0.05) == pytest.approx(found["link_fraction"])


def test_clients_are_in_the_order_of_their_numbers(tmp_path):
    """c2 is before c10: the row is of c2."""
    found = models(tmp_path, RENO, BBR, service("other"), numbers=(1, 2, 10))
    assert {("bbr", "reno~other")} == {
        (row["service"], row["contender"]) for row in found if row["metric"] in FRACTIONS
    }


def test_the_models_get_the_testbeds_constants():
    assert mathis(1448, 0.1, 0.01) == pytest.approx(1e6 * mathis_mbps(0.1, 0.01))
    packets = padhye(64 * 2**20 / 1448, 0.1, 1, 0.3, 0.01)
    assert packets * 1448 * 8 == pytest.approx(1e6 * padhye_mbps(0.1, 0.01))
