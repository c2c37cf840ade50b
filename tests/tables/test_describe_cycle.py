"""The description of a cycle, from the records of its trials."""

import json

import pytest

from scripts.model.comparison import Comparison
from scripts.model.plan_file import PlanLine, write_plan_table
from scripts.model.trials import TrialKey
from scripts.tables.describe_cycle import describe_cycle

EMBEDDED, NEWER = ({"backend": "embedded", "version": version} for version in ("0.1.0", "0.2.0"))
NOTHING = Comparison()
BESS = {"backend": "bess", "version": "be55"}


@pytest.fixture
def described(tmp_path):
    """A function that describes a cycle whose trials have these bottlenecks, compared with these cycles."""

    def describe(bottlenecks, compared=NOTHING, **changes):
        lines = []
        for number, bottleneck in enumerate(bottlenecks, start=1):
            key = TrialKey("8mbps", "a~b", number)
            lines.append(PlanLine(number, 1, key, 12))
            record = {"campaign": "demo", "cycle": "c", "status": "completed" if bottleneck else "failed"}
            record |= {"start_ns": number, "stop_ns": 9 + number, "host": {"cpus": number}, "programs": {}}
            path = tmp_path / "trials" / key.path / "trial.json"
            path.parent.mkdir(parents=True)
            path.write_text(json.dumps(record | {"bottleneck": bottleneck} | changes))
        write_plan_table(lines, tmp_path / "plan.csv")
        return describe_cycle(tmp_path / "plan.csv", tmp_path / "trials", compared)

    return describe


def test_every_bottleneck_is_named_with_its_trials_as_their_records_tell(described):
    """The first trial failed before a bottleneck ran."""
    found = described([{}, EMBEDDED, BESS, NEWER, EMBEDDED])
    assert [EMBEDDED | {"trials": 2}, BESS | {"trials": 1}, NEWER | {"trials": 1}] == found["bottlenecks"]
    assert (5, 1, 14, {"cpus": 2}) == tuple(
        found[name] for name in ("trials_planned", "first_start_ns", "last_stop_ns", "host")
    )


def test_only_public_facts_of_the_host_are_told(described):
    found = described(
        [EMBEDDED], host={"cpus": 2, "user": "private"}, programs={"ip": "6.1", "x": "/private/x"}
    )
    assert ({"cpus": 2}, {"ip": "6.1"}) == (found["host"], found["programs"])


def test_a_first_cycle_is_compared_with_none(described):
    first = described([EMBEDDED])
    assert (None, {}) == (first["compared_with"], first["not_compared"])


def test_what_differs_from_a_cycle_that_was_passed_over_is_named(described):
    passed_over = {"2026-10-15": ["bottleneck", "trial.ignore_first_s"]}
    found = described([EMBEDDED], Comparison("2026-10-01", passed_over))
    assert ("2026-10-01", passed_over) == (found["compared_with"], found["not_compared"])
