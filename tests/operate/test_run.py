"""Which cycle a run works on, what a failed step leaves, and what the next run does."""

import subprocess
import sys
from dataclasses import replace

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from scripts.base.errors import UserError
from scripts.operate import steps
from scripts.operate.agenda import agenda
from scripts.operate.context import BusyError, only_run
from scripts.operate.records import REASONS
from scripts.operate.steps import MEASURING, PUBLISHING
from tests.operate.fake_actions import ANCHOR, CAMPAIGN, Host

SECOND = "2026-12-21"
STEPS = ["health", "canary", "measure", "measured", "site", "built"]
STEPS += ["publish", "published", "verify", "hook completed", "prune"]
COLUMNS = ("setting", "pair", "reason")
REPORT = ["site", "built", "publish", "published"]


@pytest.fixture
def host(tmp_path):
    return Host(tmp_path, days=0.5)


def test_a_run_does_every_step_and_the_next_one_has_nothing_to_do(host, capsys):
    assert host.run() == 0
    assert host.calls == [*STEPS, *REPORT, "hook ping"]
    record = host.records()[ANCHOR]
    assert (record["files"], record["bytes"], record["remote"]) == (2, 7, "published")
    assert record["scheduled"] and record["completed"] == "2026-12-07T15:00:00Z"
    host.calls.clear()
    capsys.readouterr()
    assert host.run() == 0
    assert host.calls == ["prune", "hook ping"]
    assert capsys.readouterr().out.splitlines()[0] == "nothing is due; the next slot begins on 2026-12-21"


def test_a_status_that_cannot_be_written_stops_no_cycle(host, monkeypatch, capsys):
    monkeypatch.setattr(steps, "STATUS_S", 0)
    measure = host.actions.measure

    def measured(context, cycle, during):
        during()
        return measure(context, cycle, during)

    def damaged(context, phase, cycle):
        raise UserError("snapshot.json: is damaged")

    host.actions = replace(host.actions, measure=measured, write_status=damaged)
    assert 0 == host.run()
    assert [ANCHOR] == host.completed()
    assert "warning: the status is not written: snapshot.json: is damaged" in capsys.readouterr().err


def test_the_record_names_the_services_that_failed_alone(host):
    rows = [("8mbps", "video", "set_aside"), ("8mbps", "a~video", "set_aside"), ("8mbps", "a", "enough")]
    table = pa.Table.from_pylist([dict(zip(COLUMNS, row, strict=True)) for row in rows])
    (host.context.cycle(ANCHOR) / "tables").mkdir(parents=True)
    pq.write_table(table, host.context.cycle(ANCHOR) / "tables/plan.parquet")
    assert host.run() == 0
    assert host.records()[ANCHOR]["set_aside"] == {"video": "its last three trials alone failed (8mbps)"}


def test_before_the_first_slot_nothing_is_due(tmp_path):
    host = Host(tmp_path, now="2026-12-06T23:59:59Z")
    assert host.run() == 0
    assert host.records() == {} and host.calls == ["hook ping"]


def test_a_failed_step_is_recorded_and_told_and_the_next_run_goes_on_there(host, capsys):
    host.broken = {"publish": UserError("s3:observatory: no route to it")}
    assert host.run() == 1
    assert capsys.readouterr().err == f"error: {ANCHOR}: publish: s3:observatory: no route to it\n"
    (failure,) = host.records()[ANCHOR]["failures"]
    assert failure == {
        "at": "2026-12-07T15:00:00Z",
        "step": "publish",
        "reason": "its files could not be published",
    }
    assert host.events == {"failed": 1}
    host.broken, host.calls = {}, []
    assert host.run() == 0
    assert host.calls[:3] == ["publish", "published", "verify"]


def test_no_published_record_has_a_message_of_a_program(host):
    """Messages may name endpoints, keys and folders of this host."""
    for step in ("health", "canary", "measure", "site", "publish", "verify", "prune"):
        host.broken = {step: UserError("s3,secret_access_key=hunter2 /root/key")}
        assert host.run() == 1
        host.broken = {}
    assert host.run() == 0
    texts = [path.read_text() for path in (host.context.folder / "cycles").glob("*.json")]
    failures = [failure for record in host.records().values() for failure in record["failures"]]
    assert len({failure["reason"] for failure in failures}) == len(failures) == 7
    assert not [text for text in texts if "hunter2" in text or "/root" in text]


def test_every_step_has_a_reason_for_readers():
    steps = {*MEASURING, *PUBLISHING, "begin", "prune", "report"}
    assert steps == REASONS.keys()


def test_an_unexpected_error_is_one_line_and_its_traceback_is_in_the_log(host, capsys):
    host.broken = {"verify": KeyError("part")}
    assert host.run() == 1
    assert capsys.readouterr().err == f"error: {ANCHOR}: verify: KeyError: 'part'\n"
    log = (host.context.folder / "operate.log").read_text()
    assert "Traceback (most recent call last):" in log and "raise self.broken[name]" in log


