"""Confined programs: their user, files, network and limits, and their end."""

import os
import shutil
import subprocess
import sys
import time

import psutil
import pytest

from scripts.base.confinement import (
    FIRST_UID,
    INSIDE,
    Confinement,
    Limits,
    may_change_user,
    require_confinement,
    unprivileged_uid,
)
from scripts.base.errors import UserError
from scripts.base.files import ROOT


@pytest.fixture
def home(tmp_path):
    if may_change_user():
        os.chown(tmp_path, FIRST_UID, FIRST_UID)
    return tmp_path


def run(confinement: Confinement, *argv: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(confinement.command(*argv), capture_output=True, text=True, check=False)


def test_a_confined_program_has_no_privileges_and_no_network(home):
    script = "id -u; grep -E 'CapEff|CapBnd|NoNewPrivs' /proc/self/status; cat /proc/net/dev"
    found = run(Confinement(home, FIRST_UID), "sh", "-c", script).stdout
    assert found.startswith(f"{FIRST_UID if may_change_user() else os.getuid()}\n")
    assert "CapEff:\t0000000000000000" in found
    assert "NoNewPrivs:\t1" in found
    assert "lo:" in found
    assert "eth" not in found


def test_the_root_of_a_user_namespace_gives_it_no_privileges_either(tmp_path):
    """Without root a trial is such a root. Its programs must not change their view of the files."""
    script = """
import os, sys
from pathlib import Path
from scripts.base.confinement import FIRST_UID, Confinement
command = Confinement(Path(sys.argv[1]), FIRST_UID).command("cat", "/proc/self/status")
os.execvp(command[0], command)
"""
    command = ["unshare", "--user", "--map-root-user", "--mount", sys.executable, "-c", script, str(tmp_path)]
    found = subprocess.run(command, capture_output=True, text=True, check=True, cwd=ROOT).stdout
    assert "CapEff:\t0000000000000000" in found
    assert "NoNewPrivs:\t1" in found


def test_it_sees_its_home_and_the_code_and_nothing_else(home, tmp_path_factory):
    other = tmp_path_factory.mktemp("other")
    (other / "secret").write_text("secret")
    (home / "mine").write_text("mine\n")
    script = (
        f"cat mine; ls '{ROOT}'; ls {other}; ls /etc; echo kept > new; echo no > /usr/no; echo no > /etc/no"
    )
    done = run(Confinement(home, FIRST_UID), "sh", "-c", script)
    assert done.stdout.startswith("mine")
    assert {"scripts", "services"} == {path.name for path in ROOT.iterdir()} & set(done.stdout.split())
    assert not {"passwd", "shadow", "hostname", "machine-id"} & set(done.stdout.split())
    assert f"{other}': No such file" in done.stderr
    assert done.stderr.count("cannot create") == 2
    assert (home / "new").read_text() == "kept\n"


def test_it_reads_and_writes_the_folders_that_are_named(home, tmp_path_factory):
    given, wanted = tmp_path_factory.mktemp("given"), tmp_path_factory.mktemp("wanted")
    given.chmod(0o755)
    (given / "file").write_text("given")
    if may_change_user():
        os.chown(wanted, FIRST_UID, FIRST_UID)
    confinement = Confinement(
        home, FIRST_UID, readable={INSIDE / "given": given}, writable={INSIDE / "wanted": wanted}
    )
    done = run(confinement, "sh", "-c", "cp given/file wanted/file; touch given/other")
    assert (wanted / "file").read_text() == "given"
    assert "cannot touch" in done.stderr
    assert [path.name for path in given.iterdir()] == ["file"]


def test_its_environment_is_its_own(home, monkeypatch):
    monkeypatch.setenv("OBSERVATORY_SECRET", "secret")
    found = run(Confinement(home, FIRST_UID, environment={"MORE": "more"}), "env").stdout
    assert "MORE=more" in found
    assert f"HOME={INSIDE}" in found
    assert "SECRET" not in found


@pytest.mark.parametrize(("forget", "found"), [("", "b'secret'"), ("confinement.forget_keys()", "b''")])
def test_it_reads_a_key_of_its_session_unless_that_is_forgotten(home, forget, found):
    """The key is in a session keyring of the test's own."""
    script = f"""
import ctypes, subprocess, sys
from pathlib import Path
from scripts.base import confinement

number = confinement._KEYCTL
add_key = number - 2
confinement.forget_keys()
key = ctypes.CDLL(None).syscall(add_key, b"user", b"name", b"secret", 6, -3)
{forget}
read = "import ctypes; text = ctypes.create_string_buffer(9); "
read += f"ctypes.CDLL(None).syscall({{number}}, 11, {{key}}, text, 9)"
confined = confinement.Confinement(Path(sys.argv[1]), confinement.FIRST_UID)
print(key > 0, flush=True)
subprocess.run(confined.command(sys.executable, "-c", read + "; print(text.value)"), check=True)
"""
    command = [sys.executable, "-c", script, str(home)]
    has_key, read = subprocess.run(
        command, capture_output=True, text=True, check=True, cwd=ROOT
    ).stdout.splitlines()
    if has_key == "False":
        pytest.skip("needs a kernel with keyrings that this process may use")
    assert found == read


def test_its_limits_hold(home):
    limits = Limits(open_files=100, file_bytes=1000, address_space_bytes=1 << 30, processor_s=10)
    script = "ulimit -n; ulimit -t; ulimit -v; ulimit -c; head -c 5000 /dev/zero > long"
    done = run(Confinement(home, FIRST_UID, limits=limits), "bash", "-c", script)
    assert done.stdout.split() == ["100", "10", str(1 << 20), "0"]
    assert (home / "long").stat().st_size == 1000


def test_it_ends_with_the_program_that_confines_it(home):
    """All its processes end, also those that left its session."""
    marker = "31415"
    command = Confinement(home, FIRST_UID).command("sh", "-c", f"setsid sleep {marker} & sleep {marker}")
    running = subprocess.Popen(command)
    deadline = time.monotonic() + 10
    while len(sleeping(marker)) < 2 and time.monotonic() < deadline:
        time.sleep(0.05)
    assert len(sleeping(marker)) == 2
    running.kill()
    running.wait()
    while sleeping(marker) and time.monotonic() < deadline + 10:
        time.sleep(0.05)
    assert sleeping(marker) == []


def sleeping(marker: str) -> list[int]:
    return [
        process.pid
        for process in psutil.process_iter(["cmdline"])
        if process.info["cmdline"] == ["sleep", marker]
    ]


def test_a_number_that_somebody_has_is_refused(monkeypatch):
    account = type("Account", (), {"pw_name": "alice"})
    monkeypatch.setattr("pwd.getpwuid", lambda uid: account)
    with pytest.raises(UserError, match="alice has the number 1900000001"):
        unprivileged_uid(1)


def test_a_machine_without_bubblewrap_is_told_so(monkeypatch, tmp_path):
    require_confinement()
    monkeypatch.setenv("PATH", str(tmp_path))
    assert shutil.which("bwrap") is None
    with pytest.raises(UserError, match="install the package bubblewrap"):
        require_confinement()
