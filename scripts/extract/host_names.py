"""What the handshakes say of names: the host a client asked for, flow by flow, and the answers of DNS.

The capture of the handshakes (handshakes.pcapng.zst) is never published; names.json, which holds what was
read from it, is. From either the extraction gives the same flows.
"""

import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path

from observatory_capture import Flows

from scripts.base.errors import UserError
from scripts.base.files import read_json
from scripts.extract.name_observation import NameObservation
from scripts.extract.packets import CaptureRows, NotACaptureError

HANDSHAKES, NAMES = "handshakes.pcapng.zst", "names.json"
SCHEMA_VERSION = 1


@dataclass(frozen=True)
class Names:
    """What is known, and how the capture it comes from ended: `ok`, `cut`, `corrupt` or `missing`."""

    status: str
    said: list[NameObservation]


def names_of(directory: Path, failed: bool = False) -> Names:
    """What a trial's directory tells of names: by its handshakes, or by the published names.json.

    Args:
        directory: the trial's, or its published copy.
        failed: whether the trial failed: it may have left anything.

    Raises:
        UserError: the capture or names.json cannot be read, or tshark failed.
    """
    if (directory / HANDSHAKES).is_file():
        return _dissected(directory / HANDSHAKES, failed)
    if (directory / NAMES).is_file():
        return _read(directory / NAMES)
    return Names("missing", [])


def names_json(names: Names) -> str:
    """The content of names.json."""
    content = {
        "schema": SCHEMA_VERSION,
        "status": names.status,
        "said": [asdict(each) for each in names.said],
    }
    return json.dumps(content, indent=1) + "\n"


def _read(path: Path) -> Names:
    content = read_json(path)
    try:
        if content["schema"] != SCHEMA_VERSION:
            raise UserError(f"{path}: is not of schema version {SCHEMA_VERSION}")
        return Names(content["status"], [NameObservation(**each) for each in content["said"]])
    except (KeyError, TypeError) as error:
        raise UserError(f"{path}: is no list of names: {error}") from error


def _dissected(path: Path, failed: bool) -> Names:
    # tshark's dissection takes longer to import than everything else here: not without need.
    from scripts.extract.dissect import observations

    try:
        status = _status(path)
    except NotACaptureError:
        if not failed:
            raise
        return Names("corrupt", [])
    return Names(status, without_repeats(observations(path, broken=status != "ok")))


def _status(path: Path) -> str:
    """How a capture ends; tshark's own word for it depends on where it was cut."""
    rows = CaptureRows(path, Flows(), [])
    for _ in rows:
        pass
    return str(rows.facts()["status"])


def without_repeats(said: Iterable[NameObservation]) -> list[NameObservation]:
    """What is new of each: a flow's first name of a kind, an address's name where it changes."""
    last: dict[tuple[object, ...], str] = {}
    kept = []
    for each in said:
        key = (each.known_by, each.protocol, each.client, each.client_port, each.server, each.server_port)
        if key in last and (each.known_by != "dns" or last[key] == each.name):
            continue
        last[key] = each.name
        kept.append(each)
    return kept
