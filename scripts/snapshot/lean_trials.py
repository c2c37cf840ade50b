"""The trials in a lean snapshot: the record of each, and what is left out of it."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from scripts.base.files import link
from scripts.base.records import read_record
from scripts.extract.trial_files import TRIAL_JSON
from scripts.model.resumed import FOLDER as RESUMED
from scripts.model.resumed import resumed_from
from scripts.model.trials import TrialKey
from scripts.snapshot.about import moment
from scripts.snapshot.left_out import LeftOutGroup, group_of, listed, read_left_out
from scripts.tables.measured_trial import LAST_ROWS, Products

FOLDERS = ("trials", "published", "parquet", "rows")
"""Where the rules put a trial, and what they make of it."""


def take_trials(cycle: Path, keys: Iterable[TrialKey], made: Path) -> list[LeftOutGroup]:
    """Take the record of each trial, and make its rows if an interrupted run did not.

    Args:
        cycle: data/<campaign>/<cycle>.
        keys: its measured trials and calibrations.
        made: the snapshot that is being made.

    Returns:
        What is left out of them. Trials that were measured before the cycle was resumed keep the reason that
        they had then.
    """
    own: list[TrialKey] = []
    for key in keys:
        if not (cycle / "rows" / key.path / LAST_ROWS).is_file():
            _products(cycle, key).make()
        link(cycle / "published" / key.path / TRIAL_JSON, made / "trials" / key.path / TRIAL_JSON)
        if resumed_from(cycle / "trials" / key.path) is None:
            own.append(key)
    before = [group for group in read_left_out(cycle / RESUMED).groups if group.of_trials]
    return [*before, *_left_out_of(cycle, own)]


def _products(cycle: Path, key: TrialKey) -> Products:
    """A trial, and where the rules put what they make of it."""
    trial, published, parquet, rows = (cycle / name / key.path for name in FOLDERS)
    config, pseudonyms = cycle / "plan/config.json", cycle / "private/pseudonyms.key"
    return Products(trial, published, parquet, rows, config, pseudonyms)


@dataclass(frozen=True)
class _MeasuredOn:
    name: str | None = None


@dataclass(frozen=True)
class _Measured:
    """The part of trial.json that says where and when a trial was measured."""

    host: _MeasuredOn | None = None
    start_ns: int | None = None


def _left_out_of(cycle: Path, keys: Sequence[TrialKey]) -> Iterator[LeftOutGroup]:
    """What is left out of the trials that were measured here, by the host that measured them."""
    records = {key: read_record(_Measured, cycle / "published" / key.path / TRIAL_JSON) for key in keys}
    for name in sorted({_name(record) for record in records.values()}):
        of_host = [key for key, record in records.items() if _name(record) == name]
        starts = [start for key in of_host if (start := records[key].start_ns) is not None]
        span = f" from {moment(min(starts))} to {moment(max(starts))}" if starts else ""
        by = f"of {len(of_host)} trials and calibrations that {name} measured{span}"
        published = [
            listed(path, Path("trials", key.path, path.name))
            for key in of_host
            for path in sorted((cycle / "published" / key.path).iterdir())
            if path.name != TRIAL_JSON and not path.name.startswith(".")
        ]
        yield group_of(f"captures, logs and observations {by}: too large", published, of_trials=True)
        yield _unlisted(
            f"raw files {by}, with payload and handshakes: never published", cycle, "trials", of_host
        )
        yield _unlisted(f"packets as Parquet {by}: follow from the captures", cycle, "parquet", of_host)


def _name(record: _Measured) -> str:
    """The name of the host that measured a trial."""
    return record.host.name if record.host and record.host.name else "an unnamed host"


def _unlisted(reason: str, cycle: Path, folder: str, keys: Sequence[TrialKey]) -> LeftOutGroup:
    """Files of trials that no full snapshot has: their number and bytes, without those that are published."""
    files = [path for key in keys for path in (cycle / folder / key.path).rglob("*") if path.is_file()]
    published = {path.stat().st_ino for key in keys for path in (cycle / "published" / key.path).iterdir()}
    sizes = [path.stat().st_size for path in files if path.stat().st_ino not in published]
    return LeftOutGroup(reason, len(sizes), sum(sizes), of_trials=True)
