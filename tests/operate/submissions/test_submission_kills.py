"""Runs that are killed between any two steps end with the same submissions as one that is not."""

import os
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from scripts.base.errors import UserError
from tests.operate.killed_runs import KILLED, Killed, killed
from tests.operate.submissions.submission_host import AFTER, SubmissionHost

pytestmark = pytest.mark.processes

PUBLIC, UNLISTED, GONE = "aaaa1111", "bbbb2222", "cccc3333"
TOKENS = {PUBLIC: "1" * 32, UNLISTED: "2" * 32, GONE: "3" * 32}
KEPT = ("state", "cycle", "measured", "problem")


class KilledHost(Killed, SubmissionHost):
    """A host whose run is killed at its n-th seam."""

    def __init__(self, folder, seam):
        super().__init__(folder, AFTER)
        self.last, self.takes, self.days = seam, 0.0, 0.0
        self.actions = replace(self.actions, publish_unlisted=self._mirror)

    def _mirror(self, context, wanted):
        """In place of rclone, which takes half a second."""
        self.seam("unlisted")
        shutil.rmtree(self.folder_of_remote, ignore_errors=True)
        for token, folder in wanted.items():
            shutil.copytree(folder, self.folder_of_remote / token)
        self.seam("unlisted sent")
        return "sent"


def prepared(folder):
    """Three submissions: one is to be measured and released, one measured, one deleted."""
    host = KilledHost(folder, None)
    for identity, release in ((PUBLIC, "public"), (UNLISTED, "2027-05-01"), (GONE, "2027-05-01")):
        host.submit(identity, release=release, token=TOKENS[identity])
    return host


def outcome(host):
    """What a host with submissions has in the end."""
    records = {one: host.submission(one) for one in TOKENS}
    told = {one: [getattr(record, name) for name in KEPT] for one, record in records.items()}
    folders = {one: sorted(path.name for path in host.place(one).iterdir()) for one in TOKENS}
    snapshots = sorted(path.name for path in host.context.snapshots.iterdir())
    return told, folders, snapshots, host.remote_files(), host.completed()


def withdrawn(host):
    host.change(GONE, withdrawn=AFTER)
    return host


@pytest.mark.parametrize("step", [9, pytest.param(1, marks=pytest.mark.soak(minutes=1))])
def test_a_run_that_is_killed_at_any_seam_ends_with_the_same_submissions(tmp_path, step):
    """Every seam is tried in `make soak`, and some of them in every run of the tests."""
    calm = prepared(tmp_path / "calm")
    assert calm.run() == 0 and withdrawn(calm).run() == 0
    expected = outcome(calm)
    assert ["released", "measured", "withdrawn"] == [state for state, *_ in expected[0].values()]
    assert [f"{TOKENS[UNLISTED]}/bundle.tar", f"{TOKENS[UNLISTED]}/index.html"] == expected[3]
    seam = 1
    while killed(KilledHost, prepared(tmp_path / f"killed {seam}").folder, seam):
        after = KilledHost(tmp_path / f"killed {seam}", None)
        assert after.run() == 0 and withdrawn(after).run() == 0
        assert expected == outcome(after), calm.calls[seam - 1]
        seam += step
    assert seam > 30


class DeletingHost(KilledHost):
    """A host whose run is killed at its n-th deletion of a folder, when half of it is gone."""

    def __init__(self, folder, number):
        super().__init__(folder, None)
        self.number, self.deletions = number, 0

    def run(self):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(shutil, "rmtree", self._half)
            return super().run()

    def _half(self, folder, ignore_errors=False, rmtree=shutil.rmtree):
        self.deletions += Path(folder).exists()
        if self.deletions == self.number:
            for path in sorted(Path(folder).rglob("*"))[1::2]:
                path.unlink() if path.is_file() else None
            os._exit(KILLED)
        rmtree(folder, ignore_errors=ignore_errors)


@pytest.mark.parametrize("number", [1, 2, 3, 4])
def test_a_kill_during_a_deletion_leaves_nothing_that_a_build_would_publish(number, tmp_path):
    host = prepared(tmp_path)
    assert host.run() == 0
    host.broken = {"site": UserError("the disk is full")}
    host.change(GONE, release="public")
    assert host.run() == 1
    archived = list(host.context.snapshots.glob(f"submission-{GONE}-*"))
    assert 1 == len(archived)
    withdrawn(host)
    assert killed(DeletingHost, host.folder, number) == (number < 4)
    assert not list(host.context.snapshots.glob(f"*submission-{GONE}-*")), "not even as a hidden folder"
    after = KilledHost(host.folder, None)
    assert after.run() == 0 and ["definition", "submission.json"] == outcome(after)[1][GONE]
    assert not after.named(f"submission-{GONE}")


def test_a_run_that_is_killed_while_it_deletes_ends_without_what_was_withdrawn(tmp_path):
    for seam in range(1, 8):
        host = prepared(tmp_path / str(seam))
        assert host.run() == 0
        withdrawn(host)
        killed(KilledHost, host.folder, seam)
        after = KilledHost(host.folder, None)
        assert after.run() == 0
        assert ["definition", "submission.json"] == outcome(after)[1][GONE]
        assert not [name for name in after.remote_files() if name.startswith(TOKENS[GONE])]
