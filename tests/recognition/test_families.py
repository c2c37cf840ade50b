"""The family of a controller, by its name."""

import pytest

from scripts.plan.campaign_file import load_campaign, load_service
from scripts.recognition.families import family_of, known_family


@pytest.mark.parametrize(
    ("controller", "family"),
    [
        ("reno", "Reno-like"),
        ("NewReno", "Reno-like"),
        ("Cubic", "Cubic-like"),
        ("bbr", "BBRv1-like"),
        ("BBRv1.1", "BBRv1-like"),
        ("bbr2", "BBRv2/3-like"),
        ("BBRv3.0", "BBRv2/3-like"),
        ("copa", "Copa-like"),
        ("GCC", None),
        ("vegas", None),
    ],
)
def test_a_controller_belongs_to_one_family(controller, family):
    assert family == family_of(controller)


@pytest.mark.parametrize(
    ("service", "family"),
    [
        ("iperf-reno", "Reno-like"),
        ("ref-file-quic-bbr2", "BBRv2/3-like"),
        ("youtube", "BBRv1-like"),
        ("google-meet", None),
        ("ref-call-1500kbps", None),
    ],
)
def test_the_catalogue_says_what_a_service_runs(service, family):
    assert family == known_family(load_service(service, "test"))


@pytest.mark.parametrize("name", ["recognition", "recognition-stacks"])
def test_every_labelled_service_has_a_family(name):
    assert None not in {known_family(service) for service in load_campaign(name).services.values()}
