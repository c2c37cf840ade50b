"""The rules of validity, and what follows from their entries."""

from dataclasses import fields

import pytest

from scripts.base.yaml_files import load_yaml
from scripts.model.rules import (
    FAULT,
    FILE,
    NOT_JUDGED,
    RULES,
    UPSTREAM_LOSS,
    Rule,
    defaults,
    schema,
    thresholds,
)

KEYS = {field.name for field in fields(Rule)}


@pytest.mark.parametrize(("name", "entry"), load_yaml(FILE).items())
def test_an_entry_has_only_keys_of_a_rule_and_a_warning_has_a_place_for_the_figure(name, entry):
    assert entry.keys() <= KEYS
    assert RULES[name].calibration in (FAULT, NOT_JUDGED) or RULES[name].calibration.count("%") == 1


def test_a_campaign_may_name_the_threshold_of_every_rule_that_is_no_yes_or_no():
    named = {name for name in RULES if not RULES[name].yes_or_no} | {UPSTREAM_LOSS}
    assert named == set(defaults()) == set(schema()["properties"])


def test_a_rule_without_threshold_does_not_apply_except_a_yes_or_no():
    validity = {"rtt_error_ms": 2, UPSTREAM_LOSS: 2}
    always = {name: 0 for name, rule in RULES.items() if rule.yes_or_no}
    assert always | {"rtt_error_ms": 2} == thresholds(validity)
