"""A watched folder: what is taken, what stays, and that a kill adds nothing twice."""

import os
import signal
import subprocess
import sys
import time

import pytest

from scripts.base.errors import UserError
from scripts.base.files import ROOT
from scripts.submissions import watching
from scripts.submissions.watching import Watch
from tests.submissions.desk import Office

OLD_S = 60


class Folder:
    """A watched folder beside a desk."""

    def __init__(self, office):
        self.office, self.path, self.said = office, office.folder / "inbox", []
        self.path.mkdir()
        self.watch = Watch(self.path, lambda: office.desk, self.said.append)

    def put(self, file, age_s=OLD_S, **changes):
        path = self.office.write(self.office.content(**changes), f"inbox/{file}")
        os.utime(path, (time.time() - age_s,) * 2)
        return path

    def names(self):
        return sorted(path.name for path in self.path.iterdir() if path.name not in (".taken", "refused"))

    def refused(self):
        return sorted(path.name for path in (self.path / "refused").iterdir())


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
    assert f"{reason}\n" == (inbox.path / "refused/b.yml.reason.txt").read_text()
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
    reasons = [path.read_text() for path in inbox.path.glob("refused/*.txt")]
    assert 2 == len(reasons) == len(inbox.said)
    assert all(office.code[:-1] not in text for text in (*reasons, *inbox.said))


@pytest.mark.parametrize("name", [".taken", "refused"])
def test_a_link_instead_of_its_own_folders_is_refused(name, inbox, office):
    (office.folder / "elsewhere").mkdir()
    (inbox.path / name).symlink_to(office.folder / "elsewhere")
    inbox.put("a.yaml", kind="call")
    with pytest.raises(UserError, match="is not a folder of its own; remove it"):
        inbox.watch.once()
    assert [] == list((office.folder / "elsewhere").iterdir())


def test_a_missing_folder_is_an_error_of_the_user(office, capsys):
    assert 2 == office.run("watch", str(office.folder / "nowhere"), "--once")
    assert "is not a folder; make it" in capsys.readouterr().err


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
    (taken,) = [path.name for path in (inbox.path / ".taken").iterdir()]
    assert stored == ([taken] == [one.id for one in office.stored()])
    inbox.watch.once()
    assert [taken] == [one.id for one in office.stored()] and 2 == office.tests_left()
    assert [f"a.yaml: accepted as {taken}"] == inbox.said and [] == list((inbox.path / ".taken").iterdir())


def test_an_interrupt_ends_it_cleanly(tmp_path):
    office = Office(tmp_path)
    inbox = Folder(office)
    inbox.put("a.yaml")
    options = ["--data", str(office.data), "--config", str(office.config)]
    line = [sys.executable, "-m", "scripts.submissions", "watch", str(inbox.path), *options]
    running = subprocess.Popen(line, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert running.stdout.readline().startswith("a.yaml: accepted as ")
    running.send_signal(signal.SIGINT)
    out, err = running.communicate(timeout=120)
    assert (130, "", "") == (running.returncode, out, err)
