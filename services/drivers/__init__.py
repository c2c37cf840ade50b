"""Drivers: one module for each kind of client, with the members of Driver.

A driver is the only place that knows its kind of client. The testbed runs its functions as commands in the
trial's namespaces, `use` and everything of a live service or an endpoint without privileges and with a view
of few files:

    python -m services.drivers KIND serve|use SERVICE ADDRESS …

Its functions may start processes, which end with them. To add a kind of client, add a module here, and beside
it a YAML file with the keys of its services and its observations (scripts/model/drivers.py explains it).

What a driver does when something goes wrong depends on who can have caused it:

- Competition can slow a service down until nothing arrives: a page does not answer, cannot be reached,
  answers with an HTTP error, reports a failure or stops receiving; a video never starts; a call has no
  picture; a load does not end; a connection is refused, times out or breaks. This is an outcome. `use` goes
  on to the end of its time, tries again where a person would, and returns its observation with the reason as
  `unmet`. The trial is completed. So is that of a page that does what no service must do, such as to open a
  dialog or a window, or to leave its site.
- The testbed or the client broke: the browser does not start, crashes or does not answer; a program is
  missing or misused; the service's own side ended. The driver raises ServiceError, and the trial fails.

Both reasons consist of the sentences of scripts/model/problems.py, never of a text of a page or of another
program.
"""

import importlib
from collections.abc import Iterable
from pathlib import Path
from typing import Protocol, cast

from scripts.base.records import Json
from scripts.model.problems import Problem, reason_of
from scripts.model.services import Service


class ServiceError(Exception):
    """The testbed or the client broke. The message is the reason of a failed trial."""

    def __init__(self, effect: Problem, cause: Problem | None = None) -> None:
        super().__init__(reason_of(effect, cause))


class Driver(Protocol):
    """A module of this package."""

    PROGRAMS: dict[str, str]
    """The programs that the driver runs, each with the Debian package that contains it."""

    NAMES: bool
    """Whether its packets can name hosts: by TLS, QUIC, HTTP or DNS. Otherwise no handshakes are captured."""

    def serve(self, service: Service, address: str, directory: Path) -> None:
        """Run the service's side in its namespace, in the foreground, until it is stopped.

        For a live service, run the part of it that is ours (the far end of a call), or only wait.

        Args:
            service: the catalogue entry. If it has `hosts`, the service's side has an address for each, and
                DNS resolves their names.
            address: where the service's side listens; for a live service, the name of its host.
            directory: the driver's own folder. Its files are kept with the logs. In its folder SHARED
                (services/use_time.py) the side of a self-hosted service leaves files for the client.
        """

    def use(self, service: Service, address: str, seconds: int, directory: Path) -> dict[str, Json]:
        """Use the service from the client's namespace, for the time that services/use_time.py defines.

        A web page ends once its loads are over. The testbed then ends the time of the other clients.

        Returns:
            What the driver observed, for qoe.json. services/drivers/__init__.yaml has the keys that all
            drivers may observe, services/drivers/<driver>.yaml (`observes`) those of one driver.

        Raises:
            ServiceError: the testbed or the client broke.
        """


def unmet(effect: Problem | None, cause: Problem | None = None) -> dict[str, Json]:
    """The part of an observation that says why the service did not do what it must.

    Args:
        effect: what the service did not do, None if it did.
        cause: what the driver noticed before. It counts even without an effect.

    Returns:
        `unmet`, or nothing if there is neither.
    """
    if effect:
        return {"unmet": reason_of(effect, cause)}
    return {"unmet": reason_of(cause)} if cause else {}


def driver_of(kind: str) -> Driver:
    """The driver of a kind of client."""
    return cast(Driver, importlib.import_module(f"services.drivers.{kind}"))


def programs_of(kinds: Iterable[str]) -> dict[str, str]:
    """The programs that these drivers run, each with the Debian package that contains it."""
    programs: dict[str, str] = {}
    for kind in sorted(set(kinds)):
        programs |= driver_of(kind).PROGRAMS
    return programs
