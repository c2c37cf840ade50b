"""The routed uplink: whom a client of a live service reaches, and what the machine has of it."""

import os

import pytest

from scripts.base.errors import UserError
from testbed.uplink import lent
from tests.testbed.internet import CLEARED, MACHINE, OTHER_PORT, PRIVATE, WEB, told

pytestmark = [
    pytest.mark.traffic,
    pytest.mark.skipif(os.geteuid() != 0, reason="needs root: the machine lends its uplink"),
]


@pytest.fixture(scope="module")
def reached():
    return told("reach")


def test_the_internet_is_reached_by_name_and_address(reached):
    assert [reached["client"][place] for place in ("files.example 80", f"{WEB} 80")] == [True, True]


def test_neither_machine_nor_neighbours_nor_other_ports_are(reached):
    """All of them answer the machine itself."""
    for place in (f"{MACHINE} 80", f"{PRIVATE} 80", f"{WEB} {OTHER_PORT}"):
        assert (reached["machine"][place], reached["client"][place]) == (True, False), place


def test_the_catalogue_may_name_other_ports():
    found = told("reach", str(OTHER_PORT))["client"]
    assert (found[f"{WEB} 80"], found[f"{WEB} {OTHER_PORT}"]) == (False, True)


def test_the_machine_forwards_during_a_trial_alone(reached):
    assert ("1", "ifo-u-c1" in reached["lent"]["links"]) == (reached["lent"]["forwarding"], True)
    assert reached["after"] == CLEARED


def test_who_is_not_root_is_told(monkeypatch):
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    with pytest.raises(UserError, match="run as root"), lent():
        pass
