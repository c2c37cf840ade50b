#!/usr/bin/env python3
"""Stands for a browser that a hostile page has taken over: tries to leave its view, then runs chromedriver.

It knows where everything is. It writes what it reached to report.log and secrets.log in its driver's folder,
which the trial keeps with the logs. targets.json beside this file has the marker of all secrets and the paths
to try.
"""

import ctypes
import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

HERE = Path("/usr/src")
HOME = Path("/run/confined")
TARGETS = json.loads((HERE / "targets.json").read_text())
LARGEST_BYTES = 1 << 20
PTRACE_ATTACH = 16
PUBLIC = ("/proc", "/sys", "/usr", *TARGETS["python"])
"""Folders without a secret, which are too large to read."""


def readable(paths: list[str]) -> Iterator[str]:
    for path in paths:
        with suppress(OSError):
            os.listdir(path) if os.path.isdir(path) else os.close(os.open(path, os.O_RDONLY | os.O_NONBLOCK))
            yield path


def writable(paths: list[str]) -> Iterator[str]:
    for path in paths:
        with suppress(OSError):
            os.close(os.open(path, os.O_CREAT | os.O_WRONLY, 0o600))
            yield path


def holding_a_secret() -> Iterator[str]:
    """All files of the view that hold the marker, and the environments and commands of all processes."""
    files = [path for pattern in ("environ", "cmdline") for path in Path("/proc").glob(f"[0-9]*/{pattern}")]
    for folder, names, found in os.walk("/"):
        names[:] = [name for name in names if str(Path(folder, name)) not in PUBLIC]
        files += [Path(folder, name) for name in found]
    for file in files:
        with suppress(OSError):
            if (file.is_file() and file.stat().st_size < LARGEST_BYTES) and TARGETS[
                "marker"
            ] in file.read_text(errors="replace"):
                yield str(file)


def reached_processes() -> Iterator[str]:
    """Processes of others that accept a signal or a tracer."""
    for status in Path("/proc").glob("[0-9]*"):
        pid = int(status.name)
        with suppress(OSError):
            if status.stat().st_uid == os.getuid():
                continue
            if ctypes.CDLL(None).ptrace(PTRACE_ATTACH, pid, None, None) == 0:
                yield f"trace {pid}"
            os.kill(pid, 0)
            yield f"signal {pid}"


def gained() -> Iterator[str]:
    """Privileges that this process could get."""
    with suppress(OSError):
        os.setuid(0)
        yield "root"
    if ctypes.CDLL(None).mount(b"tmpfs", b"/usr", b"tmpfs", 0, None) == 0:
        yield "mount"
    if (
        subprocess.run(
            ["nsenter", "--target", "1", "--mount", "true"], capture_output=True, check=False
        ).returncode
        == 0
    ):
        yield "namespace"


def planted_socket() -> Iterator[str]:
    """A name service of our own, which would tell root who is who."""
    with suppress(OSError), socket.socket(socket.AF_UNIX) as server:
        os.makedirs("/run/nscd")
        server.bind("/run/nscd/socket")
        yield "nscd"


def plant() -> None:
    """Lay links, pipes and folders where the testbed or the driver will look."""
    for number, target in enumerate(TARGETS["linked"]):
        for name in (f"{number}.log", f"downloads/{number}"):
            with suppress(OSError):
                (HOME / name).symlink_to(target)
    with suppress(OSError):
        os.mkfifo(HOME / "pipe.log")
        os.mkfifo(HOME / "downloads/pipe")
        (HOME / "folder.log").mkdir()
    for number in range(50):
        (HOME / f"z{number}").touch()
    (HOME / "a\nb.log").touch()


def rename_downloads() -> None:
    """Rename files while they are freed."""
    while True:
        for name in ("x", "y"):
            with suppress(OSError):
                (HOME / "downloads" / name).write_bytes(b"x" * 4096)
                os.rename(HOME / "downloads" / name, HOME / "downloads" / f"{name}z")
        time.sleep(0.001)


if __name__ == "__main__":
    (HOME / "downloads").mkdir(exist_ok=True)
    report = {
        "read": list(readable(TARGETS["read"])),
        "written": list(writable(TARGETS["write"])),
        "processes": list(reached_processes()),
        "gained": [*gained(), *planted_socket()],
        "environment": sorted(os.environ),
    }
    (HOME / "report.log").write_text(json.dumps(report))
    plant()
    if os.fork() == 0:
        os.setsid()
        (HOME / "secrets.log").write_text(json.dumps(list(holding_a_secret())))
        rename_downloads()
    os.execv(HERE / "chromedriver", ["chromedriver", *sys.argv[1:]])
