"""The command line of unattended operation: its exit statuses, its locks and its signals."""

import fcntl
import json
import signal
import subprocess
import sys
import time

import pytest
import yaml

from scripts.base.files import ROOT
from scripts.operate.__main__ import main
from scripts.operate.settings import FILE, read_settings
from tests.operate.submissions.submission_host import TOKEN, SubmissionHost

NOW = "2026-12-07T03:00:00Z"


class Folders:
    """Settings, data, site and remote of a run."""

    def __init__(self, folder):
        self.folder = folder
        self.settings = yaml.safe_load(FILE.read_text())
        self.settings["publish"]["remote"] = str(folder / "remote")
        self.settings["campaign"] = "smoke"
        self.write()

    def write(self):
        (self.folder / "operate.yaml").write_text(yaml.safe_dump(self.settings))

    def words(self, command, *words, now=NOW):
        given = ["--config", f"{self.folder}/operate.yaml", "--data", f"{self.folder}/data"]
        return [command, *given, "--public", f"{self.folder}/public", "--now", now, *words]

    def main(self, command, *words, now=NOW):
        return main(self.words(command, *words, now=now))


@pytest.fixture
def folders(tmp_path):
    return Folders(tmp_path)


def test_due_tells_why_and_when_the_next_slot_begins(folders, capsys):
    assert folders.main("due") == 0
    assert (
        capsys.readouterr().out
        == "due: 2026-12-07 is the cycle of this slot; the next slot begins on 2026-12-21\n"
    )
    assert folders.main("due", now="2026-12-06T23:00:00Z") == 1
    assert capsys.readouterr().out == "nothing is due; the next slot begins on 2026-12-07\n"


def test_due_and_status_tell_of_submissions_by_their_ids_only(tmp_path, capsys):
    host = SubmissionHost(tmp_path)
    assert host.run() == 0
    host.submit("aaaa1111", name="Wonder")
    host.submit("bbbb2222", "waiting", name="Wonder")
    host.submit("cccc3333", name="Wonder", problem="canary: the service did not answer alone")
    folders = Folders(tmp_path)
    folders.settings["campaign"] = "watchdog"
    folders.write()
    now = "2026-12-09T06:00:00Z"
    capsys.readouterr()
    assert folders.main("due", now=now) == 0
    assert (
        "due: submission aaaa1111 is approved; the next slot begins on 2026-12-21\n"
        == capsys.readouterr().out
    )
    assert folders.main("status", now=now) == 0
    told = capsys.readouterr().out
    assert (
        "submissions: 1 to approve, 2 approved and not measured; next: submission aaaa1111, about 2026-12-09"
        in told
    )
    assert "submission cccc3333: failed last: canary: the service did not answer alone" in told
    assert not [word for word in ("Wonder", "example.org", TOKEN) if word in told]
    assert folders.main("status", "--json", now=now) == 0
    assert "submission" not in capsys.readouterr().out


def test_a_run_is_due_on_the_day_of_a_release(tmp_path, capsys):
    host = SubmissionHost(tmp_path)
    assert host.run() == 0
    host.submit(
        "aaaa1111", release="2026-12-12", begun="2026-12-09T03:00:00Z", measured="2026-12-09T09:00:00Z"
    )
    folders = Folders(tmp_path)
    folders.settings["campaign"] = "watchdog"
    folders.write()
    capsys.readouterr()
    assert folders.main("due", now="2026-12-11T23:00:00Z") == 1
    assert folders.main("due", now="2026-12-12T00:00:00Z") == 0
    assert "due: submission aaaa1111 is to be released;" in capsys.readouterr().out


def test_before_the_first_slot_a_run_has_nothing_to_do(folders, capsys):
    assert folders.main("run", now="2026-12-06T23:00:00Z") == 0
    assert capsys.readouterr().out == "nothing is due; the next slot begins on 2026-12-07\n"


def test_status_is_told_in_lines_and_as_json(folders, capsys):
    assert folders.main("status") == 0
    assert capsys.readouterr().out.strip()
    assert folders.main("status", "--json") == 0
    assert json.loads(capsys.readouterr().out)["campaign"] == "smoke"


@pytest.mark.parametrize(("campaign", "told"), [("Smoke", "campaign"), ("smok", "similar: smoke; all: ")])
def test_wrong_settings_are_one_line_and_status_2(campaign, told, folders, capsys):
    folders.settings["campaign"] = campaign
    folders.write()
    for command in ("run", "status"):
        assert folders.main(command) == 2
        (line,) = capsys.readouterr().err.splitlines()
        assert line.startswith("error: ") and "operate.yaml" in line and told in line


@pytest.mark.parametrize(
    "place", [":s3,secret_access_key=hunter2:b", "s3,secret_access_key=hunter2:b", ":s3:hunter2"]
)
def test_a_remote_with_options_is_refused_and_not_shown(place, folders, capsys):
    """The command lines of rclone would have them, and published records."""
    folders.settings["publish"]["remote"] = place
    folders.write()
    assert folders.main("status") == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert "publish.remote" in line and "rclone config" in line and "hunter2" not in line


@pytest.mark.parametrize(
    "place", ["s3:observatory", "my remote:a/b", "published", "/srv/a:b,c", "./a:b", "s3:"]
)
def test_a_folder_and_a_named_remote_are_taken(place, folders):
    folders.settings["publish"]["remote"] = place
    folders.write()
    assert read_settings(folders.folder / "operate.yaml").publish.remote == place


def test_a_wrong_time_is_refused_with_an_example(folders, capsys):
    with pytest.raises(SystemExit, match="2"):
        folders.main("due", now="tomorrow")
    assert "2026-12-07T03:00:00Z" in capsys.readouterr().err


@pytest.mark.parametrize("command", ["run", "publish", "prune"])
def test_while_a_run_is_active_another_one_leaves_with_one_line(folders, capsys, command):
    (folders.folder / "data/operate").mkdir(parents=True)
    with (folders.folder / "data/operate/lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        lock.write("123\n")
        lock.flush()
        assert folders.main(command) == 75
    told = capsys.readouterr()
    assert told.out == "" and told.err == f"busy: {lock.name}: another run is active, process 123\n"


@pytest.mark.parametrize(
    ("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129)]
)
def test_a_signal_ends_the_run_its_hooks_and_the_lock(folders, number, status):
    """The run hangs in a hook, so it is somewhere between two steps."""
    ready = folders.folder / "ready"
    folders.settings["hooks"]["ping"] = [["sh", "-c", f"touch {ready}; sleep 60"]]
    folders.write()
    words = [sys.executable, "-m", "scripts.operate", *folders.words("run", now="2026-12-06T23:00:00Z")]
    run = subprocess.Popen(words, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    deadline = time.monotonic() + 60
    while not ready.exists():
        assert run.poll() is None and time.monotonic() < deadline
        time.sleep(0.05)
    run.send_signal(number)
    errors = run.communicate(timeout=120)[1]
    assert run.returncode == status
    assert "Traceback" not in errors
