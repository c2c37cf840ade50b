"""A watched folder: what is taken, what stays, and that a kill adds nothing twice."""

import errno
import os
import signal
import subprocess
import sys
import time

import pytest

from scripts.base.errors import UserError
from scripts.base.files import ROOT
from scripts.model.submission import FOLDER
from scripts.operate.submissions import watching
from scripts.operate.submissions.watching import Watch
from tests.operate.submissions.desk import Office

OLD_S = 60


class Folder:
    """A watched folder beside a desk."""

    def __init__(self, office):
        self.office, self.path, self.said = office, office.folder / "inbox", []
        self.path.mkdir()
        self.own = office.data / FOLDER
        self.watch = Watch(self.path, lambda: office.desk, self.said.append)

    def put(self, file, age_s=OLD_S, **changes):
        path = self.office.write(self.office.content(**changes), f"inbox/{file}")
        os.utime(path, (time.time() - age_s,) * 2)
        return path

    def names(self):
        return sorted(path.name for path in self.path.iterdir())

    def refused(self):
        return sorted(path.name for path in (self.own / "refused").iterdir())


@pytest.fixture
def inbox(office):
    return Folder(office)


def test_accepted_files_go_and_refused_ones_move_with_their_reason(inbox, office):
    inbox.put("a.yaml")
    inbox.put("b.yml", name="YouTube")
    inbox.watch.once()
    assert [] == inbox.names() and ["b.yml", "b.yml.reason.txt"] == inbox.refused()
    (stored,) = office.stored()
    reason = "name: YouTube looks like the name of a service of the catalogue; write another"
    assert [f"a.yaml: accepted as {stored.id}", f"b.yml: refused: {reason}"] == inbox.said
    assert f"{reason}\n" == (inbox.own / "refused/b.yml.reason.txt").read_text()
    assert 0o700 == (inbox.own / "refused").stat().st_mode & 0o777
    inbox.watch.once()
    assert 2 == len(inbox.said) and 1 == len(office.stored())


def test_what_still_grows_or_is_something_else_stays(inbox, office):
    inbox.put("young.yaml", age_s=0)
    inbox.put(".hidden.yaml")
    inbox.put("notes.txt")
    outside = office.write(office.content(), "outside.yaml")
    (inbox.path / "link.yaml").symlink_to(outside)
    (inbox.path / "folder.yaml").mkdir()
    os.mkfifo(inbox.path / "pipe.yaml")
    before = inbox.names()
    inbox.watch.once()
    assert before == inbox.names() and [] == inbox.said == office.stored()
    assert outside.exists()


def test_refused_files_of_the_same_name_are_all_kept(inbox):
    for _ in range(3):
        inbox.put("a.yaml", kind="call")
        inbox.watch.once()
    assert 6 == len(inbox.refused())


def test_a_hostile_file_name_is_told_and_stored_with_plain_letters(inbox):
    inbox.put("x\x1b[2J\u202e\n;rm -rf.yaml", kind="call")
    inbox.watch.once()
    assert ["x__2J___rm_-rf.yaml", "x__2J___rm_-rf.yaml.reason.txt"] == inbox.refused()
    assert inbox.said[0].isprintable() and inbox.said[0].startswith(
        r"x\x1b[2J\u202e\n;rm -rf.yaml: refused: kind:"
    )


def test_the_code_is_in_no_line_and_no_reason(inbox, office):
    inbox.put("a.yaml", code=office.code[:-1])
    inbox.put("b.yaml", address="x")
    inbox.watch.once()
    reasons = [path.read_text() for path in inbox.own.glob("refused/*.txt")]
    assert 2 == len(reasons) == len(inbox.said)
    assert all(office.code[:-1] not in text for text in (*reasons, *inbox.said))


@pytest.mark.parametrize("name", [".taken", "taken", "refused"])
def test_links_in_the_folder_lead_nowhere(name, inbox, office):
    """Whoever fills the folder chooses what is in it."""
    elsewhere = office.folder / "elsewhere"
    (elsewhere / "abcd1234").mkdir(parents=True)
    (elsewhere / "abcd1234/file").write_text("kept")
    (inbox.path / name).symlink_to(elsewhere)
    inbox.put("a.yaml", kind="call")
    inbox.watch.once()
    assert ["abcd1234/file"] == [
        path.relative_to(elsewhere).as_posix() for path in elsewhere.rglob("*") if path.is_file()
    ]
    assert [name] == inbox.names() and ["a.yaml", "a.yaml.reason.txt"] == inbox.refused()


