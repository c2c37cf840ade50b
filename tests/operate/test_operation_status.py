"""The status: from records, the files of a cycle and the lock, with the time of an injected clock."""

import fcntl
import json

import pytest

from scripts.base.records import from_json
from scripts.model.cycle_names import store_cycle_name
from scripts.model.operation import Status, TrialCounts, status_text
from scripts.operate.overview import begun_lines, status_lines
from scripts.operate.records import OTHER_REASON, REASONS, Failure
from scripts.operate.status import status_of, write_status
from tests.operate.operation import (
    FIRST,
    OFFLINE,
    SECOND,
    THIRD,
    completed,
    context_of,
    failed,
    operation,
    write_measured,
    write_records,
)
from tests.progress.cycle_files import write_round


def write_frozen(context, cycle):
    """The part of a snapshot that tells its cycle."""
    folder = context.snapshots / f"watchdog-{cycle}"
    folder.mkdir(parents=True)
    (folder / "snapshot.json").write_text(json.dumps({"campaign": "watchdog", "cycle": cycle}))


def hold(context):
    """Hold the lock of a run, in this process."""
    context.folder.mkdir(parents=True, exist_ok=True)
    lock = (context.folder / "lock").open("w")
    fcntl.flock(lock, fcntl.LOCK_EX)
    return lock


def test_before_anything_ran(tmp_path):
    status = status_of(context_of(tmp_path, "2026-12-01T00:00:00Z"))
    assert (status.phase, status.cycle, status.last_success, status.due) == ("idle", None, None, False)
    assert (status.next_due, status.stale) == ("2026-12-07T00:00:00Z", False)
    assert status.disk_free_bytes > 0
    assert not (tmp_path / "data").exists()


@pytest.mark.parametrize(
    ("now", "due", "next_due"),
    [
        ("2026-12-20T23:58:00Z", False, SECOND),
        ("2026-12-21T00:00:00Z", True, SECOND),
        ("2027-01-03T23:00:00Z", True, SECOND),
        ("2027-01-04T00:00:00Z", True, THIRD),
    ],
)
def test_a_cycle_is_due_from_its_slot_until_it_is_completed(tmp_path, now, due, next_due):
    status = status_of(operation(tmp_path, completed(FIRST, "2026-12-19T04:00:00Z"), now=now))
    assert (status.due, status.next_due) == (due, f"{next_due}T00:00:00Z")


@pytest.mark.parametrize(
    ("now", "since"), [("2027-01-09T03:58:00Z", None), ("2027-01-09T04:00:10Z", "2027-01-09T04:00:00Z")]
)
def test_a_success_is_stale_when_it_is_older_than_the_limit(tmp_path, now, since):
    records = completed(FIRST, "2026-12-19T04:00:00Z"), failed(SECOND, OFFLINE)
    status = status_of(operation(tmp_path, *records, now=now))
    assert (status.stale_since, status.stale) == (since, since is not None)
    assert status.last_success.cycle == FIRST


def test_without_a_success_the_first_attempt_becomes_stale(tmp_path):
    status = status_of(operation(tmp_path, failed(FIRST, OFFLINE), now="2027-01-01T00:00:00Z"))
    assert status.stale_since == "2026-12-28T03:00:00Z"


def test_a_correction_is_no_success(tmp_path):
    records = completed(FIRST, "2026-12-10T00:00:00Z"), completed(f"{FIRST}.r2", "2026-12-20T00:00:00Z")
    assert status_of(operation(tmp_path, *records)).last_success.at == "2026-12-10T00:00:00Z"


def test_the_trials_of_the_running_cycle_are_counted(tmp_path):
    context = operation(tmp_path, completed(FIRST, "2026-12-19T04:00:00Z"), failed(SECOND))
    write_measured(context, SECOND, [(), ("late", "completed"), ("failed", "failed")])
    with hold(context):
        status = write_status(context, "measuring")
        assert status_of(context).phase == "measuring"
    assert (status.cycle, status.trials) == (SECOND, TrialCounts(1, 4, 3, 1, 2, 1))
    measured = "round 1: 3 of 4 trials planned so far are measured: 1 valid, 2 excluded, 1 of them failed"
    assert measured in status_lines(status)


def test_cycles_that_make_cycle_began_are_told_until_they_are_published(tmp_path):
    context = operation(tmp_path, failed(SECOND))
    write_measured(context, FIRST, [(), ()])
    store_cycle_name(context.data / "watchdog", FIRST)
    store_cycle_name(context.data / "demo", SECOND)
    store_cycle_name(context.data / "submission-7", SECOND)
    two = "round 1: 2 of 4 trials planned so far are measured: 2 valid, 0 excluded, 0 of them failed"
    demo = f"begun by make cycle: demo, cycle {SECOND}"
    assert [demo, f"begun by make cycle: watchdog, cycle {FIRST}; {two}"] == begun_lines(context, SECOND)
    assert [demo] == begun_lines(context, FIRST), "a run has lines of its own"
    write_frozen(context, FIRST)
    assert [demo] == begun_lines(context, SECOND)