def test_cycles_are_measured_while_the_storage_is_away_and_published_when_it_is_back(host):
    host.broken = {"publish": UserError("away")}
    assert host.run() == 1
    host.clock.wait(days=14)
    assert host.run() == 1
    assert host.completed() == [] and [one.cycle for one in agenda(host.context)] == [ANCHOR, SECOND]
    host.broken = {}
    assert host.run() == 0
    assert host.completed() == [ANCHOR, SECOND]


def test_what_is_unpublished_is_published_with_a_cycle_during_whose_time_the_storage_came_back(host):
    host.broken = {"publish": UserError("away")}
    host.run()
    host.clock.wait(days=14)
    measure = host.actions.measure

    def mended(*arguments):
        host.broken = {}
        return measure(*arguments)

    object.__setattr__(host.actions, "measure", mended)
    assert host.run() == 1
    assert host.completed() == [ANCHOR, SECOND]


def test_a_begun_cycle_whose_slot_has_passed_comes_before_the_one_of_now(host):
    host.broken = {"measure": UserError("the switch did not start")}
    host.run()
    host.clock.wait(days=15)
    host.broken = {}
    assert host.run() == 0
    assert host.completed() == [ANCHOR, SECOND]
    assert host.records()[ANCHOR]["completed"] <= host.records()[SECOND]["started"]


def test_a_cycle_that_keeps_failing_does_not_stop_the_one_of_now(host):
    host.begin(ANCHOR)
    host.clock.wait(days=14)
    measure = host.actions.measure

    def fails_for_the_first(context, cycle, during):
        if cycle == ANCHOR:
            raise UserError("planned with another configuration")
        return measure(context, cycle, during)

    object.__setattr__(host.actions, "measure", fails_for_the_first)
    assert host.run() == 1
    assert host.completed() == [SECOND]


def test_a_cycle_without_a_trial_is_not_measured_after_its_slot(host):
    host.broken = {"health": UserError("the disk is full")}
    host.run()
    host.clock.wait(days=14)
    host.broken = {}
    assert host.run() == 0
    assert host.completed() == [SECOND]


def test_a_failed_site_build_stops_no_measuring(host):
    host.broken = {"site": UserError("the snapshot is damaged")}
    assert host.run() == 1
    host.clock.wait(days=14)
    assert host.run() == 1
    assert [one.reason for one in agenda(host.context)] == ["is measured and not published"] * 2


def test_cycles_that_somebody_measured_by_hand_are_left_alone(host):
    host.begin("2026-11-30")
    host.freeze("2026-12-02")
    assert [one.cycle for one in agenda(host.context)] == [ANCHOR]


def test_a_correction_is_published_and_has_a_record_of_its_own(host):
    host.run()
    host.freeze(ANCHOR, revision=2)
    assert host.run() == 0
    assert host.completed() == [ANCHOR, f"{ANCHOR}.r2"]
    assert not host.records()[f"{ANCHOR}.r2"].get("scheduled")


def test_a_failing_hook_fails_nothing(host, capsys):
    host.broken = {f"hook {event}": OSError("no such program") for event in ("completed", "failed", "ping")}
    assert host.run() == 0
    assert "warning: hooks of completed: OSError: no such program" in capsys.readouterr().err


def test_pruning_runs_also_after_a_failed_check_so_that_a_full_disk_empties(host):
    host.run()
    host.clock.wait(days=14)
    host.broken, host.calls = {"health": UserError("2 GB are free")}, []
    assert host.run() == 1
    assert host.calls == ["health", "hook failed", "prune", *REPORT]


def test_a_second_run_leaves_at_once(host):
    with only_run(host.context), pytest.raises(BusyError, match="another run is active, process"):
        host.run()
    assert host.calls == []


def test_the_lock_ends_with_its_process_however_it_ends(host):
    holder = f"""
import os
from pathlib import Path
from tests.operate.fake_actions import Host
from scripts.operate.context import only_run
with only_run(Host(Path({str(host.folder)!r})).context):
    os.kill(os.getpid(), 9)
"""
    assert subprocess.run([sys.executable, "-c", holder], check=False).returncode == -9
    assert host.run() == 0


def test_a_busy_directory_ends_the_run_without_a_failure(host):
    host.broken = {"measure": BusyError("a cycle is being measured by hand")}
    with pytest.raises(BusyError):
        host.run()
    assert host.records()[ANCHOR].get("failures") is None and host.events == {}
    assert host.phases[-1] == "idle"


def test_a_full_disk_is_one_line_and_the_next_run_goes_on(host, capsys, monkeypatch):
    full = OSError(28, "No space left on device", "part")
    host.broken = {"measure": full}
    with monkeypatch.context() as patch:
        patch.setattr("scripts.operate.run.write_cycle", lambda *_: (_ for _ in ()).throw(full))
        assert host.run() == 1
    assert "No space left on device" in capsys.readouterr().err
    host.broken = {}
    assert host.run() == 0 and host.completed() == [ANCHOR]


def test_the_campaigns_of_others_are_none_of_its_business(host):
    host.freeze("2026-12-07")
    (snapshot,) = host.context.snapshots.iterdir()
    text = (snapshot / "snapshot.json").read_text().replace(CAMPAIGN, "demo")
    (snapshot / "snapshot.json").write_text(text)
    assert [one.reason for one in agenda(host.context)] == ["is the cycle of this slot"]