@pytest.mark.parametrize("kind", ["link", "gone", "folder"])
def test_a_file_that_is_exchanged_after_the_look_at_it_harms_nothing(kind, inbox, office, monkeypatch):
    target, look = office.write("secret", "target"), watching._is_whole

    def exchanged(name, folder):
        whole = look(name, folder)
        (inbox.path / name).unlink()
        if kind == "link":
            (inbox.path / name).symlink_to(target)
        elif kind == "folder":
            (inbox.path / name).mkdir()
        return whole

    monkeypatch.setattr(watching, "_is_whole", exchanged)
    inbox.put("a.yaml")
    inbox.watch.once()
    assert [] == inbox.names() == office.stored() and "secret" == target.read_text()
    assert [] == list((inbox.own / "taken").iterdir())
    assert all("give the file itself" in line for line in inbox.said)


def test_a_folder_that_is_exchanged_for_a_link_during_a_round_is_not_followed(inbox, office, monkeypatch):
    elsewhere, look = office.folder / "elsewhere", watching._is_whole
    elsewhere.mkdir()
    office.write(office.content(), "elsewhere/a.yaml")

    def exchanged(name, folder):
        inbox.path.rename(office.folder / "moved")
        inbox.path.symlink_to(elsewhere)
        return look(name, folder)

    monkeypatch.setattr(watching, "_is_whole", exchanged)
    inbox.put("a.yaml")
    inbox.watch.once()
    assert (elsewhere / "a.yaml").exists() and not (office.folder / "moved/a.yaml").exists()
    with pytest.raises(UserError, match="is a link"):
        inbox.watch.once()


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a folder away")
def test_a_folder_of_another_user_is_refused(inbox):
    inbox.put("a.yaml")
    os.chown(inbox.path, 65534, -1)
    with pytest.raises(UserError, match="belongs to another user"):
        inbox.watch.once()
    assert ["a.yaml"] == inbox.names()


def test_a_folder_on_another_disk_is_refused(inbox, monkeypatch):
    """A file cannot be taken from there in one step."""

    def across(*_names, **_folders):
        raise OSError(errno.EXDEV, os.strerror(errno.EXDEV))

    monkeypatch.setattr(os, "rename", across)
    inbox.put("a.yaml")
    with pytest.raises(UserError, match="is on another disk"):
        inbox.watch.once()
    assert ["a.yaml"] == inbox.names()


def test_a_missing_folder_is_an_error_of_the_user(office, capsys):
    assert 2 == office.run("watch", str(office.folder / "nowhere"), "--once")
    assert "make it" in capsys.readouterr().err


@pytest.mark.parametrize("stored", [True, False])
def test_a_kill_between_storing_and_removing_adds_it_once(stored, inbox, office, monkeypatch):
    """The next watch goes on with the same id."""
    inbox.put("a.yaml")
    add = watching.add

    def killed(*arguments):
        if stored:
            add(*arguments)
        os.kill(os.getpid(), signal.SIGKILL)

    with monkeypatch.context() as patch:
        patch.setattr(watching, "add", killed)
        child = os.fork()
        if child == 0:
            inbox.watch.once()
            os._exit(0)
        assert signal.SIGKILL == os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) * -1
    (taken,) = [path.name for path in (inbox.own / "taken").iterdir()]
    assert stored == ([taken] == [one.id for one in office.stored()])
    inbox.watch.once()
    assert [taken] == [one.id for one in office.stored()] and 2 == office.tests_left()
    assert [f"a.yaml: accepted as {taken}"] == inbox.said and [] == list((inbox.own / "taken").iterdir())


def test_an_interrupt_ends_it_cleanly(tmp_path):
    office = Office(tmp_path)
    inbox = Folder(office)
    inbox.put("a.yaml")
    options = ["--data", str(office.data), "--config", str(office.config)]
    line = [sys.executable, "-m", "scripts.operate", "submissions", "watch", str(inbox.path), *options]
    running = subprocess.Popen(line, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert running.stdout.readline().startswith("a.yaml: accepted as ")
    running.send_signal(signal.SIGINT)
    out, err = running.communicate(timeout=120)
    assert (130, "", "") == (running.returncode, out, err)
