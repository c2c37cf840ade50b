"""Limits of memory and processes for the drivers of a trial, by control groups (cgroups(7)).

Each driver has a group `observatory/<place>-<name>`, in version 2 or 1 of the interface, whichever the
machine has. Without root, or where the machine offers no such controller, there are none. A driver's other
limits are in testbed/driver_folder.py and testbed/confined_driver.py.
"""

import os
import time
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from scripts.base.confinement import may_change_user

CONTROL_GROUPS = Path("/sys/fs/cgroup")
OURS = "observatory"

PLACE = "OBSERVATORY_PLACE"
"""Environment variable: the number of the trial's place on the host (testbed/host_lock.py), 1 by default."""

MEMORY_BYTES = 4 << 30
"""A video or a call took 0.3 GB. A driver's files count too (FOLDER_BYTES of testbed/driver_folder.py)."""

PROCESSES = 2000
"""Processes and threads. A call had 142."""

REMOVAL_S = 5
"""How long the kernel may take to end the killed processes of a group."""


@dataclass(frozen=True)
class CgroupLimit:
    """One limit: the file that sets it, and the file and word that count how often it was reached."""

    name: str
    limit_file: str
    limit: int
    count_file: str
    count_word: str
    excess: str


VERSION_2 = (
    CgroupLimit("memory", "memory.max", MEMORY_BYTES, "memory.events", "oom_kill", "4 GiB of memory"),
    CgroupLimit("pids", "pids.max", PROCESSES, "pids.events", "max", "2000 processes"),
)
VERSION_1 = (
    CgroupLimit(
        "memory", "memory.limit_in_bytes", MEMORY_BYTES, "memory.oom_control", "oom_kill", "4 GiB of memory"
    ),
    VERSION_2[1],
)


class Group:
    """The control group of one driver, made when this object is."""

    def __init__(self, name: str) -> None:
        self._held: list[tuple[Path, CgroupLimit]] = []
        for root, controller in _controllers():
            folder = root / OURS / f"{os.environ.get(PLACE, '1')}-{name}"
            try:
                folder.mkdir(parents=True, exist_ok=True)
                (folder / controller.limit_file).write_text(str(controller.limit))
                self._held.append((folder, controller))
            except OSError:  # The group belongs to somebody else, or the file system is read-only.
                continue

    @property
    def limits(self) -> list[str]:
        """The names of the controllers that limit this group."""
        return [controller.name for _, controller in self._held]

    def enter(self) -> None:
        """Put the calling process into the group."""
        for folder, _ in self._held:
            (folder / "cgroup.procs").write_text("0")

    def excess(self) -> str | None:
        """What the driver used more of than it may; None if it did not."""
        for folder, controller in self._held:
            for line in (folder / controller.count_file).read_text().splitlines():
                word, count = line.split()
                if word == controller.count_word and count != "0":
                    return f"more than {controller.excess}"
        return None


def remove_groups(places: Iterable[int]) -> None:
    """Remove the groups of all drivers in these places of this machine. No trial may run there."""
    deadline = time.monotonic() + REMOVAL_S
    for root in sorted({root for root, _ in _controllers()}):
        for folder in [found for place in places for found in (root / OURS).glob(f"{place}-*/")]:
            _remove(folder, deadline)
        with suppress(OSError):  # It has groups of another place.
            (root / OURS).rmdir()


def _remove(folder: Path, deadline: float) -> None:
    while folder.exists():
        try:
            folder.rmdir()
        except OSError:
            if time.monotonic() > deadline:
                raise
            time.sleep(0.02)


def _controllers() -> Iterator[tuple[Path, CgroupLimit]]:
    """The controllers that this process may use, each with the folder of its groups."""
    if not may_change_user():
        return
    inherited = CONTROL_GROUPS / "cgroup.subtree_control"
    if inherited.exists():
        offered = inherited.read_text().split()
        wanted = [controller for controller in VERSION_2 if controller.name in offered]
        _pass_on([controller.name for controller in wanted])
        yield from ((CONTROL_GROUPS, controller) for controller in wanted)
        return
    for controller in VERSION_1:
        if (CONTROL_GROUPS / controller.name).is_dir():
            yield CONTROL_GROUPS / controller.name, controller


def _pass_on(names: list[str]) -> None:
    """Version 2: let the groups in ours have these controllers."""
    ours = CONTROL_GROUPS / OURS
    try:
        ours.mkdir(exist_ok=True)
        (ours / "cgroup.subtree_control").write_text(" ".join(f"+{name}" for name in names))
    except OSError:  # A user namespace's root, or a read-only file system.
        return
