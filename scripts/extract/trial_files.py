"""The files of a trial directory that the extraction and the publication read."""

import re
import stat
from dataclasses import dataclass
from pathlib import Path

from scripts.base.errors import UserError
from scripts.base.files import read_json
from scripts.model.trials import PRIVATE_JSON

TRIAL_JSON, HANDSHAKES, NAMES = "trial.json", "handshakes.pcapng.zst", "names.json"

TABLES = ("packets", "flows", "queue", "clients", "senders", "qoe")
"""The tables that the extraction makes of a trial."""

KNOWN = {
    TRIAL_JSON: "the record of the trial",
    "queue.bin.zst": "the queue log",
    "flows.json": "the list of the flows in the queue log",
    "senders.jsonl.zst": "the samples of the senders",
    "qoe.json": "the observations of the drivers",
    HANDSHAKES: "the capture of the handshakes",
    NAMES: "the list of host names",
    PRIVATE_JSON: "the list of private names",
}
CAPTURE = re.compile(r"client-(c[1-9][0-9]{0,3})\.pcapng\.zst")

PRIVATE = (HANDSHAKES, PRIVATE_JSON)
"""The files that are read and never published."""


def meaning(name: str) -> str | None:
    """What the file of this name is, in words; None if it is no file of a trial that is read."""
    capture = CAPTURE.fullmatch(name)
    return f"the capture of {capture[1]}" if capture else KNOWN.get(name)


@dataclass(frozen=True)
class Outline:
    """The part of trial.json that is read before the confined worker checks the whole file.

    Attributes:
        published: whether the trial is in its published form already.
        may_be_live: False if it certainly has no live service.
        failed: whether it broke.
        reason: why it did.
    """

    published: bool
    may_be_live: bool
    failed: bool
    reason: str | None


def outline_of(trial: Path) -> Outline:
    """The outline of a trial. The whole record (trial_json.py) takes a twentieth of a second more to load.

    Raises:
        UserError: trial.json cannot be read, or is not a JSON object.
    """
    record = read_json(trial / TRIAL_JSON)
    clients, reason = record.get("clients"), record.get("reason")
    hosted = isinstance(clients, list) and all(
        isinstance(client, dict) and client.get("service_addresses") for client in clients
    )
    return Outline(
        published=record.get("published") is True,
        may_be_live=not hosted,
        failed=record.get("status") == "failed",
        reason=reason if isinstance(reason, str) else None,
    )


class LinkError(UserError):
    """A file of a trial is not a regular one. `name` is its name."""

    def __init__(self, path: Path) -> None:
        super().__init__(f"{path}: is not a regular file, as every file of a trial is; run the trial again")
        self.name = path.name


def is_regular(path: Path) -> bool:
    """Whether it is a file, and not a link to one."""
    return stat.S_ISREG(path.lstat().st_mode)


def trial_files(directory: Path) -> list[Path]:
    """The files in a directory that are read.

    Raises:
        LinkError: one of them is a link or another special file, which no trial leaves behind.
    """
    paths = sorted(path for path in directory.iterdir() if meaning(path.name))
    for path in paths:
        if not is_regular(path):
            raise LinkError(path)
    return paths
