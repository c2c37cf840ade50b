"""The browser of a live service: on a display, of a user without rights, in its sandbox."""

import os
import pwd
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import psutil
import pytest

from services.browser import chromium

LIVE = {"name": "live", "live": {"url": "http://files.example/", "prepare": "Nothing."}}
SECCOMP_FILTER = "2"

pytestmark = [
    pytest.mark.traffic,
    pytest.mark.skipif(os.geteuid() != 0, reason="needs root: only root can be somebody else"),
    pytest.mark.skipif(shutil.which("chromium") is None, reason="needs Chromium"),
]


@pytest.fixture
def display(monkeypatch) -> Iterator[None]:
    """A display of a virtual screen."""
    if shutil.which("Xvfb") is None:
        pytest.skip("needs Xvfb")
    command = ["Xvfb", "-displayfd", "1", "-screen", "0", "640x480x24", "-ac", "-nolisten", "tcp"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as server:
        assert server.stdout is not None
        monkeypatch.setenv("DISPLAY", f":{server.stdout.readline().strip()}")
        monkeypatch.setenv("OBSERVATORY_BROWSER", "headed")
        yield
        server.terminate()


def browsers() -> list[dict[str, Any]]:
    """The browser's processes that run at this moment; some end at any time."""
    found = []
    for one in psutil.Process().children(recursive=True):
        with suppress(psutil.NoSuchProcess):
            if "chrom" in one.name():
                found.append({"pid": one.pid, "uid": one.uids().real, "command": one.cmdline()})
    return found


def test_it_has_a_display_and_no_rights(display, tmp_path):
    with chromium(LIVE, tmp_path) as opened:
        assert "Headless" not in opened.execute_script("return navigator.userAgent")
        assert opened.execute_script("return [screen.width, screen.height]") == [640, 480]
        assert {one["uid"] for one in browsers()} == {pwd.getpwnam("nobody").pw_uid}
        (renderer, *_) = [one for one in browsers() if "--type=renderer" in one["command"]]
        with open(f"/proc/{renderer['pid']}/status", encoding="ascii") as status:
            found = dict(line.split(":\t", 1) for line in status.read().splitlines())
        assert found["Seccomp"] == SECCOMP_FILTER
        assert "--no-sandbox" not in renderer["command"]
    assert browsers() == []
