"""Claims: a piece of work is claimed before it is done, so that one runner does it, whoever comes.

A claim is a record on the store that all hosts share, `<name>.<generation>`. The store makes a record only if
there is none of that name, so only one runner can make each generation. The highest generation is the claim.

- Its holder renews it several times in each lease: it counts up the record's last line.
- A runner that finds a claim watches it, by its own clock: clocks of hosts may differ. The claim is dead if
  its holder is a process of this machine that has ended. It is also dead if it was not renewed for a lease,
  and Slurm knows the holder's job no more: in a job, a host that is cut off from the store works on.
- A dead claim is taken over by making the next generation. If the former holder lives after all, it sees that
  at its next renewal, and stops.
- Work is finished by storing its result, then by releasing the claim. So whoever gets a claim looks for the
  result first. As soon as a result exists, all claims for it are void, and anybody may remove them.

A claim is held by a process of a host, perhaps in a job of Slurm.
"""

import json
import os
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from scripts.base.host import host_name
from scripts.base.records import from_json, to_json
from scripts.hosts.stores import ExistsError, GoneError, Store

BOOT_ID = Path("/proc/sys/kernel/random/boot_id")
PROCESSES = Path("/proc/self/ns/pid")
JOB = "SLURM_JOB_ID"
"""Environment variable: the job of Slurm to which a process belongs."""

STARTED = 22
"""The field of /proc/<pid>/stat with the start of the process, in ticks since boot (proc(5))."""


@dataclass(frozen=True)
class Holder:
    """A process that holds a claim.

    Attributes:
        host: the name of its host.
        machine: the boot of the machine, and the namespace in which `pid` counts.
        pid: its id.
        started: its start, in ticks since boot. Another process may have its id later.
        job: its job of Slurm, if it is in one.
    """

    host: str
    machine: str
    pid: int
    started: int
    job: str | None = None

    @property
    def words(self) -> str:
        """The holder, as messages name it."""
        return f"{self.host}, " + (f"job {self.job}" if self.job else f"process {self.pid}")

    def is_gone(self) -> bool | None:
        """Whether the process has ended; None if that cannot be seen from here."""
        if self.machine != machine():
            return None
        return started(self.pid) != self.started


NOBODY = Holder("a claim that cannot be read", "", 0, 0)


def this_process() -> Holder:
    """The process that calls this."""
    pid = os.getpid()
    start = started(pid)
    assert start is not None
    return Holder(host_name(), machine(), pid, start, os.environ.get(JOB))


@cache
def machine() -> str:
    """The boot of this machine, and the namespace of this process."""
    boot = BOOT_ID.read_text(encoding="ascii").strip() if BOOT_ID.exists() else "?"
    return f"{boot}/{os.stat(PROCESSES).st_ino}"


def started(pid: int) -> int | None:
    """When a process began, in ticks since boot; None if there is none, or only its exit status is left."""
    try:
        # The name of the program, in brackets, may contain anything.
        state, *fields = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    except (FileNotFoundError, ProcessLookupError):
        return None
    return None if state in "ZX" else int(fields[STARTED - 4])


RENEWALS = 4
"""A claim is renewed so often in each lease."""

POLL_S = 0.5
"""How often the claim of somebody else is looked at."""

JobKnown = Callable[[str], bool | None]
"""Whether Slurm knows a job as one that waits or runs; None if it cannot be asked."""


@dataclass(frozen=True)
class ClaimRecord:
    """What the record of a claim says: its holder, the length of its lease, and how often it was renewed."""

    holder: Holder
    lease_s: float
    renewals: int = 0

    def text(self) -> bytes:
        """The record as it is stored. Its last line has always the same length."""
        content = {"holder": to_json(self.holder), "lease_s": self.lease_s}
        return f"{json.dumps(content)}\n{self.renewals:012d}\n".encode()

    @classmethod
    def read(cls, text: bytes, lease_s: float) -> "ClaimRecord":
        """The record of a stored text. One that a power cut has emptied has no holder, and this lease."""
        try:
            content, renewals = text.decode().splitlines()
            return from_json(cls, json.loads(content) | {"renewals": int(renewals)}, "a claim")
        except ValueError:
            return cls(NOBODY, lease_s)


