"""A bessd fit to carry trials: one that answers, has the plugin, and knows how fast its clock runs."""

import os
import shlex
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass

from scripts.base.errors import UserError
from testbed.bess.client import BessClient, BessError, BessUnreachableError
from testbed.bess.daemon_settings import ADDRESS, FILE, Settings
from testbed.bess.ports import unplug_all

STARTS = 3
START_TIMEOUT_S = 30
CLOCK_TOLERANCE = 0.01
"""bessd learns how fast the time-stamp counter runs from a tenth of a second of sleep at its start. One part
in a thousand too much is usual, and made up for in the rate it is told; more than this: it was disturbed."""


class AnotherDaemonNeededError(UserError):
    """None answers, or one whose clock is wrong for as long as it lives: what starting one would mend."""


@dataclass(frozen=True)
class Clock:
    """What ObservatoryClock measured."""

    version: str
    assumed_hz: float
    measured_hz: float

    @property
    def error(self) -> float:
        """How much the daemon's clock is off, a fraction: positive where it takes time to pass too slowly."""
        return self.assumed_hz / self.measured_hz - 1

    def told(self, rate_bps: int) -> int:
        """The rate to tell the daemon so that it keeps `rate_bps`."""
        return round(rate_bps * self.assumed_hz / self.measured_hz)


def make_ready(settings: Settings) -> None:
    """See to it that a usable daemon answers; start one by the command of config/bess.yaml where that helps.

    Raises:
        UserError: there is none, or it cannot be used.
    """
    if not settings.plugin.is_file():
        raise UserError(plugin_missing(settings))
    for starts_left in reversed(range(STARTS + 1)):
        try:
            _try_out(settings)
            return
        except AnotherDaemonNeededError as error:
            if settings.start is None or starts_left == 0:
                raise
            print(f"{error}\nstarting the daemon: {settings.start}", file=sys.stderr, flush=True)
            _start(settings)


def plugin_missing(settings: Settings) -> str:
    """What to tell where the plugin has not been built."""
    return (
        f"{settings.plugin}: the observatory's plugin for BESS is not there; build it against the source "
        "tree of your bessd: cmake -S testbed/bess/plugin -B build/bess -DBESS=/path/to/bess && "
        "cmake --build build/bess"
    )


def _try_out(settings: Settings) -> None:
    with BessClient(settings.address) as client:
        try:
            empty(client)
            unplug_all()
            load_plugin(client, settings)
            read_clock(client, settings)
        except BessUnreachableError as error:
            raise AnotherDaemonNeededError(
                f"no bessd answers at {settings.address} ({error}); start one, or name its address in {FILE} "
                f"or the environment variable {ADDRESS}"
            ) from error
        except BessError as error:
            raise UserError(f"the bessd at {settings.address} cannot be used: {error}") from error


def _start(settings: Settings) -> None:
    """Run the command and wait until the daemon answers."""
    assert settings.start is not None
    try:
        subprocess.run(
            shlex.split(settings.start),
            check=True,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            timeout=START_TIMEOUT_S,
        )
    except subprocess.TimeoutExpired as error:
        raise UserError(
            f"{FILE}: start: did not return within {START_TIMEOUT_S} s; it must return once the daemon runs"
        ) from error
    except (OSError, subprocess.CalledProcessError) as error:
        raise UserError(f"{FILE}: start: {error}") from error
    deadline = time.monotonic() + START_TIMEOUT_S
    while time.monotonic() < deadline:
        with BessClient(settings.address) as client:
            try:
                client.version()
                return
            except BessUnreachableError:
                time.sleep(0.2)
    raise UserError(f"{FILE}: start: no bessd answers at {settings.address} {START_TIMEOUT_S} s after it")


@contextmanager
def released_at_the_end(settings: Settings) -> Iterator[None]:
    """Release the daemon when the block ends, or this process does, even by SIGKILL: another one sees to it.

    That one has a session of its own, and holds the host's lock too, which is freed when all is done. It must
    be made before this process talks to the daemon: gRPC does not survive a fork in the middle of it.
    """
    ended, held = os.pipe()
    watcher = os.fork()
    if watcher == 0:
        try:
            os.setsid()
            os.close(held)
            os.read(ended, 1)  # returns when nobody is left who could write
            release(settings)
        finally:
            os._exit(0)
    os.close(ended)
    try:
        yield
    finally:
        os.close(held)
        os.waitpid(watcher, 0)


def release(settings: Settings) -> None:
    """Leave the daemon empty after a trial, whatever became of that: it then polls no processor."""
    with BessClient(settings.address) as client, suppress(BessError):
        empty(client)
    unplug_all()


def empty(client: BessClient) -> None:
    """Take away whatever an earlier run left, configured or paused."""
    client.pause()
    client.reset_all()


def load_plugin(client: BessClient, settings: Settings) -> None:
    """Have an empty daemon load the plugin as it is built now."""
    plugin = str(settings.plugin.resolve())
    if plugin in client.plugins():
        client.unload_plugin(plugin)
    client.import_plugin(plugin)


def read_clock(client: BessClient, settings: Settings) -> Clock:
    """The clock of an empty daemon with the plugin.

    Raises:
        AnotherDaemonNeededError: it is wrong.
    """
    client.create_own("clock", "ObservatoryClock", {})
    read = client.ask("clock", "read")
    client.destroy_module("clock")
    clock = Clock(read["version"], read["assumed_hz"], read["measured_hz"])
    if abs(clock.error) > CLOCK_TOLERANCE:
        raise AnotherDaemonNeededError(
            f"the bessd at {settings.address} takes its clock for {clock.assumed_hz / 1e6:.1f} MHz where it "
            f"runs at {clock.measured_hz / 1e6:.1f}, {abs(clock.error):.1%} off; start it again while the "
            "machine is idle"
        )
    return clock
