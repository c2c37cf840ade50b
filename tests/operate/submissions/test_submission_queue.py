"""When submissions are measured: their order, the hours of a period, and what is never begun."""

from dataclasses import replace

import pytest

from scripts.base.errors import UserError
from scripts.operate.submissions.queue import next_submission, queue
from tests.operate.submissions.submission_host import SubmissionHost

pytestmark = pytest.mark.processes

ONE, OTHER, THIRD = "aaaa1111", "bbbb2222", "cccc3333"


@pytest.fixture
def host(tmp_path):
    return SubmissionHost(tmp_path)


def days(host):
    return {one.submission.id: one.starts for one in queue(host.context)}


def reasons(host):
    return {one.submission.id: one.reason for one in queue(host.context)}


def with_hours(host, hours):
    submissions = replace(host.context.settings.submissions, hours=hours)
    host.context = replace(host.context, settings=replace(host.context.settings, submissions=submissions))


def after_the_panel(host):
    """The panel's cycle of the first slot is complete at 2026-12-09 03:00."""
    assert host.run() == 0
    host.calls.clear()
    return host


def test_nothing_is_queued_without_submissions_and_those_that_wait_are_not(host):
    assert [] == queue(host.context)
    host.submit(ONE, "waiting")
    assert [] == queue(host.context) and next_submission(host.context) is None


def test_the_estimate_is_the_least_that_the_cycle_takes(host):
    host.submit(ONE)
    (queued,) = queue(host.context)
    # Ten trials of two solos and a pair in two settings, 600 s each and their overhead, and calibrations.
    assert 60 * 600 / 3600 < queued.estimate_hours < 60 * 640 / 3600


def test_before_the_panels_cycle_is_complete_submissions_are_expected_after_the_least_it_takes(host):
    host.submit(ONE)
    assert {ONE: "2026-12-08"} == days(host), "the panel takes about 31 hours from 2026-12-07 on"
    assert next_submission(host.context) is None


def test_before_the_first_slot_submissions_are_expected_in_the_first_period(tmp_path):
    host = SubmissionHost(tmp_path, now="2026-11-01T00:00:00Z")
    host.submit(ONE)
    assert {ONE: "2026-12-08"} == days(host)
    assert host.run() == 0 and "approved" == host.states()[ONE]


def test_they_come_in_the_order_of_approval_and_begun_ones_first(host):
    after_the_panel(host)
    for identity, approved, begun in (
        (ONE, "2026-12-03T00:00:00Z", None),
        (OTHER, "2026-12-02T00:00:00Z", None),
        (THIRD, "2026-12-04T00:00:00Z", "2026-12-05T00:00:00Z"),
    ):
        host.submit(identity, approved=approved, begun=begun, cycle=begun and "2026-12-05")
    assert [THIRD, OTHER, ONE] == [one.submission.id for one in queue(host.context)]
    assert THIRD == next_submission(host.context).submission.id
    assert OTHER == next_submission(host.context, {THIRD}).submission.id


def test_what_does_not_fit_into_the_hours_of_a_period_waits_for_the_next_ones(host):
    after_the_panel(host)
    with_hours(host, 25)
    for identity in (ONE, OTHER, THIRD):
        host.submit(identity)
    assert {ONE: "2026-12-09", OTHER: "2026-12-09", THIRD: "2026-12-22"} == days(host)


def test_the_hours_of_submissions_that_began_in_the_period_are_spent(host):
    after_the_panel(host)
    with_hours(host, 25)
    host.submit(ONE, begun="2026-12-08T00:00:00Z", hours=16, cycle="x", measured="2026-12-09T00:00:00Z")
    host.submit(OTHER)
    assert {OTHER: "2026-12-22"} == days(host) and next_submission(host.context) is None
    host.change(ONE, begun="2026-12-06T00:00:00Z")
    assert {OTHER: "2026-12-09"} == days(host)


def test_none_begins_that_would_not_end_before_the_next_slot(host):
    after_the_panel(host)
    host.submit(ONE)
    host.clock.wait(days=11, hours=12)
    assert "2026-12-20T15:00" == host.clock.now().isoformat()[:16] and next_submission(host.context) is None
    assert {ONE: "2026-12-22"} == days(host)
    host.clock.wait(hours=-3)
    assert ONE == next_submission(host.context).submission.id


