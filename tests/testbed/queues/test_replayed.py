"""Every queue discipline does with generated arrivals what a second implementation does, event by event."""

from importlib import import_module
from pathlib import Path

import pytest

from scripts.model.disciplines import DISCIPLINES
from tests.testbed.queues.replayed import by_reference, replay
from tests.testbed.queues.sequences import cases

REFERENCES = {
    name: import_module(f"tests.testbed.queues.reference_{name}")
    for name in DISCIPLINES
    if Path(__file__).with_name(f"reference_{name}.py").exists()
}
COMPARED = [
    pytest.param(name, options, id=f"{name} {options}")
    for name, reference in REFERENCES.items()
    for options in reference.OPTIONS
]


def test_every_discipline_with_a_rule_of_its_own_has_a_second_implementation():
    assert set(DISCIPLINES) - set(REFERENCES) == {"droptail"}


@pytest.mark.parametrize("case", cases(), ids=lambda case: case.name)
@pytest.mark.parametrize(("name", "options"), COMPARED)
def test_both_do_the_same_with_every_packet(switch_build, name, options, case):
    events = replay(switch_build / "replay", name, options, case)
    assert len(events) == len(case.arrivals)
    assert by_reference(REFERENCES[name].Reference(options, case), case) == events


@pytest.mark.parametrize("name", REFERENCES)
def test_the_sequences_bring_about_every_verdict(switch_build, name):
    found = {
        event.verdict
        for options in REFERENCES[name].OPTIONS
        for case in cases()
        for event in replay(switch_build / "replay", name, options, case)
    }
    assert found == REFERENCES[name].VERDICTS
