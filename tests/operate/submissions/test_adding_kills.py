"""A code is debited once: with several `add` at the same moment, and with kill -9 at any point."""

import os
import random
import signal
import subprocess
import sys
import time

import pytest

from scripts.base.files import ROOT
from scripts.model.submission import FOLDER
from scripts.plan.campaign_file import load_campaign
from tests.operate.submissions.desk import Office


def command(office, *words):
    options = ["--data", str(office.data), "--config", str(office.config)]
    line = [sys.executable, "-m", "scripts.operate", "submissions", *words, *options]
    return subprocess.Popen(line, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def test_of_several_at_once_as_many_are_stored_as_the_code_has_tests(tmp_path):
    office = Office(tmp_path)
    code = office.new_code(2)
    path = office.write(office.content(code=code))
    running = [command(office, "add", str(path)) for _ in range(5)]
    ended = [(one.communicate(timeout=300), one.returncode) for one in running]
    assert [0, 0, 2, 2, 2] == sorted(status for _, status in ended)
    refused = {told[1] for told, status in ended if status == 2}
    assert refused == {f"error: {path}: code: the code is not valid; ask the operator for another\n"}
    assert 2 == len(office.stored()) == len(office.folders())
    assert 3 == office.tests_left(), "those of the other code"


def forked(work):
    """Run `work` in a child process."""
    child = os.fork()
    if child == 0:
        try:
            work()
        finally:
            os._exit(0)
    return child


def consistent(office, tests):
    """What is stored is whole, and uses as many tests as there are submissions."""
    stored = office.stored()
    assert tests - len(stored) == office.tests_left()
    for one in stored:
        load_campaign(one.campaign, definition=office.data / FOLDER / one.id / "definition")
    return len(stored)


@pytest.mark.parametrize("kills", [5, pytest.param(50, marks=pytest.mark.soak(minutes=1))])
def test_a_kill_at_any_point_leaves_a_whole_submission_or_none(tmp_path, kills):
    """Also what a kill left is removed by the next `add`."""
    office = Office(tmp_path)
    code = office.new_code(1000)
    content = office.content(code=code)
    started = time.monotonic()
    office.add(**content)
    whole_s = time.monotonic() - started
    chance, counts = random.Random(1), [1]
    for _ in range(kills):
        child = forked(lambda: office.add(**content))
        time.sleep(chance.uniform(0, 1.2 * whole_s))
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        counts.append(consistent(office, 1003))
        assert counts[-1] - counts[-2] in (0, 1)
        assert 0 == office.run("list")
    office.add(**content)
    assert counts[-1] + 1 == consistent(office, 1003) == len(office.folders())


def test_a_kill_just_before_the_record_is_stored_debits_nothing(office, monkeypatch):
    def killed(*_arguments):
        os.kill(os.getpid(), signal.SIGKILL)

    with monkeypatch.context() as patch:
        patch.setattr("scripts.operate.submissions.desk.write_submission", killed)
        os.waitpid(forked(office.add), 0)
    assert 1 == len(office.folders()) and [] == office.stored() and 3 == office.tests_left()
    office.add()
    assert 1 == len(office.folders()) == len(office.stored())
