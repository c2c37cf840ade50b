"""The delay that a client gets from its base RTT and the setting's, and the reason of a failed driver."""

import subprocess
import time
from dataclasses import replace
from types import SimpleNamespace

import pytest

from scripts.model.settings import Access
from testbed.driver_folder import RESULT, DriverFolder
from testbed.hosts import client_host, service_host
from testbed.service_run import GRACE_S, READY_TIMEOUT_S, ServiceRun, ServiceRunError, SettingError
from tests.testbed.sample_specification import sample_specification


def run_with(tmp_path, base_rtt_ns: int, **fields) -> ServiceRun:
    """A client with this base RTT, after its delay was set in a setting of 50 ms."""
    (client,) = sample_specification("iperf-cubic").clients
    run = ServiceRun(replace(client, **fields), client_host(1), service_host(1), 6, tmp_path)
    run.record = replace(run.record, base_rtt_ns=base_rtt_ns)
    run.set_delay(50)
    return run


@pytest.mark.parametrize(
    ("fields", "delay_ns", "rtt_ms"),
    [
        ({}, 40_000_001, 50),
        ({"rtt": "fixed"}, 50_000_000, 59.999999),
        ({"rtt": "real"}, 0, 9.999999),
        ({"rtt_ms": 20}, 10_000_001, 20),
        ({"access": Access(delay_ms=3)}, 40_000_001, 53),
    ],
)
def test_the_delay_is_half_down_and_half_up(tmp_path, fields, delay_ns, rtt_ms):
    record = run_with(tmp_path, 9_999_999, **fields).record
    assert (record.delay_down_ns, record.delay_up_ns) == (delay_ns // 2, delay_ns - delay_ns // 2)
    assert record.rtt_ms == pytest.approx(rtt_ms)


def test_a_service_slower_than_the_setting_is_an_error(tmp_path):
    reason = r"iperf-cubic of c1 has a base RTT of 60\.000 ms, more than this setting's 50 ms"
    with pytest.raises(SettingError, match=reason):
        run_with(tmp_path, 60_000_000)


def test_the_base_rtt_is_measured_over_the_access_link_without_its_delay_and_loss(tmp_path):
    access = Access(rate_mbps=2, queue_packets=50, delay_ms=3, loss=0.1)
    assert run_with(tmp_path, 0, access=access).access_link == Access(rate_mbps=2, queue_packets=50)
    assert run_with(tmp_path, 0, access=Access(delay_ms=3)).access_link is None


class Ended:
    """A driver whose log ends with this line."""

    def __init__(self, last_line: str) -> None:
        self._last_line = last_line

    def status(self) -> int:
        return 1

    def last_line(self) -> str:
        return self._last_line


@pytest.mark.parametrize(
    ("last_line", "reason"),
    [
        ("the browser failed", "the browser failed"),
        (
            "the far end of the call failed: the page crashed",
            "the far end of the call failed: the page crashed",
        ),
        ("unexpected alert open: {Alert text : my-meeting}", "the driver failed; see logs/"),
        ("the browser failed: my-meeting", "the driver failed; see logs/"),
        ("", "the driver failed; see logs/"),
    ],
)
def test_only_a_reason_of_ours_gets_out_of_a_drivers_log(tmp_path, monkeypatch, last_line, reason):
    run = run_with(tmp_path, 0)
    monkeypatch.setattr(run, "_client_process", Ended(last_line))
    with pytest.raises(ServiceRunError) as client:
        run.poll()
    assert f"iperf-cubic of c1: {reason}" == str(client.value)
    monkeypatch.setattr(run, "_server", Ended(last_line))
    with pytest.raises(ServiceRunError) as server:
        run.poll()
    assert f"iperf-cubic of c1: the server ended with status 1: {reason}" == str(server.value)


class Running:
    """A client that runs on."""

    def status(self) -> None:
        return None


@pytest.fixture
def running(tmp_path, monkeypatch):
    """A client of 6 s that runs on."""
    run = run_with(tmp_path, 0)
    monkeypatch.setattr(run, "_check_limits", lambda: None)
    run._drivers["use"] = SimpleNamespace(start=lambda *_: Running())
    run.start()
    return run


def test_a_step_of_the_hosts_clock_is_not_the_clients_fault(running, monkeypatch):
    """A virtual machine that stood still for a minute sets its clock forward, and all else goes on."""
    later_ns = time.time_ns() + 76 * 10**9
    monkeypatch.setattr(time, "time_ns", lambda: later_ns)
    assert not running.poll()


def test_a_client_that_runs_on_after_its_time_makes_a_failed_trial(running, monkeypatch):
    later_ns = time.monotonic_ns() + (6 + GRACE_S + 1) * 10**9
    monkeypatch.setattr(time, "monotonic_ns", lambda: later_ns)
    with pytest.raises(ServiceRunError, match=f"the client still ran {GRACE_S} s after its time"):
        running.poll()


def test_a_server_that_ends_before_it_listens_is_the_reason_at_once(tmp_path, monkeypatch):
    run = run_with(tmp_path, 0)
    monkeypatch.setattr(run, "host", SimpleNamespace(names=(), output=lambda *_: ""))
    monkeypatch.setattr(run, "_prepare_drivers", lambda: None)
    monkeypatch.setattr(run, "_start_server", lambda: Ended("the browser failed"))
    began_s = time.monotonic()
    with pytest.raises(ServiceRunError, match=r"^iperf-cubic of c1 did not start: the browser failed$"):
        run.serve(None)
    assert time.monotonic() - began_s < READY_TIMEOUT_S


@pytest.fixture
def ended(tmp_path, monkeypatch):
    """A client whose driver has ended, and the file of its result."""
    monkeypatch.setattr(subprocess, "run", lambda *_, **__: None)
    folder = DriverFolder(tmp_path / "use", None)
    (client,) = sample_specification("iperf-cubic").clients
    run = ServiceRun(client, client_host(1), service_host(1), 6, tmp_path)
    run._drivers["use"] = SimpleNamespace(folder=folder, excess=lambda: "more than 4 GiB of memory")
    return run, folder.home / RESULT


def test_a_result_that_matches_its_schema_is_the_observation(ended):
    run, result = ended
    result.write_text('{"received_bytes": 5}')
    assert {"received_bytes": 5} == run.observation()


@pytest.mark.parametrize(
    "content", ["{", "[]", '{"received_bytes": "<b>"}', '{"<b>": 1}', '{"seconds": 1e999}']
)
def test_a_forged_result_makes_a_failed_trial_with_a_reason_of_ours(ended, content):
    run, result = ended
    result.write_text(content)
    reason = "iperf-cubic of c1: the driver's result is missing, or does not match services/drivers/*.yaml"
    with pytest.raises(ServiceRunError) as error:
        run.observation()
    assert reason == str(error.value)


def test_a_client_beyond_its_limits_makes_a_failed_trial(ended):
    run, _ = ended
    with pytest.raises(ServiceRunError, match="iperf-cubic of c1: the client used more than 4 GiB of memory"):
        run.poll()
