"""The command that runs the programs of an image, in a view of its own (quic-interop-runner, README.md).

The view has the unpacked image as its root, read-only, and FOLDERS. It is made inside the view of the driver,
so nothing else of the machine can be in it. Two scripts of quic-network-simulator do nothing in it: one sets
routes, the other waits for the simulator.
"""

import shutil
from collections.abc import Mapping
from pathlib import Path

from services.endpoint import own_folder
from services.endpoint.image import CERTIFICATES, DOWNLOADS, HOST, LOGS, OURS, PORT, ROOTFS, WWW
from services.endpoint.image.unpacked import read_start
from services.endpoint.www import BIG

WINDOW_BYTES = 64 << 20
"""What both sides should allow in flight, so that no window of theirs limits them."""

TEMPORARY_BYTES, QLOG_BYTES = 64 << 20, 16 << 20
"""The sizes of /tmp and /run, and of the folder for qlogs. Programs with more to write find a full disk."""

SIMULATOR_SCRIPTS = ("setup.sh", "wait-for-it.sh")
NOTHING = "#!/bin/sh\n"


def image_command(
    image: Path, role: str, words: Mapping[str, object], environment: Mapping[str, str], home: Path
) -> list[str]:
    """The command that runs one side of an image.

    Args:
        image: the folder of the unpacked image.
        role: `server` or `client`.
        words: the values of the placeholders of that side.
        environment: what endpoint.yaml adds to the environment.
        home: the folder for its files.
    """
    start, ours = read_start(image), own_folder(home, OURS)
    variables = {**start.environment, **_contract(role, words), **environment}
    places = [*_own_folders(role, words, ours), *_replaced(image / ROOTFS, ours)]
    view = ["bwrap", "--unshare-user", "--uid", "0", "--gid", "0", "--cap-drop", "ALL"]
    view += ["--unshare-uts", "--hostname", role]
    view += ["--ro-bind", str(image / ROOTFS), "/", "--bind", "/proc", "/proc", "--dev", "/dev"]
    view += [*_empty("/tmp", TEMPORARY_BYTES), *_empty("/run", TEMPORARY_BYTES), *places, "--clearenv"]
    view += [word for name, value in variables.items() for word in ("--setenv", name, value)]
    return [*view, "--chdir", start.folder, "--", *start.command]


def _contract(role: str, words: Mapping[str, object]) -> dict[str, str]:
    """The environment of quic-interop-runner, and the words that it lacks."""
    variables = {
        "ROLE": role,
        "TESTCASE": "transfer",
        "SERVER_PARAMS": "",
        "CLIENT_PARAMS": "",
        "QLOGDIR": f"/{LOGS}/qlog/",
        "CCA": str(words["cca"]),
        "WINDOW_BYTES": str(WINDOW_BYTES),
    }
    if role == "client":
        variables |= {"REQUESTS": f"https://{HOST}:{PORT}/{BIG}", "SECONDS": str(words["seconds"])}
    return variables


def _own_folders(role: str, words: Mapping[str, object], ours: Path) -> list[str]:
    """The options for the folders of the contract. What is downloaded goes to /dev/null."""
    certificates = own_folder(ours, CERTIFICATES)
    shutil.copyfile(str(words["cert"]), certificates / "cert.pem")
    shutil.copyfile(str(words["cert"]), certificates / "ca.pem")
    if role == "server":
        shutil.copyfile(str(words["key"]), certificates / "priv.key")
        files = ["--ro-bind", str(words["www"]), f"/{WWW}"]
    else:
        sink = ["--dev-bind", "/dev/null", f"/{DOWNLOADS}/{BIG}"]
        files = ["--bind", str(words["downloads"]), f"/{DOWNLOADS}", *sink]
    logs = ["--bind", str(words["logs"]), f"/{LOGS}", *_empty(f"/{LOGS}/qlog", QLOG_BYTES)]
    return ["--ro-bind", str(certificates), f"/{CERTIFICATES}", *files, *logs, *_hosts(words, ours)]


def _hosts(words: Mapping[str, object], ours: Path) -> list[str]:
    """The options for /etc/hosts, in which the server has its names."""
    hosts = ours / "hosts"
    hosts.write_text(f"127.0.0.1 localhost\n{words['address']} {HOST} server {words['host']}\n")
    return ["--ro-bind", str(hosts), "/etc/hosts"]


def _replaced(rootfs: Path, ours: Path) -> list[str]:
    """The options that replace the scripts of quic-network-simulator by one that does nothing."""
    nothing = ours / "nothing.sh"
    nothing.write_text(NOTHING)
    nothing.chmod(0o755)
    found = [
        name for name in SIMULATOR_SCRIPTS if (rootfs / name).is_file() and not (rootfs / name).is_symlink()
    ]
    return [word for name in found for word in ("--ro-bind", str(nothing), f"/{name}")]


def _empty(place: str, most_bytes: int) -> list[str]:
    """The options for an empty folder in memory, which ends with the programs."""
    return ["--perms", "1777", "--size", str(most_bytes), "--tmpfs", place]
