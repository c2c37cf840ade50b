"""Retention: what goes of old cycles, never before its published copy was read back."""

import errno
import fcntl
import os
import re
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from scripts.base.errors import UserError
from scripts.base.snakemake_command import LOCK
from scripts.operate.pruning import freed, prunable, prune
from scripts.snapshot.absent import Pruned, read_pruned, remove, verify_checksums
from tests.operate.kept_cycles import CAPTURE, CAPTURE_BYTES, CYCLES, RECORD, Kept

FIRST, SECOND, LAST = CYCLES


@pytest.fixture
def kept(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return Kept(tmp_path)


@pytest.fixture
def three(kept):
    """Three completed cycles; the captures of the first and the working folders of the first two may go."""
    for cycle in CYCLES:
        kept.add(cycle)
    return kept


def snapshot_of(kept, cycle):
    return kept.context.snapshots / f"watchdog-{cycle}"


def on_disk(kept):
    """The cycles whose captures, and the cycles whose working folders are on this disk."""
    return (
        [cycle for cycle in CYCLES if (snapshot_of(kept, cycle) / CAPTURE).exists()],
        [cycle for cycle in CYCLES if kept.work(cycle).exists()],
    )


def run(kept, dry_run=False):
    return prune(kept.context, dry_run, kept.read_back)


def test_the_newest_cycles_keep_trials_and_working_folders(three):
    run(three)
    assert on_disk(three) == ([SECOND, LAST], [LAST])


def test_a_pruned_snapshot_keeps_its_records_verifies_and_says_where_the_rest_is(three):
    run(three)
    snapshot = snapshot_of(three, FIRST)
    assert (snapshot / RECORD).exists()
    assert verify_checksums(snapshot) == 3
    assert read_pruned(snapshot) == Pruned(
        "2027-01-20", three.context.settings.publish.remote, 1, CAPTURE_BYTES
    )


def test_submissions_count_together_though_each_is_a_campaign_of_its_own(kept):
    for number, cycle in enumerate(CYCLES):
        kept.add(cycle, campaign=f"submission-{number}")
    run(kept)
    snapshots = [kept.context.snapshots / f"submission-{n}-{cycle}" for n, cycle in enumerate(CYCLES)]
    assert [False, True, True] == [(snapshot / CAPTURE).exists() for snapshot in snapshots]


def test_a_dry_run_tells_the_same_and_removes_nothing(three):
    told = run(three, dry_run=True).splitlines()
    assert [line.partition(":")[0] for line in told[:-1]] == [
        f"the trials of watchdog {FIRST}",
        f"the working folder of watchdog {FIRST}",
        f"the working folder of watchdog {SECOND}",
    ]
    assert on_disk(three) == (CYCLES, CYCLES)
    assert three.read == []
    would = told[-1].removeprefix("would free ").removesuffix(" in all")
    assert run(three).endswith(f": {would} freed")
    assert re.fullmatch(r"[0-9.]{1,4} [kM]B", would), "not 0.000705 GB"


def test_freed_is_what_the_disk_gets_back(three):
    """The captures of the first cycle have two names, in the snapshot and in the working folder."""
    (first, *_), blocks = prunable(three.context), snapshot_of(three, FIRST) / CAPTURE
    assert freed(first.files) == 0
    both = [*first.files, three.work(FIRST) / CAPTURE.replace("trials", "published")]
    assert freed(both) == blocks.stat().st_blocks * 512


def test_a_second_run_has_nothing_to_do(three):
    run(three)
    three.read.clear()
    assert run(three) == "nothing to prune"
    assert three.read == []


@pytest.mark.parametrize("harm", ["gone", "changed"])
def test_nothing_goes_whose_published_copy_is_gone_or_changed(three, harm):
    copy = three.copies / f"watchdog-{FIRST}" / CAPTURE
    copy.unlink() if harm == "gone" else copy.write_bytes(bytes(CAPTURE_BYTES))
    with pytest.raises(UserError, match=rf"the trials of watchdog {FIRST}: .* is not what was published"):
        run(three)
    assert on_disk(three) == (CYCLES, [FIRST, LAST]), "the other cycles are pruned"


def test_a_working_folder_stays_until_every_published_file_is_right(three):
    (three.copies / f"watchdog-{SECOND}/tables/pairs.csv").write_text("another")
    with pytest.raises(UserError, match=f"the working folder of watchdog {SECOND}"):
        run(three)
    assert on_disk(three) == ([SECOND, LAST], [SECOND, LAST])


def test_no_file_is_read_back_twice_in_a_run(three):
    run(three)
    read = [name for call in three.read for name in call]
    assert len(read) == len(set(read)) == 8


def test_a_file_that_was_taken_back_need_not_be_published(three):
    remove(snapshot_of(three, FIRST), [CAPTURE], "Asked for", "2027-01-02")
    (three.copies / f"watchdog-{FIRST}" / CAPTURE).unlink()
    run(three)
    assert on_disk(three) == ([SECOND, LAST], [LAST])


def test_an_unfinished_cycle_keeps_everything_and_does_not_count(kept):
    for cycle, completed in zip(CYCLES, (False, True, True), strict=True):
        kept.add(cycle, completed)
    run(kept)
    assert on_disk(kept) == (CYCLES, [FIRST, LAST])


def test_a_cycle_whose_correction_is_not_completed_keeps_everything(three):
    three.add(FIRST, completed=False, revision=2)
    run(three)
    assert on_disk(three) == (CYCLES, [FIRST, LAST])


def test_trials_of_all_revisions_go_with_their_cycle(three):
    corrected = three.add(FIRST, revision=2)
    run(three)
    assert not (corrected / CAPTURE).exists()
    assert on_disk(three) == ([SECOND, LAST], [LAST])


def test_a_cycle_without_a_record_is_none_of_this_runs_business(three):
    (three.context.folder / f"cycles/watchdog-{FIRST}.json").unlink()
    run(three)
    assert on_disk(three) == (CYCLES, [FIRST, LAST])


@pytest.mark.parametrize("published", ["public", "data/snapshots/watchdog-2026-12-07"])
def test_the_only_copy_never_goes(three, published):
    """The site has links to the captures, so a file in it may be the very file that would go."""
    link = three.context.public / f"captures/watchdog/{FIRST}"
    link.parent.mkdir(parents=True)
    link.symlink_to(snapshot_of(three, FIRST) / "trials")
    settings = three.context.settings
    settings = replace(settings, publish=replace(settings.publish, remote=published))
    context = replace(three.context, settings=settings)
    with pytest.raises(UserError, match=f"{published}: is the folder on this disk from which"):
        prune(context, False, three.read_back)
    assert on_disk(three) == (CYCLES, CYCLES)


def test_working_folders_stay_while_somebody_measures(three):
    with Path(LOCK).open("a") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        run(three)
    assert on_disk(three) == ([SECOND, LAST], CYCLES)


def test_a_killed_run_is_finished_by_the_next_one(three, monkeypatch):
    """Kill it before each file operation in turn."""
    for kills in range(100):
        left = [kills]

        def step(operation, left=left):
            def stepped(*arguments, **options):
                if not left[0]:
                    raise KeyboardInterrupt
                left[0] -= 1
                return operation(*arguments, **options)

            return stepped

        with monkeypatch.context() as patch:
            for name in ("unlink", "rename", "rmdir"):
                patch.setattr(Path, name, step(getattr(Path, name)))
            patch.setattr(shutil, "rmtree", step(shutil.rmtree))
            try:
                run(three)
            except KeyboardInterrupt:
                for cycle in CYCLES:
                    verify_checksums(snapshot_of(three, cycle))
            else:
                break
    assert kills > 3
    assert on_disk(three) == ([SECOND, LAST], [LAST])
    assert not list(three.context.data.glob("*/.pruned"))


def test_a_working_folder_goes_though_the_disk_has_no_room_for_another_name(three, monkeypatch):
    def full(*_arguments, **_options):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(Path, "rename", full)
    run(three)
    assert on_disk(three)[1] == [LAST]


def test_what_killed_runs_left_goes(three):
    scratch = three.context.snapshots / ".snapshot-killed/made"
    doomed = three.context.data / f"watchdog/.pruned/{FIRST}"
    for folder in (scratch, doomed):
        folder.mkdir(parents=True)
    dead, alive = 1 << 22, os.getpid()
    (snapshot_of(three, LAST) / f".pruned.json.{dead}").write_text("")
    (three.context.folder / f".status.json.{dead}").write_text("")
    (three.context.folder / f".status.json.{alive}").write_text("")
    run(three)
    assert [path.name for path in three.context.folder.glob(".*")] == [f".status.json.{alive}"]
    assert not scratch.parent.exists()
    assert not doomed.parent.exists()
    assert verify_checksums(snapshot_of(three, LAST)) == 4
