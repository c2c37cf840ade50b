"""snapshot.json: which cycle a snapshot is, and which revision of it."""

from dataclasses import dataclass
from pathlib import Path

from scripts.base.records import read_record

NAME = "snapshot.json"


@dataclass(frozen=True)
class Correction:
    """Why a later revision was made, and on which day (UTC)."""

    date: str
    reason: str


@dataclass(frozen=True)
class Identity:
    """The content of snapshot.json.

    Attributes:
        campaign, cycle: the names of the cycle.
        revision: 1, or the number of a correction.
        correction: None for the first revision.
        commit: the commit of the code that made tables and charts; None outside a git checkout. It ends with
            `+` if files had been changed.
    """

    campaign: str
    cycle: str
    revision: int = 1
    correction: Correction | None = None
    commit: str | None = None


def read_identity(snapshot: Path) -> Identity:
    """Read snapshot.json of a snapshot.

    Raises:
        UserError: the file is missing or wrong.
    """
    return read_record(Identity, snapshot / NAME)
