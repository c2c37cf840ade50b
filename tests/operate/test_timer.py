"""The units that start a run every day, as systemd reads them. No test starts one: no systemd runs here."""

import os
import re
import shlex
import shutil
import subprocess

import pytest

from scripts.base.errors import UserError
from scripts.base.files import ROOT
from scripts.operate import timer

needs_systemd = pytest.mark.skipif(
    shutil.which("systemd-analyze") is None, reason="Debian's systemd is missing"
)


def analyze(*words):
    return subprocess.run(["systemd-analyze", *words], capture_output=True, text=True, check=False)


def installed(tmp_path, name):
    """The units of a checkout of this name, whose Python exists."""
    checkout = tmp_path / name
    (checkout / ".venv/bin").mkdir(parents=True)
    os.symlink(shutil.which("true"), checkout / ".venv/bin/python")
    return timer.install(tmp_path / "units", checkout, "root")


@needs_systemd
@pytest.mark.parametrize("name", ["observatory", "a 100% fair checkout"])
def test_systemd_accepts_the_units(tmp_path, name):
    units = installed(tmp_path, name)
    assert [path.name for path in units] == [
        "observatory-failed@.service",
        "observatory.service",
        "observatory.timer",
    ]
    done = analyze("verify", "--man=no", "--recursive-errors=no", *map(str, units))
    assert (done.returncode, done.stderr) == (0, "")


@needs_systemd
def test_systemd_refuses_a_unit_with_a_slip(tmp_path):
    (service,) = [path for path in installed(tmp_path, "observatory") if path.name == "observatory.service"]
    service.write_text(service.read_text().replace("Type=oneshot", "Type=oneshoot"))
    assert analyze("verify", "--man=no", "--recursive-errors=no", str(service)).returncode == 1


@needs_systemd
def test_the_timer_fires_every_day_at_three(tmp_path):
    text = timer.units(tmp_path, "root")[timer.TIMER]
    (calendar,) = re.findall(r"^OnCalendar=(.*)$", text, re.MULTILINE)
    done = analyze("calendar", "--iterations=3", "--base-time=2026-12-30 04:00:00 UTC", calendar)
    assert re.findall(r"(\d{4}-\d\d-\d\d) 03:00:00 UTC", done.stdout)[:3] == [
        "2026-12-31",
        "2027-01-01",
        "2027-01-02",
    ]
    assert "Persistent=true" in text and "OnBootSec=5min" in text


def test_no_placeholder_is_left(tmp_path):
    for text in timer.units(tmp_path, "observer").values():
        assert not re.search(r"@[A-Z]+@", text)


def test_a_folder_that_units_cannot_name_is_refused(tmp_path):
    with pytest.raises(UserError, match="move the checkout"):
        timer.units(tmp_path / 'a "quoted" name', "root")


def test_without_systemd_the_units_are_written_and_cron_is_named(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(timer, "RUNNING", tmp_path / "no such folder")
    monkeypatch.setattr(timer, "WITHOUT_SYSTEMD", tmp_path / "units")
    assert timer.main(["install"]) == 2
    told = capsys.readouterr()
    assert told.out.splitlines()[-1] == f"written: {tmp_path}/units/observatory.timer"
    assert told.err.startswith("error: no systemd runs here") and "cron=1" in told.err
    assert (tmp_path / "units/observatory.timer").is_file()


def test_a_folder_that_cannot_be_written_is_one_line(tmp_path, capsys):
    (tmp_path / "file").touch()
    assert timer.main(["install", "--to", str(tmp_path / "file")]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert "cannot be written" in line and "--to DIR" in line


def test_the_lines_for_cron_run_in_a_shell(tmp_path):
    checkout = tmp_path / "a checkout's"
    (checkout / ".venv/bin").mkdir(parents=True)
    program = checkout / ".venv/bin/python"
    program.write_text('#!/bin/sh\npwd > started\necho "$@" >> started\n')
    program.chmod(0o755)
    line, boot = timer.cron_lines(checkout).splitlines()
    fields = line.split(" ", 5)
    assert fields[:5] == ["0", "3", "*", "*", "*"]
    assert boot == f"@reboot sleep 300 && {fields[5]}"
    subprocess.run(["sh", "-c", fields[5]], check=True)
    assert (checkout / "started").read_text() == f"{checkout}\n-m scripts.operate run\n"


def test_make_prints_the_same_lines():
    dry = subprocess.run(
        ["make", "-n", "--no-print-directory", "install-timer", "cron=1"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    words = shlex.split(dry.stdout.splitlines()[-1])
    assert words == ["python", "-m", "scripts.operate.timer", "install", "--cron"]
