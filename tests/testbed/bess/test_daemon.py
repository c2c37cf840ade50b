"""A daemon is emptied and its clock measured. Errors say what the user can do."""

import json
import signal
import subprocess
import sys

import pytest
from google.protobuf.wrappers_pb2 import StringValue

from scripts.base.errors import UserError
from testbed.bess import daemon
from testbed.bess.client import messages
from testbed.bess.daemon_settings import DaemonSettings
from tests.testbed.bess.double import refusal


def clock_answer(assumed_hz, measured_hz):
    answer = messages.CommandResponse()
    read = {"version": "0.1.0", "assumed_hz": assumed_hz, "measured_hz": measured_hz, "measured_s": 1.0}
    answer.data.Pack(StringValue(value=json.dumps(read)))
    return answer.SerializeToString()


@pytest.fixture
def settings(double, tmp_path):
    (tmp_path / "observatory.so").touch()
    return DaemonSettings(double.address, tmp_path / "observatory.so", "veth", None)


def test_the_daemon_is_emptied_and_loads_the_current_plugin(double, settings):
    plugin = str(settings.plugin).encode()
    double.answers["ListPlugins"] = b"\x12" + bytes([len(plugin)]) + plugin
    double.answers["ModuleCommand"] = clock_answer(2.3e9, 2.3e9)
    daemon.make_ready(settings)
    assert [method for method, _ in double.calls] == [
        "PauseAll", "ResetAll", "ListPlugins", "UnloadPlugin", "ImportPlugin",
        "CreateModule", "ModuleCommand", "DestroyModule",
    ]  # fmt: skip


def test_a_clock_that_is_off_is_refused(double, settings):
    double.answers["ModuleCommand"] = clock_answer(2.4e9, 2.3e9)
    with pytest.raises(
        UserError, match=r"2400\.0 MHz, but it runs at 2300\.0 MHz, 4\.3% off; start bessd again"
    ):
        daemon.make_ready(settings)


def test_the_rate_is_corrected_for_a_small_error_of_the_clock():
    clock = daemon.DaemonClock("0.1.0", assumed_hz=2.302e9, measured_hz=2.3e9)
    assert clock.error == pytest.approx(0.00087, abs=1e-5)
    assert clock.corrected_rate_bps(8_000_000) == 8_006_957


def test_the_error_for_a_missing_plugin_says_how_to_build_it(settings):
    settings.plugin.unlink()
    with pytest.raises(UserError, match=r"observatory\.so: .*cmake -S testbed/bess/plugin -B build/bess"):
        daemon.make_ready(settings)


def test_the_error_for_a_plugin_that_does_not_load_says_what_to_do(double, settings):
    double.answers["ImportPlugin"] = refusal(2, "Failed loading plugin")
    with pytest.raises(
        UserError,
        match=r"Failed loading plugin .*source tree of this bessd, which must be.*BESS_LINK_DYNAMIC=1",
    ):
        daemon.make_ready(settings)


def test_the_error_for_a_missing_daemon_says_where_to_name_one(double, settings):
    double.stop()
    with pytest.raises(UserError, match=r"no bessd answers at unix:.*bess\.yaml.*OBSERVATORY_BESS"):
        daemon.make_ready(settings)


def test_the_start_command_starts_a_new_daemon(double, settings, tmp_path):
    times = tmp_path / "times"
    answers = [clock_answer(2.5e9, 2.3e9), clock_answer(2.3e9, 2.3e9)]
    double.answers["ModuleCommand"] = lambda request: answers.pop(0)
    started = DaemonSettings(settings.address, settings.plugin, "veth", f"sh -c 'echo started >>{times}'")
    daemon.make_ready(started)
    assert (times.read_text(), answers) == ("started\n", [])


def test_a_start_command_that_fails_is_an_error(settings, double):
    double.answers["ModuleCommand"] = clock_answer(2.5e9, 2.3e9)
    failing = DaemonSettings(settings.address, settings.plugin, "veth", "false")
    with pytest.raises(UserError, match=r"bess\.yaml: start: .*'false'.* non-zero exit status 1"):
        daemon.make_ready(failing)


def test_no_daemon_is_started_if_one_refuses_the_plugin(double, settings, tmp_path):
    double.answers["ImportPlugin"] = refusal(2, "undefined symbol")
    started = DaemonSettings(settings.address, settings.plugin, "veth", f"touch {tmp_path / 'started'}")
    with pytest.raises(UserError, match="cannot be used: bessd refused ImportPlugin: undefined symbol"):
        daemon.make_ready(started)
    assert not (tmp_path / "started").exists()


KILLED = """
import os, signal, sys
from pathlib import Path
from testbed.bess import daemon
from testbed.bess.daemon_settings import DaemonSettings
daemon.delete_interfaces = lambda: print("deleted", flush=True)
with daemon.released_at_the_end(DaemonSettings(sys.argv[1], Path("none"), "veth", None)):
    os.kill(os.getpid(), int(sys.argv[2]))
"""


@pytest.mark.parametrize("number", [signal.SIGKILL, 0])
def test_the_daemon_is_emptied_however_its_user_ends(double, number):
    command = [sys.executable, "-c", KILLED, double.address, str(int(number))]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (-number, "deleted\n", "")
    assert [method for method, _ in double.calls] == ["PauseAll", "ResetAll"]
