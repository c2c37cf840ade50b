"""Runs a program that reads what strangers sent: without privileges, and with a view of few files.

bubblewrap makes the view. As root, setpriv changes to a user that owns nothing on this machine. prlimit sets
the limits. The view holds the system's programs, fonts and certificates, this project's code, and the folders
that the caller names. It holds nothing else of the machine.
"""

import ctypes
import os
import platform
import pwd
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from scripts.base.errors import UserError
from scripts.base.files import ROOT

PROGRAMS = {"bwrap": "bubblewrap", "setpriv": "util-linux", "prlimit": "util-linux"}

FIRST_UID = 1_900_000_000
"""Confined programs run as users with this number and the following ones. No distribution uses them."""

READER, SELECTION, NAME_SERVER, UNPACKER, FIRST_DRIVER = 1, 2, 3, 4, 100
"""The numbers of these users among them: the reader of captures, the selection of handshakes, the name server
that asks strangers, the program that unpacks images, and the drivers (two for each client)."""

INSIDE = Path("/run/confined")
"""The folder of the view in which the program starts: its home and its temporary files."""

SYSTEM = ("/bin", "/lib", "/lib64", "/sbin", "/usr")
SETTINGS = (
    "alternatives",
    "chromium",
    "chromium.d",
    "fonts",
    "ld.so.cache",
    "localtime",
    "resolv.conf",
    "ssl",
)
"""The names in /etc that browsers and libraries need."""

CODE = ("scripts", "services")
PROCESSORS = "/sys/devices/system/cpu"
TEMPORARY = ("--perms", "1777", "--size", "16777216", "--tmpfs", "/tmp")
HOSTS = Path(__file__).with_name("confined_hosts.txt")
"""The /etc/hosts of the view. The machine's own names the machine."""

_KEYCTL = 250 if platform.machine() == "x86_64" else 219
"""The number of the system call keyctl(2), which the C library lacks. It is 219 on newer processors."""

_JOIN_SESSION_KEYRING = 1

CHANGES_USER = ("--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID", "--cap-add", "CAP_SETPCAP")


@dataclass(frozen=True)
class Limits:
    """Limits of one process, and of all processes of its user. None: no limit of ours."""

    processes: int | None = None
    open_files: int | None = None
    file_bytes: int | None = None
    address_space_bytes: int | None = None
    processor_s: int | None = None

    def command(self) -> list[str]:
        """The program that sets these limits. A core dump is never written."""
        names = ("nproc", "nofile", "fsize", "as", "cpu")
        limits = zip(names, vars(self).values(), strict=True)
        return ["prlimit", "--core=0", *[f"--{name}={limit}" for name, limit in limits if limit is not None]]


@dataclass(frozen=True)
class Confinement:
    """How a program is confined.

    Attributes:
        home: the folder that the program sees as INSIDE. As root it must belong to `uid`.
        uid: the user and group that the program runs as, where this process may change to it.
        readable: other folders and files that it may read, by their place in the view.
        writable: other folders that it may write, by their place in the view.
        environment: its environment, besides PATH, HOME, TMPDIR and LANG.
        network: whether it keeps the network of this process. Otherwise it has none.
        limits: its limits.
    """

    home: Path
    uid: int
    readable: Mapping[Path, Path] = field(default_factory=dict)
    writable: Mapping[Path, Path] = field(default_factory=dict)
    environment: Mapping[str, str] = field(default_factory=dict)
    network: bool = False
    limits: Limits = field(default_factory=Limits)

    def command(self, *argv: str) -> list[str]:
        """`argv` as a command that runs confined. It is killed with the process that starts it."""
        view = ["bwrap", "--die-with-parent", "--new-session", "--clearenv"]
        view += ["--unshare-ipc", "--unshare-pid", "--unshare-uts", "--hostname", "confined"]
        view += [] if self.network else ["--unshare-net"]
        changes_user = may_change_user()
        if changes_user:
            view += CHANGES_USER
        else:
            view += ["--cap-drop", "ALL", *(["--unshare-user"] if os.geteuid() != 0 else [])]
        view += [*self._files(), *self._environment(), "--chdir", str(INSIDE), "--"]
        return [*view, *(self._user() if changes_user else []), *self.limits.command(), *argv]

    def _files(self) -> list[str]:
        """The options of bubblewrap for every file of the view. Later ones cover earlier ones."""
        options = [*_system(), "--proc", "/proc", "--dev", "/dev", *TEMPORARY]
        code = {ROOT / name: ROOT / name for name in CODE}
        python = {Path(prefix): Path(prefix) for prefix in (sys.prefix, sys.base_prefix)}
        for option, places in (
            ("--ro-bind", {path: place for path, place in python.items() if not path.is_relative_to("/usr")}),
            ("--ro-bind", code),
            ("--bind", {INSIDE: self.home}),
            ("--ro-bind", self.readable),
            ("--bind", self.writable),
        ):
            for inside, outside in places.items():
                options += [*_parents(inside), option, str(outside), str(inside)]
        return options

    def _environment(self) -> list[str]:
        inside = {
            "PATH": f"{Path(sys.prefix) / 'bin'}:/usr/sbin:/usr/bin:/sbin:/bin",
            "HOME": str(INSIDE),
            "TMPDIR": str(INSIDE),
            "LANG": "C.UTF-8",
            "PYTHONPATH": str(ROOT),
            "PYTHONDONTWRITEBYTECODE": "1",
            **self.environment,
        }
        return [word for name, value in inside.items() for word in ("--setenv", name, value)]

    def _user(self) -> list[str]:
        user = ["--reuid", str(self.uid), "--regid", str(self.uid), "--clear-groups"]
        return ["setpriv", *user, "--bounding-set=-all", "--inh-caps=-all", "--no-new-privs"]


