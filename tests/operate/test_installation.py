"""What is installed, compared with what the checkout asks for; browsers that start and end."""

import os
import shutil
import subprocess
import sys
import tempfile
from importlib.metadata import version
from pathlib import Path

import psutil
import pytest

from scripts.operate.installation import check_browsers, check_installation, check_packages
from scripts.plan.campaign_file import load_campaign
from tests.end_to_end.running import wait_for

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
from scripts.operate.installation import check_browsers
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
