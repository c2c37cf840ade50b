"""Commands of an ordinary user, who may open /dev/net/tun and write one folder: for tests that run as root.

A mount namespace of its own changes what the user sees, not the machine: a copy of /dev/net/tun that
all may open, and this checkout and its Python where they lie in a folder that is closed to others.
"""

import os
import shlex
import stat
import subprocess
import sys
from pathlib import Path

from scripts.base.files import ROOT
from scripts.base.imports import STAMPS

UID = 12345
TUN = Path("/dev/net/tun")


def run_as_ordinary_user(folder: Path, *argv: str) -> subprocess.CompletedProcess[str]:
    """Run a command in this checkout, as a user who may write in `folder`, and what Snakemake keeps, only.

    Args:
        folder: an empty folder that all can reach.
        argv: the command.
    """
    command = ["unshare", "--mount", "--pid", "--fork", "--kill-child", "--mount-proc"]
    script = "\n".join(["set -e", *_mounts(folder), _user(folder, argv)])
    return subprocess.run(
        [*command, "bash", "-c", script], cwd="/", capture_output=True, text=True, check=False
    )


def _mounts(folder: Path) -> list[str]:
    """The shell commands that make the user's view."""
    own = {folder / "snakemake": ROOT / ".snakemake", folder / "stamps": ROOT / STAMPS}
    (ROOT / ".snakemake.lock").touch()
    for path in own.values():
        path.mkdir(parents=True, exist_ok=True)
    for path in (folder, *own):
        path.mkdir(exist_ok=True)
        os.chown(path, UID, UID)
    os.mknod(folder / "tun", stat.S_IFCHR | 0o666, os.makedev(10, 200))
    (folder / "tun").chmod(0o666)
    needed = sorted({ROOT, Path(sys.base_prefix), Path(sys.prefix).resolve()})
    hidden = [path for path in needed if _closed_parent(path)]
    kept = [f"{folder}/kept-{number}" for number in range(len(hidden))]
    return [
        *[
            f"mkdir {place}; mount --bind {_quoted(path)} {place}"
            for path, place in zip(hidden, kept, strict=True)
        ],
        *[
            f"mount -t tmpfs -o mode=755 tmpfs {_quoted(parent)}"
            for parent in sorted({*map(_closed_parent, hidden)})
        ],
        *[
            f"mkdir -p {_quoted(path)}; mount --bind {place} {_quoted(path)}"
            for path, place in zip(hidden, kept, strict=True)
        ],
        f"mount --bind {folder}/tun {TUN}",
        *[f"mount --bind {path} {_quoted(place)}" for path, place in own.items()],
    ]


def _user(folder: Path, argv: tuple[str, ...]) -> str:
    """The shell command that becomes the user and runs `argv`."""
    setting = f"cd {_quoted(ROOT)}; export HOME={folder} TMPDIR={folder} LOGNAME=operator"
    user = f"setpriv --reuid {UID} --regid {UID} --clear-groups --bounding-set=-all --inh-caps=-all"
    return f"{setting}; exec {user} {shlex.join(argv)}"


def _closed_parent(path: Path) -> Path | None:
    """The first folder above a path that others may not enter; None if there is none."""
    return next(
        (parent for parent in reversed(path.parents) if not parent.stat().st_mode & stat.S_IXOTH), None
    )


def _quoted(path: Path | None) -> str:
    return shlex.quote(str(path))
