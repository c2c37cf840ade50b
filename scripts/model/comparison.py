"""The cycles that a cycle is compared with.

They are found among the campaign's other cycles: in the latest revision of a published one that is not
withdrawn, else in its working folder, data/<campaign>/<cycle>. A withdrawn cycle is compared with none. What
was found is kept in the cycle's folder compared/ (scripts/tables/cycle.py), so that a snapshot is
rebuilt without other cycles:

    comparison.json             the names of the cycles (`Comparison`)
    before.parquet              trial_services of the cycle before, if there is one
    other_bottleneck.parquet    trial_services of the cycle over the other bottleneck, if there is one
    before_recognition.parquet  recognition of the cycle before, if it has that table
    labels.parquet              the labelled traces of the cycle's links (scripts/tables/recognition_table.py)

Figures of two cycles are compared only if what decides the figures of a trial is the same in both.

These are the bottleneck, the times of a trial, the thresholds of validity and the settings that both cycles
have. A setting's title, its precision, its services and its place in a sweep decide no figure.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from scripts.base.files import read_json
from scripts.base.records import read_record
from scripts.model.cycle_names import order_of, valid_snapshots

FOLDER = "compared"
NAMES = f"{FOLDER}/comparison.json"
BEFORE = f"{FOLDER}/before.parquet"
OTHER_BOTTLENECK = f"{FOLDER}/other_bottleneck.parquet"
BEFORE_RECOGNITION = f"{FOLDER}/before_recognition.parquet"
LABELS = f"{FOLDER}/labels.parquet"
TABLE = "tables/trial_services.parquet"
RECOGNITION = "recognition"
"""The table of which family of congestion controllers every service runs (scripts/recognition)."""


@dataclass(frozen=True)
class Comparison:
    """The names of the cycles that a cycle is compared with; None if there is none.

    Attributes:
        before: the last cycle before it that has tables and measured in the same way.
        passed_over: the cycles between the two, latest first, each with what differs (`differences`).
        other_bottleneck: the last cycle with tables that differs in nothing but its bottleneck.
    """

    before: str | None = None
    passed_over: dict[str, list[str]] = field(default_factory=dict)
    other_bottleneck: str | None = None


def comparison(cycle: Path) -> Comparison:
    """Find the cycles to compare a cycle with, among the others of its campaign.

    Args:
        cycle: data/<campaign>/<cycle>. Without a plan it is compared with none.

    Raises:
        UserError: a plan, or a snapshot's identity or tombstone, cannot be read.
    """
    others = list(_others(cycle)) if _config(cycle).is_file() else []
    before, passed_over = _before(cycle.name, others)
    other_bottleneck = next((name for name, different in others if different == ["bottleneck"]), None)
    return Comparison(before, passed_over, other_bottleneck)


def folders_with_tables(cycle: Path) -> dict[str, Path]:
    """The folder of each cycle of the same campaign that has tables: its snapshot, else its working folder.

    Args:
        cycle: data/<campaign>/<cycle>.

    Raises:
        UserError: a snapshot's identity or tombstone cannot be read.
    """
    campaign = cycle.parent
    working: dict[str, Path | None] = {
        path.parts[-3]: path.parents[1] for path in campaign.glob(f"*/{TABLE}")
    }
    folders = working | valid_snapshots(campaign.parent, campaign.name)
    return {name: folder for name, folder in folders.items() if folder and (folder / TABLE).is_file()}


def kept_comparison(cycle: Path) -> Comparison:
    """What was found when the tables of a cycle or snapshot were built; without compared/, nothing.

    Raises:
        UserError: the file is wrong.
    """
    path = cycle / NAMES
    return read_record(Comparison, path) if path.is_file() else Comparison()


def _before(cycle: str, others: list[tuple[str, list[str]]]) -> tuple[str | None, dict[str, list[str]]]:
    """The last cycle before this one without a difference, and those between them."""
    passed_over: dict[str, list[str]] = {}
    for name, different in others:
        if order_of(name) > order_of(cycle):
            continue
        if not different:
            return name, passed_over
        passed_over[name] = different
    return None, passed_over


def _others(cycle: Path) -> Iterator[tuple[str, list[str]]]:
    """The campaign's other planned cycles that have tables, latest first, each with what differs."""
    folders = folders_with_tables(cycle)
    for name in sorted(folders.keys() - {cycle.name}, key=order_of, reverse=True):
        if _config(folders[name]).is_file():
            yield name, differences(_config(cycle), _config(folders[name]))


def _config(directory: Path) -> Path:
    """The merged configuration of a cycle."""
    return directory / "plan/config.json"


DECISIVE = ("bottleneck", "trial", "validity")
"""The parts of plan/config.json that must be equal."""

INDIFFERENT = ("title", "precision_mbps", "services", "sweep")
"""The keys of a setting that may differ."""


def differences(one: Path, other: Path) -> list[str]:
    """The keys of two files plan/config.json whose values differ, such as `trial.ignore_first_s`, sorted.

    The files are read as plain JSON, because an earlier version of the observatory may have written one.

    Raises:
        UserError: a file cannot be read.
    """
    configs = [read_json(path) for path in (one, other)]
    settings = [config.get("settings", {}) for config in configs]
    common = settings[0].keys() & settings[1].keys()
    if not common:
        return ["settings"]
    first, second = (dict(decisive_values(config, common)) for config in configs)
    return sorted(key for key in first.keys() | second.keys() if first.get(key) != second.get(key))


def decisive_values(
    config: Mapping[str, Mapping[str, object]], settings: Iterable[str]
) -> Iterator[tuple[str, object]]:
    """Every value of plan/config.json that decides the figures of these settings, by its dotted key."""
    for part in DECISIVE:
        yield from _flat(part, config.get(part))
    for name in settings:
        for key, value in _flat(f"settings.{name}", config["settings"][name]):
            if key.split(".")[2] not in INDIFFERENT:
                yield key, value


def _flat(key: str, value: object) -> Iterator[tuple[str, object]]:
    """The values inside a mapping, each by its dotted key; a value that is no mapping by its own key."""
    if not isinstance(value, Mapping):
        yield key, value
        return
    for name, held in value.items():
        yield from _flat(f"{key}.{name}", held)
