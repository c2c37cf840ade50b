"""A driver that meets strangers' code: the client's side of every service, and the side of some services.

Those are live services, of which we have a part, and endpoints, whose server somebody brought.

It runs as a user of its own, with a view of few files and with limits (scripts/base/confinement.py). Its
folder is a file system of its own (testbed/driver_folder.py).
"""

import os
import shutil
import sys
from pathlib import Path

from scripts.base.confinement import (
    CODE,
    FIRST_DRIVER,
    FIRST_UID,
    INSIDE,
    NAME_SERVER,
    SELECTION,
    Confinement,
    Limits,
    may_change_user,
    require_confinement,
    unprivileged_uid,
)
from scripts.base.errors import UserError
from scripts.base.files import ROOT
from scripts.model.services import MOST_FLOWS, Service
from services.browser_settings import PREPARED, has_browser, load_settings
from services.endpoint.view import readable_of
from services.use_time import SHARED
from testbed.driver_folder import KEPT_BYTES, RESULT, DriverFolder, keep_files, read_file
from testbed.hosts import Host
from testbed.limits import PROCESSES, Group
from testbed.logged_process import OWN_PROCESSES, LoggedProcess

SIDES = ("use", "serve")
LIMITS = Limits(processes=PROCESSES, open_files=MOST_FLOWS + 1000, file_bytes=128 << 30)
"""All flows of a schedule may be open at once. A download of 600 s at 1 Gbps has 75 GB; its memory is freed
meanwhile (services/live_page.py)."""

NOT_COPIED = ("Cache", "Code Cache", "GPUCache", "Service Worker", "Singleton*")
"""Files of a prepared profile that its copies leave out: caches, and the lock of a running browser."""

DISPLAYS = Path("/tmp/.X11-unix")

SERVICE = "service.json"
"""The file in SHARED with the catalogue entry. A schedule of many flows is too long for an argument."""


class ConfinedDriver:
    """One side of one client's service. Its folder is made at once.

    Attributes:
        folder: its files.
        group: its control group.

    Args:
        client: the client's name, such as c1.
        side: `use` or `serve`.
        service: the service.
        shared: the folder that it sees as SHARED and cannot write.
        path: where its folder is to be.

    Raises:
        UserError: the files of its endpoint cannot be read.
    """

    def __init__(self, client: str, side: str, service: Service, shared: Path, path: Path) -> None:
        self._service = service
        self._side = side
        self._name = f"{client}-{side}"
        self._uid = FIRST_UID + _number(client, side)
        self._shared = shared
        self.folder = DriverFolder(path, self._uid if may_change_user() else None)
        self.group = Group(self._name)
        self._environment: dict[str, str] = {}
        self._displays: dict[Path, Path] = {}
        self._endpoint = readable_of(service)
        if has_browser(service):
            self._copy_profile()
            self._use_display()

    def start(self, host: Host, address: str, *options: str) -> LoggedProcess:
        """Start the driver on a host. `options` are those of services.drivers besides folder and result."""
        result = ["--result", str(INSIDE / RESULT)] if self._side == "use" else []
        command = driver_command(self._service, self._side, address, INSIDE, *options, *result)
        confined = self._confinement().command(*command)
        is_client = self._side == "use"
        return LoggedProcess(host, [*OWN_PROCESSES, *confined], self.folder.log, self.group, is_client)

    def excess(self) -> str | None:
        """What it used more of than it may; None if it did not."""
        return "a full folder" if self.folder.is_full else self.group.excess()

    def keep_logs(self, into: Path) -> None:
        """Keep its log, its files and a note of its limits in `into`. All its processes must have ended."""
        log = read_file(self.folder.log.parent, self.folder.log.name, KEPT_BYTES) or b""
        limits = f"limits by control groups: {', '.join(self.group.limits) or 'none'}"
        (into / f"{self._name}.log").write_bytes(log)
        (into / f"{self._name}-limits.log").write_text(f"{limits}\n", encoding="utf-8")
        keep_files(self.folder.home, into / self._name)

    def _confinement(self) -> Confinement:
        return Confinement(
            home=self.folder.home,
            uid=self._uid,
            readable={
                INSIDE / SHARED: self._shared,
                **self._content(),
                **self._displays,
                **self._endpoint,
            },
            environment=self._environment,
            network=True,
            limits=LIMITS,
        )

    def _content(self) -> dict[Path, Path]:
        """The films of our cameras, for the far end of a call."""
        if self._side == "use":
            return {}
        from services.origin.content import CONTENT  # Its imports are slow.

        return {CONTENT: CONTENT.resolve()} if CONTENT.is_dir() else {}

    def _copy_profile(self) -> None:
        settings = load_settings()
        profile = settings.profile(self._service) if self._service.live else None
        if profile is not None:
            copy = self.folder.home / PREPARED
            shutil.copytree(profile, copy, ignore=shutil.ignore_patterns(*NOT_COPIED))
            self.folder.give(copy)

    def _use_display(self) -> None:
        """Let a browser with a window use the operator's display: its socket, and a copy of its key."""
        if load_settings().headless:
            return
        display = os.environ["DISPLAY"]
        socket = DISPLAYS / f"X{display.partition(':')[2].partition('.')[0]}"
        self._displays = {socket: socket}
        self._environment = {"DISPLAY": display}
        key = Path(os.environ.get("XAUTHORITY", Path.home() / ".Xauthority"))
        if key.is_file():
            copy = self.folder.home / ".Xauthority"
            shutil.copyfile(key, copy)
            self.folder.give(copy)


def driver_command(service: Service, side: str, address: str, directory: Path, *options: str) -> list[str]:
    """The command that runs one side of a service (services/drivers/__main__.py).

    The folder SHARED in `directory` has the file SERVICE.
    """
    command = [sys.executable, "-m", "services.drivers", service.driver, side]
    return [*command, str(directory / SHARED / SERVICE), address, "--directory", str(directory), *options]


def require_confinable(clients: int) -> None:
    """Check that this machine can confine the drivers of so many clients.

    Raises:
        UserError: bubblewrap does not work here, a user's number is taken, or the code is not readable.
    """
    require_confinement()
    if not may_change_user():
        return
    drivers = [_number(f"c{client}", side) for client in range(1, clients + 1) for side in SIDES]
    for number in (*drivers, SELECTION, NAME_SERVER):
        unprivileged_uid(number)
    for folder in (*(ROOT / name for name in CODE), Path(sys.prefix), Path(sys.base_prefix)):
        if folder.stat().st_mode & 0o005 != 0o005:
            raise UserError(
                f"{folder}: other users cannot read it, and drivers run as such; run chmod -R o+rX {folder}"
            )


def _number(client: str, side: str) -> int:
    return FIRST_DRIVER + 2 * int(client.removeprefix("c")) + SIDES.index(side)
