"""The files of a trial directory that the extraction and the publication read."""

import re
import stat
from pathlib import Path

from scripts.base.errors import UserError
from scripts.model.trial_record import PRIVATE_JSON

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
    found = sorted(path for path in directory.iterdir() if meaning(path.name))
    for path in found:
        if not is_regular(path):
            raise LinkError(path)
    return found
