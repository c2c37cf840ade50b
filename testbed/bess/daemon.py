"""A bessd that is ready for trials: it answers, has loaded the plugin, and its clock is right."""

import os
import shlex
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass

from scripts.base.errors import UserError
from scripts.base.records import from_json
from testbed.bess.client import BessClient, BessError, BessUnreachableError
from testbed.bess.daemon_settings import ADDRESS, FILE, DaemonSettings
from testbed.bess.ports import delete_interfaces

STARTS = 3
START_TIMEOUT_S = 30
CLOCK_TOLERANCE = 0.01
"""The largest error of the daemon's clock. When it starts, bessd measures the time-stamp counter during a
sleep of 100 ms. An error of 0.1 % is usual, and the rate is corrected for it. A larger one means that the
sleep was disturbed."""


class AnotherDaemonNeededError(UserError):
    """No daemon answers, or its clock is wrong until it is restarted. Starting a daemon may help."""


@dataclass(frozen=True)
class DaemonClock:
    """The daemon's clock as ObservatoryClock measured it."""

    version: str
    assumed_hz: float
    measured_hz: float

    @property
    def error(self) -> float:
        """The relative error of the daemon's clock. It is positive if the daemon's seconds are too long."""
        return self.assumed_hz / self.measured_hz - 1

    def corrected_rate_bps(self, rate_bps: int) -> int:
        """The rate to configure, so that the daemon sends at `rate_bps`."""
        return round(rate_bps * self.assumed_hz / self.measured_hz)


def make_ready(settings: DaemonSettings) -> None:
    """Make sure that a usable daemon answers. If it helps, start one by the command of config/bess.yaml.

    Raises:
        UserError: no daemon answers, or it cannot be used.
    """
    if not settings.plugin.is_file():
        raise UserError(plugin_missing(settings))
    for starts_left in reversed(range(STARTS + 1)):
        try:
            _check_daemon(settings)
            return
        except AnotherDaemonNeededError as error:
            if settings.start is None or starts_left == 0:
                raise
            print(f"{error}\nstarting the daemon: {settings.start}", file=sys.stderr, flush=True)
            _start(settings)


def plugin_missing(settings: DaemonSettings) -> str:
    """The error if the plugin has not been built."""
    return (
        f"{settings.plugin}: the observatory's plugin for BESS is missing; build it against the source "
        "tree of your bessd: cmake -S testbed/bess/plugin -B build/bess -DBESS=/path/to/bess && "
        "cmake --build build/bess"
    )


def not_running(settings: DaemonSettings, error: BessUnreachableError) -> str:
    """The error if no daemon answers."""
    return (
        f"no bessd answers at {settings.address} ({error}); start one (docs/bess.md), or name its address in "
        f"{FILE} or the environment variable {ADDRESS}"
    )


def _check_daemon(settings: DaemonSettings) -> None:
    with BessClient(settings.address) as client:
        try:
            empty(client)
            delete_interfaces()
            load_plugin(client, settings)
            read_clock(client, settings)
        except BessUnreachableError as error:
            raise AnotherDaemonNeededError(not_running(settings, error)) from error
        except BessError as error:
            raise UserError(f"the bessd at {settings.address} cannot be used: {error}") from error


def _start(settings: DaemonSettings) -> None:
    """Run the start command and wait until the daemon answers."""
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
            f"{FILE}: start: did not return within {START_TIMEOUT_S} s; it must return once bessd runs"
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
    raise UserError(
        f"{FILE}: start: no bessd answers at {settings.address} {START_TIMEOUT_S} s after the command"
    )


@contextmanager
def released_at_the_end(settings: DaemonSettings) -> Iterator[None]:
    """Release the daemon when the block or this process ends, even by SIGKILL.

    A forked process does this. It has its own session and holds the host's lock too, so the lock is free only
    after the release. It must be forked before this process calls the daemon: gRPC does not survive a fork.
    Of a daemon that cannot be reached only the interfaces on this host are removed.
    """
    ended, held = os.pipe()
    watcher = os.fork()
    if watcher == 0:
        try:
            os.setsid()
            os.close(held)
            if os.read(ended, 1) == b"":  # no process has the other end open any more
                release(settings)
            else:
                delete_interfaces()
        finally:
            os._exit(0)
    os.close(ended)
    try:
        yield
    except BessUnreachableError:
        os.write(held, b"-")
        raise
    finally:
        os.close(held)
        os.waitpid(watcher, 0)


def release(settings: DaemonSettings) -> None:
    """Leave the daemon empty after a trial, successful or not. An empty daemon polls no processor."""
    with BessClient(settings.address) as client, suppress(BessError):
        empty(client)
    delete_interfaces()


def empty(client: BessClient) -> None:
    """Remove everything that an earlier run left, configured or paused."""
    client.pause()
    client.reset_all()


def load_plugin(client: BessClient, settings: DaemonSettings) -> None:
    """Load the current build of the plugin into an empty daemon."""
    plugin = str(settings.plugin.resolve())
    if plugin in client.plugins():
        client.unload_plugin(plugin)
    try:
        client.import_plugin(plugin)
    except BessUnreachableError:
        raise
    except BessError as error:
        raise BessError(
            f"{error}; build the plugin again, against the source tree of this bessd, which must be linked "
            "dynamically (BESS_LINK_DYNAMIC=1; docs/bess.md)"
        ) from error


def read_clock(client: BessClient, settings: DaemonSettings) -> DaemonClock:
    """The clock of an empty daemon with the plugin.

    Raises:
        AnotherDaemonNeededError: its error is larger than CLOCK_TOLERANCE.
    """
    client.create_plugin_module("clock", "ObservatoryClock", {})
    reading = client.run_command("clock", "read")
    client.destroy_module("clock")
    clock = from_json(DaemonClock, reading, "the reading of ObservatoryClock")
    if abs(clock.error) > CLOCK_TOLERANCE:
        raise AnotherDaemonNeededError(
            f"the bessd at {settings.address} assumes a clock of {clock.assumed_hz / 1e6:.1f} MHz, but it "
            f"runs at {clock.measured_hz / 1e6:.1f} MHz, {abs(clock.error):.1%} off; start bessd again while "
            "the machine is idle"
        )
    return clock
