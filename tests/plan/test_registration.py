"""The registration of a cycle: what is written when, since when an expectation stands, and damaged files."""

import json
from dataclasses import replace
from datetime import UTC, datetime
from hashlib import sha256

import pytest

from scripts.base.errors import UserError
from scripts.base.records import to_json
from scripts.model.expectations import Check, Expectation, FigureKey
from scripts.plan.registration import content_of, hash_of, main, read_registration, register
from scripts.plan.stated import stated
from tests.tables.campaigns import REFERENCE, write_campaign

FIGURE = FigureKey(setting="8mbps", service="iperf-bbr", contender="iperf-cubic", metric="share")
EXPECTED = Expectation("bbr-wins", "BBR wins.", "a paper", (Check(FIGURE, above=1.1),))
PLANNED = replace(REFERENCE, expectations=(EXPECTED,))
FIRST = datetime(2026, 11, 26, 5, 41, tzinfo=UTC)


class Cycle:
    """A cycle whose configuration changes."""

    def __init__(self, folder) -> None:
        self.plan = folder / "plan"
        self.plan.mkdir()
        self.trials = folder / "trials"
        self.commands = 0

    def command(self, campaign):
        """Register a campaign, an hour after the command before; returns the last line."""
        write_campaign(self.plan / "config.json", campaign)
        self.commands += 1
        return register(self.plan, FIRST.replace(hour=FIRST.hour + self.commands - 1))

    def measure(self, number):
        """One more trial, and the calibration before it."""
        for pair in ("iperf-bbr~iperf-cubic", "calibration"):
            (self.trials / f"8mbps/{pair}/{number:02d}").mkdir(parents=True)

    def stated(self, campaign=PLANNED):
        """Line and changes of the first expectation."""
        found = stated(read_registration(self.plan), to_json(campaign), campaign.expectations[0])
        return found and (found.since.line, found.changed)


@pytest.fixture
def cycle(tmp_path):
    return Cycle(tmp_path)


def test_the_first_line_has_everything_that_decides_before_the_first_trial(cycle):
    line = cycle.command(PLANNED)
    assert (1, "2026-11-26T05:41:00Z", 0, None) == (line.line, line.time, line.trials, line.previous)
    assert to_json(PLANNED) == line.content["campaign"]
    assert {"scripts/tables/expectations.sql", "scripts/metrics/fairness.py"} < line.content["code"].keys()
    assert [line] == read_registration(cycle.plan)


