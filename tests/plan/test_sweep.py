"""Lists in a setting become settings."""

import pytest

from scripts.base.errors import UserError
from scripts.model.settings import Sweep
from scripts.plan.sweep import expanded

LINK = {"title": "A link", "rate_mbps": 8, "queue_bdp": 4}


def file_of(keys):
    return "file.yaml"


def test_a_setting_without_lists_stays_as_it_is():
    settings = {"8mbps": LINK | {"clients": [{}, {"start_s": 5}]}}
    assert (settings, {}) == expanded(settings, file_of)


def test_the_services_of_a_setting_are_not_a_sweep():
    settings, sweeps = expanded({"x": LINK | {"services": ["a", "b"], "rate_mbps": [8, 50]}}, file_of)
    assert ["x-rate-mbps-8", "x-rate-mbps-50"] == list(settings) == list(sweeps)
    assert ["a", "b"] == settings["x-rate-mbps-8"]["services"]


def test_two_lists_give_their_product():
    settings, sweeps = expanded({"x": LINK | {"queue_bdp": [0.5, 4], "rate_mbps": [8, 50]}}, file_of)
    assert [
        "x-rate-mbps-8-queue-bdp-0p5", "x-rate-mbps-8-queue-bdp-4",
        "x-rate-mbps-50-queue-bdp-0p5", "x-rate-mbps-50-queue-bdp-4",
    ] == list(settings)  # fmt: skip
    assert settings["x-rate-mbps-8-queue-bdp-0p5"] == {
        "title": "A link, 8 Mbps, queue of 0.5 BDP", "rate_mbps": 8, "queue_bdp": 0.5,
    }  # fmt: skip
    assert Sweep("x", {"rate_mbps": 50, "queue_bdp": 4}) == sweeps["x-rate-mbps-50-queue-bdp-4"]


def test_nested_values_can_be_swept():
    settings, sweeps = expanded(
        {"x": {"discipline_options": {"target_ms": [5, 20]}, "clients": [{}, {"rtt_ms": [20, 100]}]}}, file_of
    )
    name = "x-discipline-options-target-ms-20-c2-rtt-ms-100"
    assert {"discipline_options": {"target_ms": 20}, "clients": [{}, {"rtt_ms": 100}]} == settings[name]
    assert {"discipline_options.target_ms": 20, "c2.rtt_ms": 100} == sweeps[name].at
    assert 4 == len(settings)


def test_strings_and_booleans_can_be_swept():
    settings, _ = expanded(
        {"x": {"discipline": ["droptail", "fq_codel"], "discipline_options": {"ecn": [True]}}}, file_of
    )
    assert [
        "x-discipline-droptail-discipline-options-ecn-true",
        "x-discipline-fq-codel-discipline-options-ecn-true",
    ] == list(settings)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        (
            {"x": {"queue": [1, 2]}},
            "file.yaml: settings.x.queue: unknown key, it cannot be swept; known keys: ",
        ),
        ({"x": {"queue_bdp": []}}, "settings.x.queue_bdp: is an empty list"),
        ({"x": {"queue_bdp": [4, 4.0]}}, "settings.x.queue_bdp: the value 4.0 is a duplicate"),
        ({"x": {"title": ["A b", "c"]}}, "settings.x.title: 'A b' cannot be a part of a setting's name"),
        ({"x": {"queue_bdp": [[1], 2]}}, "settings.x.queue_bdp: [1] cannot be a part of a setting's name"),
        (
            {"x-rate-mbps-8": {}, "x": {"rate_mbps": [8]}},
            "settings.x: there is already a setting named x-rate-mbps-8; rename one",
        ),
    ],
)
def test_a_list_that_cannot_be_swept_is_an_error_with_its_key(settings, message):
    with pytest.raises(UserError) as error:
        expanded(settings, file_of)
    assert message in str(error.value)
