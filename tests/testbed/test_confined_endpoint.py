"""Both sides of an endpoint are confined: what a hostile one can read and write, and how it ends."""

import json
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from scripts.base.confinement import FIRST_UID, INSIDE
from scripts.base.files import ROOT
from scripts.base.records import to_json
from services.endpoint import STOP, TOLD
from services.endpoint.keys import make_keys
from services.use_time import SHARED
from testbed import confined_driver
from testbed.confined_driver import SERVICE, ConfinedDriver, driver_command
from tests.end_to_end.running import wait_for
from tests.services.endpoint.making import endpoint_service, make_endpoint, python

pytestmark = [
    pytest.mark.traffic,
    pytest.mark.skipif(os.geteuid() != 0, reason="needs root: drivers get users of their own"),
]
ADDRESS = "127.0.0.1"
ATTEMPTS = f"""
import json, os, socket
from pathlib import Path

def attempt(path):
    try:
        Path(path).write_text("written")
        return True
    except OSError:
        return False

def can_read(path):
    try:
        return bool(os.listdir(path) if os.path.isdir(path) else open(path, "rb").read(1))
    except OSError:
        return False

places = ["/file", "/usr/file", "/etc/file", "/dev/shm/file", "/run/file", "/sys/file", "file",
          "{ROOT}/file", "{ROOT}/services/file", "{INSIDE}/{SHARED}/file", "{INSIDE}/{SHARED}/finish"]
secrets = ["{ROOT}/data", "{ROOT}/.git", "/root/.bashrc", "/root/.ssh", "/etc/shadow", "/etc/passwd", "/home"]
(Path(os.environ["HOME"]) / "attempts.json").write_text(json.dumps({{
    "written": [place for place in places if attempt(place)],
    "read": [secret for secret in secrets if can_read(secret)],
    "uid": os.getuid(), "groups": os.getgroups(),
    "interfaces": [name for _, name in socket.if_nameindex()],
    "processes": sorted(name for name in os.listdir("/proc") if name.isdecimal()),
}}))
server = socket.create_server(("{ADDRESS}", 4433))
while True: server.accept()
"""


@pytest.fixture
def namespace() -> Iterator[list[str]]:
    """A command that runs another one in a network namespace with loopback only."""
    with subprocess.Popen(["unshare", "--net", "cat"], stdin=subprocess.PIPE) as holder:
        wait_for(lambda: psutil.Process(holder.pid).name() == "cat", "the namespace")
        enter = ["nsenter", f"--target={holder.pid}", "--net"]
        subprocess.run([*enter, "ip", "link", "set", "lo", "up"], check=True)
        yield enter


@pytest.fixture
def started(namespace, tmp_path, monkeypatch):
    """Starts one side of an endpoint with these keys; returns its process and the folder that it writes."""
    processes: list[subprocess.Popen] = []

    def start(side: str, *options: str, **keys) -> tuple[subprocess.Popen, Path]:
        service = endpoint_service(make_endpoint(tmp_path / "endpoint", **keys))
        shared = tmp_path / SHARED
        shared.mkdir(exist_ok=True)
        (shared / SERVICE).write_text(json.dumps(to_json(service)))
        with monkeypatch.context() as patch:
            patch.setattr("testbed.driver_folder.subprocess.run", lambda *_, **__: None)
            patch.setattr(confined_driver, "Group", lambda name: None)
            driver = ConfinedDriver("c1", side, service, shared, tmp_path / side)
        driver.folder.give(make_keys(service, driver.folder.home, tmp_path))
        command = driver_command(service, side, ADDRESS, INSIDE, *options)
        processes.append(subprocess.Popen([*namespace, *driver._confinement().command(*command)]))
        return processes[0], driver.folder.home

    yield start
    (tmp_path / SHARED / STOP).touch()
    for process in processes:
        process.wait(20)


def test_a_hostile_server_reads_and_writes_nothing_but_its_own(started):
    _, home = started("serve", server=python(ATTEMPTS))
    wait_for((home / "attempts.json").exists, "the server's attempts")
    found = json.loads((home / "attempts.json").read_text())
    assert ([], []) == (found["written"], found["read"])
    assert (FIRST_UID + 103, []) == (found["uid"], found["groups"])
    assert ["lo"] == found["interfaces"]
    assert len(found["processes"]) <= 3  # bubblewrap's own, the driver's, and the server's


def test_the_server_ends_when_the_testbed_asks_for_it(started, tmp_path):
    process, home = started("serve")
    wait_for((home / TOLD).exists, "what the endpoint says")
    (tmp_path / SHARED / STOP).touch()
    assert process.wait(20) == 0
    assert {"stop_s", "left_processes", "written_bytes"} == json.loads(
        (home / "server.json").read_text()
    ).keys()
