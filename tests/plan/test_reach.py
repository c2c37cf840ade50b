"""What the numbers of a campaign can reach, told before it runs."""

from dataclasses import replace

import pytest

from scripts.plan.estimate import limits_report
from scripts.plan.reach import limits, out_of_reach
from tests.model.campaigns import NUMBERS, campaign, paper, service


def with_most(made_up, most):
    """The campaign with at most so many trials of a pair."""
    return replace(made_up, trials=replace(made_up.trials, most=most))


def test_the_papers_cycle_can_reach_every_verdict():
    assert 66 == len(paper().compared_pairs("8mbps"))
    assert [] == limits(paper()) == limits_report(paper())


def test_below_six_trials_a_campaign_only_sees():
    few = with_most(paper(), 5)
    words = (
        "This campaign can only see, not judge: a verdict needs 6 trials of a pair, "
        "and it measures at most 5."
    )
    assert words == out_of_reach(few, "8mbps")
    assert [(["8mbps", "50mbps"], words)] == [
        (sorted(names, reverse=True), said) for names, said in limits(few)
    ]
    assert [f"verdicts: {words}"] == limits_report(few)


@pytest.mark.parametrize(("most", "reaches"), [(10, False), (11, False), (12, True), (30, True)])
def test_one_loss_among_66_pairs_takes_twelve_trials(most, reaches):
    words = out_of_reach(with_most(paper(), most), "8mbps")
    assert (words is None) == reaches
    said = (
        f"if the shares of only one of 66 pairs differ, {most} trials of a pair cannot tell that from chance"
    )
    assert reaches or (said in words and "which takes 12." in words)


def test_a_pair_with_itself_a_call_and_a_pair_in_another_setting_are_not_compared():
    services = {name: service(name) for name in "abc"} | {"call": service("call", metric="rtc")}
    made_up = campaign(services=services, pairs=("a~a", "a~b", "a~b~c", "a~c", "a~call"), trials=NUMBERS)
    settings = made_up.settings | {"50mbps": replace(made_up.settings["50mbps"], services=("a", "b"))}
    made_up = replace(made_up, settings=settings)
    assert (["a~b", "a~c"], ["a~b"]) == (made_up.compared_pairs("8mbps"), made_up.compared_pairs("50mbps"))
    assert ["verdicts in 8mbps: "] == [line[:19] for line in limits_report(with_most(made_up, 6))]
    nothing = replace(with_most(made_up, 1), pairs=("a~a", "a~call"))
    assert [] == limits(nothing)
