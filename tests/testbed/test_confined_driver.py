"""The browser of a confined driver has a sandbox and no privileges, and sees what the testbed gives it."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator

import pytest

from scripts.base import confinement
from scripts.base.confinement import FIRST_UID
from scripts.base.errors import UserError
from scripts.base.records import to_json
from scripts.model.services import Live, Probe, Service
from services import browser_settings
from services.browser_settings import CLIENT_FILE, ClientSettings
from testbed import confined_driver
from testbed.confined_driver import ConfinedDriver, require_confinable

LIVE = Service(
    "live",
    "Live",
    "Video",
    "video",
    None,
    Probe(80, "files.example"),
    live=Live(prepare="Nothing.", url="http://files.example/"),
)
UID = FIRST_UID + 102
SECCOMP_FILTER = "2"

BROWSE = """
import json, os, psutil, sys
from pathlib import Path
from scripts.base.records import from_json
from scripts.model.services import Service
from services.browser import chromium

with chromium(from_json(Service, json.loads(sys.argv[1]), "the test"), Path()) as opened:
    (renderer, *_) = [
        process  # Some processes end meanwhile: those have no command here.
        for process in psutil.process_iter(["cmdline"])
        if "--type=renderer" in (process.info["cmdline"] or [])
    ]
    status = Path(f"/proc/{renderer.pid}/status").read_text().splitlines()
    print(json.dumps({
        "agent": opened.execute_script("return navigator.userAgent"),
        "screen": opened.execute_script("return [screen.width, screen.height]"),
        "uid": renderer.uids().real,
        "seccomp": dict(line.split(":\\t", 1) for line in status)["Seccomp"],
        "command": renderer.cmdline(),
        "profile": Path(opened.capabilities["chrome"]["userDataDir"], "Default/Notes").read_text(),
    }))
"""

needs_root = pytest.mark.skipif(os.geteuid() != 0, reason="needs root: drivers get users of their own")


@pytest.fixture
def display(monkeypatch) -> Iterator[None]:
    """A display with a virtual screen."""
    if shutil.which("Xvfb") is None:
        pytest.skip("needs Xvfb")
    command = ["Xvfb", "-displayfd", "1", "-screen", "0", "640x480x24", "-ac", "-nolisten", "tcp"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as server:
        assert server.stdout is not None
        monkeypatch.setenv("DISPLAY", f":{server.stdout.readline().strip()}")
        monkeypatch.setenv("OBSERVATORY_BROWSER", "headed")
        yield
        server.terminate()


@pytest.fixture
def driver(display, monkeypatch, tmp_path) -> ConfinedDriver:
    """The driver of a live service with a prepared profile, without a file system and a group of its own."""
    profile = tmp_path / "profiles/live"
    (profile / "Default").mkdir(parents=True, mode=0o700)
    (profile / "Default/Notes").write_text("prepared")
    (profile / "Cache").mkdir()
    settings = tmp_path / "browser.yaml"
    settings.write_text(f"{{window: headless, profiles: {tmp_path / 'profiles'}, addresses: {{}}}}")
    monkeypatch.setattr(browser_settings, "FILE", settings)
    shared = tmp_path / "shared"
    shared.mkdir(mode=0o755)
    (shared / CLIENT_FILE).write_text(json.dumps(to_json(ClientSettings(headless=False))))
    with monkeypatch.context() as patch:
        patch.setattr(subprocess, "run", lambda *_, **__: None)
        patch.setattr(confined_driver, "Group", lambda name: None)
        return ConfinedDriver("c1", "use", LIVE, shared, tmp_path / "use")


@needs_root
@pytest.mark.traffic
@pytest.mark.skipif(shutil.which("chromium") is None, reason="needs Chromium")
def test_its_browser_has_a_display_a_sandbox_and_the_prepared_profile(driver):
    command = driver._confinement().command(sys.executable, "-c", BROWSE, json.dumps(to_json(LIVE)))
    found = json.loads(subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout)
    assert "Headless" not in found["agent"]
    assert [640, 480] == found["screen"]
    assert (UID, SECCOMP_FILTER) == (found["uid"], found["seccomp"])
    assert "--no-sandbox" not in found["command"]
    assert "prepared" == found["profile"]
    assert not (driver.folder.home / "prepared/Cache").exists()


def test_a_users_number_that_somebody_has_is_an_error(monkeypatch):
    account = type("Account", (), {"pw_name": "alice"})
    monkeypatch.setattr(confined_driver, "require_confinement", lambda: None)
    monkeypatch.setattr(confined_driver, "may_change_user", lambda: True)
    monkeypatch.setattr(confinement.pwd, "getpwuid", lambda uid: account)
    with pytest.raises(UserError, match=f"alice has the number {UID}"):
        require_confinable(1)


def test_code_that_other_users_cannot_read_is_an_error(monkeypatch, tmp_path):
    monkeypatch.setattr(confined_driver, "require_confinement", lambda: None)
    monkeypatch.setattr(confined_driver, "may_change_user", lambda: True)
    require_confinable(2)
    (tmp_path / "code").mkdir(mode=0o700)
    monkeypatch.setattr(confined_driver, "CODE", (str(tmp_path / "code"),))
    with pytest.raises(UserError, match=f"{tmp_path / 'code'}: other users cannot read it, .* run chmod"):
        require_confinable(2)


def test_every_driver_has_a_user_of_its_own():
    pairs = [(client, side) for client in ("c1", "c2", "c10") for side in ("use", "serve")]
    assert len(pairs) == len({confined_driver._number(*pair) for pair in pairs})