class HeldClaim:
    """A claim that this process holds. It must be renewed before a lease is over."""

    def __init__(self, store: Store, name: str, generation: int, record: ClaimRecord) -> None:
        self._store, self._name, self._generation = store, name, generation
        self._record = record

    @property
    def renewed_every_s(self) -> float:
        """The time between two renewals."""
        return self._record.lease_s / RENEWALS

    def renew(self) -> bool:
        """Renew the claim.

        Returns:
            Whether this process still holds it.

        Raises:
            OSError: the store cannot be reached.
        """
        record = ClaimRecord(self._record.holder, self._record.lease_s, self._record.renewals + 1)
        try:
            self._store.replace(self._name, self._generation, record.text())
        except GoneError:
            return False
        self._record = record
        return self._store.generations(self._name)[-1:] == [self._generation]

    def release(self) -> None:
        """Give the claim up, with the dead ones before it.

        Raises:
            OSError: the store cannot be reached.
        """
        for generation in self._store.generations(self._name):
            if generation <= self._generation:
                self._store.remove(self._name, generation)


@contextmanager
def held(claim: HeldClaim) -> Iterator[threading.Event]:
    """Renew a claim until the work is done, then release it. It is no matter if the store is out of reach.

    Yields:
        An event that is set if somebody else takes the claim over.
    """
    lost, done = threading.Event(), threading.Event()

    def renew() -> None:
        while not done.wait(claim.renewed_every_s):
            with suppress(OSError):
                if not claim.renew():
                    lost.set()
                    return

    thread = threading.Thread(target=renew, daemon=True)
    thread.start()
    try:
        yield lost
    finally:
        done.set()
        thread.join()
        with suppress(OSError):
            claim.release()


class Claims:
    """The claims on a store, as one process sees them."""

    def __init__(self, store: Store, lease_s: float, job_known: JobKnown) -> None:
        self._store, self._lease_s, self._job_known = store, lease_s, job_known
        self._seen: dict[str, tuple[int, bytes, float]] = {}

    def take(self, name: str) -> HeldClaim | Holder:
        """Claim a piece of work. To watch the claim of somebody else, call this again and again.

        Returns:
            The claim, or who holds it.

        Raises:
            OSError: the store cannot be reached.
        """
        while True:
            generation = 1
            if found := self._newest(name):
                newest, record = found
                if not self._is_dead(name, record):
                    return record.holder
                generation = newest + 1
            record = ClaimRecord(this_process(), self._lease_s)
            try:
                self._store.create(name, generation, record.text())
            except ExistsError:
                continue
            return HeldClaim(self._store, name, generation, record)

    def is_live(self, name: str) -> bool:
        """Whether somebody holds a claim.

        Raises:
            OSError: the store cannot be reached.
        """
        found = self._newest(name)
        return found is not None and not self._is_dead(name, found[1])

    def void(self, name: str) -> None:
        """Remove all claims for a result that exists."""
        for generation in self._store.generations(name):
            self._store.remove(name, generation)

    def _newest(self, name: str) -> tuple[int, ClaimRecord] | None:
        """The highest generation, and its record."""
        while generations := self._store.generations(name):
            try:
                text = self._store.read(name, generations[-1])
            except GoneError:
                continue
            generation, before, since = self._seen.get(name, (0, b"", 0.0))
            if (generation, before) != (generations[-1], text):
                since = time.monotonic()
            self._seen[name] = (generations[-1], text, since)
            return generations[-1], ClaimRecord.read(text, self._lease_s)
        self._seen.pop(name, None)
        return None

    def _is_dead(self, name: str, record: ClaimRecord) -> bool:
        holder, (_, _, since) = record.holder, self._seen[name]
        if (gone := holder.is_gone()) is not None:
            return gone
        if time.monotonic() - since <= record.lease_s:
            return False
        return holder.job is None or self._job_known(holder.job) is False


def taken(claims: Claims, name: str, done: Callable[[], bool], wait: bool = True) -> HeldClaim | None:
    """The claim of this process, as soon as it gets it.

    Args:
        claims: the claims.
        name: the piece of work.
        done: whether its result exists.
        wait: whether to wait while somebody else holds the claim.

    Returns:
        None if the result exists, or if somebody else holds the claim and this process does not wait.

    Raises:
        OSError: the store cannot be reached.
    """
    announced = False
    while not done():
        found = claims.take(name)
        if isinstance(found, HeldClaim):
            return found
        if not announced:
            print(f"{name}: claimed by {found.words}", file=sys.stderr, flush=True)
            announced = True
        if not wait:
            return None
        time.sleep(POLL_S)
    return None
