"""The sentences about what exclusion does, and about other thresholds."""

import pytest

from scripts.site.cycle.excluded_pages import ExclusionTest, Threshold, exclusion_sentence, threshold_sentence

STALL, CLOCK = "longest_stall_rtt", "clock_step_ms"


@pytest.mark.parametrize(
    ("direction", "words"),
    [("below", ("got less than in the others", "look fairer")), ("above", ("got more", "look less fair"))],
)
def test_a_rule_that_excludes_by_the_outcome_is_named_with_what_it_does(direction, words):
    said = exclusion_sentence(
        [ExclusionTest(CLOCK, 1.0, "undecided"), ExclusionTest(STALL, 0.001, direction)]
    )
    assert STALL in said and CLOCK not in said
    assert all(word in said for word in words)


def test_a_test_that_sees_nothing_proves_nothing():
    said = exclusion_sentence([ExclusionTest(STALL, 0.2, "undecided")])
    assert "see no rule" in said and "does not show that there is none" in said


def test_failed_trials_alone_have_no_sentence():
    assert "" == exclusion_sentence([ExclusionTest("completed", None, "undecided")])


def test_the_rules_that_decide_verdicts_are_named_with_the_largest_change():
    rows = [
        Threshold(CLOCK, 0.5, "", None),
        Threshold(STALL, 0.5, "8mbps/a/b", 0.02),
        Threshold(STALL, 2.0, "8mbps/a/b,8mbps/b/a", 0.112),
    ]
    assert (
        "With half or twice the threshold of one rule, 2 cells would have another verdict "
        "(longest_stall_rtt). The largest change of a median share is 11.2 points, with twice the threshold "
        "of longest_stall_rtt."
    ) == threshold_sentence(rows)


def test_without_another_verdict_or_another_share_the_sentence_says_so():
    assert "no cell would have another verdict" in threshold_sentence([Threshold(STALL, 0.5, "", 0.01)])
    assert "no median share would be another" in threshold_sentence([Threshold(STALL, 0.5, "", None)])
    assert "" == threshold_sentence([])
