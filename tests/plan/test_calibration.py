"""The packets of a calibration trial, which depend on the link."""

from dataclasses import replace

import pytest

from scripts.base.records import to_json
from scripts.model.schemas import check
from scripts.model.specification import CalibrationRound, Specification
from scripts.model.trials import TrialKey
from scripts.plan.calibration import (
    FLOOD_BYTES,
    calibration_specification,
    duration_s,
    packets,
    schedule,
)
from scripts.plan.campaign_file import load_campaign
from tests.model.campaigns import campaign, setting

LINK = setting(queue_packets=128).link


def test_a_flood_overfills_the_queue_and_continues_ten_percent_above_the_rate():
    """A frame of 1514 bytes is 1538 on the link: 1538 microseconds at 8 Mbps."""
    flood = schedule(LINK).floods[-1]
    assert (1514, 128 + 13 + 20) == (flood.frame_bytes, flood.burst_packets)
    assert pytest.approx((1538 / 1.1, 2.0)) == (flood.gap_us, flood.seconds)
    assert flood.drain_s > 128 * 1538e-6


def test_a_probe_has_left_the_link_before_the_next_comes():
    for rate_mbps in (0.1, 1, 8, 1000):
        probes = schedule(replace(LINK, rate_mbps=rate_mbps)).probes
        assert probes.gap_us >= 2 * (probes.frame_bytes + 24) * 8 / rate_mbps


def test_a_queue_in_bytes_is_overfilled_by_packets_of_each_size():
    floods = schedule(setting(queue_bytes=60_000)).floods
    for flood in floods:
        assert flood.burst_packets * flood.frame_bytes > 1.1 * 60_000


def test_random_loss_is_compensated_so_that_the_queue_stays_full():
    for lossy, clean in zip(
        schedule(replace(LINK, random_loss=0.2)).floods, schedule(LINK).floods, strict=True
    ):
        assert pytest.approx(0.8 * clean.gap_us) == lossy.gap_us
        assert 0.8 * lossy.burst_packets > 128


def test_a_slow_link_still_carries_enough_packets_to_measure_its_rate():
    for flood in schedule(replace(LINK, rate_mbps=0.1)).floods:
        assert flood.seconds * 0.1e6 / 8 / (flood.frame_bytes + 24) >= 30


def test_the_papers_settings_are_calibrated_in_less_than_twenty_seconds():
    for link in load_campaign("watchdog").settings.values():
        assert duration_s(link) + 4 <= 20


def test_packets_are_counted_by_hand():
    """200 probes; of each size the burst, and 2 s at 1.1 times what 8 Mbps carry."""
    floods = sum(161 + 2 * 1.1 * 8e6 / 8 / (size + 24) for size in FLOOD_BYTES)
    assert 200 + round(floods) == packets(LINK)


def test_the_specification_has_one_client_without_the_path_of_a_single_client():
    times = {"duration_s": 500, "ignore_first_s": 400}
    link = setting(queue_packets=128, clients=[{"access": {"loss": 0.5}}], trial=times)
    key = TrialKey("8mbps", "calibration", 3)
    spec = calibration_specification(
        campaign(settings={"8mbps": link}), "test", key, CalibrationRound(2, "here")
    )
    check(to_json(spec), Specification, str)
    assert ("calibration", 3, CalibrationRound(2, "here")) == (spec.pair, spec.trial, spec.calibration)
    (client,) = spec.clients
    assert "calibrate" == client.service.driver and 0 == client.start_offset_s
    assert client.access is None and "clients" not in to_json(spec.link)
    assert (duration_s(link), 0) == (spec.duration_s, spec.ignore_first_s), "not the setting's own times"
