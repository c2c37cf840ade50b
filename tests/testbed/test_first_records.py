"""trial.json before a trial runs: every figure is present, and unknown ones are null."""

from dataclasses import replace

from scripts.base.records import to_json
from scripts.model.specification import CalibrationRound
from testbed import first_records
from testbed.first_records import first_client_record, first_trial_record
from testbed.hosts import client_host, service_host
from tests.testbed.sample_specification import sample_specification


def test_unknown_figures_of_a_trial_are_null(monkeypatch):
    monkeypatch.setattr(first_records, "program_versions", lambda packages: {"python": "3.11"})
    record = to_json(first_trial_record(sample_specification("iperf-bbr")))
    assert [key for key, value in record.items() if value is None] == [
        "reason", "start_ns", "stop_ns", "window_start_ns", "window_stop_ns", "host", "sysctls",
    ]  # fmt: skip
    assert (record["status"], record["programs"]) == ("completed", {"python": "3.11"})
    assert "calibration" not in record


def test_a_calibration_names_its_round(monkeypatch):
    monkeypatch.setattr(first_records, "program_versions", lambda packages: {})
    specification = sample_specification("calibration", calibration=CalibrationRound(3))
    assert to_json(first_trial_record(specification))["calibration"] == {"round": 3}


def test_unknown_figures_of_a_client_are_null():
    (client,) = sample_specification("iperf-bbr").clients
    record = to_json(first_client_record(replace(client, rtt="fixed"), client_host(1), service_host(1)))
    assert [key for key, value in record.items() if value is None] == [
        "cca", "start_ns", "stop_ns", "access", "rtt_ms", "base_rtt_ns", "delay_down_ns", "delay_up_ns",
        "capture", "headless",
    ]  # fmt: skip
    assert record["service_addresses"] == ["198.18.1.10"]
    assert (record["service"], record["cca_asked"], record["rtt"]) == ("iperf-bbr", "bbr", "fixed")
