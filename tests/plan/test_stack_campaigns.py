"""The campaigns stacks-<stack>: every stack has the same cells, with the same numbers of trials."""

import pytest

from scripts.model.endpoint import read_endpoint
from scripts.plan.campaign_file import campaign_names, load_campaign, load_service
from scripts.plan.settling import need

CUBIC = "iperf-cubic"
KERNEL = ("iperf-bbr", CUBIC, "iperf-reno")
OURS = "cubic-floor"
"""A controller that no stack releases: quinn's program has it to try the gate with."""
STACKS = [name for name in campaign_names() if f"{name}-seen" in campaign_names()]


def offered(name: str) -> list[str]:
    """The services of a stack, one for each controller that its release has, the default first."""
    services = [one for one in load_campaign(f"{name}-seen").services.values() if one.endpoint]
    (folder,) = {one.endpoint_folder for one in services}
    names = {one.cca: one.name for one in services}
    return [names[cca] for cca in read_endpoint(folder).controllers if cca != OURS]


@pytest.mark.parametrize("name", STACKS)
def test_the_default_and_bbr_are_measured_alone_and_against_kernel_cubic(name):
    campaign, services = load_campaign(name), offered(name)
    measured = {services[0], *[one for one in services if "-bbr" in one][:1]}
    assert {CUBIC, *measured} == {*campaign.services}
    assert {f"{CUBIC}~{one}" for one in measured} == {*campaign.pairs}
    assert (10, 10, 10) == (campaign.trials.solo, campaign.trials.round, campaign.trials.most)


@pytest.mark.parametrize("name", STACKS)
def test_its_times_let_shares_settle(name):
    campaign = load_campaign(name)
    ((setting, link),) = campaign.settings.items()
    assert ("8mbps", 8, 50, 4) == (setting, link.rate_mbps, link.rtt_ms, link.queue_bdp)
    for pair in campaign.pairs:
        needed = need(link, [campaign.services[one] for one in pair.split("~")])
        times = link.trial
        assert needed.warm_up_s <= times.ignore_first_s
        assert needed.window_s <= times.duration_s - times.ignore_first_s - times.ignore_last_s


@pytest.mark.parametrize("name", STACKS)
def test_the_other_cells_are_seen_once(name):
    seen, services = load_campaign(f"{name}-seen"), offered(name)
    every = {f"{kernel}~{one}" for one in services for kernel in KERNEL} | {
        f"{one}~{one}" for one in services
    }
    assert every - {*load_campaign(name).pairs} == {*seen.pairs}
    assert (1, 1) == (seen.trials.solo, seen.trials.most)


@pytest.mark.parametrize("name", STACKS)
def test_a_stack_is_no_control_of_comparisons(name):
    """The software of the iperf services stays the same, that of a stack does not."""
    assert {"File transfer"} == {load_service(one, name).category for one in offered(name)}


def test_operators_have_the_same_cells_at_50_mbps():
    at_50 = load_campaign("stacks-50mbps")
    assert {pair for name in STACKS for pair in load_campaign(name).pairs} == {*at_50.pairs}
    assert ["50mbps"] == [*at_50.settings]
