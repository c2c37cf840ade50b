"""Names of cycles: the one to work on, and their order.

data/<campaign>/current-cycle holds the name of the cycle that was planned last. data/snapshots/ holds the
published cycles.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime
from itertools import count
from pathlib import Path

from scripts.base.errors import UserError
from scripts.base.files import write_text
from scripts.base.records import read_record

NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")
"""What campaigns and cycles are called. Folders have these names."""
REVISION = re.compile("[.-]r[0-9]+$")
"""How the names of the snapshots of later revisions end."""
OTHER_FOLDERS = {"library", "operate", "snapshots", "submissions"}
"""The folders in data/ that belong to no campaign."""

FILE = "current-cycle"
SNAPSHOTS = "snapshots"
SITE_STAMP = "stamps/site"
IDENTITY = "snapshot.json"
"""The file of a snapshot that names its cycle (scripts/snapshot/identity.py)."""
TOMBSTONE = "tombstone.json"
"""The file of a snapshot that tells whether it is withdrawn (scripts/snapshot/absent.py)."""


@dataclass(frozen=True)
class _Named:
    """The part of a snapshot's identity that is read here."""

    campaign: str
    cycle: str
    revision: int = 1


@dataclass(frozen=True)
class _Marked:
    """The part of a snapshot's tombstone that is read here."""

    withdrawn: object = None


def cycle_name(data: str, campaign: str, given: object = None, today: date | None = None) -> str:
    """The cycle to work on: the given one, else the current one until it is published, else a new one.

    A published cycle whose site was not built yet is worked on, too: its run was interrupted, unless its
    folder is gone. A new cycle is named by the date, and by `<date>-2`, `<date>-3`, … if a measured or
    published cycle has that name.

    Args:
        data: the folder of all campaigns.
        campaign: the name of the campaign.
        given: the name that the user gave.
        today: the date of a new cycle; today (UTC) if it is None.

    Raises:
        UserError: a snapshot's identity cannot be read, or a name cannot be that of a folder.
    """
    if given is not None:
        require_names(campaign, str(given), f"cycle={given}")
        if REVISION.search(str(given)):
            raise UserError(
                f"cycle={given}: a later revision of another cycle has such a name; choose another"
            )
        return str(given)
    folder, published = Path(data) / campaign, published_cycles(Path(data), campaign)
    stored = folder / FILE
    current = stored.read_text(encoding="utf-8").strip() if stored.exists() else None
    if current:
        require_names(campaign, current, str(stored))
    if current and not (current in published and _is_done(folder / current)):
        return current
    day = (today or datetime.now(UTC).date()).isoformat()
    names = (day if number == 1 else f"{day}-{number}" for number in count(1))
    return next(name for name in names if name not in published and not (folder / name / "trials").exists())


def require_names(campaign: str, cycle: str, where: str) -> None:
    """Refuse names that would lead out of the folder of the campaign. `where` is the file that has them.

    Raises:
        UserError: a name has other characters than letters, digits and `._-`, or belongs to no campaign.
    """
    for name in (campaign, cycle):
        if not NAME.fullmatch(name):
            problem = f"{where}: {name!r} is no name of a campaign or cycle"
            raise UserError(f"{problem}; use letters, digits and . _ - only")
    if campaign in OTHER_FOLDERS:
        raise UserError(f"{where}: data/{campaign}/ is no campaign; give it another name")


def _is_done(folder: Path) -> bool:
    """Whether nothing is left to do in the folder of a published cycle."""
    return (folder / SITE_STAMP).exists() or not folder.exists()


def published_cycles(data: Path, campaign: str) -> set[str]:
    """The names of a campaign's cycles that have a snapshot.

    Raises:
        UserError: a snapshot's identity cannot be read.
    """
    return set(valid_snapshots(data, campaign))


def valid_snapshots(data: Path, campaign: str) -> dict[str, Path | None]:
    """The latest revision that is not withdrawn of each published cycle of a campaign; None if all are.

    Raises:
        UserError: a snapshot's identity or tombstone cannot be read.
    """
    found: dict[str, Path | None] = {}
    for _, name, folder in sorted(_snapshots(data / SNAPSHOTS, campaign)):
        found[name] = found.get(name) if _is_withdrawn(folder) else folder
    return found


def _snapshots(archive: Path, campaign: str) -> Iterator[tuple[int, str, Path]]:
    """Revision, cycle and folder of each snapshot of a campaign."""
    for folder in archive.glob("[!.]*"):
        identity = folder / IDENTITY
        named = read_record(_Named, identity) if identity.is_file() else None
        if named and named.campaign == campaign:
            require_names(named.campaign, named.cycle, str(identity))
            yield named.revision, named.cycle, folder


def _is_withdrawn(snapshot: Path) -> bool:
    path = snapshot / TOMBSTONE
    return path.is_file() and read_record(_Marked, path).withdrawn is not None


def order_of(cycle: str) -> list[tuple[str, int]]:
    """The key that sorts cycles by their names: dates by time, and `<date>-10` after `<date>-2`."""
    return [(text, int(digits or -1)) for text, digits in re.findall(r"(\D*)(\d*)", cycle)]


def store_cycle_name(campaign_directory: Path, name: str) -> None:
    """Make `name` the campaign's current cycle."""
    write_text(campaign_directory / FILE, f"{name}\n")
