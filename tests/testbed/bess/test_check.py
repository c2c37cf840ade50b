"""`bess check` tells everything that is missing at once, also without a daemon."""

import socket
from contextlib import nullcontext

import pytest

from testbed.bess import check as checking
from testbed.bess import daemon
from testbed.bess.check import check
from testbed.bess.daemon_settings import DaemonSettings


@pytest.fixture
def asked(tmp_path, monkeypatch):
    """The settings of a daemon that is not there. Nothing is changed on the host, where a trial may run."""
    monkeypatch.setattr(checking, "exclusive_host_lock", nullcontext)
    monkeypatch.setattr(daemon, "delete_interfaces", lambda: (tmp_path / "deleted").touch())
    return DaemonSettings(f"unix:{tmp_path}/bessd.sock", tmp_path / "observatory.so", "veth", None)


def lines(capsys) -> dict[str, str]:
    """What was printed, by the name of the check."""
    return {line.split()[0]: line.split(maxsplit=1)[1] for line in capsys.readouterr().out.splitlines()}


def test_a_missing_plugin_and_a_missing_daemon_are_told_at_once(asked, capsys):
    assert 2 == check(asked)
    found = lines(capsys)
    assert found["plugin"].startswith(f"MISSING: {asked.plugin}: ")
    assert found["daemon"].startswith(f"MISSING: no bessd answers at {asked.address}")
    assert "; start one (docs/bess.md), or name its address in " in found["daemon"]


@pytest.mark.parametrize("built", [False, True])
def test_a_daemon_that_never_answers_is_not_waited_for(built, asked, tmp_path, capsys):
    if built:
        asked.plugin.touch()
    with socket.socket(socket.AF_UNIX) as silent:
        silent.bind(str(tmp_path / "bessd.sock"))
        silent.listen()
        assert 2 == check(asked)
    assert f"no bessd answers at {asked.address} (bessd did not answer GetVersion" in lines(capsys)["daemon"]
    assert built == (tmp_path / "deleted").exists(), "what an earlier trial left on this host goes"


def test_a_daemon_is_left_alone_on_a_machine_that_lacks_something(asked, double, capsys):
    assert 2 == check(DaemonSettings(double.address, asked.plugin, "veth", None))
    assert ["GetVersion"] == [method for method, _ in double.calls]
    assert lines(capsys)["daemon"].startswith("fine: ")
