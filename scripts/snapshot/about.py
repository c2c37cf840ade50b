"""What every description of a snapshot says about it: names, dates, licence, files with their sizes."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import msgspec

from scripts.base.errors import UserError
from scripts.base.files import digest, read_json
from scripts.base.records import read_record
from scripts.charts.origin import LICENCE, SOURCE
from scripts.snapshot.checksums import files_of
from scripts.snapshot.identity import DESCRIPTION, ArchivedCycle, Identity, read_identity

DATAPACKAGE = "datapackage.json"

LICENCE_NAME = "CC-BY-4.0"
"""The licence of data, captures and charts, as SPDX names it."""
LICENCE_TITLE = LICENCE
PUBLISHER = SOURCE
LICENCE_ADDRESS = "https://creativecommons.org/licenses/by/4.0/"
PAPER = "https://doi.org/10.1145/3651890.3672229"
"""The paper whose protocol the default configuration follows."""
PAPER_TITLE = "Prudentia: Findings of an Internet Fairness Watchdog (SIGCOMM 2024)"

MEDIA_TYPES = {
    ".csv": "text/csv",
    ".json": "application/json",
    ".jsonl": "application/jsonl",
    ".lock": "text/plain",
    ".parquet": "application/vnd.apache.parquet",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".zst": "application/zstd",
}
OTHER_TYPE = "application/octet-stream"


@dataclass(frozen=True)
class SnapshotFile:
    """A file of a snapshot, by its path in it."""

    path: Path
    bytes: int
    sha256: str

    @property
    def media_type(self) -> str:
        """What kind of file it is, by its name."""
        return MEDIA_TYPES.get(self.path.suffix, OTHER_TYPE)


@dataclass(frozen=True)
class _Resource:
    """A file in datapackage.json. `hash` has the form `sha256:…`."""

    path: str
    bytes: int
    hash: str


@dataclass(frozen=True)
class _Package:
    """The part of datapackage.json that is read here."""

    resources: tuple[_Resource, ...]

    @property
    def files(self) -> tuple[SnapshotFile, ...]:
        """The files that it lists."""
        return tuple(
            SnapshotFile(Path(file.path), file.bytes, file.hash.removeprefix("sha256:"))
            for file in self.resources
        )


def read_datapackage(snapshot: Path) -> tuple[SnapshotFile, ...]:
    """The files in the datapackage.json of a snapshot.

    Raises:
        UserError: it is missing or wrong.
    """
    return read_record(_Package, snapshot / DATAPACKAGE).files


def parse_datapackage(content: bytes, origin: str) -> tuple[SnapshotFile, ...]:
    """The files in the content of a datapackage.json.

    Raises:
        UserError: it is wrong; the error names `origin`.
    """
    try:
        return msgspec.json.decode(content, type=_Package).files
    except (msgspec.DecodeError, RecursionError) as error:
        raise UserError(f"{origin}: {error}; ask the owner of the snapshot") from error


@dataclass(frozen=True)
class About:
    """A snapshot in words.

    Attributes:
        name: unique within the archive: campaign, cycle and revision.
        campaign, cycle: the names of the cycle.
        title, description: for readers.
        version: the revision, in the form of a semantic version.
        date: the day (UTC) on which measuring ended, or of the correction; None if no trial began.
        commit: the commit of the code that made tables and charts, if it is known.
        start, stop: when the first trial began and the last one ended.
        services: the titles of the services.
        lean: whether captures and logs were left out.
    """

    name: str
    campaign: str
    cycle: str
    title: str
    description: str
    version: str
    date: str | None
    commit: str | None
    start: str | None
    stop: str | None
    services: tuple[str, ...]
    lean: bool = False


def read_about(snapshot: Path) -> About:
    """Read what a snapshot is from plan/config.json, snapshot.json and tables/cycle.json.

    Raises:
        UserError: one of them is missing or wrong.
    """
    config, identity = read_json(snapshot / "plan/config.json"), read_identity(snapshot)
    times = read_record(ArchivedCycle, snapshot / DESCRIPTION)
    start, stop = moment(times.first_start_ns), moment(times.last_stop_ns)
    corrected = identity.correction.date if identity.correction else None
    revision = "" if identity.revision == 1 else f", revision {identity.revision}"
    return About(
        name=f"internet-fairness-{identity.folder}",
        campaign=identity.campaign,
        cycle=identity.cycle,
        title=f"{SOURCE}: {config['title']}, cycle {identity.cycle}{revision}",
        description=f"{SUBJECT}: {_content_words(identity)}",
        version=f"{identity.revision}.0.0",
        date=corrected or (stop[:10] if stop else None),
        commit=identity.commit,
        start=start,
        stop=stop,
        services=tuple(service.get("title", name) for name, service in config.get("services", {}).items()),
        lean=identity.kind == "lean",
    )


SUBJECT = "Who got what when internet services competed over one controlled bottleneck"


def _content_words(identity: Identity) -> str:
    """What is in a snapshot."""
    if identity.kind == "full":
        return "tables, charts, and the captures and queue logs that they are made from."
    so_far = f" of {identity.incomplete.words}" if identity.incomplete else ""
    return f"tables and charts{so_far}, without the captures and queue logs that they are made from."


def moment(time_ns: int | None) -> str | None:
    """A time in ns since the Unix epoch in the form of ISO 8601 (UTC, seconds)."""
    if time_ns is None:
        return None
    return datetime.fromtimestamp(time_ns // 10**9, UTC).isoformat()


def listed_files(snapshot: Path, sums: Mapping[Path, str]) -> list[SnapshotFile]:
    """Every file that SHA256SUMS lists, by path; checksums that are not known yet are computed."""
    return [
        SnapshotFile(path, (snapshot / path).stat().st_size, sums.get(path) or digest(snapshot / path))
        for path in files_of(snapshot)
    ]


def resource_name(path: Path) -> str:
    """A file's name in a description: its path, in characters that a Frictionless data package allows.

    `~` joins services, and never stands at the end of one: it becomes two dots.
    """
    return path.as_posix().lower().replace("~", "..").replace(" ", "_")