def test_one_that_needs_more_than_the_hours_of_a_period_is_never_begun(host):
    after_the_panel(host)
    with_hours(host, 10)
    host.submit(ONE)
    assert {ONE: None} == days(host)
    assert reasons(host)[ONE].startswith("needs at least 10.")
    assert reasons(host)[ONE].endswith(" h, and submissions.hours of config/operate.yaml is 10")
    assert host.run() == 0 and "approved" == host.states()[ONE]


def test_one_for_which_the_panel_leaves_no_time_is_told_so(host):
    schedule = replace(host.context.settings.schedule, period_days=1)
    host.context = replace(host.context, settings=replace(host.context.settings, schedule=schedule))
    host.submit(ONE)
    assert "the panel's cycle leaves -6.9 h" in reasons(host)[ONE]


def test_with_no_hours_none_is_measured(host):
    after_the_panel(host)
    with_hours(host, 0)
    host.submit(ONE)
    assert {ONE: "submissions.hours of config/operate.yaml is 0"} == reasons(host)
    assert host.run() == 0 and "approved" == host.states()[ONE]


def test_a_wrong_definition_stops_no_other_submission(host):
    after_the_panel(host)
    host.submit(ONE)
    host.submit(OTHER)
    (host.place(ONE) / "definition/campaign.yaml").unlink()
    assert "campaign.yaml: no such campaign" in reasons(host)[ONE]
    assert OTHER == next_submission(host.context).submission.id


def test_one_that_takes_more_than_all_hours_is_stopped_and_not_gone_on_with(host, capsys):
    host.submit(ONE)
    host.takes = 60
    assert host.run() == 1
    assert (60.0, "begun") == (host.submission(ONE).hours, host.states()[ONE])
    assert "took 60.0 h, and submissions.hours of config/operate.yaml is 48" in capsys.readouterr().err
    assert reasons(host)[ONE].startswith("took 60.0 h")
    assert host.run() == 0


def test_one_that_uses_up_the_rest_of_the_period_goes_on_in_the_next_one(host, capsys):
    after_the_panel(host)
    host.submit(ONE, begun="2026-12-08T00:00:00Z", hours=30, cycle="x", measured="2026-12-09T00:00:00Z")
    host.change(ONE, released="2026-12-09T00:00:00Z")
    host.submit(OTHER)
    host.takes = 20
    assert host.run() == 0
    assert "stopped: the hours of this period are used up" in capsys.readouterr().out
    assert ("begun", 20.0, None) == (
        host.states()[OTHER],
        host.submission(OTHER).hours,
        host.submission(OTHER).problem,
    )
    assert {OTHER: "2026-12-22"} == days(host)
    host.clock.wait(days=12)
    host.takes = 4
    assert host.run() == 0 and ("released", 24.0) == (host.states()[OTHER], host.submission(OTHER).hours)


def test_one_that_still_runs_when_a_slot_begins_is_stopped_and_goes_on_after_the_panels_cycle(host, capsys):
    after_the_panel(host)
    host.submit(ONE)
    host.clock.moment = host.clock.moment.replace(day=20, hour=13)
    host.takes = 16
    assert host.run() == 0
    assert "measure: stopped: a cycle of the panel is due; it goes on after it" in capsys.readouterr().out
    assert host.calls.index(f"measure submission-{ONE}") < host.calls.index("measure")
    assert ["2026-12-07", "2026-12-21"] == host.completed() and 12.0 == host.submission(ONE).hours
    host.takes = 4
    assert host.run() == 0 and "released" == host.states()[ONE]


def test_the_hours_are_counted_when_a_step_fails_or_the_run_is_ended(host):
    after_the_panel(host)
    host.submit(ONE)
    host.broken = {f"measuring submission-{ONE}": UserError("the switch did not start")}
    assert host.run() == 1 and 3.0 == host.submission(ONE).hours
    host.broken = {f"measuring submission-{ONE}": KeyboardInterrupt()}
    with pytest.raises(KeyboardInterrupt):
        host.run()
    assert 6.0 == host.submission(ONE).hours
