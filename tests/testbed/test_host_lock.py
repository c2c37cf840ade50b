"""The lock of a host, which several processes share."""

import os
import subprocess
import sys
from contextlib import ExitStack
from pathlib import Path

import pytest

from testbed import host_lock
from testbed.host_lock import PLACES, exclusive_host_lock, lock_path, place_on_this_host

WAIT = (
    "import sys; from pathlib import Path; from testbed import host_lock; "
    "host_lock.FOLDERS = (Path(sys.argv[1]),)\n"
    "with host_lock.place_on_this_host(int(sys.argv[2])) as place: print('place', place.number, flush=True)"
)


@pytest.fixture(autouse=True)
def own_folder(monkeypatch, tmp_path):
    """A lock of the test's own, in a folder that everyone may write."""
    tmp_path.chmod(0o1777)
    for folder in tmp_path.parents[:3]:
        folder.chmod(folder.stat().st_mode | 0o111)
    monkeypatch.setattr(host_lock, "FOLDERS", (tmp_path / "missing", tmp_path))


def waiting(*prefix: str, parallel: int = 1) -> subprocess.Popen[str]:
    """Another process that waits for a place, started by the command `prefix`."""
    folder = str(lock_path().parent)
    output = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    return subprocess.Popen([*prefix, sys.executable, "-c", WAIT, folder, str(parallel)], **output)


def test_another_process_waits_and_says_so():
    with exclusive_host_lock():
        other = waiting()
        assert "waiting for it" in other.stderr.readline()
        assert other.poll() is None
    assert other.communicate()[0] == "place 1\n"


def test_who_waits_first_gets_the_host_before_the_one_that_had_it():
    with exclusive_host_lock():
        other = waiting()
        assert "waiting for it" in other.stderr.readline()
    with exclusive_host_lock():
        assert ("place 1\n", 0) == (other.communicate(timeout=30)[0], other.returncode)


def test_a_process_that_inherited_the_lock_keeps_it():
    """The keeper does, after a kill of the runner."""
    with exclusive_host_lock() as lock:
        heir = subprocess.Popen(["cat"], stdin=subprocess.PIPE, pass_fds=[lock.fileno()])
    other = waiting()
    assert "waiting for it" in other.stderr.readline()
    assert other.poll() is None
    heir.communicate()
    assert other.communicate()[0] == "place 1\n"


@pytest.mark.skipif(os.geteuid() != 0, reason="needs root: makes a network namespace")
def test_a_process_in_another_network_namespace_waits_too():
    with exclusive_host_lock():
        other = waiting("unshare", "--net")
        assert "waiting for it" in other.stderr.readline()
    assert other.communicate()[0] == "place 1\n"


@pytest.mark.skipif(os.geteuid() != 0, reason="needs root: takes the place of another user")
@pytest.mark.parametrize(("first", "second"), [(0, 65534), (65534, 0)])
def test_root_and_other_users_take_turns(first, second):
    for user in (first, second, first):
        os.seteuid(user)
        try:
            exclusive_host_lock().close()
        finally:
            os.seteuid(0)
    assert lock_path().stat().st_uid == first


def test_a_lock_whose_file_was_deleted_is_not_taken_for_the_current_one():
    with exclusive_host_lock():
        other = waiting()
        other.stderr.readline()
        lock_path().unlink()
        with exclusive_host_lock():
            pass
        third = exclusive_host_lock()
    third.close()
    assert other.communicate()[0] == "place 1\n"


def test_a_symbolic_link_is_not_followed():
    lock_path().symlink_to(Path("/etc/passwd"))
    with pytest.raises(OSError, match="symbolic links"):
        exclusive_host_lock()


def test_two_trials_that_both_allow_it_run_at_once_in_places_of_their_own():
    with place_on_this_host(2) as first, place_on_this_host(2) as second:
        assert ((1, (1,)), (2, (2,))) == ((first.number, first.own), (second.number, second.own))
        third, alone = waiting(parallel=2), waiting()
        for other in (third, alone):
            assert "waiting for it" in other.stderr.readline()
    assert third.communicate()[0] in ("place 1\n", "place 2\n")
    assert "place 1\n" == alone.communicate()[0]


def test_four_trials_that_all_allow_it_run_at_once():
    with ExitStack() as trials:
        places = [trials.enter_context(place_on_this_host(4)) for _ in PLACES]
        assert [1, 2, 3, 4] == [place.number for place in places]
        fifth = waiting(parallel=4)
        assert "waiting for it" in fifth.stderr.readline()
    assert fifth.communicate()[0].startswith("place ")


def test_a_trial_alone_has_all_places_and_no_company():
    with place_on_this_host(1) as place:
        assert (1, PLACES) == (place.number, place.own)
        other = waiting(parallel=2)
        assert "waiting for it" in other.stderr.readline()
    assert "place 1\n" == other.communicate()[0]
