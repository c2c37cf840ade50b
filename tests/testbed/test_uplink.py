"""The routed uplink: which hosts a client of a live service reaches, and what it changes on the machine."""

import os

import pytest

from scripts.base.confinement import FIRST_UID, NAME_SERVER
from scripts.base.errors import UserError
from testbed.uplink import open_uplink
from tests.testbed.attempts import MACHINE, PRIVATE, WEB
from tests.testbed.internet import IDLE, OTHER_PORT, run_in_namespaces

CLIENTS = "tests.testbed.live_clients"

pytestmark = [
    pytest.mark.traffic,
    pytest.mark.skipif(os.geteuid() != 0, reason="needs root: only root can forward packets"),
]


@pytest.fixture(scope="module")
def reached():
    return run_in_namespaces("reach", module=CLIENTS)


def test_the_internet_is_reached_by_name_and_address(reached):
    assert [reached["client"][place] for place in ("files.example 80", f"{WEB} 80")] == [True, True]


def test_machine_neighbours_and_other_ports_are_not_reached(reached):
    """They all answer connects of the machine itself."""
    for place in (f"{MACHINE} 80", f"{PRIVATE} 80", f"{WEB} {OTHER_PORT}"):
        assert (reached["machine"][place], reached["client"][place]) == (True, False), place


def test_the_catalogue_may_name_other_ports():
    found = run_in_namespaces("reach", str(OTHER_PORT), module=CLIENTS)["client"]
    assert (found[f"{WEB} 80"], found[f"{WEB} {OTHER_PORT}"]) == (False, True)


def test_the_machine_forwards_only_during_a_trial(reached):
    assert ("1", "ifo-u-c1" in reached["during"]["links"]) == (reached["during"]["forwarding"], True)
    assert reached["after"] == IDLE


def test_a_vpn_that_takes_all_packets_is_an_error():
    found = run_in_namespaces("tunnels", module=CLIENTS)
    assert found.pop("none") == "wan0"
    assert len(found) == 2
    assert all(error.startswith("packets to the Internet leave by vpn0") for error in found.values())


def test_the_name_server_has_no_privileges(reached):
    """It reads answers of strangers."""
    assert reached["during"]["name_server"] == [*[str(FIRST_UID + NAME_SERVER)] * 4, "0" * 16, "0" * 16, "1"]


def test_a_user_who_is_not_root_gets_an_error(monkeypatch):
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    with pytest.raises(UserError, match="run as root"), open_uplink():
        pass
