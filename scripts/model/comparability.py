"""What two cycles must have in common before their figures are compared: what decides the figures of a trial.

These are the bottleneck, the times of a trial, the thresholds of validity and the settings that both cycles
have. A setting's title, its precision, its services and its place in a sweep decide no figure.
"""

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from scripts.base.files import read_json

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
