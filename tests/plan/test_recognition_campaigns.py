"""The campaigns of recognition: controllers alone with three RTTs, and the self-hosted stand-ins alone."""

import pytest

from scripts.base.files import ROOT
from scripts.model.durations import duration_s
from scripts.plan.campaign_file import load_campaign
from scripts.plan.estimate import at_least
from tests.plan.test_stack_campaigns import KERNEL, STACKS, offered

KERNEL_CAMPAIGN, STACK_CAMPAIGN = "recognition", "recognition-stacks"
STAND_INS = "recognition-services"
OLDER = "stacks-quinn-0-11-9"
SLOW_START_S, TRACE_S = 8, 60


@pytest.mark.parametrize("name", [KERNEL_CAMPAIGN, STACK_CAMPAIGN])
def test_six_trials_of_every_service_alone_with_each_of_three_rtts(name):
    campaign = load_campaign(name)
    links = [(one.rate_mbps, one.rtt_ms, one.queue_bdp) for one in campaign.settings.values()]
    assert [(8, 20, 4), (8, 50, 4), (8, 100, 4)] == links
    assert ((), 6) == (campaign.pairs, campaign.trials.solo)


@pytest.mark.parametrize("name", [KERNEL_CAMPAIGN, STACK_CAMPAIGN, STAND_INS])
def test_a_trial_has_a_minute_after_the_longest_slow_start(name):
    campaign = load_campaign(name)
    jitter_s, last_s = campaign.trial.start_jitter_s, campaign.trial.ignore_last_s
    for setting in campaign.settings:
        has_s = duration_s(campaign, setting, next(iter(campaign.services)))
        assert jitter_s + SLOW_START_S + TRACE_S + last_s <= has_s


def test_the_kernel_takes_at_most_seventy_minutes():
    campaign = load_campaign(KERNEL_CAMPAIGN)
    assert {*KERNEL} == {*campaign.services}
    assert at_least(campaign).seconds <= 70 * 60


def test_the_stacks_have_every_controller_of_their_newest_release():
    every = {service for name in STACKS if name != OLDER for service in offered(name)}
    assert every == {*load_campaign(STACK_CAMPAIGN).services}


def test_every_stand_in_but_pages_and_other_batches_is_recognised():
    every = {path.stem for path in (ROOT / "services/catalogue").glob("ref-*.yaml")}
    others = {name for name in every if "-page-" in name or "-pause-" in name}
    assert every - others == {*load_campaign(STAND_INS).services}
