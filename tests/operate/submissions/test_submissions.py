"""Submissions in a run: measured after the panel's cycle, then unlisted, released or deleted; failures."""

import json
from dataclasses import replace

import pytest

from scripts.base.errors import UserError
from scripts.operate.submissions.desk import withdraw
from tests.operate.fake_actions import ANCHOR, PUBLISHED, Host
from tests.operate.submissions.submission_host import AFTER, TOKEN, SubmissionHost

pytestmark = pytest.mark.processes

ONE, OTHER = "aaaa1111", "bbbb2222"
LATER = "2027-02-01"


@pytest.fixture
def host(tmp_path):
    return SubmissionHost(tmp_path)


@pytest.fixture
def unlisted(host):
    """A host with a submission that is measured and unlisted."""
    host.submit(ONE, release=LATER)
    assert host.run() == 0
    host.calls.clear()
    return host


def test_an_approved_submission_is_measured_after_the_panels_cycle_and_one_that_waits_is_not(host):
    host.submit(ONE, release=LATER)
    host.submit(OTHER, "waiting")
    assert host.run() == 0
    assert {ONE: "measured", OTHER: "waiting"} == host.states()
    assert host.calls.index("hook completed") < host.calls.index(f"measure submission-{ONE}")
    record = host.submission(ONE)
    assert ("2026-12-09T03:00:00Z", "2026-12-09", 12) == (record.begun, record.cycle, record.hours)
    assert "2026-12-09T15:00:00Z" == record.measured and record.problem is None


def test_its_pages_are_sent_to_an_address_of_their_own_and_to_no_other(unlisted):
    assert [f"{TOKEN}/bundle.tar", f"{TOKEN}/index.html"] == unlisted.remote_files()
    assert not (unlisted.context.public / f"cycles/submission-{ONE}").exists()
    assert [f"watchdog-{ANCHOR}"] == [path.name for path in unlisted.context.snapshots.glob("*")]
    others = (path.name for path in unlisted.context.folder.rglob("*"))
    assert not [name for name in others if "submission" in name]


def test_a_second_run_neither_measures_nor_builds_nor_sends_it_again(unlisted):
    index = unlisted.folder_of_remote / TOKEN / "index.html"
    sent = index.stat().st_mtime_ns
    assert unlisted.run() == 0
    assert ["unlisted", "unlisted sent", "prune", "hook ping"] == unlisted.calls
    assert sent == index.stat().st_mtime_ns


def test_what_is_missing_of_its_pages_is_sent_again_and_what_nobody_wants_is_deleted(unlisted):
    (unlisted.folder_of_remote / TOKEN / "index.html").unlink()
    (unlisted.folder_of_remote / "feed").mkdir()
    (unlisted.folder_of_remote / "feed/index.html").write_text("left")
    assert unlisted.run() == 0
    assert [f"{TOKEN}/bundle.tar", f"{TOKEN}/index.html"] == unlisted.remote_files()


def test_it_is_released_on_its_day_as_any_other_cycle(unlisted):
    unlisted.clock.wait(days=53)
    assert "2027-01-31" == unlisted.clock.now().date().isoformat() and unlisted.run() == 0
    assert "measured" == unlisted.states()[ONE]
    unlisted.clock.wait(days=1)
    assert unlisted.run() == 0
    assert "released" == unlisted.states()[ONE]
    cycle = unlisted.submission(ONE).cycle
    assert (unlisted.context.snapshots / f"submission-{ONE}-{cycle}/snapshot.json").is_file()
    assert (unlisted.folder / PUBLISHED / f"cycles/submission-{ONE}/{cycle}/manifest.parquet").is_file()
    assert [] == unlisted.remote_files()
    assert ["definition", "submission.json"] == sorted(path.name for path in unlisted.place(ONE).iterdir())
    record = json.loads((unlisted.context.folder / f"cycles/submission-{ONE}-{cycle}.json").read_text())
    assert record["completed"] and record["started"] == unlisted.submission(ONE).begun


def test_a_public_one_is_released_at_once_and_never_unlisted(host):
    host.submit(ONE)
    assert host.run() == 0
    assert {ONE: "released"} == host.states()
    assert f"unlisted site {ONE}" not in host.calls and not host.folder_of_remote.exists()


def test_one_that_is_withdrawn_after_it_was_measured_leaves_its_record_only(unlisted):
    unlisted.change(ONE, withdrawn="2026-12-10T03:00:00Z")
    assert unlisted.run() == 0
    assert [] == unlisted.remote_files()
    assert ["definition", "submission.json"] == sorted(path.name for path in unlisted.place(ONE).iterdir())
    assert not (unlisted.context.public / f"cycles/submission-{ONE}").exists()


