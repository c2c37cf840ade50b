"""What a client that a page has taken over reaches, on the tests' Internet: nothing but public hosts.

Every layer of the firewall is tested by itself (tests/testbed/egress.py).
"""

import os

import pytest

from tests.testbed.attempts import ALLOWED, REFUSED, WEB
from tests.testbed.hostile_page import PLACES
from tests.testbed.internet import run_in_namespaces

pytestmark = [
    pytest.mark.traffic,
    pytest.mark.skipif(os.geteuid() != 0, reason="needs root: only root can forward packets"),
]


@pytest.fixture(scope="module")
def reached() -> dict[str, list[str]]:
    return run_in_namespaces("attempts", module="tests.testbed.egress")


def names(attempts) -> set[str]:
    return {attempt.name for attempt in attempts}


@pytest.mark.parametrize("attempt", REFUSED, ids=lambda attempt: attempt.name)
def test_an_attempt_would_succeed_without_firewalls(reached, attempt):
    """The machine itself or a client without any firewall succeeds, so that the other tests can fail."""
    assert attempt.name in {*reached["machine"], *reached["open"]}


@pytest.mark.parametrize("attempt", REFUSED, ids=lambda attempt: attempt.name)
def test_an_attempt_is_refused(reached, attempt):
    """A client is refused, and so is one without its own firewall, which only its router guards."""
    assert [layer for layer in ("client", "router") if attempt.name in reached[layer]] == []


def test_the_machine_refuses_what_would_reach_it_or_its_networks(reached):
    """Even a client whose router has no firewall does not get there."""
    assert names(attempt for attempt in REFUSED if attempt.by_machine) & {*reached["cable"]} == set()


@pytest.mark.parametrize("layer", ["client", "router"])
def test_what_a_service_needs_is_reached(reached, layer):
    assert names(ALLOWED) <= {*reached[layer]}


def test_a_name_that_changes_its_address_during_the_trial_is_refused():
    """It resolves while its address is public."""
    found = run_in_namespaces("rebinding", module="tests.testbed.egress")
    assert found == {"public": ["198.51.100.80"], "private": [], "azure": [], "machine": []}


@pytest.mark.parametrize("spent", ["bytes", "time"])
def test_egress_ends_with_the_allowance(spent):
    """Both ends are cut: new connections, and the transfer that goes on."""
    found = run_in_namespaces("allowance", spent, module="tests.testbed.egress")
    assert found["before"], "connects succeed at first"
    assert 0 < found["received_bytes"] < found["most_bytes"]
    assert not found["after"]


def test_other_forwarding_of_the_machine_goes_on_during_a_trial():
    """Between two of its other networks, as for containers. From the uplink it forwards to the trial only."""
    found = run_in_namespaces("others", module="tests.testbed.egress")
    as_ever = {"LAN to VPN": True, "VPN to LAN": True, "Internet to LAN": False}
    assert (found["before"], found["during"]) == (as_ever, as_ever)
    assert all(found["forwarding"].values()), "all are reached once the uplink forwards"


def test_a_hostile_page_in_a_browser_reaches_public_hosts_only():
    """It fetches, follows redirects and sends WebRTC's packets. Without firewalls all of that arrives."""
    found = run_in_namespaces(module="tests.testbed.hostile_page")
    assert found["client"] == {"answered": [f"fetch {WEB}"], "arrived": []}
    wanted = {f"{way} {place}" for way in ("fetch", "redirect") for place in PLACES}
    assert wanted <= {*found["open"]["answered"]}
    assert len([mark for mark in found["open"]["arrived"] if mark.startswith("attempt/9")]) >= 3
