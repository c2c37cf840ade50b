"""Host names in a trial's handshakes: those that its clients requested, flow by flow, and answers of DNS.

The capture of the handshakes (handshakes.pcapng.zst) is never published. names.json, the names found in it in
their public form, is. The extraction gives the same flows from either file.
"""

import json
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from observatory_capture import Flows

from scripts.base.files import read_json
from scripts.base.records import from_json, require_version, to_json
from scripts.extract.capture_facts import CaptureStatus
from scripts.extract.name_observation import NameObservation
from scripts.extract.packets import CaptureRows, NotACaptureError
from scripts.extract.public_form import UNCHANGED, PublicForm
from scripts.extract.trial_files import HANDSHAKES, NAMES

SCHEMA_VERSION = 1


@dataclass(frozen=True)
class HostNames:
    """The observations of names in the order of time, and how the capture of the handshakes ended."""

    status: CaptureStatus
    observations: list[NameObservation]


@dataclass(frozen=True)
class NamesFile:
    """The content of names.json."""

    schema: int
    status: CaptureStatus
    said: list[NameObservation]


def names_of(directory: Path, failed: bool = False, form: PublicForm = UNCHANGED) -> HostNames:
    """The host names of a trial in their public form, from its handshakes or from a published names.json.

    Args:
        directory: the trial's directory, or its published copy.
        failed: whether the trial failed. Then its handshakes may be no capture at all.
        form: the public form of a private trial.

    Raises:
        UserError: the capture or names.json cannot be read, or tshark failed.
    """
    if (directory / HANDSHAKES).is_file():
        return _dissected(directory / HANDSHAKES, failed, form)
    if (directory / NAMES).is_file():
        return _read(directory / NAMES)
    return HostNames("missing", [])


def names_json(names: HostNames) -> str:
    """The content of names.json."""
    content = to_json(NamesFile(SCHEMA_VERSION, names.status, names.observations))
    return json.dumps(content, indent=1) + "\n"


def without_repeats(observations: Iterable[NameObservation]) -> list[NameObservation]:
    """The first name of each flow from each source, and each change of an address's name in DNS."""
    latest: dict[tuple[object, ...], str | None] = {}
    kept = []
    for observation in observations:
        ends = (observation.client, observation.client_port, observation.server, observation.server_port)
        key = (observation.known_by, observation.protocol, *ends)
        if key in latest and (observation.known_by != "dns" or latest[key] == observation.name):
            continue
        latest[key] = observation.name
        kept.append(observation)
    return kept


def _read(path: Path) -> HostNames:
    content = read_json(path)
    require_version(content.get("schema"), SCHEMA_VERSION, str(path))
    names = from_json(NamesFile, content, str(path))
    return HostNames(names.status, names.said)


def _dissected(path: Path, failed: bool, form: PublicForm) -> HostNames:
    # The import takes longer than all other imports of this module together, and is rarely needed.
    from scripts.extract.dissect import observations

    try:
        status = _status(path)
    except NotACaptureError:
        if not failed:
            raise
        return HostNames("corrupt", [])
    every = observations(path, broken=status != "ok")
    return HostNames(status, without_repeats(map(form.observation, every)))


def _status(path: Path) -> CaptureStatus:
    """How a capture ends. tshark's own message about that depends on where the capture was cut."""
    rows = CaptureRows(path, Flows(), [])
    for _ in rows:
        pass
    return rows.facts().status
