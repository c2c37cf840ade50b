"""Drivers: one module for each kind of client, with the members of Driver.

A driver is the only place that knows its kind of client. The testbed runs its functions as commands in the
trial's namespaces:

    python -m services.drivers KIND serve|use SERVICE_JSON ADDRESS …

A driver that finds its service broken raises ServiceError. Its functions may start processes, which end with
them. To add a kind of client, add a module here.
"""

import importlib
from collections.abc import Iterable
from pathlib import Path
from typing import Protocol, cast

from scripts.base.records import Json
from scripts.model.services import Service


class ServiceError(Exception):
    """The service or its client failed. The message is the reason of a failed trial."""


class Driver(Protocol):
    """A module of this package."""

    PROGRAMS: dict[str, str]
    """The programs that the driver runs, each with the Debian package that contains it."""

    def serve(self, service: Service, address: str, directory: Path) -> None:
        """Run the service's side in its namespace, in the foreground, until it is stopped.

        For a live service, run the part of it that is ours (the far end of a call), or only wait.

        Args:
            service: the catalogue entry. If it has `hosts`, the service's side has an address for each, and
                DNS resolves their names.
            address: where the service's side listens; for a live service, the name of its host.
            directory: a folder that both functions share. Its files are kept with the logs.
        """

    def use(self, service: Service, address: str, seconds: int, directory: Path) -> dict[str, Json]:
        """Use the service for `seconds` from the client's namespace.

        Returns:
            What the driver observed, for qoe.json (config/schemas/qoe.yaml).
        """


def driver_of(kind: str) -> Driver:
    """The driver of a kind of client."""
    return cast(Driver, importlib.import_module(f"services.drivers.{kind}"))


def programs_of(kinds: Iterable[str]) -> dict[str, str]:
    """The programs that these drivers run, each with the Debian package that contains it."""
    programs: dict[str, str] = {}
    for kind in sorted(set(kinds)):
        programs |= driver_of(kind).PROGRAMS
    return programs
