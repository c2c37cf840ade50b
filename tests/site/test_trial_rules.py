"""The rules of a trial: what is broken or near its limit is for the front, the rest is not."""

from scripts.site.cycle.trial_rules import RuleRow, judged_rules


def judged(*rules: tuple[str, str, float | None, float]) -> dict:
    """Rules by name, class, figure and threshold."""
    return judged_rules(
        (RuleRow(name, figure, limit, figure is not None and figure <= limit), {"class": kind})
        for name, kind, figure, limit in rules
    )


def test_a_rule_is_near_its_limit_from_80_percent_on():
    rules = judged(
        ("far", "testbed", 0.79, 1.0), ("near", "testbed", 0.8, 1.0), ("zero", "testbed", 0.0, 0.0)
    )
    assert [(rule["rule"], rule["verdict"]) for rule in rules["front"]] == [("near", "near")]
    assert [rule["rule"] for rule in rules["others"]] == ["far"] and rules["zero"] == ["zero"]
    assert rules["nearest"]["rule"] == "near" and rules["testbed"] == 3


def test_a_broken_rule_is_a_defect_an_inability_or_an_outcome_by_its_class():
    rules = judged(
        ("lost", "testbed", 3.0, 0.0),
        ("unknown", "testbed", None, 1.0),
        ("unmet", "service", 1.0, 0.0),
        ("limited", "outcome", 0.2, 0.1),
    )
    assert [rule["verdict"] for rule in rules["front"]] == ["broken", "broken", "unable", "outcome"]
    assert rules["nearest"] is None


def test_an_outcome_is_never_the_rule_of_the_testbed_that_is_nearest_to_its_limit():
    rules = judged(("limited", "outcome", 0.09, 0.1), ("rtt", "testbed", 0.1, 1.0))
    assert rules["nearest"]["rule"] == "rtt"


def test_a_trial_that_did_not_end_has_no_rules():
    assert judged() == {}
