"""What is installed, browsers that start and end, and the folders, load, disk and clock of the host."""

import os
import shutil
import subprocess
import sys
import tempfile
from importlib.metadata import version
from pathlib import Path

import psutil
import pytest

from scripts.operate import host_checks
from scripts.operate.host_checks import (
    check_browsers,
    check_clock,
    check_installation,
    check_load,
    check_packages,
    check_read_ahead,
    check_writable,
    load_by_program,
    read_clock,
)
from scripts.plan.campaign_file import load_campaign
from tests.end_to_end.running import wait_for

BUSY = "while True: pass"
LOCK = "psutil=={version} \\\n    --hash=sha256:00\nabsent==1.0 ; sys_platform == 'win32' \\\n"


def test_packages_must_have_the_versions_of_the_lock(tmp_path):
    assert "passed" == check_packages().state
    lock = tmp_path / "requirements.lock"
    lock.write_text(LOCK.format(version=version("psutil")))
    assert "passed" == check_packages(lock).state, "one that is for another system may be absent"
    lock.write_text(LOCK.format(version="0.1") + "gone==2.0 \\\n")
    found = check_packages(lock)
    assert "failed" == found.state
    assert "not 0.1, gone is missing, not 2.0; run `make setup`" in found.message


def test_the_setup_tells_what_is_missing(tmp_path):
    setup = tmp_path / "setup"
    for text, state, words in (
        ("exit 0", "passed", "up to date"),
        (
            "echo not installed: tshark; echo old parts",
            "failed",
            "not installed: tshark; old parts; run `make",
        ),
        ("echo broken >&2; exit 3", "failed", "broken; run `make setup`"),
    ):
        setup.write_text(f"#!/bin/sh\n{text}\n")
        setup.chmod(0o755)
        found = check_installation(setup)
        assert (state, True) == (found.state, words in found.message)
    assert "warning" == check_installation(tmp_path / "absent").state


def test_the_setup_of_other_sources_says_that_the_parts_are_not_built(tmp_path):
    """A copy of the checkout in which one C++ file was changed; nothing is installed or built."""
    for part in (".ci", "testbed", "scripts/extract/native", "services", "site/package.json"):
        copy = shutil.copytree if Path(part).is_dir() else shutil.copyfile
        (tmp_path / part).parent.mkdir(parents=True, exist_ok=True)
        copy(part, tmp_path / part)
    for name in ("pyproject.toml", "requirements.lock", "site/package-lock.json"):
        shutil.copyfile(name, tmp_path / name)
    (tmp_path / ".venv").mkdir()
    for stamp in Path(".venv").glob(".[a-z]*"):
        if stamp.is_file():
            shutil.copyfile(stamp, tmp_path / ".venv" / stamp.name)
    with (tmp_path / "testbed/embedded/clock.cc").open("a") as source:
        source.write("// changed\n")
    before = {path for path in tmp_path.rglob("*") if path.is_file()}
    done = subprocess.run([tmp_path / ".ci/setup", "--check"], capture_output=True, text=True, check=True)
    assert "the C++ parts are not built from these sources" in done.stdout.splitlines()
    assert "the Python packages are not those of requirements.lock" not in done.stdout.splitlines()
    assert before == {path for path in tmp_path.rglob("*") if path.is_file()}


CHECKING = """
from scripts.operate.host_checks import check_browsers
from scripts.plan.campaign_file import load_campaign
check_browsers(load_campaign("demo"))
"""


@pytest.fixture
def browsers(monkeypatch):
    """A function that returns the processes of the browsers that this test started.

    Their folder has a short name, because the name of a socket in it has at most 107 characters.
    """
    with tempfile.TemporaryDirectory(prefix="t.", ignore_cleanup_errors=True) as folder:
        monkeypatch.setenv("TMPDIR", folder)

        def running():
            started = psutil.process_iter(["cmdline"])
            return [one for one in started if any(folder in word for word in one.info["cmdline"] or ())]

        yield running


@pytest.mark.traffic
def test_a_browser_starts_as_in_a_trial_and_is_gone_afterwards(browsers):
    found = check_browsers(load_campaign("demo"))
    assert ("passed", True) == (found.state, found.message.startswith("chromium "))
    assert [] == browsers()


