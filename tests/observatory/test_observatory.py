"""The installed command: every command answers, in any folder, with the status of the module behind it."""

import re
import signal
import struct
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

from scripts.base.files import ROOT
from scripts.observatory.__main__ import COMMANDS, overview

INSTALLED = Path(sys.executable).with_name("observatory")
STUB = """
from scripts.observatory import __main__ as observatory
observatory.COMMANDS["stub"] = observatory.Command("", "stub")
observatory.main()
"""


@pytest.fixture
def hostile(tmp_path):
    """A folder of a user whose packages have the names of ours."""
    folder = tmp_path / "of a user"
    for name in ("scripts", "services", "testbed"):
        (folder / name).mkdir(parents=True)
        (folder / name / "__init__.py").write_text("raise SystemExit('the package of the user')\n")
    return folder


def run(folder, *words):
    return subprocess.run([INSTALLED, *words], cwd=folder, capture_output=True, text=True, check=False)


@pytest.fixture
def stub(tmp_path, monkeypatch):
    """Starts the command with a module behind it that does this."""

    def start(code):
        (tmp_path / "stub.py").write_text(code)
        monkeypatch.setenv("PYTHONPATH", str(tmp_path))
        return subprocess.Popen(
            [sys.executable, "-c", STUB, "stub", "a b"], stdout=subprocess.PIPE, text=True
        )

    return start


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_answers_help(name, capsys):
    command = COMMANDS[name]
    module = command.module if command.module != "testbed" else "testbed.__main__"
    if hasattr(import_module(module), "__path__"):
        module += ".__main__"
    with pytest.raises(SystemExit) as ended:
        import_module(module).main([*command.words, "--help"])
    assert 0 == ended.value.code
    assert "usage: " in capsys.readouterr().out


@pytest.mark.parametrize(
    ("name", "usage", "others"),
    [
        ("gate", "observatory gate [-h] --candidate X", ["observatory gate --candidate X --base Y"]),
        ("site", "observatory site [-h] [--snapshots DIR]", []),
        (
            "operate",
            "observatory operate [-h]",
            ["observatory operate run"],
        ),
    ],
)
def test_help_has_the_name_by_which_it_was_called(tmp_path, name, usage, others):
    told = run(tmp_path, name, "--help").stdout
    assert told.startswith(f"usage: {usage}")
    assert [] == [other for other in others if other not in told]


def test_a_child_has_its_own_name(stub):
    code = "import subprocess, sys; from scripts.base.commands import parser_of;"
    ended = stub(f"{code} subprocess.run([sys.executable, '-m', 'scripts.gate', '--help'])")
    assert ended.communicate()[0].startswith("usage: python -m scripts.gate [-h]")


def test_help_has_a_line_for_each_command():
    lines = overview().splitlines()
    for name, command in COMMANDS.items():
        assert [f"  {name:<11}{command.does}"] == [line for line in lines if line.startswith(f"  {name} ")]
    assert max(map(len, lines)) <= 80


def test_the_makefile_and_the_documents_name_commands_that_exist():
    files = ["Makefile", "README.md", *(str(path) for path in (ROOT / "docs").glob("*.md"))]
    named = {
        file: set(re.findall(r"(?:[-@`] ?|^ {4}|/bin/)observatory ([a-z]+)", (ROOT / file).read_text(), re.M))
        for file in files
    }
    assert {"cycle", "plan", "gate", "site"} <= named["Makefile"]
    assert {} == {file: names - {*COMMANDS} for file, names in named.items() if names - {*COMMANDS}}


def test_it_works_in_a_folder_whose_packages_have_the_names_of_ours(hostile):
    listed = run(hostile)
    assert (0, overview()) == (listed.returncode, listed.stdout.rstrip("\n"))
    refused = run(hostile, "gate", "--candidate", "none", "--base", "iperf-cubic")
    assert 2 == refused.returncode
    assert refused.stderr.startswith(
        "error: none: is no folder, and the catalogue has no service of this name; "
    )


def test_paths_are_those_of_the_folder_of_the_user(hostile):
    (hostile / "page.pcap").write_bytes(struct.pack("<IHHIIII", 0xA1B2C3D4, 2, 4, 0, 0, 65535, 1) + b"cut")
    damaged = run(hostile, "extract", "page.pcap", "-o", "page.parquet")
    assert 1 == damaged.returncode, damaged.stderr
    assert (hostile / "page.parquet").is_file()
    site = run(hostile, "site", "--snapshots", "none", "-o", "pages")
    assert 2 == site.returncode
    assert "error: none: " in site.stderr


def test_a_child_imports_our_packages_and_finds_the_programs(stub, hostile):
    code = "import shutil, subprocess, sys; assert sys.argv[1:] == ['a b'];"
    code += (
        f"assert shutil.which('observatory-switch') == {str(INSTALLED.with_name('observatory-switch'))!r};"
    )
    child = ["-m", "scripts.hosts", "--help"]
    code += f"sys.exit(subprocess.run([sys.executable, *{child}], cwd={str(hostile)!r}).returncode)"
    ended = stub(code)
    assert ended.communicate()[0].startswith("usage: ")
    assert 0 == ended.returncode


@pytest.mark.parametrize("status", [0, 1, 2, 3, 4, 75])
def test_the_exit_status_is_that_of_the_module(stub, status):
    assert status == stub(f"raise SystemExit({status})").wait()


def test_ctrl_c_reaches_the_module(stub):
    code = "from time import sleep\ntry:\n print('ready', flush=True); sleep(60)\n"
    with stub(code + "except KeyboardInterrupt:\n raise SystemExit(130)") as process:
        assert "ready\n" == process.stdout.readline()
        process.send_signal(signal.SIGINT)
        assert 130 == process.wait()


def test_an_unknown_command_is_status_2(tmp_path):
    done = run(tmp_path, "measure")
    assert (2, "error: measure is no command; `observatory --help` lists them\n") == (
        done.returncode,
        done.stderr,
    )