def unprivileged_uid(number: int) -> int:
    """The user of the confined program with this number.

    Raises:
        UserError: somebody on this machine has it.
    """
    uid = FIRST_UID + number
    try:
        name = pwd.getpwuid(uid).pw_name
    except KeyError:
        return uid
    raise UserError(f"/etc/passwd: {name} has the number {uid}, which confined programs need; change it")


def may_change_user() -> bool:
    """Whether this process is root, and not only the root of a user namespace with a single user."""
    users = [line.split() for line in Path("/proc/self/uid_map").read_text(encoding="ascii").splitlines()]
    has_user = any(int(first) <= FIRST_UID < int(first) + int(count) for first, _, count in users)
    return os.geteuid() == 0 and has_user


def make_folder_of(number: int, folder: Path) -> None:
    """Make a folder that only the confined program with this number can use, besides this user.

    Raises:
        FileExistsError: it is there.
        UserError: somebody on this machine has the program's user.
    """
    folder.mkdir(parents=True, mode=0o700)
    if may_change_user():
        uid = unprivileged_uid(number)
        os.chown(folder, uid, uid)


def forget_keys() -> None:
    """Give this process and its children an empty session keyring (keyrings(7)).

    A confined program otherwise reads the keys of the session that started it, whatever its user is. A kernel
    without this call has no keys.
    """
    ctypes.CDLL(None).syscall(_KEYCTL, _JOIN_SESSION_KEYRING, None)


def require_confinement() -> None:
    """Raise UserError if this machine cannot confine a program."""
    try:
        done = subprocess.run(
            Confinement(Path("/tmp"), FIRST_UID).command("true"), capture_output=True, text=True, check=False
        )
    except FileNotFoundError:
        raise UserError(
            "bwrap: is not installed; run make setup, or install the package bubblewrap"
        ) from None
    if done.returncode != 0:
        raise UserError(
            f"bwrap: cannot confine a program here: {done.stderr.strip()}; run as root on a machine that "
            "allows mounts, or allow user namespaces"
        )


def _system() -> list[str]:
    """The options for the system's programs and settings. A merged /usr has links beside it."""
    options: list[str] = []
    for name in SYSTEM:
        path = Path(name)
        if path.is_symlink():
            options += ["--symlink", os.readlink(path), name]
        elif path.is_dir():
            options += ["--ro-bind", name, name]
    options += [*_parents(Path("/etc/name"))]
    for name in SETTINGS:
        options += ["--ro-bind-try", f"/etc/{name}", f"/etc/{name}"]
    options += ["--ro-bind", str(HOSTS), "/etc/hosts"]
    return [*options, *_parents(Path(PROCESSORS)), "--ro-bind-try", PROCESSORS, PROCESSORS]


def _parents(path: Path) -> list[str]:
    """The options that make the folders above a path, for all users: bubblewrap's own would be private."""
    return [
        word for parent in reversed(path.parents[:-1]) for word in ("--perms", "0755", "--dir", str(parent))
    ]
