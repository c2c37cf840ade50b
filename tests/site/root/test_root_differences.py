"""What differs between two cycles besides the figures."""

from dataclasses import replace

from scripts.site.root.history import differences
from tests.site.root.sample_archive import FIRST
from tests.site.root.sample_summaries import make_summary

ONE = make_summary(FIRST, ["bbr", "cubic"], ["8mbps", "50mbps"])


def keys(other, setting: str | None = None) -> list[tuple[str, str]]:
    """What differs, as kind and key."""
    return [(found.kind, found.key) for found in differences(ONE, other, setting)]


def test_equal_cycles_do_not_differ():
    assert keys(ONE) == []


def test_load_and_numbers_of_trials_are_no_difference():
    words = ("embedded switch 9.9.0 (7 trials)",)
    assert keys(replace(ONE, bottlenecks=words, host=ONE.host | {"load": 0.99})) == []


def test_method_code_and_host_are_told_apart():
    other = replace(
        ONE,
        method=ONE.method | {"trial.duration_s": 60},
        commit=None,
        host=ONE.host | {"cpus": 4},
        programs={"iperf3": "3.13"},
        bottlenecks=("BESS",),
    )
    assert keys(other) == [
        ("method", "trial.duration_s"),
        ("code", "commit"),
        ("host", "bottleneck"),
        ("host", "cpus"),
        ("host", "iperf3"),
    ]


def test_a_key_of_another_setting_does_not_concern_a_setting():
    other = replace(ONE, method=ONE.method | {"settings.8mbps.queue_packets": 64})
    assert keys(other, "8mbps") == [("method", "settings.8mbps.queue_packets")]
    assert keys(other, "50mbps") == []


def test_a_setting_that_only_one_cycle_has_is_no_difference_of_the_method():
    method = {key: value for key, value in ONE.method.items() if "50mbps" not in key}
    assert keys(replace(ONE, settings=ONE.settings[:1], method=method)) == []


def test_a_difference_has_both_values_in_words():
    [found] = differences(ONE, replace(ONE, commit=None))
    assert found.words == "commit: 0123456789, then nothing"
