"""What every step of a run needs to know: the settings, the folders, the clock, the log and the lock."""

import os
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path

from scripts.base.locks import locked
from scripts.model.cycle_names import SNAPSHOTS
from scripts.operate.settings import OperateSettings

FOLDER = "operate"
LOG = "operate.log"
"""The lines of the runs, each with its time (UTC)."""
LOCK = "lock"


class Clock:
    """A clock. With `start` it shows that time when it is made, and goes on from there."""

    def __init__(self, start: datetime | None = None) -> None:
        self._start = start
        self._made_s = time.monotonic()

    def now(self) -> datetime:
        """The time, UTC."""
        if self._start is None:
            return datetime.now(UTC)
        return self._start.astimezone(UTC) + timedelta(seconds=time.monotonic() - self._made_s)


def iso(moment: datetime) -> str:
    """A time in the form 2026-12-07T03:00:00Z."""
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def moment_of(text: str) -> datetime:
    """The reverse of `iso`.

    Raises:
        ValueError: the text is no time.
    """
    moment = datetime.fromisoformat(text)
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


@dataclass(frozen=True)
class Context:
    """The settings, the folders and the clock of a run.

    Attributes:
        settings: config/operate.yaml.
        data: the folder of all campaigns.
        public: the site.
        clock: the time.
        definition: the campaign's own definition (scripts/plan/campaign_file.py), if it has one.
    """

    settings: OperateSettings
    data: Path
    public: Path
    clock: Clock = field(default_factory=Clock)
    definition: Path | None = None

    @property
    def folder(self) -> Path:
        """The state of unattended operation: records, status, log, lock."""
        return self.data / FOLDER

    @property
    def snapshots(self) -> Path:
        """The folder of the snapshots."""
        return self.data / SNAPSHOTS

    def cycle(self, name: str) -> Path:
        """The working folder of a cycle of the campaign."""
        return self.data / self.settings.campaign / name


def say(context: Context, line: str) -> None:
    """Print a line, and keep it."""
    with suppress(OSError):
        print(line, flush=True)
    keep(context, line)


def complain(context: Context, line: str) -> None:
    """Print an error on standard error, and keep it."""
    with suppress(OSError):
        print(line, file=sys.stderr, flush=True)
    keep(context, line)


def keep(context: Context, text: str) -> None:
    """Add lines to the log. A full disk stops no run: the lines are lost then."""
    with suppress(OSError):
        context.folder.mkdir(parents=True, exist_ok=True)
        with (context.folder / LOG).open("a", encoding="utf-8") as log:
            now = iso(context.clock.now())
            log.writelines(f"{now} {line}\n" for line in text.splitlines())


class BusyError(Exception):
    """Another process works here."""


@contextmanager
def only_run(context: Context) -> Iterator[None]:
    """Hold data/operate/lock, in which the id of this process is.

    Raises:
        BusyError: another process holds it.
    """
    context.folder.mkdir(parents=True, exist_ok=True)
    path = context.folder / LOCK
    with ExitStack() as stack:
        try:
            descriptor = stack.enter_context(locked(path, wait=False))
        except BlockingIOError as error:
            holder = path.read_text(encoding="utf-8").strip() or "unknown"
            raise BusyError(f"{path}: another run is active, process {holder}") from error
        os.truncate(descriptor, 0)
        with suppress(OSError):  # a full disk
            os.write(descriptor, f"{os.getpid()}\n".encode())
        yield