def test_a_withdrawal_takes_effect_while_the_panel_is_measured(unlisted):
    """A cycle takes up to 13 days."""
    seen, measure, delete = [], unlisted.actions.measure, unlisted.actions.delete_unlisted

    def measuring(context, cycle, during):
        during()
        seen.append(unlisted.remote_files())
        unlisted.change(ONE, withdrawn="2026-12-21T05:00:00Z")
        during()
        during()
        seen.append(unlisted.remote_files())
        return measure(context, cycle, during)

    def counted(context, token):
        unlisted.calls.append("deleted")
        return delete(context, token)

    unlisted.actions = replace(unlisted.actions, measure=measuring, delete_unlisted=counted)
    unlisted.clock.wait(days=14)
    assert unlisted.run() == 0
    before, after = seen
    assert len(before) == 2 and after == []
    assert 1 == unlisted.calls.count("deleted"), "it is tried once in a run"


def test_a_withdrawal_takes_a_snapshot_out_of_the_archive_while_the_panel_is_measured(unlisted):
    unlisted.change(ONE, release="public")
    unlisted.broken = {"site": UserError("the disk is full")}
    assert unlisted.run() == 1
    unlisted.broken = {"unlisted": UserError("away")}
    names, measure = [], unlisted.actions.measure

    def measuring(context, cycle, during):
        unlisted.change(ONE, withdrawn="2026-12-21T05:00:00Z")
        during()
        names.extend(path.name for path in unlisted.context.snapshots.glob("submission-*"))
        return measure(context, cycle, during)

    unlisted.actions = replace(unlisted.actions, measure=measuring)
    unlisted.clock.wait(days=14)
    unlisted.run()
    assert [] == names and "measured" in unlisted.calls


def test_one_that_is_withdrawn_while_it_is_measured_stops(host, capsys):
    host.submit(ONE)
    host.broken = {}
    host.actions = replace(host.actions, measure=_withdrawing(host))
    assert host.run() == 0
    assert "withdrawn" == host.states()[ONE] and host.submission(ONE).measured is None
    assert f"submission {ONE}: measure: stopped: it was withdrawn" in capsys.readouterr().out
    assert not (host.place(ONE) / "data").exists() and host.submission(ONE).hours == 3


def _withdrawing(host):
    def measure(context, cycle, during):
        if context.definition:
            host.change(ONE, withdrawn="2026-12-09T04:00:00Z")
        return host._measure(context, cycle, during)

    return measure


def test_one_that_is_withdrawn_while_it_is_released_is_taken_out_of_an_archive_nobody_has_seen(unlisted):
    unlisted.change(ONE, release="public")
    unlisted.broken = {"site": UserError("the disk is full")}
    assert unlisted.run() == 1
    assert 2 == len(list(unlisted.context.snapshots.glob("*")))
    unlisted.broken = {}
    unlisted.change(ONE, withdrawn="2026-12-10T03:00:00Z")
    assert unlisted.run() == 0
    assert [f"watchdog-{ANCHOR}"] == [path.name for path in unlisted.context.snapshots.glob("*")]
    assert [] == unlisted.remote_files()


def test_one_that_is_withdrawn_after_its_pages_were_built_is_not_published(unlisted):
    unlisted.change(ONE, release="public")
    unlisted.broken = {"publish": UserError("away")}
    assert unlisted.run() == 1
    cycle = unlisted.submission(ONE).cycle
    assert (unlisted.context.public / f"cycles/submission-{ONE}").exists()
    unlisted.broken = {}
    unlisted.change(ONE, withdrawn="2026-12-10T03:00:00Z")
    assert unlisted.run() == 0
    assert not unlisted.named(f"submission-{ONE}") and unlisted.submission(ONE).published is None
    assert cycle and [] == unlisted.remote_files()


@pytest.mark.parametrize("step", ["sign", "site", "built", "publish"])
def test_one_that_is_withdrawn_during_any_step_of_its_release_is_not_published(step, unlisted):
    """The run itself stops the release, or the next one takes everything back."""
    seam = unlisted.seam

    def withdrawing(name):
        seam(name)
        if name == step:
            unlisted.change(ONE, withdrawn="2026-12-10T03:00:00Z")

    def sign(context, place):
        unlisted.seam("sign")
        return "is not signed"

    unlisted.change(ONE, release="public")
    unlisted.actions = replace(unlisted.actions, sign=sign)
    unlisted.seam = withdrawing
    unlisted.run()
    unlisted.seam = seam
    assert unlisted.run() == 0
    assert not unlisted.named(f"submission-{ONE}") and unlisted.submission(ONE).published is None