def test_a_run_that_died_is_told_from_one_that_runs(tmp_path):
    context = operation(tmp_path, failed(SECOND))
    with hold(context):
        write_status(context, "measuring", SECOND)
    status = status_of(context)
    assert (status.phase, status.cycle) == ("interrupted", SECOND)
    words = f"watchdog: the run of cycle {SECOND} was interrupted; the next run goes on from there"
    assert status_lines(status)[0] == words


def test_a_failure_is_told_with_its_cycle_and_not_with_one_that_was_given_up(tmp_path):
    given_up, done = failed(FIRST), completed(SECOND, "2026-12-22T03:00:00Z", failures=(OFFLINE,))
    context = operation(tmp_path, given_up, done)
    assert write_status(context, "failed").cycle == SECOND
    assert write_status(context, "publishing").cycle is None
    assert write_status(context, "idle").cycle is None


def test_a_run_that_has_just_begun_or_is_about_to_end_does_not_seem_idle(tmp_path):
    context = operation(tmp_path, completed(FIRST, "2026-12-19T04:00:00Z"))
    write_status(context, "idle")
    assert status_of(context).phase == "idle"
    with hold(context):
        assert status_of(context).phase == "running"


def test_what_failed_is_told_in_words_of_ours_and_the_latest_first(tmp_path):
    """Records of older versions have the messages of programs."""
    later = Failure("2026-12-23T03:10:00Z", "a step of another version", "/root/key")
    status = status_of(operation(tmp_path, failed(FIRST, OFFLINE), failed(SECOND, later)))
    assert [(one.cycle, one.step) for one in status.failures] == [(SECOND, later.step), (FIRST, "publish")]
    assert [one.reason for one in status.failures] == [OTHER_REASON, REASONS["publish"]]
    assert (status.failures_total, [one.failures for one in status.cycles]) == (2, [1, 1])


def test_a_frozen_cycle_without_a_completed_record_is_unpublished(tmp_path):
    context = operation(tmp_path, completed(FIRST, "2026-12-19T04:00:00Z"), failed(SECOND, OFFLINE))
    for cycle in (FIRST, SECOND):
        write_frozen(context, cycle)
    status = status_of(context)
    assert status.unpublished == (SECOND,)
    assert f"measured and not published: {SECOND}" in status_lines(status)


def test_records_of_another_campaign_do_not_count(tmp_path):
    context = operation(tmp_path)
    other = completed(FIRST, "2026-12-19T04:00:00Z")
    write_records(context, type(other)("demo", FIRST, completed=other.completed))
    assert status_of(context).last_success is None


def test_a_cycle_that_cannot_be_read_has_no_trials(tmp_path):
    context = operation(tmp_path, failed(SECOND))
    write_round(context.cycle(SECOND), 1, [("8mbps", "a~b", 1, 600)])
    assert write_status(context, "measuring").trials is None


@pytest.mark.parametrize("content", ["", "{", "[]", '{"phase": 3}'])
def test_a_broken_status_file_is_written_again(tmp_path, content):
    context = operation(tmp_path)
    context.folder.mkdir(parents=True)
    (context.folder / "status.json").write_text(content)
    assert status_of(context).phase == "idle"
    write_status(context, "failed")
    assert json.loads((context.folder / "status.json").read_text())["phase"] == "failed"


def test_the_written_status_has_every_key_and_is_read_back(tmp_path):
    context = operation(tmp_path, completed(FIRST, "2026-12-19T04:00:00Z", files=3), failed(SECOND, OFFLINE))
    status = write_status(context, "failed", SECOND)
    written = json.loads((context.folder / "status.json").read_text())
    assert written.keys() == Status.__dataclass_fields__.keys()
    assert from_json(Status, written, "status.json") == status
    assert status_text(status) == (context.folder / "status.json").read_text()
    assert not list(context.folder.glob(".*"))


def test_the_lines_of_a_stale_operation_name_what_is_wrong(tmp_path):
    record = failed(SECOND, OFFLINE, set_aside={"video": "no answer"})
    context = operation(
        tmp_path, completed(FIRST, "2026-12-10T00:00:00Z"), record, now="2027-01-02T00:00:00Z"
    )
    shown = status_lines(write_status(context, "failed"))
    assert shown[:4] == [
        f"watchdog: a step of cycle {SECOND} failed; the next run tries again",
        f"last success: cycle {FIRST}, 2026-12-10 00:00 UTC, 23 d 0 h ago",
        f"cycle {SECOND} is due",
        "stale since 2026-12-31 00:00 UTC: no success for 21 days",
    ]
    assert shown[5:] == [
        "set aside: video: no answer",
        f"failed 2026-12-22 03:10 UTC: {SECOND}: publish: {REASONS['publish']}",
        "data/operate/operate.log tells why",
    ]
