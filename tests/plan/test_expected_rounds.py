"""The rounds of the shortest and of the longest cycle."""

from scripts.plan.estimate import at_least, at_most
from scripts.plan.many_hosts import least_rounds, most_rounds
from scripts.plan.planner import next_trials
from tests.model.campaigns import campaign, paper, service


def test_the_least_round_is_the_first_round_of_the_planner():
    (least,) = least_rounds(paper())
    assert next_trials(paper(), []) == [line.key for line in least]
    assert {(1, 600)} == {(line.round, line.duration_s) for line in least}


def test_both_have_as_many_trials_as_the_estimate():
    assert at_least(paper()).trials == sum(map(len, least_rounds(paper())))
    assert at_most(paper()).trials == sum(map(len, most_rounds(paper())))


def test_each_round_after_the_first_reruns_one_trial_until_the_attempts_are_used():
    """Two services alone have 10 trials of 15, three pairs 10 of 45, each in two settings."""
    rounds = most_rounds(campaign())
    assert [2 * 5 * 10] + 5 * [2 * 5] + 30 * [2 * 3] == [len(lines) for lines in rounds]
    keys = [line.key for lines in rounds for line in lines]
    assert len(keys) == len(set(keys))
    assert list(range(1, 37)) == [lines[0].round for lines in rounds]
    assert {45} == {line.key.number for line in rounds[-1]}


def test_loads_of_a_web_page_end_at_once_or_take_their_limit():
    page = campaign(services={"page": service("page", driver="page", metric="web")}, pairs=())
    assert {452} == {line.duration_s for line in least_rounds(page)[0]}
    assert {907} == {line.duration_s for line in most_rounds(page)[0]}