@pytest.mark.traffic
def test_a_browser_ends_with_a_run_that_is_killed(browsers):
    with subprocess.Popen([sys.executable, "-c", CHECKING]) as run:
        wait_for(browsers, "a browser")
        run.kill()
    wait_for(lambda: not browsers(), "the end of the browser")


@pytest.mark.traffic
def test_browsers_that_are_not_prepared_are_named():
    found = check_browsers(load_campaign("live"))
    assert "failed" == found.state
    assert "config/browser.yaml: addresses: has no address for dropbox; " in found.message


@pytest.mark.traffic
def test_a_browser_that_does_not_start_fails(tmp_path, monkeypatch):
    broken = tmp_path / "chromium"
    broken.write_text("#!/bin/sh\nexit 1\n")
    broken.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    found = check_browsers(load_campaign("demo"))
    assert ("failed", True) == (found.state, "try `chromium --version`" in found.message)


def test_a_folder_that_cannot_be_written_is_named(tmp_path):
    assert "passed" == check_writable("site folder", tmp_path / "public").state
    (tmp_path / "file").touch()
    found = check_writable("site folder", tmp_path / "file/public")
    assert ("failed", True) == (found.state, str(tmp_path / "file/public") in found.message)
    assert [] == list((tmp_path / "public").iterdir())


@pytest.mark.parametrize("otherwise", ["failed", "warning"])
def test_a_clock_that_is_not_synchronised_is_what_the_settings_say(monkeypatch, otherwise):
    monkeypatch.setattr(host_checks, "read_clock", lambda: (True, 1.5))
    assert ("passed", True) == (check_clock(otherwise).state, "1.5 ms" in check_clock(otherwise).message)
    monkeypatch.setattr(host_checks, "read_clock", lambda: (False, 16000.0))
    assert otherwise == check_clock(otherwise).state

    def refused():
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(host_checks, "read_clock", refused)
    assert (otherwise, True) == (
        check_clock(otherwise).state,
        "not permitted" in check_clock(otherwise).message,
    )


def test_the_kernel_tells_a_plausible_state_of_the_clock():
    _, error_ms = read_clock()
    assert 0 <= error_ms <= 16_000.1, "NTP_PHASE_LIMIT of the kernel is 16 s"


def test_a_load_that_stays_is_named_with_its_programs():
    found = check_load(0.2, lambda: {"indexer": 0.4, "other": 0.05, "backup": 0.1, "shell": 0.01})
    assert "failed" == found.state
    assert (
        "use 56% of the processors, 20% are allowed; end them: indexer 40%, backup 10%, other 5%"
        in found.message
    )


def test_a_load_that_goes_does_not_count():
    samples = iter([{"job": 0.9}, {"job": 0.9}, {}])
    assert "passed" == check_load(0.2, lambda: next(samples)).state


def test_a_busy_program_is_seen_with_about_what_it_uses():
    """It gets at least a tenth of a processor, whatever else runs here."""
    with subprocess.Popen([sys.executable, "-c", BUSY]) as busy:
        used = load_by_program(1.0)
        busy.kill()
    name = Path(sys.executable).resolve().name
    assert 0.1 / (os.cpu_count() or 1) <= max(
        part for one, part in used.items() if one in name or name in one
    )
    assert sum(used.values()) <= 1.1


@pytest.mark.parametrize("of", ["disk", "partition"])
def test_a_disk_that_reads_far_ahead_is_told_with_what_to_do(tmp_path, of):
    device = tmp_path.stat().st_dev
    node = tmp_path / f"devices/{'vda/vda1' if of == 'partition' else 'vda'}"
    queue = tmp_path / "devices/vda/queue/read_ahead_kb"
    for folder in (node, queue.parent, tmp_path / "block"):
        folder.mkdir(parents=True, exist_ok=True)
    (tmp_path / f"block/{os.major(device)}:{os.minor(device)}").symlink_to(node)
    for kib, state in (("128", "passed"), ("512", "passed"), ("8192", "warning")):
        queue.write_text(f"{kib}\n")
        found = check_read_ahead(tmp_path, tmp_path / "block")
        assert state == found.state
        assert f"reads {kib} KiB ahead" in found.message
    assert found.message.endswith(f"echo 128 > {queue}")


def test_a_folder_on_no_disk_reads_nothing_ahead(tmp_path):
    assert "passed" == check_read_ahead(tmp_path, tmp_path).state