def test_one_that_is_withdrawn_after_files_were_sent_stays_published(unlisted):
    unlisted.change(ONE, release="public")
    unlisted.broken = {"published": UserError("away")}
    assert unlisted.run() == 1
    with pytest.raises(UserError, match="its release has begun"):
        withdraw(unlisted.context.data, ONE, unlisted.clock.now())
    unlisted.broken = {}
    assert unlisted.run() == 0 and "released" == unlisted.states()[ONE]


def test_a_silent_service_is_recorded_told_and_tried_in_three_runs(host, capsys):
    host.submit(ONE)
    host.submit(OTHER, release=LATER)
    host.silent = {f"submission-{ONE}": "the page did not load"}
    assert host.run() == 1
    assert {ONE: "begun", OTHER: "measured"} == host.states()
    problem = "canary: the service did not answer alone: the page did not load"
    assert problem == host.submission(ONE).problem
    (told,) = [facts for facts in host.facts if facts["event"] == "failed"]
    assert (ONE, "canary") == (told["submission"], told["step"])
    assert [1, 1, 0] == [host.run() for _ in range(3)]
    assert 3 == host.calls.count(f"canary submission-{ONE}")
    host.silent = {}
    host.clock.wait(hours=1)
    assert host.run() == 0 and "begun" == host.states()[ONE]
    host.change(ONE, approved="2026-12-20T00:00:00Z")
    host.clock.wait(days=12)
    assert host.run() == 0 and "released" == host.states()[ONE]


def test_a_failing_submission_fails_nothing_of_the_panel(host):
    host.submit(ONE)
    host.broken = {f"measure submission-{ONE}": KeyError("part")}
    assert host.run() == 1
    assert [ANCHOR] == host.completed() and not host.records()[ANCHOR].get("failures")
    assert "idle" == host.phases[-1]
    assert "measure: KeyError: 'part'" == host.submission(ONE).problem
    assert "published" == host.calls[-1], "the report; no ping"


def test_a_failed_check_of_the_host_is_no_try(host):
    host.submit(ONE)
    check = host.actions.check

    def full(context, cycle):
        if context.definition:
            raise UserError("the disk is full")
        return check(context, cycle)

    host.actions = replace(host.actions, check=full)
    assert [1, 1, 1, 1] == [host.run() for _ in range(4)]
    assert "health: the disk is full" == host.submission(ONE).problem
    host.actions = replace(host.actions, check=check)
    assert host.run() == 0 and "released" == host.states()[ONE]


def test_a_record_that_cannot_be_read_stops_submissions_and_not_the_panel(host, capsys):
    host.submit(ONE)
    (host.place(ONE) / "submission.json").write_text("{")
    assert host.run() == 1
    assert [ANCHOR] == host.completed()
    assert "error: submissions: records: " in capsys.readouterr().err


def test_no_token_is_told_when_the_remote_refuses(unlisted, capsys):
    unlisted.actions = replace(unlisted.actions, publish_unlisted=lambda context, wanted: _refuse(wanted))
    assert unlisted.run() == 1
    told = capsys.readouterr()
    log = (unlisted.context.folder / "operate.log").read_text()
    assert "s3:observatory/unlisted/<token>: no route" in told.err
    assert TOKEN not in told.out + told.err + log + json.dumps(unlisted.facts)


def _refuse(wanted):
    (token,) = wanted
    raise UserError(f"s3:observatory/unlisted/{token}: no route")


def test_the_panel_does_the_same_steps_with_submissions_as_without(tmp_path):
    plain, other = SubmissionHost(tmp_path / "plain"), SubmissionHost(tmp_path / "other")
    for state in ("waiting", "withdrawn"):
        other.submit(f"{state:x<8}"[:8], "waiting" if state == "waiting" else "approved", **_times(state))
    assert plain.run() == other.run() == 0
    assert plain.calls == other.calls
    first, second = plain.records()[ANCHOR], other.records()[ANCHOR]
    assert first | {"remote": None} == second | {"remote": None}


def _times(state):
    return {"withdrawn": "2026-12-01T00:00:00Z"} if state == "withdrawn" else {}


def test_without_submissions_nothing_is_made_for_them(tmp_path):
    host = Host(tmp_path)
    assert host.run() == 0
    assert not (host.context.data / "submissions").exists()


def test_nothing_begins_before_the_panels_cycle_is_complete(host):
    host.submit(ONE)
    host.broken = {"publish": UserError("away")}
    assert host.run() == 1 and "approved" == host.states()[ONE]
    host.broken = {}
    host.clock.moment = host.clock.moment.fromisoformat(AFTER.replace("Z", "+00:00"))
    assert host.run() == 0 and "released" == host.states()[ONE]