def test_the_hash_is_that_of_the_content_with_sorted_keys(cycle):
    content = json.loads((cycle.command(PLANNED), (cycle.plan / "registration.jsonl").read_text())[1])[
        "content"
    ]
    text = json.dumps(content, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    assert sha256(text.encode()).hexdigest() == cycle.command(PLANNED).sha256


def test_the_same_campaign_adds_no_line_and_a_trial_adds_none(cycle):
    first = cycle.command(PLANNED)
    cycle.measure(1)
    assert first == cycle.command(PLANNED)
    assert 1 == len(read_registration(cycle.plan))


def with_precision(mbps):
    link = PLANNED.settings["8mbps"]
    return replace(PLANNED, settings=PLANNED.settings | {"8mbps": replace(link, precision_mbps=mbps)})


ATTACKS = {
    "validity.longest_stall_rtt": replace(PLANNED, validity=PLANNED.validity | {"longest_stall_rtt": 1.0}),
    "validity.upstream_loss_fraction": replace(
        PLANNED, validity=PLANNED.validity | {"upstream_loss_fraction": 0.5}
    ),
    "settings.8mbps.precision_mbps": with_precision(3),
    "trials.most": replace(PLANNED, trials=replace(PLANNED.trials, most=30)),
    "hosts_set_aside": replace(PLANNED, hosts_set_aside=("node-1",)),
}


@pytest.mark.parametrize(("changed", "campaign"), ATTACKS.items())
def test_what_decides_a_verdict_and_is_changed_after_a_trial_is_seen(changed, campaign, cycle):
    cycle.command(PLANNED)
    cycle.measure(1)
    line = cycle.command(campaign)
    assert (2, "2026-11-26T06:41:00Z", 1) == (line.line, line.time, line.trials)
    assert (2, (changed,)) == cycle.stated(campaign)


def test_an_expectation_that_is_added_after_a_trial_is_seen_and_one_that_was_there_stands(cycle):
    cycle.command(PLANNED)
    cycle.measure(1)
    added = replace(EXPECTED, name="cubic-wins")
    assert 2 == cycle.command(replace(PLANNED, expectations=(EXPECTED, added))).line
    assert (1, ()) == cycle.stated()
    assert (2, ("expectation",)) == cycle.stated(replace(PLANNED, expectations=(added,)))


def test_another_text_of_an_expectation_is_another_expectation(cycle):
    cycle.command(PLANNED)
    other = replace(PLANNED, expectations=(replace(EXPECTED, checks=(Check(FIGURE, above=1.0),)),))
    cycle.command(other)
    assert (2, ("expectation",)) == cycle.stated(other)


def test_what_was_changed_and_changed_back_counts_from_the_second_change_on(cycle):
    for campaign in (PLANNED, with_precision(3), PLANNED):
        cycle.command(campaign)
    assert (3, ("settings.8mbps.precision_mbps",)) == cycle.stated()


def test_services_pairs_settings_and_other_precisions_that_are_added_leave_an_expectation_as_it_is(cycle):
    cycle.command(PLANNED)
    link = PLANNED.settings["8mbps"]
    more = replace(
        PLANNED,
        title="More",
        pairs=PLANNED.pairs[:-1],
        settings=PLANNED.settings | {"20mbps": replace(link, rate_mbps=20, precision_mbps=1)},
    )
    assert 2 == cycle.command(more).line
    assert (1, ()) == cycle.stated(more)


def test_what_is_not_registered_is_not_stated(cycle):
    assert cycle.stated() is None
    cycle.command(replace(PLANNED, expectations=()))
    assert cycle.stated() is None


def test_code_that_decides_is_part_of_the_hash(tmp_path):
    (tmp_path / "scripts/tables").mkdir(parents=True)
    query = tmp_path / "scripts/tables/findings.sql"
    hashes = set()
    for text in ("select 1", "select 2"):
        query.write_text(text)
        content = content_of({}, tmp_path)
        assert {"scripts/tables/findings.sql": sha256(text.encode()).hexdigest()} == content["code"]
        hashes.add(hash_of(content))
    assert 2 == len(hashes)


def damaged(lines):
    """Each way to damage three lines, with what is told."""
    changed = lines[1].replace('"trials": 1', '"trials": 0')
    yield lines[0] + lines[1] + lines[2][:40], "line 3: has no end"
    yield lines[0] + lines[1] + lines[2][:40] + "\n", "line 3: is damaged"
    yield lines[0] + changed + lines[2], "line 3: does not follow the line before"
    yield lines[0] + lines[1], "line 3: is missing"
    yield lines[0] + lines[2], "line 2: does not follow the line before"
    yield lines[0].replace("BBR wins.", "BBR loses.") + lines[1] + lines[2], "line 1: was changed"
    yield "", "line 1: is missing, as are all up to 3"
    yield lines[0] + lines[1] + lines[2].replace('"trials": 2', '"trials": 0'), "line 3: is not the one"


def test_a_damaged_or_shortened_file_is_an_error_with_its_line_and_what_to_do(cycle):
    for number, campaign in enumerate((PLANNED, with_precision(3), PLANNED)):
        cycle.command(campaign)
        cycle.measure(number + 1)
    path = cycle.plan / "registration.jsonl"
    whole = path.read_text()
    for content, problem in damaged(whole.splitlines(keepends=True)):
        path.write_text(content)
        with pytest.raises(UserError, match=f"registration.jsonl: {problem}.*; take the file from a backup"):
            cycle.command(with_precision(1))
        assert content == path.read_text()
    path.unlink()
    with pytest.raises(UserError, match=r"registration.jsonl: is missing, and had 3 lines; take"):
        cycle.command(PLANNED)
    path.write_text(whole)
    assert 4 == cycle.command(with_precision(1)).line


def test_the_command_tells_the_last_line(cycle, capsys):
    write_campaign(cycle.plan / "config.json", PLANNED)
    assert 0 == main([str(cycle.plan)])
    assert "registration: line 1, " in capsys.readouterr().out
