"""Hostile submissions are refused in one clear line, and leave nothing."""

import os
import resource
import subprocess
import sys
from datetime import timedelta

import pytest

from scripts.base.files import ROOT
from scripts.model.submission import FOLDER
from tests.operate.submissions.desk import TODAY, Office
from tests.operate.submissions.hostile import FILES, VALID, hostile

ROWS = list(hostile())
MEMORY, CPU_S = 1_500_000_000, 20


@pytest.fixture(scope="module")
def desk(tmp_path_factory):
    return Office(tmp_path_factory.mktemp("desk"))


def file_of(row, desk):
    if row.changes is not None:
        return desk.content(**row.changes)
    return row.content.replace("CODE", desk.code) if isinstance(row.content, str) else row.content


def assert_code_is_nowhere(desk, *texts):
    """The code is in no text and in no file, neither whole nor without dashes."""
    for path in desk.data.rglob("*"):
        texts = (*texts, path.name, path.read_text() if path.is_file() else "")
    for text in texts:
        assert desk.code not in text and desk.code.replace("-", "") not in text.replace("-", "")


@pytest.mark.parametrize("row", ROWS, ids=[row.name for row in ROWS])
def test_it_is_refused_in_one_line_and_leaves_nothing(row, desk, capsys):
    path = desk.write(file_of(row, desk))
    assert 2 == desk.run("add", str(path))
    told = capsys.readouterr()
    assert "" == told.out
    assert told.err.startswith(f"error: {path}: ") and told.err.endswith("\n")
    line = told.err[:-1]
    assert line.isprintable() and row.expected in line and len(line) < 600
    assert "; " in line, "it says what to do"
    assert set() == desk.folders() and [] == desk.stored() and 3 == desk.tests_left()
    assert_code_is_nowhere(desk, line)


def test_the_file_that_these_rows_change_is_accepted(office):
    """Without what is wrong with them, they would be stored."""
    assert 0 == office.run("add", str(office.write(VALID.replace("CODE", office.code))))
    assert 1 == len(office.stored())
    assert_code_is_nowhere(office)


@pytest.mark.parametrize(
    "written",
    [
        "code: |\n  CODE\n",
        "code: >\n  CODE\n",
        'code: "CODE\\n"\n',
        'code: ["CODE\\n"]\n',
        "code: {CODE: a, CODE: b}\n",
        'code: {"CODE\\n": a}\n',
        "code: !CODE!x y\n",
        "code: *CODE\n",
        "code: [CODE]\nname: CODE/\n",
        "code: [CODE]\nname: Films\naddress: CODE\nkind: video\ncontact: me@iana.org\nrelease: public\n",
        "code: [CODE, CODE]\nname: Films\naddress: CODE\n",
    ],
)
def test_no_message_shows_the_code_however_it_is_written(written, office, capsys):
    assert 2 == office.run("add", str(office.write(written.replace("CODE", office.code))))
    assert_code_is_nowhere(office, *capsys.readouterr())


def test_refused_codes_have_the_same_answer(office, capsys):
    """Unknown, used up, expired and revoked codes cannot be told apart."""
    used, expired = office.new_code(1), office.new_code(1, TODAY - timedelta(days=1))
    revoked = office.new_code(3, TODAY + timedelta(days=99))  # the last one of the list
    office.add(code=used)
    office.run("code", "list")
    identity = capsys.readouterr().out.splitlines()[-1].split()[0]
    codes = {"unknown": "0" * 28, "used": used, "expired": expired}
    office.run("code", "revoke", identity)
    codes["revoked"] = revoked
    answers = set()
    for code in codes.values():
        capsys.readouterr()
        answers.add(
            (office.run("add", str(office.write(office.content(code=code)))), capsys.readouterr().err)
        )
    (answer,) = {text for status, text in answers if status == 2}
    assert "the code is not valid; ask the operator for another" in answer
    assert 1 == len(office.stored())


def test_no_part_of_a_code_is_a_code(office, capsys):
    for length in range(len(office.code)):
        assert 2 == office.run("add", str(office.write(office.content(code=office.code[:length] or "-"))))
        assert "has a typo" in capsys.readouterr().err


@pytest.mark.parametrize("name", ["link", "pipe", "folder", "missing", "device"])
def test_what_is_no_regular_file_is_not_read(name, office, capsys):
    path = office.folder / name
    if name == "link":
        path.symlink_to(office.write(office.content()))
    elif name == "pipe":
        os.mkfifo(path)
    elif name == "folder":
        path.mkdir()
    elif name == "device":
        path = "/dev/zero"
    assert 2 == office.run("add", str(path))
    assert "give the file itself" in capsys.readouterr().err
    assert [] == office.stored()


def test_a_file_name_cannot_act_on_the_terminal(office, capsys):
    assert 2 == office.run("add", str(office.write("", "a\x1b[2J\u202e\nb.yaml")))
    line = capsys.readouterr().err.removesuffix("\n")
    assert line.isprintable() and r"a\x1b[2J\u202e\nb.yaml" in line


BOMBS = [name for name, (content, _) in FILES.items() if len(content) > 20_000]


@pytest.mark.parametrize("name", BOMBS)
def test_a_refusal_costs_little(name, office):
    """The command has 1.5 GB of address space and 20 s of processor time."""
    path = office.write(FILES[name][0])

    def limit():
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        resource.setrlimit(resource.RLIMIT_CPU, (CPU_S, CPU_S))

    command = [
        sys.executable,
        "-m",
        "scripts.operate",
        "submissions",
        "add",
        str(path),
        "--data",
        str(office.data),
    ]
    environment = os.environ | {"OPENBLAS_NUM_THREADS": "1"}
    done = subprocess.run(
        command, cwd=ROOT, env=environment, preexec_fn=limit, capture_output=True, text=True, check=False
    )
    assert 2 == done.returncode, done.stderr
    assert done.stderr.startswith("error: ") and 1 == done.stderr.count("\n")


def test_the_records_are_for_the_operator_alone(office):
    stored = office.add()
    folder = office.data / FOLDER
    assert 0o700 == folder.stat().st_mode & 0o777
    assert 0o600 == (folder / stored.id / "submission.json").stat().st_mode & 0o777
