"""The browser of a live service has a display and a sandbox and runs as a user without privileges."""

import os
import pwd
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import psutil
import pytest

from scripts.model.services import Live, Probe, Service
from services.browser import chromium

LIVE = Service(
    "live",
    "Live",
    "Video",
    "video",
    None,
    Probe(80, "files.example"),
    live=Live(prepare="Nothing.", url="http://files.example/"),
)
SECCOMP_FILTER = "2"

pytestmark = [
    pytest.mark.traffic,
    pytest.mark.skipif(os.geteuid() != 0, reason="needs root: only root can start processes as another user"),
    pytest.mark.skipif(shutil.which("chromium") is None, reason="needs Chromium"),
]


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


def browser_processes() -> list[dict[str, Any]]:
    """The browser's processes among the children of this test. Some may end meanwhile."""
    found = []
    for process in psutil.Process().children(recursive=True):
        with suppress(psutil.NoSuchProcess):
            if "chrom" in process.name():
                found.append({"pid": process.pid, "uid": process.uids().real, "command": process.cmdline()})
    return found


def test_it_has_a_display_and_no_privileges(display, tmp_path):
    with chromium(LIVE, tmp_path) as opened:
        assert "Headless" not in opened.execute_script("return navigator.userAgent")
        assert opened.execute_script("return [screen.width, screen.height]") == [640, 480]
        assert {process["uid"] for process in browser_processes()} == {pwd.getpwnam("nobody").pw_uid}
        (renderer, *_) = [
            process for process in browser_processes() if "--type=renderer" in process["command"]
        ]
        with open(f"/proc/{renderer['pid']}/status", encoding="ascii") as status:
            found = dict(line.split(":\t", 1) for line in status.read().splitlines())
        assert found["Seccomp"] == SECCOMP_FILTER
        assert "--no-sandbox" not in renderer["command"]
    assert browser_processes() == []
