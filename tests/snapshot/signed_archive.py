"""A small archive whose snapshots are signed, with keys of its own."""

import json
import subprocess
from datetime import UTC, datetime
from pathlib import Path

from scripts.snapshot.checksums import write_checksums
from scripts.snapshot.sign import sign
from scripts.snapshot.signatures import CHAIN, OWNER, SNAPSHOT, SUCCESSOR, read_signers

ALL = (SNAPSHOT, CHAIN, SUCCESSOR)
TRIAL = "trials/8mbps/a~b/01"
CAPTURE = f"{TRIAL}/client-c1.pcapng.zst"
FILES = ("plan/plan.csv", "tables/pairs.csv", f"{TRIAL}/trial.json", CAPTURE)
FIRST, SECOND, LATER = "demo-2026-12-07", "demo-2026-12-21", "demo-2026-12-07-r2"


def at(text: str) -> datetime:
    """A day at noon, UTC."""
    return datetime.fromisoformat(f"{text}T12:00:00").replace(tzinfo=UTC)


def make_key(folder: Path, name: str) -> Path:
    """A new key without passphrase."""
    folder.mkdir(parents=True, exist_ok=True)
    command = ["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", name, "-f", str(folder / name)]
    subprocess.run(command, check=True)
    return folder / name


def line_of(key: Path, names=ALL, after="20260101Z", before=None) -> str:
    """The line of a key in allowed_signers."""
    kind, public = key.with_suffix(".pub").read_text().split()[:2]
    until = f',valid-before="{before}"' if before else ""
    who = f"{key.name}@{OWNER}"
    return f'{who} namespaces="{",".join(names)}",valid-after="{after}"{until} {kind} {public}\n'


def write_snapshot(archive: Path, folder: str, previous: dict | None = None, revision: int = 1) -> Path:
    """A snapshot that is not signed yet."""
    for name in FILES:
        path = archive / folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"{folder} {name}\n")
    cycle = folder.removeprefix("demo-").removesuffix("-r2")
    identity = {"campaign": "demo", "cycle": cycle, "revision": revision, "previous": previous}
    (archive / folder / "snapshot.json").write_text(json.dumps(identity))
    write_checksums(archive / folder)
    return archive / folder


class Signed:
    """An archive with FIRST, signed by the key `operator` on 2026-12-08.

    Attributes:
        archive: the folder of the snapshots.
        keys: the folder of the keys, with allowed_signers.
    """

    def __init__(self, root: Path) -> None:
        self.archive, self.keys = root / "snapshots", root / "keys"
        self.key = make_key(self.keys, "operator")
        self.allowed = self.keys / "allowed_signers"
        self.allow(line_of(self.key))
        self.first = write_snapshot(self.archive, FIRST)
        self.sign(FIRST, "2026-12-08")

    def allow(self, *lines: str) -> None:
        """Trust these lines only."""
        self.allowed.write_text("# The keys of this test.\n" + "".join(lines))

    def sign(self, folder: str, day: str, key: Path | None = None) -> str:
        """Sign a snapshot on a day."""
        return sign(self.archive / folder, key or self.key, at(day), read_signers(self.allowed))
