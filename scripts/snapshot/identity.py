"""snapshot.json: which cycle a snapshot is, and which revision of it.

provisional.json tells the same of the provisional pages of a campaign, and how far their cycle is.
"""

import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from scripts.base.files import ROOT, read_json
from scripts.base.records import from_json, require_version, write_record
from scripts.model.cycle_names import require_names

IDENTITY = "snapshot.json"
FORMAT = 1
"""The version of the format of snapshots. A snapshot of another one tells it under the key `format`."""

PROVISIONAL = "provisional.json"

Kind = Literal["full", "lean"]
"""`lean`: without captures and logs of trials (lean.py)."""


@dataclass(frozen=True)
class Correction:
    """Why a later revision was made, and on which day (UTC)."""

    date: str
    reason: str


@dataclass(frozen=True)
class Previous:
    """The snapshot before: its folder in the archive, and the SHA-256 of its SHA256SUMS."""

    folder: str
    sha256: str


@dataclass(frozen=True)
class Incomplete:
    """How far the cycle of a lean snapshot was: the trials measured, of those planned so far."""

    measured: int
    planned: int


@dataclass(frozen=True)
class Identity:
    """The content of snapshot.json.

    Attributes:
        campaign, cycle: the names of the cycle.
        revision: 1, or the number of a correction.
        correction: None for the first revision.
        commit: the commit of the code that made tables and charts; None outside a git checkout. It ends with
            `+` if files had been changed.
        previous: of revision 1 the latest snapshot of the cycle before, of a later one the revision before;
            None if there was none.
        kind: whether the files of trials are in it.
        incomplete: how far the cycle was when it was frozen; None if it was complete.
    """

    campaign: str
    cycle: str
    revision: int = 1
    correction: Correction | None = None
    commit: str | None = None
    previous: Previous | None = None
    kind: Kind = "full"
    incomplete: Incomplete | None = None

    @property
    def folder(self) -> str:
        """The name of the snapshot's folder in an archive."""
        return f"{self.campaign}-{self.cycle}" + ("" if self.revision == 1 else f"-r{self.revision}")

    @property
    def label(self) -> str:
        """The name of the cycle and, after the first one, of the revision."""
        return self.cycle if self.revision == 1 else f"{self.cycle}.r{self.revision}"


def read_identity(snapshot: Path) -> Identity:
    """Read snapshot.json of a snapshot.

    Raises:
        UserError: the file is missing, wrong or of another format, or a name in it could not be that of a
            folder.
    """
    identity = identity_in(read_json(snapshot / IDENTITY), str(snapshot / IDENTITY))
    require_names(identity.campaign, identity.cycle, str(snapshot / IDENTITY))
    return identity


def identity_in(content: object, origin: str) -> Identity:
    """The content of a snapshot.json as `json.loads` returns it.

    Raises:
        UserError: it is wrong, or of another format; the error names `origin`.
    """
    if isinstance(content, dict):
        require_version(content.get("format", FORMAT), FORMAT, origin)
    return from_json(Identity, content, origin)


def write_identity(identity: Identity, snapshot: Path) -> None:
    """Write snapshot.json."""
    write_record(snapshot / IDENTITY, identity)


def commit_of_code(root: Path = ROOT) -> str | None:
    """The commit of a checkout, with `+` if a tracked file was changed; None if it is no checkout."""
    if not (root / ".git").exists():
        return None
    commit = _answer(root, "rev-parse", "HEAD")
    changed = _answer(root, "status", "--porcelain", "--untracked-files=no")
    return f"{commit}+" if commit and changed else commit


def git(root: Path, *words: str) -> str:
    """What git answers about a checkout, which may belong to another user.

    Raises:
        OSError: git is not installed.
        CalledProcessError: git fails.
    """
    command = ["git", "-c", f"safe.directory={root.resolve()}", "--no-optional-locks", *words]
    return subprocess.run(command, cwd=root, capture_output=True, text=True, check=True).stdout


def _answer(root: Path, *words: str) -> str | None:
    """What git answers; None if it fails or is not installed."""
    try:
        return git(root, *words).strip()
    except (OSError, subprocess.CalledProcessError):
        return None


@dataclass(frozen=True)
class Provisional:
    """The content of provisional.json: how many of the trials planned so far are measured."""

    campaign: str
    cycle: str
    measured: int
    planned: int


def write_provisional(folder: Path, running: Provisional) -> None:
    """Write provisional.json into a folder."""
    write_record(folder / PROVISIONAL, running)
